"""The roofline: how fast a kernel can be, from its operations and its bytes.

M, N, K are the sides of a matrix product, n the steps of anything. Operations are floating-point
ones (FLOP): a multiply-add counts as two. Bytes are those that cross between the memory and the
chip. Times are in seconds; every rate is per second.
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


def attainable(
    intensity: Array | float, peak: float, bandwidth: float, *, xp: Namespace = np
) -> Array:
    """Return the rate that no kernel of this intensity can exceed: the lower of two ceilings.

    Args:
        intensity: operations per byte, of any shape; FLOP/byte, at least 0.
        peak: operations that the arithmetic units do per second; FLOP/s.
        bandwidth: bytes that the memory moves per second; byte/s.

    Returns:
        FLOP/s, of the shape of `intensity`.

    Source:
        williams2009roofline, the formula of the model.

    Oracle:
        exact fractions of best_seconds; relative 1e-12.
    """
    return xp.minimum(peak, xp.asarray(intensity) * bandwidth)


def best_seconds(
    flop: Array | float, moved: Array | float, peak: float, bandwidth: float, *, xp: Namespace = np
) -> Array:
    """Return the time that no kernel can beat: the longer of two, which overlap at best.

    Args:
        flop: operations, of any shape; FLOP.
        moved: bytes that cross between memory and chip, of the same shape; byte.
        peak: operations per second; FLOP/s.
        bandwidth: bytes per second; byte/s.

    Returns:
        Seconds, of the same shape.

    Source:
        williams2009roofline, the same formula, read as a time.

    Oracle:
        a simulated memory that feeds an arithmetic unit, up to one chunk; relative 1e-12.
    """
    return xp.maximum(xp.asarray(flop) / peak, xp.asarray(moved) / bandwidth)


def matmul_cost(
    M: Array | int, N: Array | int, K: Array | int, size: int, *, xp: Namespace = np
) -> tuple[Array, Array]:
    """Count a product of (M, K) by (K, N) whose arrays each cross once, the least there is.

    Args:
        M: rows of the result, of any shape, dimensionless.
        N: its columns, of the same shape or one number.
        K: terms of each sum, likewise.
        size: bytes of a number.

    Returns:
        flop: operations, float64; FLOP.
        moved: bytes, float64.

    Source:
        williams2009roofline, operational intensity with compulsory traffic.

    Oracle:
        a product in plain Python that counts what it does and touches; exact.
    """
    m, n, k = (xp.asarray(side, dtype=xp.float64) for side in (M, N, K))
    flop = 2 * m * n * k
    moved = size * (m * k + k * n + m * n)
    return flop, moved


def matmul_tiled(A: Array, B: Array, tile: int, *, xp: Namespace = np) -> Array:
    """Multiply tile by tile: only three tiles are kept near, the rest waits in memory.

    Args:
        A: (M, K) numbers of any unit.
        B: (K, N) numbers.
        tile: rows and columns of a tile, at least 1; those at the edges may be smaller.

    Returns:
        (M, N) the product; equals A @ B to 1e-12.

    Raises:
        ValueError: tile is below 1.

    Source:
        hong1981pebble, the blocked product.

    Oracle:
        exact fractions; relative 1e-12. Its reads: a counting array, and the closed form.
    """
    if tile < 1:
        raise ValueError(f"tile is {tile}, must be at least 1")
    (M, K), N = A.shape, B.shape[1]
    C = xp.zeros((M, N), dtype=A.dtype)  # (M, N)
    for i in range(0, M, tile):
        for j in range(0, N, tile):
            total: Any = 0.0
            for k in range(0, K, tile):
                a = A[i : i + tile, k : k + tile]  # (t, t)  # step: read
                b = B[k : k + tile, j : j + tile]  # (t, t)
                total = total + a @ b  # (t, t)  # step: multiply
            C[i : i + tile, j : j + tile] = total  # step: write
    return C
