"""The datasets of "Binary representations of integers"."""

from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset, trace
from explainers.kernels.integer_adder import add_rows, ripple_add
from explainers.kernels.integers import (
    READINGS,
    extend,
    negate,
    read,
    read_row,
    shift_right,
    truncate,
    write,
)

Array = npt.NDArray[Any]


def each(names: str, what: Any) -> dict[str, Any]:
    """Return the same unit, type or axes for several fields."""
    return dict.fromkeys(names.split(), what)


GIVEN = 0b10110100
"""The row of bits that the whole article follows."""

TWOS = "two's complement"

ROWS = {
    "10110100": GIVEN,
    "00000001": 1,
    "01111111": 127,
    "10000000": 128,
    "10000001": 129,
    "11111111": 255,
    "00000000": 0,
}
"""Rows that the figures offer."""


def one(rows: Array) -> int:
    """Return the only item of an array."""
    return int(rows[0])


def signed(row: int, width: int = 8) -> int:
    """Read a row in two's complement."""
    return one(read(np.array([row]), TWOS, width))


@dataset(
    sweep={"row": list(ROWS), "sign": ["unsigned", "signed"]},
    units={"bits": "1", "result": "1"},
)
def place_values(row: str, sign: str) -> Any:
    """A row of eight bits added up place by place, with the top bit above or below zero."""
    bits = ROWS[row]
    run = trace(read_row, bits, 8, sign == "signed", watch=("i", "bit", "total", "top", "weight"))
    return run | {"bits": bits, "result": run.result}


@dataset(
    dims=each("unsigned sign_magnitude ones twos offset", ("row",)),
    units={
        **each("given given_sign_magnitude given_ones given_twos", "1"),
        "given_offset": "1",
    },
    wire=each("unsigned sign_magnitude ones twos offset", "i16"),
)
def readings(xp: Any = np) -> dict[str, Any]:
    """All 256 rows of eight bits, read in five ways."""
    rows = xp.arange(256)  # (row,)
    fields = ("unsigned", "sign_magnitude", "ones", "twos", "offset")
    held = {
        name: read(rows, reading, xp=xp) for name, reading in zip(fields, READINGS, strict=True)
    }
    return {
        **held,
        "given": int(held["unsigned"][GIVEN]),
        **{f"given_{name}": int(held[name][GIVEN]) for name in fields[1:]},
    }


@dataset(
    sweep={"reading": list(READINGS)},
    units=each("zeros least most adds sorts flips", "1"),
)
def compared(reading: str, xp: Any = np) -> dict[str, Any]:
    """What each reading costs: its zeros, its range, and whether one plain adder serves it."""
    rows = xp.arange(256)
    values = read(rows, reading, xp=xp)
    # Where the true sum has a row, does the plain adder of unsigned rows end in a row of it?
    a, b = xp.divmod(xp.arange(65_536), 256)
    total = values[a] + values[b]
    fits = (total >= values.min()) & (total <= values.max())
    plain = values[add_rows(a, b, xp=xp).row]
    return {
        "zeros": int(xp.sum(values == 0)),
        "least": int(values.min()),
        "most": int(values.max()),
        # The share of the sums that fit which a plain adder gets right.
        "adds": float(xp.mean((plain == total)[fits])),
        # Whether larger numbers have larger rows.
        "sorts": bool(xp.all(xp.diff(values) > 0)),
        # Whether flipping every bit negates.
        "flips": bool(xp.all(read(255 - rows, reading, xp=xp) == -values)),
    }


@dataset(
    dims={"four": ("tick",), "eight": ("row",)},
    wire={"four": "i8", "eight": "i16"},
)
def wheel(xp: Any = np) -> dict[str, Array]:
    """The signed labels of the number wheel, in the order of the unsigned ones."""
    return {
        "four": read(xp.arange(16), TWOS, 4, xp=xp),
        "eight": read(xp.arange(256), TWOS, 8, xp=xp),
    }


PAIRS = {
    "100 and 100": (100, 100, 0),
    "127 and 1": (127, 1, 0),
    "255 and 1": (255, 1, 0),
    "180 and 180": (180, 180, 0),
    "180 and 76": (180, 76, 0),
    "85 and 170": (85, 170, 0),
    "128 and 128": (128, 128, 0),
    "20 and 30": (20, 30, 0),
    "5 minus 3": (5, 255 - 3, 1),
    "3 minus 5": (3, 255 - 5, 1),
}
"""Rows that the adder adds; to subtract, the second is flipped and a carry comes in."""


@dataset(
    sweep={"pair": list(PAIRS)},
    units=each("a b carry_in result unsigned_sum signed_sum signed_result", "1"),
)
def ripple(pair: str) -> Any:
    """Two rows added place by place, with the four flags at the end."""
    a, b, carry = PAIRS[pair]
    watch = ("i", "x", "y", "into", "s", "carry", "row", "C", "V", "Z", "N")
    run = trace(ripple_add, a, b, 8, carry, watch=watch)
    row = ripple_add(a, b, 8, carry).row
    return run | {
        "a": a,
        "b": b,
        "carry_in": carry,
        "result": row,
        # What the sum would be with bits enough.
        "unsigned_sum": a + b + carry,
        "signed_sum": signed(a) + signed(b) + carry,
        "signed_result": signed(row),
    }


@dataset(
    dims={"carry": ("a", "byte"), "overflow": ("a", "byte")},
    units=each("pairs carries overflows both neither wrong_sums wrong_rule wrong_hand", "pairs"),
)
def flag_map(xp: Any = np) -> dict[str, Any]:
    """Which of all 65,536 pairs of rows set the carry and the overflow flag, eight to a byte."""
    a, b = xp.arange(256)[:, None], xp.arange(256)[None, :]
    total = add_rows(a, b, xp=xp)  # (256, 256)
    x, y = (read(rows, TWOS, xp=xp) for rows in (a, b))
    # Range tests on the sums themselves, and the library's own wrapping addition.
    carries, overflows = a + b > 255, (x + y < -128) | (x + y > 127)
    with np.errstate(over="ignore"):
        plain = a.astype(xp.uint8) + b.astype(xp.uint8)
        wrapped = x.astype(xp.int8) + y.astype(xp.int8)
    same = (total.row == plain) & (wrapped.view(xp.uint8) == plain)
    # The carry into the top place is the carry out of the seven below it.
    rule = add_rows(a % 128, b % 128, 7, xp=xp).C ^ total.C
    # By hand: two rows with one top bit, and a sum with the other.
    hand = (a // 128 == b // 128) & (total.row // 128 != a // 128)
    return {
        "carry": xp.packbits(total.C.astype(bool)).reshape(256, 32),
        "overflow": xp.packbits(total.V.astype(bool)).reshape(256, 32),
        "pairs": same.size,
        "carries": int(xp.sum(carries)),
        "overflows": int(xp.sum(overflows)),
        "both": int(xp.sum(carries & overflows)),
        "neither": int(xp.sum(~carries & ~overflows)),
        "wrong_sums": int(xp.sum(~same)),
        "wrong_hand": int(xp.sum(hand != overflows)),
        "wrong_rule": int(
            xp.sum((rule != overflows) | (overflows != total.V) | (carries != total.C))
        ),
    }


VALUES = {"-76": GIVEN, "100": 100, "-1": 255, "-128": 128, "5": 5}


@dataset(
    sweep={"value": list(VALUES), "width": range(4, 17)},
    units=each("bits sign_row sign_value zero_row zero_value kept kept_zero", "1"),
    wire=each("bits sign_row sign_value zero_row zero_value", "i32"),
)
def widening(value: str, width: int) -> dict[str, Any]:
    """Eight bits moved to a wider or narrower row: by the sign, or by zeros; read as signed."""
    bits = VALUES[value]
    row = np.array([bits])
    if width < 8:
        by_sign = by_zero = truncate(row, width)
    else:
        by_sign, by_zero = extend(row, 8, width), extend(row, 8, width, signed=False)
    sign_value, zero_value = signed(one(by_sign), width), signed(one(by_zero), width)
    return {
        "bits": bits,
        "sign_row": one(by_sign),
        "sign_value": sign_value,
        "zero_row": one(by_zero),
        "zero_value": zero_value,
        "kept": sign_value == signed(bits),
        "kept_zero": zero_value == signed(bits),
    }


@dataset(dims={"width": ("n",), "below": ("n",), "top": ("n",)})
def weights() -> dict[str, Array]:
    """The top place against all the others together, from 2 bits to 16."""
    width = np.arange(2, 17)  # (n,)
    full = [2 ** int(n) - 1 for n in width]
    return {
        "width": width,
        # The row of all ones but the top, and the row of the top alone.
        "below": np.array([read_row(row >> 1, int(n)) for row, n in zip(full, width, strict=True)]),
        "top": np.array([read_row(2 ** int(n - 1), int(n)) for n in width]),
    }


@dataset(
    units={
        **each("itself itself_value negated wide_kept narrow_wrong", "1"),
        **each("narrow_kept lowest_abs narrow_fits narrow_dropped", "1"),
    }
)
def rules(xp: Any = np) -> dict[str, int]:
    """Negation over all 256 rows, widening of all of them, narrowing of all 65,536 to 8 bits."""
    rows = xp.arange(256)
    values = read(rows, TWOS, xp=xp)
    itself = rows[(negate(rows, xp=xp) == rows) & (values != 0)]
    negated = read(negate(rows, xp=xp), TWOS, xp=xp) == -values
    wide = read(extend(rows, 8, 16, xp=xp), TWOS, 16, xp=xp)
    long = xp.arange(65_536)
    before, after = read(long, TWOS, 16, xp=xp), read(truncate(long, 8, xp=xp), TWOS, xp=xp)
    fits = (before >= -128) & (before <= 127)
    return {
        "itself": len(itself),
        "itself_value": int(values[itself[0]]),
        "lowest_abs": one(np.abs(np.array([-128], dtype=np.int8)).astype(np.int64)),
        "negated": int(xp.sum(negated)),
        "wide_kept": int(xp.sum(wide == values)),
        # Rows of 16 bits whose value survives narrowing, and those where that is no fit.
        "narrow_fits": int(xp.sum(fits)),
        # Rows for which "all dropped bits equal the top bit that stays" is no fit.
        "narrow_dropped": int(xp.sum(((long >> 7) % 511 == 0) != fits)),
        "narrow_kept": int(xp.sum(before == after)),
        "narrow_wrong": int(xp.sum((before == after) != fits)),
    }


@dataset(
    units={
        **each("top_row widened narrowed halved divided logical flipped", "1"),
        **each("row_201 row_minus_100 carry_both overflow_both", "1"),
        **each("below_wrong below_carry_wrong", "pairs"),
        **each("negabinary_least negabinary_most negabinary_distinct", "1"),
    }
)
def answers() -> dict[str, int]:
    """What the self-checks and probes ask for."""
    minus_one = write(np.array([-1]), TWOS)
    twice = ripple_add(0b10011100, 0b10011100)
    # As a reader types them: their bits as digits.
    rows = write(np.array([201]), "unsigned"), write(np.array([-100]), TWOS)
    row_201, row_minus_100 = (int(f"{one(row):b}") for row in rows)
    a, b = np.divmod(np.arange(65_536), 256)
    difference = add_rows(a, 255 - b, carry=1)
    below = read(a, TWOS) < read(b, TWOS)
    # Places worth 1, -2, 4, -8, …
    places = (-2) ** np.arange(8)
    negabinary = (np.arange(256)[:, None] >> np.arange(8) & 1) @ places
    return {
        "top_row": signed(0b10000001),
        "widened": one(extend(minus_one, 8, 16, signed=False)),
        "narrowed": signed(one(truncate(np.array([200]), 8))),
        "row_201": row_201,
        "row_minus_100": row_minus_100,
        "halved": signed(one(shift_right(minus_one, 1, signed=True))),
        "divided": int(-1 / 2),
        "logical": one(shift_right(minus_one, 1)),
        "flipped": one(negate(np.array([GIVEN]))),
        "carry_both": twice.C,
        "overflow_both": twice.V,
        # Pairs for which "N differs from V" is not "a is below b", and C is not "a >= b".
        "below_wrong": int(np.sum(((difference.N ^ difference.V) == 1) != below)),
        "below_carry_wrong": int(np.sum((difference.C == 1) != (a >= b))),
        "negabinary_least": int(negabinary.min()),
        "negabinary_most": int(negabinary.max()),
        "negabinary_distinct": len(np.unique(negabinary)),
    }
