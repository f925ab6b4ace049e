"""Sectors and lines of a GPU's global memory: what a warp's 32 addresses make it fetch.

Global memory moves in *sectors* of 32 bytes; four of them, aligned, make a *line* of 128 bytes,
which is what the caches name. A sector is fetched whole, whichever of its bytes were asked for,
and once, however many lanes asked. In the shapes, `...` are any leading axes, for many warps at
once.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""

SECTOR = 32
"""Bytes in a sector."""
LINE = 128
"""Bytes in a line."""


def blocks(addresses: Array, size: int, width: int = 4, *, xp: Namespace = np) -> Array:
    """Tell which sector, or which line, each lane's element lies in.

    Args:
        addresses: (..., L) first byte of each lane's element, in bytes, integers from 0; each a
            multiple of the width.
        size: bytes in a block: SECTOR or LINE.
        width: bytes in an element: a power of two, at most the size.

    Returns:
        (..., L) number of the block, from 0 at address 0.

    Raises:
        ValueError: an address is no multiple of the width, or an element exceeds a block.

    Source:
        nvidia2025practices, coalesced access to global memory.

    Oracle:
        a set of the blocks of every byte, in Python; exact.
    """
    if width < 1 or width & (width - 1) or width > size:
        raise ValueError(f"width is {width}, must be a power of two of at most {size}")
    if bool((addresses % width != 0).any()):
        raise ValueError(f"an address is no multiple of {width} bytes")
    return xp.asarray(addresses) // size  # (..., L)


def distinct(values: Array, *, xp: Namespace = np) -> Array:
    """Count the different numbers along the last axis.

    Args:
        values: (..., L) integers, L >= 1.

    Returns:
        (...) how many of them differ, 1 to L.

    Source:
        nvidia2025practices, coalesced access to global memory: a sector counts once.

    Oracle:
        len(set()), in Python; exact.
    """
    ordered = xp.sort(values, axis=-1)  # (..., L)
    return (ordered[..., 1:] != ordered[..., :-1]).sum(axis=-1) + 1  # (...)


def sectors(addresses: Array, width: int = 4, *, xp: Namespace = np) -> Array:
    """Count the sectors that a warp's access moves.

    Args:
        addresses: (..., L) first byte of each lane's element, in bytes.
        width: bytes in an element.

    Returns:
        (...) sectors, 1 to L.

    Raises:
        ValueError: as blocks().

    Source:
        nvidia2025practices, coalesced access to global memory.

    Oracle:
        a set of the sectors of every byte, in Python; exact.
    """
    return distinct(blocks(addresses, SECTOR, width, xp=xp), xp=xp)  # (...)


def lines(addresses: Array, width: int = 4, *, xp: Namespace = np) -> Array:
    """Count the lines that a warp's access touches.

    Args:
        addresses: (..., L) first byte of each lane's element, in bytes.
        width: bytes in an element.

    Returns:
        (...) lines, 1 to L.

    Raises:
        ValueError: as blocks().

    Source:
        nvidia2025practices, coalesced access to global memory.

    Oracle:
        a set of the lines of every byte, in Python; exact.
    """
    return distinct(blocks(addresses, LINE, width, xp=xp), xp=xp)  # (...)


def useful(addresses: Array, width: int = 4, *, xp: Namespace = np) -> Array:
    """Divide the bytes that lanes asked for, each counted once, by the bytes moved.

    Args:
        addresses: (..., L) first byte of each lane's element, in bytes.
        width: bytes in an element.

    Returns:
        (...) fraction of the moved bytes, above 0 and at most 1, float64.

    Raises:
        ValueError: as blocks().

    Source:
        nvidia2025practices, effective use of the memory bus.

    Oracle:
        sets of bytes, in Python, divided as fractions; exact.
    """
    asked = distinct(addresses, xp=xp) * width  # (...) bytes
    return asked / (sectors(addresses, width, xp=xp) * SECTOR)  # (...)
