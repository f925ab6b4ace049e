"""Transposes of a matrix as a GPU's warps make them: what each warp reads and writes, in order.

A warp is 32 lanes, which load or store together; one such access is a *request*. A block of warps
moves a tile of 32 × 32 elements. Elements of a matrix are numbered row after row, words of a tile
as `place` says. H rows, W columns, R requests. These are models: they run the warps one after
another, and know nothing of time.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""

TILE = 32
"""Rows and columns of a tile, and lanes of a warp."""
IDLE = -1
"""What an idle lane asks for."""


class Run(NamedTuple):
    """A result, and the requests that made it: (R, 32) each, IDLE where a lane was beyond an edge.

    `reads` are elements of the matrix, `writes` elements of the result; request k writes what
    request k read, or, through a tile, what was stored there. `stores` and `loads` are words of
    the tile, stored by the warps that read and loaded by those that write; None without a tile.
    """

    out: Array
    reads: Array
    writes: Array
    stores: Array | None = None
    loads: Array | None = None


def copy_direct(matrix: Array, *, xp: Namespace = np) -> Run:
    """Copy a matrix row by row: the yardstick, which transposes nothing.

    Args:
        matrix: (H, W) of any dtype and unit; H, W >= 1.

    Returns:
        A run whose `out` is (H, W), equal to the matrix.

    Source:
        harris2013transpose, the simple copy.

    Oracle:
        the matrix itself; exact.
    """
    height, width = matrix.shape
    A = matrix.ravel()
    out = xp.empty_like(A)
    lane, requests = xp.arange(TILE), []
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            for i in range(TILE):
                y, x = top + i, left + lane
                inside = (y < height) & (x < width)
                source = (y * width + x)[inside]
                out[source] = A[source]
                requests.append((source, source))
    out = out.reshape(height, width)
    return Run(out, *_tables(requests, xp))


def transpose_direct(matrix: Array, lanes: str = "row", *, xp: Namespace = np) -> Run:
    """Move each element from where it is to where it belongs, a warp's 32 at a time.

    Args:
        matrix: (H, W) of any dtype and unit; H, W >= 1.
        lanes: "row" when a warp's lanes take 32 elements of a row, and scatter them down a column
            of the result; "column" when they gather 32 of a column, and write a row.

    Returns:
        A run whose `out` is (W, H), the transpose.

    Raises:
        ValueError: lanes is neither.

    Source:
        harris2013transpose, the naive transpose.

    Oracle:
        numpy.transpose; exact.
    """
    if lanes not in ("row", "column"):
        raise ValueError(f'lanes is "{lanes}", must be "row" or "column"')
    height, width = matrix.shape
    A = matrix.ravel()
    out = xp.empty_like(A)
    lane, requests = xp.arange(TILE), []
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            for i in range(TILE):
                if lanes == "row":
                    y, x = top + i, left + lane  # step: row
                else:
                    y, x = top + lane, left + i  # step: column
                inside = (y < height) & (x < width)
                source = (y * width + x)[inside]  # step: read
                target = (x * height + y)[inside]  # step: write
                out[target] = A[source]  # step: move
                requests.append((source, target))
    out = out.reshape(width, height)
    return Run(out, *_tables(requests, xp))


def transpose_tiled(
    matrix: Array, place: Callable[[Any, Any], Array], *, xp: Namespace = np
) -> Run:
    """Stage each tile in shared memory, so that warps read rows and write rows.

    Args:
        matrix: (H, W) of any dtype and unit; H, W >= 1.
        place: word of the tile for a row and a column, each from 0 to 31; integers, or arrays of
            them. No two cells share a word.

    Returns:
        A run whose `out` is (W, H), the transpose; with `stores` and `loads`.

    Source:
        harris2013transpose, the coalesced transpose; ruetsch2009transpose.

    Oracle:
        numpy.transpose; exact.
    """
    height, width = matrix.shape
    A = matrix.ravel()
    out = xp.empty_like(A)
    lane, into, outof = xp.arange(TILE), [], []
    words = 1 + int(place(lane[:, None], lane).max())
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            tile = xp.empty(words, A.dtype)  # step: tile
            for i in range(TILE):
                y, x = top + i, left + lane
                inside = (y < height) & (x < width)
                source = (y * width + x)[inside]
                word = place(i, lane)[inside]
                tile[word] = A[source]  # step: load
                into.append((source, word))
            # Here the block waits for all its warps.
            for i in range(TILE):
                y, x = left + i, top + lane
                inside = (y < width) & (x < height)
                target = (y * height + x)[inside]
                word = place(lane, i)[inside]
                out[target] = tile[word]  # step: store
                outof.append((target, word))
    reads, stores = _tables(into, xp)
    writes, loads = _tables(outof, xp)
    out = out.reshape(width, height)
    return Run(out, reads, writes, stores, loads)


def _tables(requests: list[tuple[Array, Array]], xp: Namespace) -> tuple[Array, Array]:
    """Return the requests' two sides as (R, 32) each; a warp that is wholly idle asks nothing."""
    left, right = (
        xp.stack(
            [xp.concatenate([side, xp.full(TILE - len(side), IDLE)]) for side in sides if len(side)]
        )
        for sides in zip(*requests, strict=True)
    )
    return left, right
