"""The datasets of "Kernel visualization: online softmax"."""

# ruff: noqa: E741 - l is the papers' letter for the sum.

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset, trace
from explainers.data.values import Dataset
from explainers.kernels.softmax import (
    count_moves,
    merge,
    merge_tree,
    softmax_online,
    softmax_plain,
    softmax_safe,
    weight,
)

from .timing import timed
from .traffic import Counter, Row
from .trees import TREES, depth, random_tree

Array = npt.NDArray[Any]

GIVEN = (1, 3, 2, 5, 4, 0.5, 6, 2.5)
"""The row of scores that the whole article follows."""

ROWS = {
    "given": GIVEN,
    "ascending": tuple(sorted(GIVEN)),
    "descending": tuple(sorted(GIVEN, reverse=True)),
    "equal": (2,) * 8,
    "late peak": (1, 2, 1.5, 0.5, 2, 1, 1.5, 8),
    "masked": (-math.inf, -math.inf, 3, 1, -math.inf, 5, 2, 4),
}

KERNELS: dict[str, Callable[..., Array]] = {
    "plain": softmax_plain,
    "safe": softmax_safe,
    "online": softmax_online,
}

SHIFTS = (0, 4, 5, 6, 20, 40, 60, 80, 82, 82.5, 83, 100, 500, 703.5, 704, 1000, 2000, 4000)
"""Constants that the overflow figure adds to the row; the steps lie where something breaks."""


def row(preset: str) -> Array:
    """Return one of the rows as an array."""
    return np.array(ROWS[preset], dtype=np.float64)  # (T,)


def exact_statistics(scores: Array) -> tuple[float, float]:
    """Return (m, l) in two sweeps, the sum without rounding error: what a kernel must meet."""
    m = max(float(x) for x in scores)
    if m == -math.inf:
        return m, 0.0
    return m, math.fsum(math.exp(x - m) for x in scores)


@dataset(
    sweep={"preset": list(ROWS)},
    nonfinite=["m", "m_new"],
)
def one_sweep(preset: str, xp: Any = np) -> Any:
    """The running maximum and sum after every statement of the online kernel."""
    x = xp.asarray(row(preset))  # (T,)
    return trace(softmax_online, x, xp=xp, watch=("i", "m", "m_new", "scale", "l"))


@dataset(
    sweep={"preset": list(ROWS)},
    dims={"m": ("read",), "l": ("read",), "scale": ("read",)},
    nonfinite=["m"],
)
def states(preset: str, xp: Any = np) -> dict[str, Array]:
    """What the online kernel holds after it has read one score, two, … all of the row."""
    x = xp.asarray(row(preset))  # (T,)
    prefixes = [
        trace(softmax_online, x[: read + 1], xp=xp, watch=("m", "l", "scale"))
        for read in range(len(x))
    ]
    return {name: np.array([swept[name][-1] for swept in prefixes]) for name in ("m", "l", "scale")}


@dataset(
    sweep={"preset": list(ROWS)},
    dims={
        "x": ("element",),
        "m": ("read",),
        "l": ("read",),
        "parts": ("read", "element"),
        "y": ("element",),
        "y_safe": ("element",),
    },
    nonfinite=["x", "m"],
)
def rows(preset: str, xp: Any = np) -> dict[str, Array]:
    """Each row, its softmax, and (m, l) of the scores read so far, taken in two sweeps."""
    x = row(preset)  # (T,)
    T = len(x)
    statistics = [exact_statistics(x[: read + 1]) for read in range(T)]
    m, l = np.array(statistics).T  # (T,), (T,)
    parts = np.array([weight(x, m[read]) * (np.arange(T) <= read) for read in range(T)])  # (T, T)
    return {
        "x": x,
        "m": m,
        "l": l,
        "parts": parts,
        "y": softmax_online(xp.asarray(x), xp=xp),
        "y_safe": softmax_safe(xp.asarray(x), xp=xp),
    }


@dataset(units={"deviation": "1", "rows": "1", "masked": "1"})
def agreement(xp: Any = np) -> dict[str, Any]:
    """The largest distance between the online and the safe kernel: 300 rows, all block sizes."""
    rng = np.random.default_rng(3)
    deviation = 0.0
    for _ in range(300):
        x = xp.asarray(rng.normal(0, 10, rng.integers(1, 65)))  # (T,)
        y = softmax_safe(x, xp=xp)
        for block in (1, 2, 3, 8, 64):
            y_online = softmax_online(x, block, xp=xp)  # (T,)
            deviation = max(deviation, float(xp.max(xp.abs(y_online / y - 1))))
    return {
        "deviation": deviation,
        "rows": 300,
        "masked": float(softmax_online(xp.full(8, -xp.inf), xp=xp).sum()),
    }


def arrival(name: str) -> Array:
    """Return the given row in an order of arrival; "shuffle 3" is the third seeded shuffle."""
    if name.startswith("shuffle"):
        return np.random.default_rng(int(name.split()[1])).permutation(np.array(GIVEN))  # (T,)
    return row(name)


@dataset(
    sweep={
        "order": ["given", "ascending", "descending", *(f"shuffle {n}" for n in range(1, 13))],
    },
    dims={"x": ("element",), "m": ("element",), "moved": ("element",)},
    units={"moves": "moves", "shrinks": "moves", "l": "1"},
)
def orders(order: str, xp: Any = np) -> dict[str, Any]:
    """How often the running maximum moves when the same eight scores arrive in another order."""
    x = arrival(order)  # (T,)
    m = np.maximum.accumulate(x)  # (T,)
    moves = int(count_moves(xp.asarray(x[None, :]), xp=xp)[0])
    return {
        "x": x,
        "m": m,
        "moved": np.diff(m, prepend=-np.inf) > 0,
        "moves": moves,
        # The first arrival moves the maximum too, but there is no sum yet for it to shrink.
        "shrinks": moves - 1,
        "l": exact_statistics(x)[1],
    }


@dataset(
    sweep={"n": [8, 64, 1024]},
    dims={"frequency": ("moves",), "exact": ("moves",)},
    units={"mean": "moves", "harmonic": "moves", "error": "moves", "shuffles": "1"},
)
def random_orders(n: int, xp: Any = np) -> dict[str, Any]:
    """Moves over 100,000 random orders of n distinct scores, beside their exact distribution."""
    shuffles, chunk, most = 100_000, 5_000, 24
    rng = np.random.default_rng(n)
    chunks = (rng.random((chunk, n), dtype=np.float32) for _ in range(shuffles // chunk))
    counted = [count_moves(xp.asarray(rows), xp=xp) for rows in chunks]
    moves = np.array(xp.concatenate(counted).tolist())  # (shuffles,)
    exact = np.zeros(n + 1)  # (n + 1,)
    exact[0] = 1
    # Score number k is the largest of the first k with probability 1/k, whatever came before.
    for k in range(1, n + 1):
        exact = exact * (1 - 1 / k) + np.roll(exact, 1) / k
    return {
        "frequency": np.bincount(moves, minlength=most)[:most] / shuffles,  # (most,)
        "exact": np.pad(exact, (0, most))[:most],  # (most,)
        "mean": float(moves.mean()),
        "harmonic": math.fsum(1 / k for k in range(1, n + 1)),
        "error": float(moves.std() / math.sqrt(shuffles)),
        "shuffles": shuffles,
    }


@dataset(
    sweep={"tree": list(TREES)},
    dims={"pairs": ("merge", "side"), "x": ("element",), "m": ("node",), "l": ("node",)},
    units={"depth": "merges", "deviation": "1"},
)
def trees(tree: str, xp: Any = np) -> dict[str, Any]:
    """The statistics below every node of a merge tree over the eight scores."""
    x, pairs = row("given"), np.array(TREES[tree])  # (T,), (T - 1, 2)
    m, l = merge_tree(xp.asarray(x), pairs, xp=xp)  # (2T - 1,), (2T - 1,)
    return {
        "x": x,
        "pairs": pairs.astype(np.int32),
        "m": m,
        "l": l,
        "depth": depth(pairs),
        "deviation": abs(float(l[-1]) / exact_statistics(x)[1] - 1),
    }


@dataset(
    units={"trees": "1", "scores": "1", "deviation": "1", "results": "1", "same_m": "1"},
    tolerance={"results": 1},  # how many roundings there are is another machine's affair
)
def random_trees(xp: Any = np) -> dict[str, Any]:
    """The roots of 200 random merge trees over 64 random scores, against two sweeps."""
    rng = np.random.default_rng(64)
    x = rng.normal(0, 3, 64)  # (T,)
    m_exact, l_exact = exact_statistics(x)
    roots = []
    for _ in range(200):
        m, l = merge_tree(xp.asarray(x), random_tree(len(x), rng), xp=xp)
        roots.append((float(m[-1]), float(l[-1])))
    m, l = np.array(roots).T  # (trees,), (trees,)
    return {
        "trees": len(roots),
        "scores": len(x),
        "deviation": float(np.max(np.abs(l / l_exact - 1))),
        "results": len(set(l.tolist())),
        "same_m": bool(np.all(m == m_exact)),
    }


@dataset(
    sweep={"dtype": ["float16", "float32", "float64"], "shift": list(SHIFTS)},
    dims={
        "received": ("element",),
        "plain": ("element",),
        "safe": ("element",),
        "online": ("element",),
    },
    units={"total": "1", "total_online": "1", "changed": "1", "nans": "1"},
    tolerance=2**-8,  # four units in the last place of float16
    nonfinite=["plain", "total"],
)
def overflow(dtype: str, shift: float, xp: Any = np) -> dict[str, Any]:
    """Softmax of the row plus a constant, by three kernels, every step rounded to the dtype."""
    received = xp.asarray((row("given") + shift).astype(dtype))  # (T,)
    # Overflow is what is shown here.
    with np.errstate(over="ignore", invalid="ignore"):
        plain = softmax_plain(received, xp=xp).astype(xp.float64)  # (T,)
    online = softmax_online(received, xp=xp)  # (T,)
    home = softmax_online(xp.asarray(row("given").astype(dtype)), xp=xp)  # (T,)
    return {
        "received": received.astype(xp.float64),
        "plain": plain,
        "safe": softmax_safe(received, xp=xp).astype(xp.float64),
        "online": online.astype(xp.float64),
        "total": float(plain.sum()),
        "nans": int(xp.isnan(plain).sum()),
        "total_online": float(online.astype(xp.float64).sum()),
        "changed": float(xp.max(xp.abs(online.astype(xp.float64) - home.astype(xp.float64)))),
    }


def first_zeros(dtype: str, last: float) -> float:
    """Find the largest score from which plain softmax of the row gives zeros, below `last`."""
    works, fails = last - 1, last
    with np.errstate(over="ignore"):
        while works < (middle := (works + fails) / 2) < fails:
            received = (row("given") - max(GIVEN) + middle).astype(dtype)  # (T,)
            if softmax_plain(received).any():
                works = middle
            else:
                fails = middle
    return fails


@dataset(
    sweep={"dtype": ["float16", "float32", "float64"]},
    units={"last": "1", "first_over": "1", "largest": "1", "zeros": "1", "terms": "1"},
)
def limits(dtype: str) -> dict[str, float]:
    """The last score of a dtype whose exponential is finite, found by trying its neighbours."""
    number = np.dtype(dtype).type
    largest_finite = np.finfo(dtype).max
    x = number(math.log(largest_finite))
    with np.errstate(over="ignore"):
        while np.isfinite(np.exp(np.nextafter(x, number(np.inf)))):
            x = np.nextafter(x, number(np.inf))
        while not np.isfinite(np.exp(x)):
            x = np.nextafter(x, number(0))
    return {
        "last": float(x),
        "first_over": float(np.nextafter(x, number(np.inf))),
        "largest": float(largest_finite),
        "zeros": first_zeros(dtype, float(x)),
        # Sums of terms e^8: how many fit, when the maximum may lag by 8.
        "terms": float(math.floor(float(largest_finite) / math.exp(8))),
    }


def cost(kernel: Callable[..., Array], **options: Any) -> dict[str, float]:
    """Count a kernel's reads, writes and exponentials, for each of 64 scores."""
    memory, counter = Row(np.linspace(-3, 3, 64)), Counter()
    written = kernel(memory, **options, xp=counter)  # (T,)
    T = len(memory)
    reads, writes = memory.reads / T, len(written) / T
    return {
        "reads": reads,
        "writes": writes,
        "accesses": reads + writes,
        "exponentials": counter.exponentials / T,
    }


COSTS = dict.fromkeys(("reads", "writes", "accesses", "exponentials"), "1")


@dataset(sweep={"kernel": list(KERNELS)}, units=COSTS)
def traffic(kernel: str) -> dict[str, float]:
    """Reads, writes and exponentials per score, counted while each kernel runs."""
    return cost(KERNELS[kernel])


@dataset(sweep={"block": [1, 8, 64]}, units=COSTS)
def blocks(block: int) -> dict[str, float]:
    """The same for the online kernel that reads so many scores at a time."""
    return cost(softmax_online, block=block)


PARTS = ("", "_low", "_high")
LENGTHS = [256, 1024, 4096, 8192, 16384, 32768, 65536, 131072, 262144]
"""Scores in a row, where kernels were timed."""


@dataset(
    needs="cuda",
    sweep={"row": LENGTHS},
    dims={"safe": ("repetition",), "online": ("repetition",)},
    units={
        "safe": "s",
        "online": "s",
        "rows": "1",
        "threads": "1",
        "error_safe": "1",
        "error_online": "1",
        "resident": "byte",
    },
)
def timings(row: int) -> dict[str, Any]:
    """Seconds of every launch of two CUDA kernels over 2^28 scores, the L2 cache emptied first."""
    return timed(row)


@dataset(
    sweep={"row": LENGTHS},
    units={
        **{f"{kernel}{part}": "ms" for kernel in ("safe", "online") for part in PARTS},
        **{f"ratio{part}": "1" for part in PARTS},
        "spread": "1",
        "error": "1",
        "resident": "MiB",
        "repetitions": "1",
    },
)
def times(row: int, timings: Dataset) -> dict[str, Any]:
    """The medians of all recordings, their extremes, and how much faster one sweep less is."""
    runs = [timings.at(recording=n, row=row) for n in timings.axis("recording")]
    ratios = [float(np.median(run.safe) / np.median(run.online)) for run in runs]
    found: dict[str, Any] = {}
    for kernel in ("safe", "online"):
        series = np.array([run.read(kernel) for run in runs]) * 1e3  # (recording, repetition)
        medians = np.median(series, axis=1)  # (recording,)
        found[kernel] = float(np.mean(medians))
        found[f"{kernel}_low"], found[f"{kernel}_high"] = float(series.min()), float(series.max())
    return {
        **found,
        "ratio": float(np.mean(ratios)),
        "ratio_low": min(ratios),
        "ratio_high": max(ratios),
        # How far the medians of different recordings lie apart, relatively, at most.
        "spread": max(
            float(np.ptp(medians) / np.mean(medians))
            for medians in (
                [float(np.median(run.read(kernel))) for run in runs]
                for kernel in ("safe", "online")
            )
        ),
        "error": max(max(run.error_safe, run.error_online) for run in runs),
        "resident": runs[0].resident / 2**20,
        "repetitions": sum(len(run.safe) for run in runs),
    }


@dataset(units={"deviation": "1", "deviation_l": "1", "rows": "1"})
def shifts(xp: Any = np) -> dict[str, float]:
    """How far a constant added to 200 random rows moves their softmax and l in float64."""
    rng = np.random.default_rng(7)
    deviation, deviation_l = 0.0, 0.0
    for _ in range(200):
        x, c = xp.asarray(rng.normal(0, 4, 32)), rng.uniform(-1000, 1000)  # (T,)
        home: Any = trace(softmax_online, x, xp=xp, watch="l")
        away: Any = trace(softmax_online, x + c, xp=xp, watch="l")
        moved = xp.abs(away.result - home.result)  # (T,)
        deviation = max(deviation, float(moved.max()))
        deviation_l = max(deviation_l, abs(float(away["l"][-1] / home["l"][-1]) - 1))
    return {"deviation": deviation, "deviation_l": deviation_l, "rows": 200}


@dataset(
    units={
        "next_m": "1",
        "next_l": "1",
        "merged_m": "1",
        "merged_l": "1",
        "stale": "1",
        "finite_mask": "1",
        "band": "1",
        "term": "1",
        "sum": "1",
        "e1": "1",
    }
)
def answers() -> dict[str, float]:
    """What the self-checks and probes ask for."""
    swept = trace(softmax_online, np.array([1.0, 3.0, 4.0]), watch=("m", "l"))
    m, l = exact_statistics(row("given"))
    merged_m, merged_l = merge((0.0, 1.0), (math.log(2), 1.0))
    return {
        # The row 1, 3, 4.
        "next_m": float(swept["m"][-1]),
        "next_l": float(swept["l"][-1]),
        "merged_m": float(merged_m),
        "merged_l": float(merged_l),
        # The largest term when the maximum may lag by 8.
        "stale": math.exp(8),
        # How far the sum's overflow comes before that of its largest term.
        "band": math.log(l),
        # The largest exponential when 5 is added to the row, and the sum of all eight.
        "term": math.exp(m + 5),
        "sum": l * math.exp(m + 5),
        "e1": math.exp(-1),
        # Eight scores, all "masked" by a large negative number.
        "finite_mask": float(softmax_online(np.full(8, -1e4))[0]),
    }
