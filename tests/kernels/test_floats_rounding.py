"""Rounding and exact decimals, against fractions, decimal, the machine and ml_dtypes."""

import bisect
import decimal
import inspect
import itertools
import math
import struct
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from explainers.kernels import float_rounding
from explainers.kernels.float_rounding import encode, encode_ratio, exact_decimal, ratio
from explainers.kernels.floats import LAYOUTS, decode_all

TYPES = {
    "binary64": np.dtype(np.float64),
    "binary32": np.dtype(np.float32),
    "binary16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
}
SMALL = ("binary16", "bfloat16", "e5m2", "e4m3fn")


def numbers(name):
    """All finite numbers of a small layout from 0 up, exactly, by ml_dtypes; index = pattern."""
    dtype = TYPES[name]
    row = np.arange(2 ** (8 * dtype.itemsize - 1), dtype=f"u{dtype.itemsize}")
    with np.errstate(invalid="ignore"):
        x = row.view(dtype).astype(np.float64)
    return [Fraction(value) for value in x.tolist() if math.isfinite(value)]


def nearest(size, row):
    """The index of the nearest number, by comparing distances; of two, the even one.

    What would be the next number if the layout went on is where overflow begins.
    """
    row = [*row, 2 * row[-1] - row[-2]]
    at = bisect.bisect_left(row, size)
    if at == len(row):
        return at - 1
    if at == 0 or row[at] == size:
        return at
    left, right = size - row[at - 1], row[at] - size
    if left == right:
        return at - 1 if at % 2 else at
    return at - 1 if left < right else at


@pytest.mark.parametrize("name", SMALL)
def test_a_ratio_rounds_to_the_nearest_of_all_numbers(name):
    row, layout = numbers(name), LAYOUTS[name]
    rng = np.random.default_rng(1)
    middles = [(a + b) / 2 for a, b in itertools.pairwise(row[:: 1 if len(row) < 300 else 37])]
    last = row[-1] + (row[-1] - row[-2]) / 2
    sizes = [
        *row[:: 1 if len(row) < 300 else 41],
        *(middle + nudge for middle in middles for nudge in (0, Fraction(1, 10**60))),
        *(middle - Fraction(1, 10**60) for middle in middles),
        *(Fraction(int(a), int(b)) for a, b in rng.integers(1, 10**9, (500, 2))),
        *(last, last - Fraction(1, 10**40), last + Fraction(1, 10**40), Fraction(10) ** 60),
    ]
    sign = 2 ** sum(layout[:2])
    for size in sizes:
        expected = nearest(size, row)
        assert encode_ratio(*size.as_integer_ratio(), layout) == expected
        if size:
            assert encode_ratio(*(-size).as_integer_ratio(), layout) == expected + sign


def test_a_decimal_rounds_to_binary64_as_float_does():
    rng = np.random.default_rng(2)
    texts = [
        *(f"{rng.integers(0, 10**17)}e{power}" for power in range(-345, 300)),
        *("0.1", "1e23", "9007199254740993", "5e-324", "2.4703282292062327e-324", "1e400"),
    ]
    for text in texts:
        pattern = encode_ratio(*Fraction(text).as_integer_ratio(), LAYOUTS["binary64"])
        assert pattern == int.from_bytes(struct.pack(">d", float(text)))


def test_a_ratio_rounds_to_binary32_once():
    # By way of binary64 these ties would be lost.
    rng = np.random.default_rng(3)
    for m in rng.integers(2**23, 2**24, 300).tolist():
        tie = Fraction(2 * m + 1, 2)
        for nudge in (-1, 0, 1):
            size = tie + Fraction(nudge, 10**40)
            expected = m + (nudge > 0 or (nudge == 0 and m % 2))
            value = float(expected)
            pattern = encode_ratio(*size.as_integer_ratio(), LAYOUTS["binary32"])
            assert pattern == int.from_bytes(struct.pack(">f", value))


def test_zero_and_refusals():
    assert encode_ratio(0, 7, LAYOUTS["binary32"]) == 0
    for denominator in (0, -1):
        with pytest.raises(ValueError, match="must be above 0"):
            encode_ratio(1, denominator, LAYOUTS["binary32"])


# ---- float64 numbers, many at once ---------------------------------------------------------------


def doubles(n=200_000):
    """Float64 numbers: any bits, and most in the range of the small layouts."""
    rng = np.random.default_rng(4)
    any_bits = rng.integers(0, 2**64, n, dtype=np.uint64).view(np.float64)
    near = rng.standard_normal(n) * 2.0 ** rng.integers(-160, 140, n)
    x = np.where(rng.random(n) < 0.2, any_bits, near)
    ends = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308]
    return np.concatenate([np.where(np.isnan(x), 1.0, x), ends])


def bits(x):
    """The patterns of an array."""
    return x.view(f"u{x.dtype.itemsize}").astype(np.uint64)


@pytest.mark.parametrize("name", ["binary16", "binary32", "binary64"])
def test_numbers_round_as_the_machine_s_cast_does(name):
    x = doubles()
    with np.errstate(all="ignore"):
        cast = x.astype(TYPES[name])
    assert np.array_equal(encode(x, LAYOUTS[name]), bits(cast))


@pytest.mark.parametrize("name", SMALL)
def test_float32_numbers_round_as_ml_dtypes_does(name):
    with np.errstate(all="ignore"):
        x = doubles().astype(np.float32)
        cast = x.astype(TYPES[name])
        nan = np.isnan(cast.astype(np.float32))
    ours = encode(x.astype(np.float64), LAYOUTS[name])
    assert np.array_equal(ours[~nan], bits(cast)[~nan])
    assert np.isnan(decode_all(ours[nan], LAYOUTS[name])).all()


@pytest.mark.parametrize("name", LAYOUTS)
def test_numbers_round_as_ratios_do(name):
    x = doubles(3000)
    x = x[np.isfinite(x)]
    sign = 2 ** sum(LAYOUTS[name][:2])
    for value, pattern in zip(x.tolist(), encode(x, LAYOUTS[name]).tolist(), strict=True):
        ours = encode_ratio(*Fraction(abs(value)).as_integer_ratio(), LAYOUTS[name])
        assert pattern == ours + (sign if math.copysign(1, value) < 0 else 0)


@pytest.mark.parametrize("name", SMALL)
def test_every_code_survives_decoding_and_encoding(name):
    dtype = TYPES[name]
    patterns = np.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}")
    x = decode_all(patterns, LAYOUTS[name])
    kept = ~np.isnan(x)
    assert np.array_equal(encode(x[kept], LAYOUTS[name]), patterns[kept])


class TestDoubleRounding:
    def test_by_way_of_binary32_bfloat16_gets_another_number(self):
        x = np.array([1 + 2.0**-8 + 2.0**-30])
        once = decode_all(encode(x, LAYOUTS["bfloat16"]), LAYOUTS["bfloat16"])
        through = decode_all(encode(x, LAYOUTS["binary32"]), LAYOUTS["binary32"])
        twice = decode_all(encode(through, LAYOUTS["bfloat16"]), LAYOUTS["bfloat16"])
        assert (once[0], twice[0]) == (1.0078125, 1.0)

    def test_by_way_of_binary32_binary16_loses_its_smallest_number(self):
        x = np.array([np.nextafter(2.0**-25, 1)])
        once = decode_all(encode(x, LAYOUTS["binary16"]), LAYOUTS["binary16"])
        through = decode_all(encode(x, LAYOUTS["binary32"]), LAYOUTS["binary32"])
        twice = decode_all(encode(through, LAYOUTS["binary16"]), LAYOUTS["binary16"])
        assert (once[0], twice[0]) == (2.0**-24, 0.0)


@pytest.mark.parametrize(
    ("x", "value"),
    [(448, 448), (464, 448), (464.0001, math.nan), (480, math.nan), (math.inf, math.nan)],
)
def test_e4m3fn_has_no_infinity_and_its_last_tie_stays(x, value):
    y = decode_all(encode(np.array([x, -x]), LAYOUTS["e4m3fn"]), LAYOUTS["e4m3fn"])
    assert np.array_equal(y, [value, -value], equal_nan=True)


@pytest.mark.parametrize(
    ("name", "first"),
    [("binary16", 2049), ("bfloat16", 257), ("e4m3fn", 17), ("e5m2", 9), ("binary32", 2**24 + 1)],
)
def test_the_first_integer_that_is_missing(name, first):
    n = np.arange(max(first - 4000, 0), first + 3, dtype=np.float64)
    y = decode_all(encode(n, LAYOUTS[name]), LAYOUTS[name])
    assert n[np.argmax(y != n)] == first
    # Ties go to even: the next one down, the one after it up.
    assert y[n == first] == first - 1
    assert decode_all(encode(np.array([first + 2.0]), LAYOUTS[name]), LAYOUTS[name]) == first + 3


@pytest.mark.parametrize(
    ("name", "equal"),
    [
        ("binary64", False),
        ("binary32", True),
        ("binary16", False),
        ("bfloat16", True),
        ("e5m2", False),
        ("e4m3fn", True),
    ],
)
def test_whether_a_tenth_and_two_tenths_are_three_depends_on_the_width(name, equal):
    def number(text):
        return Fraction(*ratio(encode_ratio(*Fraction(text).as_integer_ratio(), layout), layout))

    layout, machine = LAYOUTS[name], TYPES[name].type
    total = number("0.1") + number("0.2")
    ours = encode_ratio(*total.as_integer_ratio(), layout)
    assert (Fraction(*ratio(ours, layout)) == number("0.3")) is equal
    assert (machine(0.1) + machine(0.2) == machine(0.3)) == equal


# ---- exact values --------------------------------------------------------------------------------


def binary32(n=5000):
    rng = np.random.default_rng(5)
    edges = np.arange(512, dtype=np.uint64) << 23
    return [*rng.integers(0, 2**32, n).tolist(), *edges.tolist(), *(edges + 1).tolist(), 1, 3]


def test_the_exact_decimal_is_decimal_s():
    for pattern in binary32():
        value = struct.unpack(">f", pattern.to_bytes(4))[0]
        if math.isfinite(value):
            expected = format(decimal.Decimal(value), "f")
        else:
            expected = "nan" if math.isnan(value) else str(value)
        assert exact_decimal(pattern, LAYOUTS["binary32"]) == expected


def test_the_exact_decimal_of_binary64_too():
    rng = np.random.default_rng(6)
    for pattern in [*rng.integers(0, 2**63, 300).tolist(), 1, 2**52, 0x7FEFFFFFFFFFFFFF, 2**63]:
        value = struct.unpack(">d", pattern.to_bytes(8))[0]
        if math.isfinite(value):
            expected = format(decimal.Decimal(value), "f")
            assert exact_decimal(pattern, LAYOUTS["binary64"]) == expected


def test_a_tenth_in_full():
    pattern = encode_ratio(1, 10, LAYOUTS["binary32"])
    assert hex(pattern) == "0x3dcccccd"
    assert exact_decimal(pattern, LAYOUTS["binary32"]) == "0.100000001490116119384765625"


@pytest.mark.parametrize(
    ("pattern", "text"), [(0x7F, "nan"), (0xFF, "nan"), (0x7E, "448"), (1, "0.001953125")]
)
def test_the_exact_decimal_of_e4m3fn(pattern, text):
    assert exact_decimal(pattern, LAYOUTS["e4m3fn"]) == text


def test_the_ratio_is_fraction_s_and_rounds_back():
    for pattern in binary32(2000):
        value = struct.unpack(">f", pattern.to_bytes(4))[0]
        if not math.isfinite(value):
            with pytest.raises(ValueError, match="no finite number"):
                ratio(pattern, LAYOUTS["binary32"])
            continue
        assert ratio(pattern, LAYOUTS["binary32"]) == Fraction(value).as_integer_ratio()
        if value:
            assert (
                encode_ratio(*ratio(pattern, LAYOUTS["binary32"]), LAYOUTS["binary32"]) == pattern
            )


# ---- mutants: each of these slips must be caught -------------------------------------------------

MUTANTS = {
    "ties go up": ("2 * rest == unit and whole % 2 == 1", "2 * rest == unit"),
    "ties go down": ("2 * rest == unit and whole % 2 == 1", "False"),
    "nothing is rounded up": ("2 * rest > unit or", "False and"),
    "subnormals have a scale of their own": ("max(e + bias, 1)", "e + bias"),
    "the first guess of the exponent is kept": ("e -= 1", "pass"),
    "overflow runs on": ("min(pattern, infinity)", "pattern"),
    "the sign is lost": ("int(numerator < 0)", "0"),
    "fn ends where ieee does": ('1 if specials == "fn" else', '2 if specials == "fn" else'),
}


def examine(kernel):
    for name in SMALL:
        row, layout = numbers(name), LAYOUTS[name]
        sign = 2 ** sum(layout[:2])
        for a, b in itertools.pairwise(row[:: max(1, len(row) // 200)]):
            for size in (a, (a + b) / 2, (a + 2 * b) / 3):
                expected = nearest(size, row)
                assert kernel(*size.as_integer_ratio(), layout) == expected
                if size:
                    assert kernel(*(-size).as_integer_ratio(), layout) == expected + sign
        assert kernel(10**60, 1, layout) == len(row)
        last = row[-1] + (row[-1] - row[-2]) / 2
        assert kernel(*last.as_integer_ratio(), layout) == nearest(last, row)


@pytest.mark.parametrize(("old", "new"), [("e -= 1", "e -= 1"), *MUTANTS.values()])
def test_a_slip_is_caught(old, new):
    source = inspect.getsource(float_rounding)
    body = source.partition("def encode_ratio")[2].partition("\ndef ")[0]
    assert old in body, f"the kernel no longer has {old!r}: mend this list"
    scope = {}
    exec(source.replace(body, body.replace(old, new)), scope)
    if old == new:
        examine(scope["encode_ratio"])
        return
    with pytest.raises((AssertionError, ValueError)):
        examine(scope["encode_ratio"])


def test_kernels_use_the_library_they_are_given(monkeypatch):
    monkeypatch.setattr(float_rounding, "np", None)
    encode(np.array([1.0, math.nan]), LAYOUTS["binary32"], xp=np)
    exact_decimal(1, LAYOUTS["binary32"], xp=np)
