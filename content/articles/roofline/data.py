"""The datasets of "Two ceilings: the roofline"."""

from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset
from explainers.data.values import Dataset
from explainers.kernels.roofline import attainable, best_seconds, matmul_cost, matmul_tiled

from .counting import Counted
from .measuring import NUMBERS, TYPES, WIDTH, products, timed_copy, timed_ladder

Array = npt.NDArray[Any]

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


def runs(recorded: Dataset, name: str, **state: Any) -> Array:
    """Return the seconds of every launch in one state, (recording, repetition)."""
    numbers = recorded.axis("recording")
    return np.array([recorded.at(recording=n, **state).read(name) for n in numbers])


def middle(seconds: Array) -> float:
    """Return the mean of the recordings' medians."""
    return float(np.mean(np.median(seconds, axis=1)))


def copied(ladder: Dataset) -> float:
    """Return the bytes that a copy moves in a second: the rung without arithmetic."""
    return 8 * NUMBERS / middle(runs(ladder, "seconds", fmas=0))


TIMES = {"ms": "ms", "low": "ms", "high": "ms", "model": "ms"}
PLACE = {"intensity": "FLOP/byte", "rate": "TFLOP/s"}


def told(seconds: Array, flop: float, moved: float, model: float) -> dict[str, float]:
    """Return the times in ms, where the point lies in the picture, and what a model says, in ms."""
    return {
        "ms": middle(seconds) * 1e3,
        "low": float(seconds.min()) * 1e3,
        "high": float(seconds.max()) * 1e3,
        "model": model * 1e3,
        "intensity": flop / moved,
        "rate": flop / middle(seconds) / 1e12,
        # How far the medians of the recordings lie apart, relatively.
        "spread": float(np.ptp(np.median(seconds, axis=1))) / middle(seconds),
    }


@dataset(
    sweep={"type": TYPES}, units={"peak": "TFLOP/s", "bandwidth": "TB/s", "ridge": "FLOP/byte"}
)
def sheet(type: str, h200: Dataset) -> dict[str, float]:
    """The two ceilings of an H200 by its data sheet, for each type of number."""
    listed = h200.at(type=type)
    peak, bandwidth = listed.listed / listed.over, listed.bandwidth
    return {"peak": peak, "bandwidth": bandwidth, "ridge": peak / bandwidth}


@dataset(
    sweep={"type": TYPES}, units={"peak": "TFLOP/s", "bandwidth": "TB/s", "ridge": "FLOP/byte"}
)
def roofs(type: str, ladder: Dataset, squares: Dataset, batches: Dataset) -> dict[str, float]:
    """The two ceilings as measured: the fastest kernel of each type, and a copy."""
    rates = [2 * n**3 / middle(runs(squares, type, n=n)) for n in squares.axis("n")]
    if type == "bf16":
        for batch in batches.axis("batch"):
            flop, _ = matmul_cost(batch, WIDTH, WIDTH, 2)
            rates.append(float(flop) / middle(runs(batches, "bf16", batch=batch)))
    if type == "fp32":
        top = ladder.axis("fmas")[-1]
        rates.append(2 * top * NUMBERS / middle(runs(ladder, "seconds", fmas=top)))
    peak, bandwidth = max(rates) / 1e12, copied(ladder) / 1e12
    return {"peak": peak, "bandwidth": bandwidth, "ridge": peak / bandwidth}


@dataset(sweep={"fmas": FMAS[1:]}, units={**TIMES, **PLACE, "spread": "1", "error": "1"})
def rungs(fmas: int, ladder: Dataset) -> dict[str, float]:
    """Times of the ladder, and what its two ends say of every rung between them."""
    seconds, top = runs(ladder, "seconds", fmas=fmas), ladder.axis("fmas")[-1]
    flop, moved = 2 * fmas * NUMBERS, 8 * NUMBERS
    peak = 2 * top * NUMBERS / middle(runs(ladder, "seconds", fmas=top))
    model = float(best_seconds(flop, moved, peak, copied(ladder)))
    errors = [ladder.at(recording=n, fmas=fmas).error for n in ladder.axis("recording")]
    return {**told(seconds, flop, moved, model), "error": max(errors)}


@dataset(sweep={"batch": BATCHES}, units={**TIMES, **PLACE, "spread": "1", "error": "1"})
def layers(batch: int, batches: Dataset, roofs: Dataset) -> dict[str, float]:
    """Times of a layer for a batch of rows, and what both measured ceilings say."""
    flop, moved = (float(x) for x in matmul_cost(batch, WIDTH, WIDTH, 2))
    tops = roofs.at(type="bf16")
    model = float(best_seconds(flop, moved, tops.peak * 1e12, tops.bandwidth * 1e12))
    errors = [batches.at(recording=n, batch=batch).error_bf16 for n in batches.axis("recording")]
    return {**told(runs(batches, "bf16", batch=batch), flop, moved, model), "error": max(errors)}


@dataset(sweep={"type": TYPES, "n": SQUARES}, units={**PLACE, "spread": "1", "error": "1"})
def multiplied(type: str, n: int, squares: Dataset) -> dict[str, float]:
    """Rates of the square products, and how far they are from float64."""
    flop, moved = (float(x) for x in matmul_cost(n, n, n, 2 if type == "bf16" else 4))
    place = told(runs(squares, type, n=n), flop, moved, 0)
    errors = [squares.at(recording=r, n=n).read(f"error_{type}") for r in squares.axis("recording")]
    return {**{k: place[k] for k in ("intensity", "rate", "spread")}, "error": float(max(errors))}


@dataset(
    dims=dict.fromkeys(("type", "kind", "size", "intensity", "rate"), ("point",)),
    units={**PLACE, "size": "1"},
)
def points(rungs: Dataset, layers: Dataset, multiplied: Dataset) -> dict[str, Any]:
    """Every measured kernel, as a point under the roof."""
    found = [("fp32", "rung", k, rungs.at(fmas=k)) for k in rungs.axis("fmas")]
    found += [("bf16", "batch", b, layers.at(batch=b)) for b in layers.axis("batch")]
    found += [
        (t, "square", n, multiplied.at(type=t, n=n))
        for t in multiplied.axis("type")
        for n in multiplied.axis("n")
    ]
    return {
        "type": [type for type, *_ in found],
        "kind": [kind for _, kind, *_ in found],
        "size": [size for *_, size, _ in found],
        "intensity": [place.intensity for *_, place in found],
        "rate": [place.rate for *_, place in found],
    }


@dataset(
    sweep={"size": SIZES},
    units=dict.fromkeys(("rate", "low", "high", "spread"), "TB/s") | {"spread": "1"},
)
def copy_rates(size: int, copies: Dataset) -> dict[str, float]:
    """Bytes that a copy reads and writes in a second, the last copy still in the cache."""
    seconds, moved = runs(copies, "seconds", size=size), 2 * size * 2**20 / 1e12
    return {
        "rate": moved / middle(seconds),
        "low": moved / float(seconds.max()),
        "high": moved / float(seconds.min()),
        "spread": float(np.ptp(np.median(seconds, axis=1))) / middle(seconds),
    }


@dataset(units=dict.fromkeys(("items", "width", "side", "square"), "1"))
def sizes() -> dict[str, int]:
    """How many numbers the ladder reads, and the sides of the matrices."""
    return {"items": NUMBERS, "width": WIDTH, "side": SIDE, "square": 4096}


SIDE = 64
"""Rows and columns of the matrices whose traffic is counted."""


@dataset(
    sweep={"tile": [1, 2, 4, 8, 16, 32, 64]},
    units={"moved": "1", "each": "1", "intensity": "FLOP/byte", "deviation": "1"},
)
def tiles(tile: int) -> dict[str, float]:
    """Numbers that cross while a 64 by 64 product runs tile by tile, counted, 4 bytes each."""
    rng = np.random.default_rng(tile)
    a, b = Counted(rng.normal(size=(SIDE, SIDE))), Counted(rng.normal(size=(SIDE, SIDE)))
    product = matmul_tiled(a, b, tile)  # type: ignore[arg-type]  # (SIDE, SIDE)
    moved = a.reads + b.reads + product.size
    return {
        "moved": moved,
        "each": a.reads / SIDE**2,
        "intensity": 2 * SIDE**3 / (4 * moved),
        "deviation": float(np.abs(product - a.values @ b.values).max()),
    }


@dataset(
    sweep={
        "gflop": [0.001, 2, 137.4, 100000],
        "mb": [0.01, 8, 201.3, 90000],
        "peak": [1, 67, 989],
        "bandwidth": [50, 4800],
    },
    units={
        "intensity": "FLOP/byte",
        "ridge": "FLOP/byte",
        "rate": "TFLOP/s",
        "memory": "µs",
        "arithmetic": "µs",
        "best": "µs",
    },
)
def cases(gflop: float, mb: float, peak: float, bandwidth: float) -> dict[str, float]:
    """Work of some size on some machine: its intensity, its ceiling, the times of both limits."""
    flop, moved = gflop * 1e9, mb * 1e6
    tops, wide = peak * 1e12, bandwidth * 1e9
    return {
        "intensity": flop / moved,
        "ridge": tops / wide,
        "rate": float(attainable(flop / moved, tops, wide)) / 1e12,
        "memory": float(best_seconds(0.0, moved, tops, wide)) * 1e6,
        "arithmetic": float(best_seconds(flop, 0.0, tops, wide)) * 1e6,
        "best": float(best_seconds(flop, moved, tops, wide)) * 1e6,
    }
