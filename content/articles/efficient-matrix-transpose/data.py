"""The datasets of "Kernel visualization: efficient matrix transpose"."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset, trace
from explainers.data.values import Dataset
from explainers.kernels.global_memory import sectors
from explainers.kernels.shared_memory import pad, swizzle, turns, wavefronts
from explainers.kernels.transpose import Run, copy_direct, transpose_direct, transpose_tiled

from .counting import FIELDS, counted
from .glyph import glyph
from .mistakes import MISTAKES, STALE, mistaken
from .timing import VERSIONS, timed

Array = npt.NDArray[Any]

N = 64
"""Rows and columns of the matrix in the figures: two tiles each way."""

FLOAT = 4
"""Bytes in an element."""

LAYOUTS: dict[str, Callable[..., Array]] = {
    "pitch 32": partial(pad, pitch=32),
    "pitch 33": partial(pad, pitch=33),
    "pitch 34": partial(pad, pitch=34),
    "swizzled": swizzle,
}
"""Where a tile keeps an element."""


def layout_of(name: str, xp: Any) -> Callable[..., Array]:
    """Return one of the layouts, on the arrays of a device."""
    return partial(LAYOUTS[name], xp=xp)


@dataset(dims={"values": ("row", "column")}, wire={"values": "u8"})
def matrix() -> dict[str, Array]:
    """What the matrix of the figures holds: a letter that is not its own transpose."""
    return {"values": glyph(N)}


REQUESTS = {
    "reads": ("request", "lane"),
    "writes": ("request", "lane"),
    "read_sectors": ("request",),
    "write_sectors": ("request",),
}
NARROW = {"reads": "i16", "writes": "i16", "read_sectors": "u8", "write_sectors": "u8"}


def requests(run: Run, xp: Any) -> dict[str, Array]:
    """Return what each warp reads and writes, and in how many sectors."""
    return {
        "reads": run.reads,
        "writes": run.writes,
        "read_sectors": sectors(FLOAT * run.reads, xp=xp),
        "write_sectors": sectors(FLOAT * run.writes, xp=xp),
    }


@dataset(sweep={"lanes": ["row", "column"]}, dims=REQUESTS, wire=NARROW, origin="modelled")
def direct(lanes: str, xp: Any = np) -> dict[str, Array]:
    """The requests of a transpose without a tile: a warp takes 32 elements of a row, or column."""
    return requests(transpose_direct(xp.asarray(glyph(N)), lanes, xp=xp), xp)


@dataset
def direct_code(xp: Any = np) -> Any:
    """The statements of the kernel without a tile, on one element."""
    return trace(transpose_direct, xp.ones((1, 1)), xp=xp, watch=("i",))


@dataset(dims=REQUESTS, wire=NARROW, origin="modelled")
def staged(xp: Any = np) -> dict[str, Array]:
    """The requests of a transpose through a tile; they do not depend on how the tile lies."""
    return requests(transpose_tiled(xp.asarray(glyph(N)), layout_of("pitch 33", xp), xp=xp), xp)


@dataset
def tiled_code(xp: Any = np) -> Any:
    """The statements of the kernel with a tile, on one element."""
    return trace(transpose_tiled, xp.ones((1, 1)), layout_of("pitch 33", xp), xp=xp, watch=("i",))


@dataset(
    sweep={"layout": list(LAYOUTS)},
    dims={
        "stores": ("row", "lane"),
        "loads": ("row", "lane"),
        "store_passes": ("row",),
        "load_passes": ("row",),
    },
    units={"pitch": "words", "bytes": "byte"},
    wire={"stores": "u16", "loads": "u16", "store_passes": "u8", "load_passes": "u8"},
    origin="modelled",
)
def tiles(layout: str, xp: Any = np) -> dict[str, Any]:
    """Words of one tile that its warps store and load, and the passes over the banks."""
    run = transpose_tiled(xp.asarray(glyph(32)), layout_of(layout, xp), xp=xp)
    assert run.stores is not None and run.loads is not None
    pitch = int(layout.split()[-1]) if layout.startswith("pitch") else 32
    return {
        "stores": run.stores,
        "loads": run.loads,
        "store_passes": wavefronts(FLOAT * run.stores, xp=xp),
        "load_passes": wavefronts(FLOAT * run.loads, xp=xp),
        "pitch": pitch,
        "bytes": 32 * pitch * FLOAT,
    }


PITCHES = (32, 33, 34, 35, 36)
SIDES = ("storing a row", "loading a column")


@dataset(
    sweep={"side": SIDES, "pitch": PITCHES},
    dims={"word": ("lane",), "pass": ("lane",)},
    units={"degree": "1", "bytes": "byte"},
    wire={"word": "i16", "pass": "i8"},
    origin="modelled",
)
def pitches(side: str, pitch: int, xp: Any = np) -> dict[str, Any]:
    """Words that a warp asks for when it stores row 5 of the tile, or loads column 5."""
    lane = xp.arange(32)
    word = pad(5, lane, pitch, xp=xp) if side == SIDES[0] else pad(lane, 5, pitch, xp=xp)  # (32,)
    turn = turns(word, xp=xp)  # (32,)
    return {
        "word": word,
        "pass": turn,
        "degree": int(turn.max()) + 1,
        "bytes": 32 * pitch * FLOAT,
    }


RUNS: dict[str, Callable[[Any, Any], Run]] = {
    "copy": lambda matrix, xp: copy_direct(matrix, xp=xp),
    "scatter": lambda matrix, xp: transpose_direct(matrix, "row", xp=xp),
    "gather": lambda matrix, xp: transpose_direct(matrix, "column", xp=xp),
    "tiled": lambda matrix, xp: transpose_tiled(matrix, layout_of("pitch 32", xp), xp=xp),
    "padded": lambda matrix, xp: transpose_tiled(matrix, layout_of("pitch 33", xp), xp=xp),
    "padded34": lambda matrix, xp: transpose_tiled(matrix, layout_of("pitch 34", xp), xp=xp),
    "swizzled": lambda matrix, xp: transpose_tiled(matrix, layout_of("swizzled", xp), xp=xp),
}
"""The models of the CUDA kernels, by the kernels' names."""


@dataset(
    sweep={"version": list(RUNS)},
    units={
        **dict.fromkeys(("reads", "writes"), "sectors"),
        **dict.fromkeys(("stores", "loads"), "passes"),
        **dict.fromkeys(("useful_read", "useful_write", "share", "right"), "1"),
    },
    origin="modelled",
)
def work(version: str, xp: Any = np) -> dict[str, Any]:
    """What a request of a warp costs in each version, on 64 × 64 floats.

    Sectors of memory on both sides, passes over the tile's banks; and the share of a copy's speed
    that the sectors leave, if nothing else counted.
    """
    square = xp.asarray(np.random.default_rng(N).permutation(N * N).reshape(N, N))
    run = RUNS[version](square, xp)
    read = float(sectors(FLOAT * run.reads, xp=xp).mean())
    write = float(sectors(FLOAT * run.writes, xp=xp).mean())
    passes = [
        0.0 if words is None else float(wavefronts(FLOAT * words, xp=xp).mean())
        for words in (run.stores, run.loads)
    ]
    return {
        "reads": read,
        "writes": write,
        "stores": passes[0],
        "loads": passes[1],
        "useful_read": 4 / read,
        "useful_write": 4 / write,
        "share": 8 / (read + write),
        "right": bool((run.out == (square if version == "copy" else square.T)).all()),
    }


SHAPES = ((1, 1), (1, 40), (31, 31), (33, 33), (31, 64), (100, 70))
"""Heights and widths, most of them no multiple of a tile."""


@dataset(units={"shapes": "1", "wrong": "1"})
def edges(xp: Any = np) -> dict[str, int]:
    """Elements in the wrong place, over all versions and shapes with edges inside a tile."""
    wrong = 0
    for height, width in SHAPES:
        matrix = xp.arange(height * width).reshape(height, width)
        for version, run in RUNS.items():
            out = run(matrix, xp).out
            wrong += int((out != (matrix if version == "copy" else matrix.T)).sum())
    return {"shapes": len(SHAPES), "wrong": wrong}


@dataset(
    sweep={"mistake": list(MISTAKES)},
    dims={"values": ("row", "column")},
    units={"sectors": "sectors", "wrong": "1"},
    wire={"values": "u8"},
    origin="modelled",
)
def mistakes(mistake: str) -> dict[str, Any]:
    """What each of four mistakes writes, and in how many sectors a warp writes it.

    `values` is the letter, 2 where nothing had been stored yet; `wrong` counts the elements, not
    their colours: places where another element stands than should.
    """
    found, writes = mistaken(N, mistake)  # (N, N), (R, 32)
    return {
        "values": np.where(found == STALE, 2, glyph(N).ravel()[found]),
        "sectors": int(sectors(FLOAT * writes).max()),
        "wrong": int((found != np.arange(N * N).reshape(N, N).T).sum()),
    }


@dataset(
    units={
        "padded_bytes": "byte",
        "every_second": "sectors",
        "pitch40": "passes",
        "double": "passes",
        "half32": "passes",
        "half33": "passes",
        "half34": "passes",
        "useful": "byte",
    },
)
def answers(xp: Any = np) -> dict[str, int]:
    """What the questions ask for, by running the kernels."""
    lane = xp.arange(32)

    def column(pitch: int) -> Array:
        """Every column of a tile, lane by lane: (32, 32) elements."""
        return pad(lane[None, :], lane[:, None], pitch, xp=xp)

    return {
        "padded_bytes": 32 * 33 * FLOAT,
        "every_second": int(sectors(FLOAT * 2 * lane[None, :], xp=xp)[0]),
        "pitch40": int(wavefronts(FLOAT * column(40), xp=xp).max()),
        # The worst column of a tile of 8-byte and of 2-byte elements, by the pitch.
        "double": int(wavefronts(8 * column(33), 8, xp=xp).max()),
        "half32": int(wavefronts(2 * column(32), 2, xp=xp).max()),
        "half33": int(wavefronts(2 * column(33), 2, xp=xp).max()),
        "half34": int(wavefronts(2 * column(34), 2, xp=xp).max()),
        "useful": 32 * FLOAT,
    }


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


@dataset(
    needs="cuda",
    dims=dict.fromkeys(FIELDS, ("version",)),
    units={"n": "1", "wrong": "1", "memory_read": "byte", "memory_written": "byte"},
)
def counts_odd() -> dict[str, Any]:
    """The same for 4095 × 4095 floats, whose rows do not begin with a sector."""
    return counted(4095)


def rates(runs: Dataset, kernel: str, size: int, **state: Any) -> dict[str, float]:
    """Return bytes read and written in a second by one kernel, over all recordings.

    Returns:
        rate: mean over the recordings of the rate of the median launch, in GB/s; low and high: of
        the slowest and the fastest launch. share: of the copy's rate in the same recording, mean;
        share_low and share_high: the least and the most.
    """
    moved = 2 * FLOAT * size * size / 1e9
    found = [runs.at(recording=r, **state) for r in runs.axis("recording")]
    series = [run.read(kernel) for run in found]
    medians = [float(np.median(one)) for one in series]
    shares = [float(np.median(run.copy)) / m for run, m in zip(found, medians, strict=True)]
    return {
        "rate": float(np.mean([moved / m for m in medians])),
        "low": moved / max(float(one.max()) for one in series),
        "high": moved / min(float(one.min()) for one in series),
        "share": float(np.mean(shares)),
        "share_low": min(shares),
        "share_high": max(shares),
        # How far the recordings' medians lie apart, relatively.
        "spread": float(np.ptp(medians) / np.mean(medians)),
    }


RATES = {
    **dict.fromkeys(("rate", "low", "high"), "GB/s"),
    **dict.fromkeys(("share", "share_low", "share_high", "spread"), "1"),
}


@dataset(sweep={"version": VERSIONS, "n": SIZES}, units=RATES)
def speeds(version: str, n: int, timings: Dataset) -> dict[str, float]:
    """How many bytes a second each version reads and writes, and as a share of the copy's."""
    return rates(timings, version, n, n=n)


@dataset(
    sweep={"version": ["copy", "scatter", "gather", "tiled", "padded"], "n": NEIGHBOURS},
    units=RATES,
)
def near(version: str, n: int, neighbours: Dataset) -> dict[str, float]:
    """The rates of `speeds`, for sizes around 8,192 rows; recorded by itself."""
    return rates(neighbours, version, n, n=n)


@dataset(sweep={"version": ["copy", "tiled", "padded"], "rows": BLOCKS}, units=RATES)
def threads(version: str, rows: int, blocks: Dataset) -> dict[str, float]:
    """The rates of `speeds` at 8,192 rows, by the rows of 32 threads; recorded by itself."""
    return rates(blocks, version, 8192, rows=rows)


@dataset(
    sweep={"version": ["copy", "tiled", "padded", "cupy", "cublas"], "n": SIZES[2:]}, units=RATES
)
def others(version: str, n: int, libraries: Dataset) -> dict[str, float]:
    """The rates of `speeds`, beside those of two libraries; recorded by itself."""
    return rates(libraries, version, n, n=n)


def per_request(runs: Dataset, version: str) -> dict[str, float]:
    """Return one launch's counters as they compare with the model, the mean of all recordings."""
    place = VERSIONS.index(version)

    def mean(field: str, at: int = place) -> float:
        found = [runs.at(recording=r).read(field)[at] for r in runs.axis("recording")]
        return float(np.mean(found))

    def each(count: str, of: str) -> float:
        return mean(count) / mean(of) if mean(of) else 0.0

    matrix = FLOAT * mean_of(runs, "n") ** 2
    return {
        "reads": each("load_sectors", "load_requests"),
        "writes": each("store_sectors", "store_requests"),
        "stores": each("shared_store_passes", "shared_stores"),
        "loads": each("shared_load_passes", "shared_loads"),
        "cache_read": mean("cache_read") / mean("cache_read", 0),
        "cache_written": mean("cache_written") / mean("cache_written", 0),
        "memory_read": mean("memory_read") / matrix,
        "memory_written": mean("memory_written") / matrix,
    }


def mean_of(runs: Dataset, field: str) -> float:
    """Return a number of a measured dataset, the mean of all recordings."""
    return float(np.mean([runs.at(recording=r).read(field) for r in runs.axis("recording")]))


COUNTED = {
    **dict.fromkeys(("reads", "writes"), "sectors"),
    **dict.fromkeys(("stores", "loads"), "passes"),
    **dict.fromkeys(("cache_read", "cache_written", "memory_read", "memory_written"), "1"),
}


@dataset(sweep={"version": VERSIONS}, units=COUNTED)
def counted_work(version: str, counts: Dataset) -> dict[str, float]:
    """What the GPU counted: per request; at the cache, beside the copy; at memory, the matrix."""
    return per_request(counts, version)


@dataset(sweep={"version": VERSIONS}, units=COUNTED)
def counted_odd(version: str, counts_odd: Dataset) -> dict[str, float]:
    """What `counted_work` holds, for 4,095 rows, most of which begin inside a sector."""
    return per_request(counts_odd, version)


@dataset(
    units={
        **dict.fromkeys(("requests", "sectors_gathered"), "1"),
        **dict.fromkeys(("passes", "passes_padded"), "passes"),
        **dict.fromkeys(("took", "took_padded", "took_copy", "took_gather"), "µs"),
    }
)
def tile_time(counts: Dataset, timings: Dataset) -> dict[str, float]:
    """What was counted over 4096 × 4096 floats, and how long the kernels took.

    requests: of the warps that read; passes: over the banks of all tiles, to store and to load;
    sectors_gathered: that gather asks of the first-level cache.
    """
    runs = [counts.at(recording=r) for r in counts.axis("recording")]
    timed_runs = [timings.at(recording=r, n=4096) for r in timings.axis("recording")]

    def mean(version: str, *fields: str) -> float:
        at = VERSIONS.index(version)
        return float(np.mean([sum(run.read(field)[at] for field in fields) for run in runs]))

    def took(version: str) -> float:
        return 1e6 * float(np.mean([np.median(run.read(version)) for run in timed_runs]))

    return {
        "requests": mean("copy", "load_requests"),
        "passes": mean("tiled", "shared_store_passes", "shared_load_passes"),
        "passes_padded": mean("padded", "shared_store_passes", "shared_load_passes"),
        "sectors_gathered": mean("gather", "load_sectors"),
        "took": took("tiled"),
        "took_padded": took("padded"),
        "took_copy": took("copy"),
        "took_gather": took("gather"),
    }
