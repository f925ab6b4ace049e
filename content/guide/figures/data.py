"""Data of the gallery: every shared kind on numbers of the kernels that articles use."""

import math
from typing import Any

import numpy as np

from explainers import dataset, trace
from explainers.kernels.float_rounding import exact_decimal
from explainers.kernels.floats import LAYOUTS, Layout, decode, largest, spacing
from explainers.kernels.global_memory import sectors
from explainers.kernels.neural_fields import linear_field, pendulum_field
from explainers.kernels.odes import RK4, solve
from explainers.kernels.shared_memory import turns, words
from explainers.kernels.softmax import count_moves, softmax_online, softmax_safe
from explainers.kernels.transpose import transpose_direct

PATTERNS = {"0.15625": 0x3E200000, "0.1": 0x3DCCCCCD, "largest": 0x7F7FFFFF, "NaN": 0x7FC00000}
GIVEN = (1, 3, 2, 5, 4, 0.5, 6, 2.5)
ROWS = {
    "given": GIVEN,
    "ascending": tuple(sorted(GIVEN)),
    "descending": tuple(sorted(GIVEN, reverse=True)),
    "equal": (2,) * 8,
    "late peak": (1, 2, 1.5, 0.5, 2, 1, 1.5, 8),
    "masked": (-math.inf, -math.inf, 3, 1, -math.inf, 5, 2, 4),
}


@dataset(
    sweep={"scores": [4, 8, 16, 32, 64, 128, 256]},
    units={"mean": "moves", "least": "moves", "most": "moves", "harmonic": "moves"},
    seed=5,
)
def moves(scores: int, seed: int, xp: Any = np) -> dict[str, Any]:
    """How often a running maximum moves in 2,000 shuffled rows, and the harmonic number."""
    rng = np.random.default_rng(seed)
    rows = rng.permuted(np.tile(np.arange(scores), (2000, 1)), axis=1)  # (R, T)
    counted = count_moves(xp.asarray(rows), xp=xp)  # (R,)
    return {
        "mean": float(counted.mean()),
        "least": int(counted.min()),
        "most": int(counted.max()),
        "harmonic": math.fsum(1 / k for k in range(1, scores + 1)),
    }


@dataset(
    sweep={"others": [1, 3, 7, 15, 63]},
    dims={"x": ("place",), "share": ("place",), "each": ("place",)},
    units={"x": "1", "share": "1", "each": "1"},
)
def one_of_many(others: int, xp: Any = np) -> dict[str, Any]:
    """The softmax of one score that moves among others that are all 0."""
    x = np.linspace(-6, 6, 49)  # (P,)
    rows = [softmax_safe(xp.asarray([at, *[0.0] * others]), xp=xp) for at in x]
    return {
        "x": x,
        "share": np.array([float(row[0]) for row in rows]),
        "each": np.array([float(row[1]) for row in rows]),
    }


@dataset(
    sweep={"temperature": [0.5, 1, 2, 4, 8]},
    dims={"share": ("score",), "plain": ("score",), "score": ("score",)},
    units={"share": "1", "plain": "1", "score": "1"},
)
def heated(temperature: float, xp: Any = np) -> dict[str, Any]:
    """The softmax of eight scores, each divided by a temperature."""
    x = np.array(GIVEN, dtype=np.float64)  # (T,)
    return {
        "share": softmax_safe(xp.asarray(x / temperature), xp=xp),
        "plain": softmax_safe(xp.asarray(x), xp=xp),
        "score": x,
    }


@dataset(
    dims={
        "layout": ("row",),
        "bits": ("row",),
        "largest": ("row",),
        "gap": ("row",),
        "subnormals": ("row",),
    },
    units={"layout": "1", "bits": "1", "largest": "1", "gap": "1", "subnormals": "1"},
)
def layouts() -> dict[str, Any]:
    """The floating-point layouts: their largest numbers, the gap after 1, their subnormals."""
    names = [name for name in LAYOUTS if name != "binary64"]
    ones = {name: LAYOUTS[name].bias << LAYOUTS[name].mantissa_bits for name in names}
    return {
        "layout": np.array(names),
        "bits": np.array(
            [1 + LAYOUTS[name].exponent_bits + LAYOUTS[name].mantissa_bits for name in names]
        ),
        "largest": np.array([decode(largest(LAYOUTS[name]), LAYOUTS[name]) for name in names]),
        "gap": np.array(
            [
                float(spacing(np.array([ones[name]], dtype=np.uint64), LAYOUTS[name])[0])
                for name in names
            ]
        ),
        "subnormals": np.array([2 ** LAYOUTS[name].mantissa_bits - 1 for name in names]),
    }


@dataset(
    sweep={"temperature": [0.25, 0.5, 1, 2, 4, 8, 16, 32]},
    dims={"weight": ("query", "key")},
    units={"weight": "1"},
    wire={"weight": "f32"},
)
def looking_back(temperature: float, xp: Any = np) -> dict[str, Any]:
    """The softmax of scores that fall with distance, of each place over itself and those before."""
    place = np.arange(24)
    apart = place[:, None] - place[None, :]  # (query, key)
    waves = np.cos(apart * (2 * np.pi / 8))
    scores = np.where(apart < 0, -np.inf, waves - apart / 8)
    rows = [softmax_safe(xp.asarray(row / temperature), xp=xp) for row in scores]
    return {"weight": xp.stack(rows)}


@dataset(
    sweep={"exponent": [2, 4, 5, 8, 11], "mantissa": [1, 3, 7, 10, 23, 52]},
    units={"bits": "bits", "largest": "1", "gap": "1", "least": "1"},
)
def own_layouts(exponent: int, mantissa: int) -> dict[str, Any]:
    """The width, range and precision of layouts with any number of bits in each field."""
    layout = Layout(exponent, mantissa, 2 ** (exponent - 1) - 1)
    one = np.array([layout.bias << mantissa], dtype=np.uint64)
    return {
        "bits": 1 + exponent + mantissa,
        "largest": decode(largest(layout), layout),
        "gap": float(spacing(one, layout)[0]),
        "least": decode(1, layout),
    }


@dataset(sweep={"mantissa_bits": [1, 2, 3, 4]})
def number_line(mantissa_bits: int) -> str:
    """The numbers of a small layout on a line, as a picture drawn in Python."""
    layout = Layout(3, mantissa_bits, 3)
    count = (2**3 - 1) << mantissa_bits
    numbers = [decode(pattern, layout) for pattern in range(count)]
    most = 2.0 ** (2**3 - 1 - 3)
    marks = "".join(f"M{8 + 464 * number / most:.2f} 24v32" for number in numbers)
    words = "".join(
        f'<text x="{8 + 464 * at / most:.1f}" y="76" text-anchor="middle">{at}</text>'
        for at in (0, 4, 8, 12, 16)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 88" font-family="sans-serif"'
        f' font-size="13" fill="#777f88"><path d="M8 56H472{marks}" stroke="#777f88"/>{words}</svg>'
    )


@dataset(sweep={"pattern": list(PATTERNS)}, units={"bits": "1", "exact": "1"}, nonfinite=["value"])
def decoded(pattern: str) -> Any:
    """A pattern of binary32 read field by field, and its exact value."""
    bits, layout = PATTERNS[pattern], LAYOUTS["binary32"]
    read = trace(decode, bits, layout, watch=("s", "E", "F", "value"))
    return read | {"bits": bits, "exact": exact_decimal(bits, layout)}


@dataset(sweep={"preset": list(ROWS)}, nonfinite=["m", "m_new"])
def one_sweep(preset: str, xp: Any = np) -> Any:
    """The running maximum and sum after every statement of the online kernel."""
    x = xp.asarray(np.array(ROWS[preset], dtype=np.float64))  # (T,)
    return trace(softmax_online, x, xp=xp, watch=("i", "m", "m_new", "scale", "l"))


@dataset(
    sweep={"preset": list(ROWS)},
    dims={"x": ("element",), "y": ("element",), "l": ("read",)},
    nonfinite=["x"],
)
def rows(preset: str, xp: Any = np) -> dict[str, Any]:
    """Each row, its softmax, and the sum after every score."""
    x = np.array(ROWS[preset], dtype=np.float64)  # (T,)
    seen = [x[: read + 1] for read in range(len(x))]
    m = [max(float(part.max()), -1e308) for part in seen]  # a row may begin with masks
    return {
        "x": x,
        "y": softmax_online(xp.asarray(x), xp=xp),
        "l": np.array([float(np.exp(part - top).sum()) for part, top in zip(seen, m, strict=True)]),
    }


@dataset(dims={"values": ("row", "column")}, wire={"values": "u8"})
def letter() -> dict[str, Any]:
    """A letter in 32 × 64 cells."""
    values = np.zeros((32, 64), dtype=np.uint8)
    values[4:28, 14:22] = values[4:9, 14:50] = values[14:19, 14:42] = 1
    return {"values": values}


@dataset(
    sweep={"lanes": ["row", "column"]},
    dims={
        "reads": ("request", "lane"),
        "writes": ("request", "lane"),
        "read_sectors": ("request",),
        "write_sectors": ("request",),
    },
    wire={"reads": "i16", "writes": "i16", "read_sectors": "u8", "write_sectors": "u8"},
    origin="modelled",
)
def carried(lanes: str, xp: Any = np) -> dict[str, Any]:
    """What the warps of a transpose read and write, and in how many sectors."""
    run = transpose_direct(xp.zeros((32, 64)), lanes, xp=xp)
    return {
        "reads": run.reads,
        "writes": run.writes,
        "read_sectors": sectors(4 * run.reads, xp=xp),
        "write_sectors": sectors(4 * run.writes, xp=xp),
    }


@dataset(
    origin="modelled",
    sweep={"stride": list(range(34))},
    dims={"word": ("lane",), "pass": ("lane",)},
    units={"word": "1", "pass": "1"},
    wire={"word": "i16", "pass": "i8"},
)
def strides(stride: int, xp: Any = np) -> dict[str, Any]:
    """The words that 32 lanes read at a stride, and the pass in which a bank serves each."""
    word = words(xp.arange(32) * 4 * stride, xp=xp)  # (1, 32)
    return {"word": word[0], "pass": turns(word, xp=xp)[0]}


@dataset(
    sweep={"pull": [-0.4, -0.2, 0, 0.2, 0.4]},
    dims={"theta": ("entry",), "path": ("point", "axis")},
    units={"theta": "1", "path": "1"},
)
def turning(pull: float) -> dict[str, Any]:
    """A field that turns and pulls in, or pushes out, and the path from a point of it."""
    theta = np.array([pull, 1.5, -1.5, pull])
    start = np.array([1.5, 0.5])
    return {
        "theta": theta,
        "path": solve(lambda _, z: linear_field(z, theta), start, 0, 4, 80, RK4),
    }


@dataset(dims={"theta": ("entry",), "path": ("point", "axis")}, units={"theta": "1", "path": "1"})
def swinging() -> dict[str, Any]:
    """A damped pendulum, from the side: a field without parameters."""
    start = np.array([1.0, 1.0])
    return {
        "theta": np.zeros(1),
        "path": solve(lambda _, z: pendulum_field(z), start, 0, 6, 60, RK4),
    }
