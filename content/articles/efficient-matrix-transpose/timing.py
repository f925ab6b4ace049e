"""Time the kernels of transpose.cu on a GPU, each checked element by element first."""

import importlib
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from explainers import recording

VERSIONS = ("copy", "scatter", "gather", "tiled", "padded", "padded34", "swizzled")
"""The kernels; the first transposes nothing."""

TILE = 32
ROWS = 8
"""Rows of threads in a block, if nothing else is said."""

LARGE = 4096
"""From here a matrix outgrows the cache, and one launch is long enough to be timed alone."""

TOGETHER = 32
"""Launches timed at once where one is too short: each has matrices of its own, 256 MB in all."""


LIBRARIES = ("cupy", "cublas")
"""Transposes of others: CuPy's copy of a view, and the geam of cuBLAS."""


def grid(n: int) -> tuple[int, int]:
    """Return the blocks of a launch: a square matrix has as many across as down."""
    tiles = -(-n // TILE)
    return tiles, tiles


def wrong(kernel: str, matrix: Any, out: Any, xp: Any) -> int:
    """Count the elements that are not where they belong; a poisoned one never is.

    Raises:
        ValueError: there is one.
    """
    expected = matrix if kernel == "copy" else matrix.T
    count = int(xp.sum(out != expected))
    if count:
        raise ValueError(f"{kernel} puts {count} of {out.size} elements in the wrong place")
    return count


def by_library(name: str, matrix: Any, out: Any) -> None:
    """Transpose by a library's own function."""
    if name == "cupy":
        recording.cupy().copyto(out, matrix.T)
    else:
        # cuBLAS lays matrices out by columns: what it takes for a copy is our transpose.
        cublas = importlib.import_module("cupy.cublas")
        cublas.geam("N", "N", 1.0, matrix, 0.0, matrix, out=out.T)


def timed(n: int, kernels: Iterable[str] = VERSIONS, rows: int = ROWS) -> dict[str, Any]:
    """Return the seconds of every launch of some kernels over n × n floats, the cache cold.

    Large matrices: a buffer larger than the second-level cache is written before each launch.
    Small ones: launches follow each other over so many matrices that none is still in the cache.
    """
    cupy, kernels = recording.cupy(), tuple(kernels)
    source = Path("transpose.cu").read_text()
    ours = [kernel for kernel in kernels if kernel not in LIBRARIES]
    loaded = recording.compile(source, *ours, options=(f"-DROWS={rows}",))
    pairs = 1 if n >= LARGE else max(1, recording.FLUSHED // (2 * 4 * n * n))
    matrices = cupy.random.default_rng(n).random((pairs, n, n), dtype=np.float32)
    outs = cupy.empty_like(matrices)
    turn = {kernel: itertools.count() for kernel in kernels}

    def launch(kernel: str) -> None:
        pair = next(turn[kernel]) % pairs
        if kernel in LIBRARIES:
            by_library(kernel, matrices[pair], outs[pair])
            return
        size = np.int32(n)
        args = (matrices[pair], outs[pair], size, size)
        loaded[kernel](grid(n), (TILE, rows), args)

    found: dict[str, Any] = {"wrong": 0, "pairs": pairs}
    for kernel in kernels:
        recording.poison(outs)
        for _ in range(pairs):
            launch(kernel)
        for matrix, out in zip(matrices, outs, strict=True):
            found["wrong"] += wrong(kernel, matrix, out, cupy)
        if n <= LARGE:  # once more, and not by the library that made the matrix
            found["wrong"] += wrong(kernel, matrices[0].get(), outs[0].get(), np)
    launches = {kernel: lambda k=kernel: launch(k) for kernel in kernels}
    if n >= LARGE:
        return {**recording.measure(launches, cold=True), **found}
    return {**recording.measure(launches, inner=TOGETHER), **found}
