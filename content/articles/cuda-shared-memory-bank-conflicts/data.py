"""The datasets of "CUDA essentials: shared memory bank conflicts"."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset
from explainers.data.values import Dataset
from explainers.kernels import global_memory
from explainers.kernels.shared_memory import (
    conflict_degree,
    merge_pairs,
    pad,
    swizzle,
    turns,
    wavefronts,
    words,
)

from .accesses import ELEMENTS, OTHERS, STRIDES, WARPS
from .counting import of_width
from .degree import degree as degree_direct
from .timing import cycles

Array = npt.NDArray[Any]

WIDTHS = [4, 8, 16]
"""Bytes in an element."""

LAUNCHES = ("warps", "access", "repetition")

LANE = np.arange(32)
MOST = 128
"""Words that a warp asks for at most: 16 bytes a lane."""


def served(elements: Array, width: int = 4, *, xp: Any = np, at_once: int = 1) -> dict[str, Any]:
    """Return what a figure shows of one access: words, passes over the banks, degree.

    Args:
        elements: (32,) the element that each lane wants.
        width: bytes in an element.
        xp: the array library.
        at_once: groups of lanes that are served together.
    """
    addresses = xp.asarray(elements) * width  # (32,)
    word = words(addresses, width, xp=xp)  # (G, 32)
    turn = turns(word.reshape(-1, 32 * at_once), xp=xp)  # (G / at_once, 32 · at_once)
    degree = turn.max(axis=-1) + 1  # (G / at_once,)
    # One group is served after the other.
    before = xp.concatenate([xp.zeros_like(degree[:1]), xp.cumsum(degree)[:-1]])
    return {
        "word": word.ravel(),
        "pass": (turn + before[:, None]).ravel(),
        "degree": int(degree.max()),
        "passes": int(degree.sum()),
    }


@dataset(
    origin="modelled",
    sweep={"stride": list(range(34))},
    dims={"word": ("slot",), "pass": ("slot",)},
    units={"word": "1", "pass": "1", "degree": "1", "passes": "passes"},
    wire={"word": "i16", "pass": "i8"},
)
def strides(stride: int, xp: Any = np) -> dict[str, Any]:
    """Lane i reads word stride · i: the words, the pass that serves each, the degree."""
    return served(stride * LANE, xp=xp)


@dataset(
    origin="modelled",
    sweep={"stride": list(range(34))},
    units={"sectors": "sectors", "lines": "lines", "useful": "1"},
)
def sectors(stride: int, xp: Any = np) -> dict[str, Any]:
    """The same reads of words in global memory: sectors and lines, and the bytes that are used."""
    addresses = xp.asarray(4 * stride * LANE)  # (32,)
    return {
        "sectors": int(global_memory.sectors(addresses, xp=xp)),
        "lines": int(global_memory.lines(addresses, xp=xp)),
        "useful": float(global_memory.useful(addresses, xp=xp)),
    }


PATTERNS = {
    "row 5": lambda length: pad(5, LANE, length),
    "column 5": lambda length: pad(LANE, 5, length),
    "the diagonal": lambda length: pad(LANE, LANE, length),
}


@dataset(
    origin="modelled",
    sweep={"access": list(PATTERNS), "length": list(range(30, 49))},
    dims={"word": ("slot",), "pass": ("slot",)},
    units={"word": "1", "pass": "1", "degree": "1", "passes": "passes"},
    wire={"word": "i16", "pass": "i8"},
)
def tile(access: str, length: int, xp: Any = np) -> dict[str, Any]:
    """A warp reads 32 elements of a tile whose rows are so many words long."""
    return served(PATTERNS[access](length), xp=xp)


NARROW = {"1 column": 32, "2 columns": 16, "4 columns": 8}
"""Rows of the tile whose columns a warp reads."""


def narrow_columns(rows: int, length: int) -> Array:
    """Return the words of 32 / rows neighbouring columns, one after the other, (32,)."""
    return pad(LANE % rows, LANE // rows, length)


@dataset(
    origin="modelled",
    sweep={"columns": list(NARROW), "length": list(range(8, 41))},
    dims={"word": ("slot",), "pass": ("slot",)},
    units={"word": "1", "pass": "1", "degree": "1", "passes": "passes"},
    wire={"word": "i16", "pass": "i8"},
)
def narrow(columns: str, length: int, xp: Any = np) -> dict[str, Any]:
    """A warp reads whole columns of a tile of 32, 16 or 8 rows."""
    return served(narrow_columns(NARROW[columns], length), xp=xp)


LAYOUTS: dict[str, tuple[Callable[[Array, Array], Array], int]] = {
    "rows of 32": (lambda row, column: pad(row, column, 32), 32),
    "rows of 33": (lambda row, column: pad(row, column, 33), 33),
    "rows of 32, swizzled": (lambda row, column: swizzle(row, column), 32),
}

ACCESSES: dict[str, Callable[[int], tuple[Array, Array]]] = {
    "row": lambda number: (np.full(32, number), LANE),
    "column": lambda number: (LANE, np.full(32, number)),
    # From column `number` of row 0 on, around the right edge.
    "diagonal": lambda number: (LANE, (LANE + number) % 32),
}


@dataset(
    origin="modelled",
    sweep={"layout": list(LAYOUTS), "access": list(ACCESSES), "number": list(range(32))},
    dims={"word": ("slot",), "pass": ("slot",)},
    units={
        "word": "1",
        "pass": "1",
        "degree": "1",
        "passes": "passes",
        "bytes": "byte",
    },
    wire={"word": "i16", "pass": "i8"},
)
def layouts(layout: str, access: str, number: int, xp: Any = np) -> dict[str, Any]:
    """A warp reads a row, column or diagonal of a tile of 32 × 32 words, in three layouts."""
    lay, length = LAYOUTS[layout]
    return {**served(lay(*ACCESSES[access](number)), xp=xp), "bytes": 4 * 32 * length}


BYTES = {"4 bytes": 4, "8 bytes": 8, "16 bytes": 16}

SHARED = {
    "an element each": LANE,
    "every other element": 2 * LANE,
    "one a pair, lanes 0 and 1": OTHERS["pairs of neighbours"],
    "one a pair, lanes 0 and 2": OTHERS["pairs two apart"],
    "one a pair, lanes 0 and 4": OTHERS["pairs four apart"],
    "one a pair, lanes 0 and 16": OTHERS["the same in both halves"],
    "one for all": 0 * LANE,
}
"""Which element each lane loads."""


@dataset(
    origin="modelled",
    sweep={"element": list(BYTES), "lanes": list(SHARED)},
    dims={"word": ("slot",), "pass": ("slot",)},
    units={"word": "1", "pass": "1", "degree": "1", "passes": "passes", "groups": "passes"},
    wire={"word": "i16", "pass": "i8"},
)
def wide(element: str, lanes: str, xp: Any = np) -> dict[str, Any]:
    """A load of elements of 4, 8 or 16 bytes; unused slots hold −1. Pairs may merge groups."""
    width, elements = BYTES[element], SHARED[lanes]
    addresses = xp.asarray(elements) * width  # (32,)
    plain = int(wavefronts(addresses, width, xp=xp))
    merged = int(merge_pairs(addresses, width, xp=xp))
    found = served(elements, width, xp=xp, at_once=2 if merged < plain else 1)
    unused = (0, MOST - len(found["word"]))
    return {
        **found,
        **{k: xp.pad(found[k], unused, constant_values=-1) for k in ("word", "pass")},
        "groups": plain,
    }


@dataset(
    needs="cuda",
    sweep={"width": WIDTHS},
    dims={"loads": LAUNCHES, "stores": LAUNCHES, "chain": ("access", "repetition")},
    units={"loads": "cycles", "stores": "cycles", "chain": "cycles"},
)
def timed(width: int) -> dict[str, Any]:
    """Cycles of every launch: 2,048 accesses of each warp, or a chain of as many loads of one."""
    return cycles(width)


COUNTED = [
    f"{kind}_{what}"
    for kind in ("loads", "stores")
    for what in ("wavefronts", "conflicts", "instructions")
]


@dataset(
    needs="cuda",
    sweep={"width": WIDTHS},
    dims=dict.fromkeys(COUNTED, ("access",)),
    units=dict.fromkeys(COUNTED, "1"),
)
def counts(width: int) -> dict[str, Any]:
    """What the device's counters say of one warp's 512 accesses, by Nsight Compute."""
    return of_width(width)


PER_WARP = 2048
"""Accesses of a warp in every launch that was timed."""
COUNTED_TIMES = 512
"""The same where they were counted."""
AT = [1, 2, 4, 8, 16, 32]
"""Warps, and degrees of conflict."""


def passes(width: int, kind: str) -> Array:
    """Return the passes that the model gives every recorded access, (access,)."""
    rule = merge_pairs if kind == "load" else wavefronts
    return rule(ELEMENTS * width, width)


@dataset(
    origin="modelled",
    sweep={"width": WIDTHS},
    dims={"stride": ("stride",), "passes": ("stride",)},
    units={"stride": "elements", "passes": "passes"},
)
def law(width: int) -> dict[str, Any]:
    """Passes of a load at strides of 0 to 64 elements."""
    return {"stride": np.array(STRIDES), "passes": passes(width, "load")[: len(STRIDES)]}


@dataset(
    sweep={"width": WIDTHS, "warps": AT},
    dims=dict.fromkeys(("cycles", "low", "high"), ("stride",)),
    units=dict.fromkeys(("cycles", "low", "high"), "cycles"),
)
def cost(width: int, warps: int, timed: Dataset) -> dict[str, Any]:
    """Cycles of a load at each stride, start and end of the loop included."""
    runs = [timed.at(recording=n, width=width).loads for n in timed.axis("recording")]
    each = np.array([run[AT.index(warps), : len(STRIDES)] for run in runs]) / (PER_WARP * warps)
    return {
        "cycles": np.median(each, axis=2).mean(axis=0),
        "low": each.min(axis=(0, 2)),
        "high": each.max(axis=(0, 2)),
    }


def of_degree(degree: int) -> list[int]:
    """Return the strides of 4-byte words, from 1 to 64, that conflict in so many ways."""
    degrees = conflict_degree(4 * np.array(STRIDES)[:, None] * LANE)[:, 0]
    return [stride for stride in STRIDES if stride and degrees[stride] == degree]


PRICES = ("many", "alone", "chain")


@dataset(
    sweep={"degree": AT},
    units={f"{name}{part}": "cycles" for name in PRICES for part in ("", "_low", "_high")},
)
def price(degree: int, timed: Dataset) -> dict[str, float]:
    """Cycles of a load of 4-byte words: 32 warps at once, one warp alone, one load at a time."""
    runs = [timed.at(recording=n, width=4) for n in timed.axis("recording")]
    strides = of_degree(degree)
    series = {
        "many": [run.loads[AT.index(32), strides] / (32 * PER_WARP) for run in runs],
        "alone": [run.loads[0, strides] / PER_WARP for run in runs],
        "chain": [run.chain[strides] / PER_WARP for run in runs],
    }
    found = {}
    for name, values in series.items():
        found[name] = float(np.mean([np.median(one) for one in values]))
        found[f"{name}_low"] = float(np.min(values))
        found[f"{name}_high"] = float(np.max(values))
    return found


@dataset(
    units={
        **dict.fromkeys(("extra_low", "extra_high", "first", "more_low", "more_high"), "cycles"),
        **dict.fromkeys(("padded", "apart", "launches", "ratio_low", "ratio_high"), "1"),
        "bytes": "byte",
    }
)
def held(timed: Dataset) -> dict[str, float]:
    """How the model of passes holds against all times that were recorded."""
    runs = [
        (width, timed.at(recording=n, width=width))
        for n in timed.axis("recording")
        for width in WIDTHS
    ]
    warps = np.array(WARPS)[:, None, None]  # (warps, 1, 1)
    extra, ratio = [], []
    for width, run in runs:
        for kind, found in (("load", run.loads), ("store", run.stores)):
            expected = PER_WARP * warps * passes(width, kind)[None, :, None]
            extra.append((found - expected)[AT.index(8) :])
            ratio.append((found / expected)[AT.index(8) :])
    four = [run for width, run in runs if width == 4]
    # A chain's loads wait for each other: one is timed alone, whatever its passes.
    more = [
        (run.chain[of_degree(degree)] / PER_WARP - run.chain[1].mean() / PER_WARP) / (degree - 1)
        for run in four
        for degree in AT[1:]
    ]
    padded = [run.loads[AT.index(8) :, 33] / run.loads[AT.index(8) :, 1] for run in four]
    medians = [np.median(run.loads, axis=-1) for run in four]
    return {
        "extra_low": float(min(x.min() for x in extra)),
        "extra_high": float(max(x.max() for x in extra)),
        "ratio_low": float(min(x.min() for x in ratio)),
        "ratio_high": float(max(x.max() for x in ratio)),
        "first": float(np.mean([run.chain[1].mean() / PER_WARP for run in four])),
        "more_low": float(min(x.min() for x in more)),
        "more_high": float(max(x.max() for x in more)),
        "padded": float(max(np.abs(x - 1).max() for x in padded)),
        # How far the medians of different recordings lie apart, relatively, at most.
        "apart": float(np.max(np.ptp(medians, axis=0) / np.mean(medians, axis=0))),
        "launches": float(sum(np.size(run.read(k)) for _, run in runs for k in timed.fields)),
        # 4-byte words, no conflict, 32 warps: what one multiprocessor delivers in a cycle.
        "bytes": float(
            np.mean([128 / np.median(run.loads[-1, 1] / (32 * PER_WARP)) for run in four])
        ),
    }


@dataset(
    units=dict.fromkeys(
        ("patterns", "each", "accesses", "loads", "stores", "conflicts", "recordings", "pairs"), "1"
    )
)
def against(counts: Dataset) -> dict[str, int]:
    """How many recorded accesses the model gives as many passes as the device's counters did."""
    loads = stores = conflicts = 0
    pairs: set[tuple[int, int]] = set()
    for n in counts.axis("recording"):
        for width in WIDTHS:
            run = counts.at(recording=n, width=width)
            four = passes(width, "store")
            loads += int((run.loads_wavefronts == COUNTED_TIMES * passes(width, "load")).sum())
            off = run.loads_wavefronts != COUNTED_TIMES * four
            pairs |= {(width, int(at)) for at in np.flatnonzero(off)}
            stores += int((run.stores_wavefronts == COUNTED_TIMES * four).sum())
            if width == 4:
                conflicts += int((run.loads_conflicts == COUNTED_TIMES * (four - 1)).sum())
    return {
        "patterns": len(ELEMENTS),
        "each": len(ELEMENTS) * len(WIDTHS),
        "accesses": len(ELEMENTS) * len(WIDTHS) * len(counts.axis("recording")),
        "loads": loads,
        "stores": stores,
        "conflicts": conflicts,
        "recordings": len(counts.axis("recording")),
        "pairs": len(pairs),
    }


def recorded_at(elements: Array) -> int:
    """Return the place of an access among those that were recorded."""
    return int(np.flatnonzero((elements == ELEMENTS).all(axis=1))[0])


@dataset(
    sweep={"lanes": list(SHARED), "width": WIDTHS},
    units={"loads": "passes", "stores": "passes", "rule": "passes"},
)
def sharing(lanes: str, width: int, counts: Dataset) -> dict[str, float]:
    """Passes that the counters saw where lanes share elements, and what groups alone would take."""
    at = recorded_at(SHARED[lanes])
    runs = [counts.at(recording=n, width=width) for n in counts.axis("recording")]
    return {
        "loads": float(np.mean([run.loads_wavefronts[at] for run in runs]) / COUNTED_TIMES),
        "stores": float(np.mean([run.stores_wavefronts[at] for run in runs]) / COUNTED_TIMES),
        "rule": float(passes(width, "store")[at]),
    }


@dataset(
    origin="modelled",
    units=dict.fromkeys(
        (
            *("strides", "law", "rows", "columns", "diagonal", "stride24", "word7", "apart"),
            *("narrow_law", "narrow_all", "doubles"),
        ),
        "1",
    ),
)
def answers(xp: Any = np) -> dict[str, Any]:
    """What the text states and asks, by the model."""

    def degree(elements: Array, width: int = 4) -> int:
        return int(conflict_degree(xp.asarray(elements) * width, width, xp=xp).max())

    many = np.arange(1, 129)
    row, column = np.mgrid[:32, :32]
    swizzled = swizzle(row, column)
    # Free where the length is an odd multiple of the columns that are read at once. Shorter rows
    # than that would overlap.
    cases = [
        (rows, length)
        for rows in NARROW.values()
        for length in many.tolist()
        if length >= 32 // rows
    ]
    return {
        "strides": len(many),
        "law": sum(
            degree_direct((4 * stride * LANE).tolist()) == np.gcd(stride, 32)
            for stride in many.tolist()
        ),
        "rows": degree(swizzled),
        "columns": degree(swizzled.T),
        "diagonal": degree(swizzle(LANE, LANE)),
        "stride24": degree(24 * LANE),
        "word7": degree(0 * LANE + 7),
        "apart": degree(LANE // 16 * 32),
        "narrow_law": sum(
            (degree(narrow_columns(rows, length)) == 1) == (length * rows % 64 == 32)
            for rows, length in cases
        ),
        "narrow_all": len(cases),
        "doubles": degree(LANE, 8),
    }
