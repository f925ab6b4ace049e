"""Time a copy, a ladder of multiply-adds and matrix products on a GPU, each checked first."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from explainers import recording

NUMBERS = 1 << 27
"""Numbers that the ladder reads, and writes: 512 MiB each."""

FACTOR, TERM = np.float32(1 + 2**-10), np.float32(-(2**-11))
"""What each multiply-add of the ladder multiplies by, and adds: no number grows past 3."""

WIDTH = 8192
"""Rows and columns of the weights that the batches meet."""

TYPES = ("fp32", "tf32", "bf16")
"""fp32 on the ordinary cores; the other two on tensor cores, with sums in float32."""

TOLERANCES = {"fp32": 1e-5, "tf32": 1e-3, "bf16": 1e-2}
"""bfloat16 keeps 8 bits: the library rounds results to it, and for few rows partial sums too."""

R_32F, R_16BF = 0, 14
"""How cuBLAS names the types of the numbers in memory."""

COMPUTE_32F, COMPUTE_TF32 = 68, 77
"""How it names the arithmetic."""

TRANSPOSED, AS_IT_IS, ANY_ALGORITHM = 1, 0, -1


def ladder(source: str, fmas: int, n: int = NUMBERS) -> tuple[Callable[[], None], Any, Any]:
    """Return a launch of the ladder with so many multiply-adds, its input and its output."""
    cupy = recording.cupy()
    kernel = recording.compile(source, "ladder", options=(f"-DFMAS={fmas}",))["ladder"]
    x = cupy.random.default_rng(fmas).random(n, dtype=np.float32)
    y = cupy.empty_like(x)
    grid, threads, n4 = (-(-n // 4 // 256),), (256,), np.int32(n // 4)
    return lambda: kernel(grid, threads, (x, y, FACTOR, TERM, n4)), x, y


def checked_ladder(fmas: int, n: int = NUMBERS) -> tuple[Callable[[], None], float]:
    """Return a launch, and how far its result is from what the closed form says."""
    launch, x, y = ladder(Path("ladder.cu").read_text(), fmas, n)
    recording.poison(y)
    launch()
    # After k steps x is a^k x + b (a^k - 1) / (a - 1).
    a, b = float(FACTOR), float(TERM)
    grown = a**fmas
    places = slice(None, None, max(1, n >> 20))
    expected = grown * x[places].get().astype(np.float64) + b * (grown - 1) / (a - 1)
    error = recording.check("ladder", y[places], expected, 1e-4 if fmas else 1e-12)
    if bool((y != y).any()):
        raise ValueError("some numbers were never written")
    return launch, error


def timed_ladder(fmas: int) -> dict[str, Any]:
    """Return the seconds of every launch, the cache emptied before each."""
    launch, error = checked_ladder(fmas)
    return {**recording.measure({"seconds": launch}, cold=True), "error": error}


def timed_copy(mebibytes: int) -> dict[str, Any]:
    """Return the seconds of every copy of so many MiB, twenty in a row, the cache left alone."""
    launch, error = checked_ladder(0, mebibytes << 18)
    return {**recording.measure({"seconds": launch}, inner=20), "error": error}


def bf16(x: Any) -> Any:
    """Round float32 to bfloat16, to the nearest, ties to even; uint16 hold the bits."""
    bits = x.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def float64(x: Any) -> Any:
    """Return the numbers that float32, or the bits of bfloat16, stand for."""
    if x.dtype == np.uint16:
        x = (x.astype(np.uint32) << 16).view(np.float32)
    return x.astype(np.float64)


def product(x: Any, w: Any, y: Any, arithmetic: int) -> Callable[[], None]:
    """Return a launch of y = x wᵀ, as a linear layer has it, by cuBLAS.

    Args:
        x: (M, K) float32, or the bits of bfloat16 as uint16.
        w: (N, K) of the same type.
        y: (M, N) of the same type, to be written.
        arithmetic: what cuBLAS calls the compute type.
    """
    cublas: Any = import_module("cupy_backends.cuda.libs.cublas")
    handle = import_module("cupy.cuda.device").get_cublas_handle()
    (M, K), N = x.shape, len(w)
    kind = R_16BF if x.dtype == np.uint16 else R_32F
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)

    def launch() -> None:
        # Columns come first in cuBLAS, so it is asked for yᵀ = w xᵀ.
        cublas.gemmEx(
            *(handle, TRANSPOSED, AS_IT_IS, N, M, K),
            *(one.ctypes.data, w.data.ptr, kind, K, x.data.ptr, kind, K),
            *(zero.ctypes.data, y.data.ptr, kind, N, arithmetic, ANY_ALGORITHM),
        )

    return launch


def check_product(name: str, x: Any, w: Any, y: Any, tolerance: float) -> float:
    """Compare a corner with NumPy in float64, and all of it by a product with random signs."""
    cupy = recording.cupy()
    corner = float64(x[:8].get()) @ float64(w[:64].get()).T
    error = recording.check(name, float64(y[:8, :64].get()), corner, tolerance)
    signs = cupy.random.default_rng(1).integers(0, 2, len(w)).astype(np.float64) * 2 - 1
    whole = float64(x) @ (float64(w).T @ signs)
    return max(error, recording.check(name, float64(y) @ signs, whole, tolerance))


def products(types: tuple[str, ...], M: int, N: int, K: int) -> dict[str, Any]:
    """Return the seconds of every launch of (M, K) by (K, N), the cache emptied before each."""
    cupy = recording.cupy()
    rng = cupy.random.default_rng(M + N)
    x = rng.standard_normal((M, K), dtype=np.float32)
    w = rng.standard_normal((N, K), dtype=np.float32)
    launches, errors = {}, {}
    for name in types:
        given = (bf16(x), bf16(w)) if name == "bf16" else (x, w)
        y = cupy.empty((M, N), given[0].dtype)
        launch = product(*given, y, COMPUTE_TF32 if name == "tf32" else COMPUTE_32F)
        recording.poison(y)
        launch()
        errors[f"error_{name}"] = check_product(name, *given, y, TOLERANCES[name])
        launches[name] = launch
    return {**recording.measure(launches, cold=True), **errors}
