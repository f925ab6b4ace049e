"""The datasets of "Kernel visualization: efficient matrix transpose"."""

from typing import Any

from explainers import dataset

from .counting import FIELDS, counted
from .timing import VERSIONS, timed

SIZES = (1024, 2048, 4096, 8192, 16384)
"""Rows and columns of the matrices that were timed."""

NEIGHBOURS = (8160, 8191, 8192, 8193, 8224)
"""Sizes around a power of two."""

BLOCKS = (4, 8, 16, 32)
"""Rows of threads in a block: each thread moves 32 elements divided by so many."""

SECONDS = {"wrong": "1", "pairs": "1"}


def seconds(*kernels: str) -> dict[str, Any]:
    """Return the marks of a dataset of timings."""
    return {
        "dims": dict.fromkeys(kernels, ("repetition",)),
        "units": {**dict.fromkeys(kernels, "s"), **SECONDS},
    }


@dataset(needs="cuda", sweep={"n": SIZES}, **seconds(*VERSIONS))
def timings(n: int) -> dict[str, Any]:
    """Seconds of every launch of seven CUDA kernels over n × n floats, the L2 cache cold."""
    return timed(n)


@dataset(
    needs="cuda", sweep={"n": NEIGHBOURS}, **seconds("copy", "scatter", "gather", "tiled", "padded")
)
def neighbours(n: int) -> dict[str, Any]:
    """The same around 8,192 rows, where some sizes are no multiple of 32, and one of 8,192."""
    return timed(n, ("copy", "scatter", "gather", "tiled", "padded"))


@dataset(needs="cuda", sweep={"rows": BLOCKS}, **seconds("copy", "tiled", "padded"))
def blocks(rows: int) -> dict[str, Any]:
    """The same for 8,192 × 8,192 floats and blocks of 32 threads by 4, 8, 16 and 32."""
    return timed(8192, ("copy", "tiled", "padded"), rows)


@dataset(
    needs="cuda", sweep={"n": SIZES[2:]}, **seconds("copy", "tiled", "padded", "cupy", "cublas")
)
def libraries(n: int) -> dict[str, Any]:
    """The same beside the transposes of two libraries, CuPy and cuBLAS."""
    return timed(n, ("copy", "tiled", "padded", "cupy", "cublas"))


@dataset(
    needs="cuda",
    dims=dict.fromkeys(FIELDS, ("version",)),
    units={"n": "1", "wrong": "1", "memory_read": "byte", "memory_written": "byte"},
)
def counts() -> dict[str, Any]:
    """What the GPU's own counters saw of one launch of each kernel over 4096 × 4096 floats."""
    return counted(4096)
