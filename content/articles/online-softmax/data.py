"""The datasets of "Kernel visualization: online softmax"."""

# ruff: noqa: E741 - l is the papers' letter for the sum.

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset, trace
from explainers.kernels.softmax import (
    count_rescales,
    merge,
    merge_tree,
    softmax_direct,
    softmax_online,
    softmax_safe,
    weight,
)

from .traffic import Row
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

KERNELS: dict[str, Callable[[Any], Array]] = {
    "direct": softmax_direct,
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
)
def one_sweep(preset: str) -> Any:
    """The running maximum and sum after every statement of the online kernel."""
    return trace(softmax_online, row(preset), watch=("i", "m", "m_new", "scale", "l"))


@dataset(
    sweep={"preset": list(ROWS)},
    dims={"m": ("read",), "l": ("read",), "scale": ("read",)},
)
def states(preset: str) -> dict[str, Array]:
    """What the online kernel holds after it has read one score, two, … all of the row."""
    x = row(preset)  # (T,)
    prefixes = [
        trace(softmax_online, x[: read + 1], watch=("m", "l", "scale")) for read in range(len(x))
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
)
def rows(preset: str) -> dict[str, Array]:
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
        "y": softmax_online(x),
        "y_safe": softmax_safe(x),
    }


@dataset(units={"deviation": "1", "rows": "1", "masked": "1"})
def agreement() -> dict[str, Any]:
    """The largest distance between the online and the safe kernel: 300 rows, all block sizes."""
    rng = np.random.default_rng(3)
    deviation = 0.0
    for _ in range(300):
        x = rng.normal(0, 10, rng.integers(1, 65))  # (T,)
        y = softmax_safe(x)
        for block in (1, 2, 3, 8, 64):
            deviation = max(deviation, float(np.max(np.abs(softmax_online(x, block) / y - 1))))
    return {
        "deviation": deviation,
        "rows": 300,
        "masked": float(softmax_online(np.full(8, -np.inf)).sum()),
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
    units={"moves": "rescales", "l": "1"},
)
def orders(order: str) -> dict[str, Any]:
    """How often the running maximum moves when the same eight scores arrive in another order."""
    x = arrival(order)  # (T,)
    m = np.maximum.accumulate(x)  # (T,)
    return {
        "x": x,
        "m": m,
        "moved": np.diff(m, prepend=-np.inf) > 0,
        "moves": int(count_rescales(x[None, :])[0]),
        "l": exact_statistics(x)[1],
    }


@dataset(
    sweep={"n": [8, 64, 1024]},
    dims={"frequency": ("moves",), "exact": ("moves",)},
    units={"mean": "rescales", "harmonic": "rescales", "error": "rescales", "shuffles": "1"},
)
def random_orders(n: int) -> dict[str, Any]:
    """Rescales over 100,000 random orders of n distinct scores, beside their exact distribution."""
    shuffles, chunk, most = 100_000, 5_000, 24
    rng = np.random.default_rng(n)
    moves = np.concatenate(
        [count_rescales(rng.random((chunk, n), dtype=np.float32)) for _ in range(shuffles // chunk)]
    )  # (shuffles,)
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
def trees(tree: str) -> dict[str, Any]:
    """The statistics below every node of a merge tree over the eight scores."""
    x, pairs = row("given"), np.array(TREES[tree])  # (T,), (T - 1, 2)
    m, l = merge_tree(x, pairs)  # (2T - 1,), (2T - 1,)
    return {
        "x": x,
        "pairs": pairs.astype(np.int32),
        "m": m,
        "l": l,
        "depth": depth(pairs),
        "deviation": abs(l[-1] / exact_statistics(x)[1] - 1),
    }


@dataset(units={"trees": "1", "scores": "1", "deviation": "1", "results": "1", "same_m": "1"})
def random_trees() -> dict[str, Any]:
    """The roots of 200 random merge trees over 64 random scores, against two sweeps."""
    rng = np.random.default_rng(64)
    x = rng.normal(0, 3, 64)  # (T,)
    m_exact, l_exact = exact_statistics(x)
    roots = []
    for _ in range(200):
        m, l = merge_tree(x, random_tree(len(x), rng))
        roots.append((m[-1], l[-1]))
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
        "direct": ("element",),
        "safe": ("element",),
        "online": ("element",),
    },
    units={"total": "1", "total_online": "1", "changed": "1"},
)
def overflow(dtype: str, shift: float) -> dict[str, Any]:
    """Softmax of the row plus a constant, by three kernels, every step rounded to the dtype."""
    received = (row("given") + shift).astype(dtype)  # (T,)
    # Overflow is what is shown here.
    with np.errstate(over="ignore", invalid="ignore"):
        direct = softmax_direct(received)  # (T,)
    online = softmax_online(received)  # (T,)
    home = softmax_online(row("given").astype(dtype))  # (T,)
    return {
        "received": received.astype(np.float64),
        "direct": direct.astype(np.float64),
        "safe": softmax_safe(received).astype(np.float64),
        "online": online.astype(np.float64),
        "total": float(direct.astype(np.float64).sum()),
        "total_online": float(online.astype(np.float64).sum()),
        "changed": float(np.max(np.abs(online.astype(np.float64) - home.astype(np.float64)))),
    }


@dataset(
    sweep={"dtype": ["float16", "float32", "float64"]},
    units={"last": "1", "first_over": "1", "largest": "1", "terms": "1"},
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
        # Sums of terms e^8: how many fit, when the maximum may lag by 8.
        "terms": float(math.floor(float(largest_finite) / math.exp(8))),
    }


@dataset(sweep={"kernel": list(KERNELS)}, units={"reads": "1", "writes": "1", "accesses": "1"})
def traffic(kernel: str) -> dict[str, float]:
    """Reads and writes an element, counted while the kernel runs on a row that counts."""
    memory = Row(np.linspace(-3, 3, 64))
    written = KERNELS[kernel](memory)  # (T,)
    reads, writes = memory.reads / len(memory), len(written) / len(memory)
    return {"reads": reads, "writes": writes, "accesses": reads + writes}


@dataset(units={"deviation": "1", "deviation_l": "1", "rows": "1"})
def shifts() -> dict[str, float]:
    """How far a constant added to 200 random rows moves their softmax and l in float64."""
    rng = np.random.default_rng(7)
    deviation, deviation_l = 0.0, 0.0
    for _ in range(200):
        x, c = rng.normal(0, 4, 32), rng.uniform(-1000, 1000)  # (T,)
        home = trace(softmax_online, x, watch="l")
        away = trace(softmax_online, x + c, watch="l")
        moved = np.abs(np.asarray(away.result) - np.asarray(home.result))  # (T,)
        deviation = max(deviation, float(moved.max()))
        deviation_l = max(deviation_l, abs(float(away["l"][-1] / home["l"][-1]) - 1))
    return {"deviation": deviation, "deviation_l": deviation_l, "rows": 200}


@dataset(
    units={
        "pair_m": "1",
        "pair_l": "1",
        "merged_m": "1",
        "merged_l": "1",
        "stale": "1",
        "finite_mask": "1",
        "band": "1",
    }
)
def answers() -> dict[str, float]:
    """What the self-checks and probes ask for."""
    pair_m, pair_l = merge((2.0, 1.0), (2.0, 1.0))
    merged_m, merged_l = merge((0.0, 1.0), (math.log(2), 1.0))
    return {
        "pair_m": float(pair_m),
        "pair_l": float(pair_l),
        "merged_m": float(merged_m),
        "merged_l": float(merged_l),
        # The largest term when the maximum may lag by 8.
        "stale": math.exp(8),
        # How far the sum's overflow comes before that of its largest term.
        "band": math.log(exact_statistics(row("given"))[1]),
        # Eight scores, all "masked" by a large negative number.
        "finite_mask": float(softmax_online(np.full(8, -1e4))[0]),
    }
