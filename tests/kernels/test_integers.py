"""Rows of bits, against numpy's own views, int.from_bytes, text, and Python's integers."""

import inspect
import itertools

import numpy as np
import pytest

from explainers import trace
from explainers.data.steps import steps
from explainers.kernels import integer_adder, integers
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

ROWS = np.arange(256)
INT8 = np.arange(256, dtype=np.uint8).view(np.int8)


def by_text(row, reading, width):
    """What a row is by a reading, from its digits as text."""
    text = format(row, f"0{width}b")
    other = text.translate(str.maketrans("01", "10"))
    if reading == "unsigned":
        return int(text, 2)
    if reading == "sign-magnitude":
        return int("0" + text[1:], 2) * (-1 if text[0] == "1" else 1)
    if reading == "ones' complement":
        return -int(other, 2) if text[0] == "1" else int(text, 2)
    if reading == "two's complement":
        return -int(other, 2) - 1 if text[0] == "1" else int(text, 2)
    return int(text, 2) - int("1" + "0" * (width - 1), 2)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("width", [1, 2, 4, 8, 13])
class TestReadings:
    def test_are_what_the_text_says(self, reading, width):
        rows = np.arange(2**width)
        expected = [by_text(row, reading, width) for row in rows.tolist()]
        assert read(rows, reading, width).tolist() == expected

    def test_are_written_as_they_are_read(self, reading, width):
        values = read(np.arange(2**width), reading, width)
        # Of two zeros, the positive one is written: its row comes first.
        first = {}
        for row, value in enumerate(values.tolist()):
            first.setdefault(value, row)
        expected = [first[value] for value in values.tolist()]
        assert write(values, reading, width).tolist() == expected

    def test_a_value_without_a_row_raises(self, reading, width):
        values = read(np.arange(2**width), reading, width)
        for value in (
            values.min() - 1,
            values.max() + 1,
            values.min() - 2**width,
            2 ** (width + 1),
        ):
            with pytest.raises(ValueError, match="does not fit"):
                write(np.array([value]), reading, width)


def test_two_s_complement_is_numpy_s_int8_and_from_bytes():
    assert np.array_equal(read(ROWS, "two's complement"), INT8)
    for row in range(256):
        signed = int.from_bytes(bytes([row]), signed=True)
        assert read_row(row, signed=True) == signed
        assert read_row(row) == row
        assert read(np.array([row]), "two's complement")[0] == signed


def test_wider_rows_are_numpy_s_too():
    rows = np.random.default_rng(1).integers(0, 2**32, 5000, dtype=np.uint32)
    assert np.array_equal(read(rows, "two's complement", 32), rows.view(np.int32))
    for row in rows[:200].tolist():
        assert read_row(row, 32, signed=True) == int.from_bytes(row.to_bytes(4), signed=True)


def test_which_readings_have_two_zeros():
    zeros = {reading: int((read(ROWS, reading) == 0).sum()) for reading in READINGS}
    assert zeros == {
        "unsigned": 1,
        "sign-magnitude": 2,
        "ones' complement": 2,
        "two's complement": 1,
        "offset": 1,
    }


def test_the_article_s_row():
    row = np.array([0b10110100])
    assert [int(read(row, reading)[0]) for reading in READINGS] == [180, -52, -75, -76, 52]


@pytest.mark.parametrize("row", [-1, 256])
def test_a_row_too_long_raises(row):
    with pytest.raises(ValueError, match="has 8 bits"):
        read_row(row)


def test_an_unknown_reading_raises():
    for kernel in (read, write):
        with pytest.raises(ValueError, match="no reading 'gray'"):
            kernel(ROWS, "gray")


# ---- negation, width, shifts ---------------------------------------------------------------------


def test_negation_is_numpy_s():
    with np.errstate(over="ignore"):
        expected = np.negative(INT8)
    assert np.array_equal(negate(ROWS), expected.view(np.uint8))
    itself = ROWS[negate(ROWS) == ROWS]
    assert itself.tolist() == [0, 128]


@pytest.mark.parametrize("to", [8, 16, 32])
def test_widening_is_astype_s(to):
    signed = INT8.astype(f"i{to // 8}").view(f"u{to // 8}")
    unsigned = INT8.view(np.uint8).astype(f"u{to // 8}")
    assert np.array_equal(extend(ROWS, 8, to), signed)
    assert np.array_equal(extend(ROWS, 8, to, signed=False), unsigned)


@pytest.mark.parametrize("width", [1, 4, 8])
@pytest.mark.parametrize("more", [0, 1, 5])
def test_widening_pads_the_text_and_keeps_the_value(width, more):
    rows = np.arange(2**width)
    to = width + more
    for signed in (True, False):
        wide = extend(rows, width, to, signed)
        for row, wider in zip(rows.tolist(), wide.tolist(), strict=True):
            text = format(row, f"0{width}b")
            fill = text[0] if signed else "0"
            assert format(wider, f"0{to}b") == text.rjust(to, fill)
    assert np.array_equal(
        read(extend(rows, width, to), "two's complement", to),
        read(rows, "two's complement", width),
    )


def test_narrowing_is_astype_s_and_keeps_only_what_fits():
    rows = np.arange(2**16)
    values = rows.astype(np.uint16).view(np.int16)
    narrow = truncate(rows, 8)
    assert np.array_equal(narrow, rows.astype(np.uint8))
    kept = read(narrow, "two's complement") == values
    assert np.array_equal(kept, (values >= -128) & (values <= 127))


def test_what_is_too_narrow_raises():
    with pytest.raises(ValueError, match="that is narrowing"):
        extend(ROWS, 8, 7)


@pytest.mark.parametrize("by", range(9))
def test_shifts_are_numpy_s(by):
    # NumPy leaves a shift by the width to the machine; Python's integers do not.
    logical = [row >> by for row in range(256)]
    arithmetic = [(value >> by) % 256 for value in INT8.tolist()]
    assert shift_right(ROWS, by).tolist() == logical
    assert shift_right(ROWS, by, signed=True).tolist() == arithmetic
    if by < 8:
        assert np.array_equal(shift_right(ROWS, by), np.arange(256, dtype=np.uint8) >> by)
        shifted = shift_right(ROWS, by, signed=True).astype(np.uint8).view(np.int8)
        assert np.array_equal(shifted, INT8 >> by)


def test_an_arithmetic_shift_rounds_down_where_division_truncates():
    minus_one = write(np.array([-1]), "two's complement")
    shifted = shift_right(minus_one, 1, signed=True)
    assert read(shifted, "two's complement")[0] == -1
    assert int(-1 / 2) == 0


# ---- the adder -----------------------------------------------------------------------------------


def expected_sum(a, b, carry=0, width=8):
    """Row and flags by ranges: what Python's own integers say of the two readings."""
    size = 2**width
    signed = [x - size if x >= size // 2 else x for x in (a, b)]
    row = (a + b + carry) % size
    return (
        row,
        int(a + b + carry not in range(size)),
        int(sum(signed) + carry not in range(-size // 2, size // 2)),
        int(row == 0),
        int(row >= size // 2),
    )


@pytest.mark.parametrize("carry", [0, 1])
def test_all_65_536_pairs_with_their_flags(carry):
    a, b = np.divmod(np.arange(65_536), 256)
    many = np.stack(add_rows(a, b, carry=carry), axis=1).tolist()
    for x, y, row in zip(a.tolist(), b.tolist(), many, strict=True):
        expected = expected_sum(x, y, carry)
        assert tuple(ripple_add(x, y, carry=carry)) == expected
        assert tuple(row) == expected


def test_the_sum_is_the_same_row_signed_or_not():
    a, b = np.divmod(np.arange(65_536), 256)
    with np.errstate(over="ignore"):
        unsigned = a.astype(np.uint8) + b.astype(np.uint8)
        signed = a.astype(np.uint8).view(np.int8) + b.astype(np.uint8).view(np.int8)
    row = add_rows(a, b).row
    assert np.array_equal(row, unsigned)
    assert np.array_equal(row, signed.view(np.uint8))


@pytest.mark.parametrize("width", [1, 2, 5, 16, 32])
def test_other_widths(width):
    rng = np.random.default_rng(width)
    drawn = rng.integers(0, 2**width, (300, 2))
    for n, (a, b) in enumerate(drawn.tolist()):
        expected = expected_sum(a, b, n % 2, width)
        assert tuple(ripple_add(a, b, width, n % 2)) == expected
        assert tuple(int(one) for one in add_rows(np.array(a), b, width, n % 2)) == expected


def test_subtraction_is_addition_of_the_flipped_row_and_a_carry():
    a, b = np.divmod(np.arange(65_536), 256)
    total = add_rows(a, b ^ 255, carry=1)
    assert np.array_equal(total.row, (a - b) % 256)
    # The carry is the absence of a borrow.
    assert np.array_equal(total.C, (a >= b).astype(int))
    signed = INT8.astype(int)
    difference = signed[a] - signed[b]
    assert np.array_equal(total.V, ((difference < -128) | (difference > 127)).astype(int))
    # Signed, a is below b when sign and overflow differ.
    assert np.array_equal(total.N ^ total.V, (signed[a] < signed[b]).astype(int))


def test_how_many_pairs_carry_and_overflow():
    a, b = np.divmod(np.arange(65_536), 256)
    total = add_rows(a, b)
    assert (int(total.C.sum()), int(total.V.sum())) == (32_640, 16_384)


def test_the_adder_s_steps():
    names = [step.name for step in steps(inspect.getsource(integer_adder), "ripple_add")]
    run = trace(ripple_add, 100, 100, watch=("carry", "row"))
    place = ["sum", "carry"]
    flags = ["carry flag", "overflow flag", "zero flag", "sign flag"]
    assert [names[at] for at in run.at.tolist() if names[at]] == ["start", *(place * 8), *flags]
    # After place i the row holds the low bits of the sum, and the carry the rest.
    written = [t for t, at in enumerate(run.at.tolist()) if names[at] == "carry"]
    for i, t in enumerate(written):
        low = 100 % 2 ** (i + 1)
        assert run["row"][t] + run["carry"][t] * 2 ** (i + 1) == 2 * low


# ---- mutants: each of these slips must be caught -------------------------------------------------

MUTANTS = {
    "a carry out is lost": ("| y & into", ""),
    "the carry is forgotten": ("b >> i & 1, carry", "b >> i & 1, 0"),
    "the sum ignores the carry": ("x ^ y ^ into", "x ^ y"),
    "overflow is the carry": ("into ^ carry  #", "carry  #"),
    "overflow is the carry in": ("into ^ carry  #", "into  #"),
    "the first place is skipped": ("range(width)", "range(1, width)"),
    "the last place is skipped": ("range(width)", "range(width - 1)"),
    "zero looks at the top": ("int(row == 0)", "int(row >> (width - 1) == 0)"),
    "sign is the carry": ("row >> (width - 1)  #", "carry  #"),
}


@pytest.mark.parametrize(("old", "new"), [("x ^ y", "x ^ y"), *MUTANTS.values()])
def test_a_slip_is_caught(old, new):
    source = inspect.getsource(integer_adder)
    assert old in source, f"the kernel no longer has {old!r}: mend this list"
    scope = {"__name__": "mutant"}
    exec(source.replace(old, new, 1), scope)
    rows = (0, 1, 2, 85, 100, 127, 128, 129, 170, 180, 254, 255)
    wrong = [
        (a, b)
        for a, b in itertools.product(rows, rows)
        if tuple(scope["ripple_add"](a, b)) != expected_sum(a, b)
    ]
    assert bool(wrong) == (old != new)


def test_kernels_use_the_library_they_are_given(monkeypatch):
    monkeypatch.setattr(integers, "np", None)
    monkeypatch.setattr(integer_adder, "np", None)
    read(write(np.array([-1]), "offset", xp=np), "offset", xp=np)
    shift_right(truncate(extend(negate(ROWS, xp=np), 8, 16, xp=np), 8, xp=np), 1, xp=np)
    add_rows(ROWS, ROWS, xp=np)
    read_row(1, xp=np)
    ripple_add(1, 1, xp=np)
