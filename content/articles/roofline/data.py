"""The datasets of "Two ceilings: the roofline"."""

from typing import Any

from explainers import dataset

from .measuring import TYPES, WIDTH, products, timed_copy, timed_ladder

FMAS = [0, 1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024]
"""Multiply-adds on each number that the ladder reads and writes."""

SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
"""MiB that a copy reads, and writes."""

SQUARES = [2048, 4096, 8192, 16384]
"""Rows and columns of the matrices multiplied."""

BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 192, 256, 384, 512, 1024, 2048, 4096]
"""Rows that meet the same weights."""


@dataset(
    needs="cuda",
    sweep={"fmas": FMAS},
    dims={"seconds": ("repetition",)},
    units={"seconds": "s", "error": "1"},
)
def ladder(fmas: int) -> dict[str, Any]:
    """Seconds of every launch that reads 2^27 numbers, works on each, and writes it."""
    return timed_ladder(fmas)


@dataset(
    needs="cuda",
    sweep={"size": SIZES},
    dims={"seconds": ("repetition",)},
    units={"seconds": "s", "error": "1"},
)
def copies(size: int) -> dict[str, Any]:
    """Seconds of every copy of so many MiB, twenty launches in a row, the cache left alone."""
    return timed_copy(size)


@dataset(
    needs="cuda",
    sweep={"n": SQUARES},
    dims=dict.fromkeys(TYPES, ("repetition",)),
    units={**dict.fromkeys(TYPES, "s"), **{f"error_{name}": "1" for name in TYPES}},
)
def squares(n: int) -> dict[str, Any]:
    """Seconds of every product of two n by n matrices by cuBLAS, in three types."""
    return products(TYPES, n, n, n)


@dataset(
    needs="cuda",
    sweep={"batch": BATCHES},
    dims={"bf16": ("repetition",)},
    units={"bf16": "s", "error_bf16": "1"},
)
def batches(batch: int) -> dict[str, Any]:
    """Seconds of every product of a batch of rows with 8,192 by 8,192 weights, in bfloat16."""
    return products(("bf16",), batch, WIDTH, WIDTH)
