"""Patterns and the numbers they stand for, against oracles that share no code with the kernels."""

import inspect
import math
import struct
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from explainers import trace
from explainers.data.steps import steps
from explainers.kernels import floats
from explainers.kernels.floats import (
    KINDS,
    LAYOUTS,
    Layout,
    classify,
    decode,
    decode_all,
    largest,
    neighbours,
    spacing,
    split,
)

TYPES = {
    "binary64": np.dtype(np.float64),
    "binary32": np.dtype(np.float32),
    "binary16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
}
SMALL = ("binary16", "bfloat16", "e5m2", "e4m3fn")
ALL = [
    *((name, "all") for name in SMALL),
    *(("binary32", size) for size in (1, 7, 63, 500, 300_000)),
    *(("binary64", size) for size in (7, 300_000)),
]


def patterns_of(name, size):
    """All codes of a layout, or its first, last and random ones with every exponent among them."""
    row = np.dtype(f"u{TYPES[name].itemsize}")
    if size == "all":
        return np.arange(2 ** (8 * row.itemsize), dtype=row)
    rng = np.random.default_rng(size)
    drawn = rng.integers(0, np.iinfo(row).max, size, dtype=row, endpoint=True)
    _, mantissa_bits, *_ = LAYOUTS[name]
    edges = np.arange(2 ** (8 * row.itemsize - mantissa_bits), dtype=row) << row.type(mantissa_bits)
    return np.concatenate([drawn, edges, edges + row.type(1), edges - row.type(1)])


def numbers(patterns, name):
    """The machine's reading of some patterns, as float64."""
    x = patterns.view(TYPES[name])
    if name == "binary32":
        # A cast of a signalling NaN is an exception to the machine.
        x = np.where(np.isnan(x), np.float32(np.nan), x)
    with np.errstate(invalid="ignore"):
        return x.astype(np.float64)


def same(a, b):
    """Equal to the bit, save that NaN is NaN."""
    nan = np.isnan(a) & np.isnan(b)
    return np.all(nan | ((a == b) & (np.signbit(a) == np.signbit(b))))


@pytest.mark.parametrize(("name", "size"), ALL)
class TestEveryLayout:
    def test_decodes_as_the_machine_or_ml_dtypes_does(self, name, size):
        patterns = patterns_of(name, size)
        assert same(decode_all(patterns, LAYOUTS[name]), numbers(patterns, name))

    def test_one_pattern_decodes_as_many_do(self, name, size):
        patterns = patterns_of(name, size)[:70_000]
        one = np.array([decode(pattern, LAYOUTS[name]) for pattern in patterns.tolist()])
        assert same(one, decode_all(patterns, LAYOUTS[name]))

    def test_is_cut_where_its_text_is_cut(self, name, size):
        patterns = patterns_of(name, size)[:5000]
        exponent_bits, mantissa_bits, *_ = LAYOUTS[name]
        s, E, F = split(patterns, LAYOUTS[name])  # noqa: N806
        for i, pattern in enumerate(patterns.tolist()):
            text = format(pattern, f"0{1 + exponent_bits + mantissa_bits}b")
            assert (s[i], E[i], F[i]) == (
                int(text[0], 2),
                int(text[1 : 1 + exponent_bits], 2),
                int(text[1 + exponent_bits :], 2),
            )

    def test_kinds_are_those_of_the_numbers(self, name, size):
        patterns = patterns_of(name, size)
        x = numbers(patterns, name)
        smallest = float(ml_dtypes.finfo(TYPES[name]).smallest_normal)
        expected = np.select(
            [np.isnan(x), np.isinf(x), x == 0, np.abs(x) < smallest], [4, 3, 0, 1], 2
        )
        assert np.array_equal(classify(patterns, LAYOUTS[name]), expected)
        assert KINDS[4] == "NaN"


@pytest.mark.parametrize("name", TYPES)
def test_largest_is_what_finfo_says(name):
    pattern = largest(LAYOUTS[name])
    assert decode(pattern, LAYOUTS[name]) == float(ml_dtypes.finfo(TYPES[name]).max)
    assert not math.isfinite(decode(pattern + 1, LAYOUTS[name]))


def test_struct_reads_binary32_the_same():
    for pattern in patterns_of("binary32", 500).tolist():
        value = struct.unpack(">f", pattern.to_bytes(4))[0]
        assert same(np.array(decode(pattern, LAYOUTS["binary32"])), np.array(value))


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (0x3E200000, 0.15625),
        (0xC0D80000, -6.75),
        (0x3F800000, 1.0),
        (0x00000001, 2.0**-149),
        (0x00800000, 2.0**-126),
        (0x7F7FFFFF, (2 - 2.0**-23) * 2.0**127),
        (0x7F800000, math.inf),
        (0xFF800000, -math.inf),
    ],
)
def test_the_article_s_patterns(pattern, value):
    assert decode(pattern, LAYOUTS["binary32"]) == value


def test_ocp_e4m3_is_not_the_ieee_style_one():
    e4m3, ieee = LAYOUTS["e4m3fn"], Layout(4, 3, 7)
    assert decode(0x7E, e4m3) == 448
    assert math.isnan(decode(0x7F, e4m3))
    assert decode(largest(ieee), ieee) == 240
    assert decode(0x78, ieee) == math.inf
    with np.errstate(invalid="ignore"):
        theirs = np.arange(256, dtype="u1").view(ml_dtypes.float8_e4m3).astype(np.float64)
    assert same(decode_all(np.arange(256), ieee), theirs)


def test_positive_patterns_sort_as_their_values_do():
    patterns = np.sort(patterns_of("binary32", 300_000))
    positive = patterns[patterns < 0x7F800000]
    assert np.all(np.diff(numbers(np.unique(positive), "binary32")) > 0)


# ---- spacing and neighbours ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["binary32", "binary16", "binary64"])
def test_spacing_is_numpy_s(name):
    patterns = patterns_of(name, "all" if name == "binary16" else 300_000)
    x = patterns.view(TYPES[name])
    finite = np.isfinite(x)
    with np.errstate(all="ignore"):
        theirs = np.abs(np.spacing(x)).astype(np.float64)
    ours = spacing(patterns, LAYOUTS[name])
    # NumPy looks for the number above the largest one, and finds infinity. Of a negative power of
    # two in float16 it gives the gap towards zero, unlike for its other types.
    compared = finite & (np.abs(x) < np.finfo(TYPES[name]).max) & ((name != "binary16") | (x >= 0))
    assert np.array_equal(ours[compared], theirs[compared])
    assert np.isnan(ours[~finite]).all()


@pytest.mark.parametrize("name", SMALL)
def test_the_sorted_numbers_are_their_own_neighbours(name):
    patterns = patterns_of(name, "all")
    x = numbers(patterns, name)
    # Both zeros are one number, so the negative one is left out of the row.
    kept = np.isfinite(x) & ~((x == 0) & np.signbit(x))
    order = np.argsort(x[kept], kind="stable")
    row, sorted_x = patterns[kept][order].astype(np.int64), x[kept][order]
    below, above = neighbours(row, LAYOUTS[name])
    assert np.array_equal(below[1:], row[:-1])
    assert np.array_equal(above[:-1], row[1:])
    assert (below[0], above[-1]) == (-1, -1)
    # The gap away from zero: upwards for positive numbers, downwards for negative ones.
    gap, difference = spacing(row, LAYOUTS[name]), np.diff(sorted_x)
    positive = sorted_x[:-1] >= 0
    assert np.array_equal(gap[:-1][positive], difference[positive])
    negative = sorted_x[1:] <= 0
    assert np.array_equal(gap[1:][negative], difference[negative])
    assert (neighbours(patterns[~np.isfinite(x)], LAYOUTS[name])[0] == -1).all()


def test_neighbours_of_binary32_are_nextafter_s():
    patterns = patterns_of("binary32", 300_000)
    x = patterns.view(np.float32)
    finite = np.isfinite(x)
    with np.errstate(all="ignore"):
        down = np.nextafter(x, np.float32(-np.inf))
        up = np.nextafter(x, np.float32(np.inf))
    below, above = neighbours(patterns, LAYOUTS["binary32"])
    for ours, theirs in ((below, down), (above, up)):
        # nextafter steps on to infinity, and gives the zero that it comes from its sign.
        exists = finite & np.isfinite(theirs)
        bits = theirs.view(np.uint32).astype(np.int64)
        assert np.array_equal(ours[exists], np.where(theirs == 0, 0, bits)[exists])
        assert (ours[~exists] == -1).all()


def test_the_gap_below_a_power_of_two_is_half_the_gap_above():
    layout = LAYOUTS["binary32"]
    for exponent in range(-125, 128):
        pattern = (exponent + 127) << 23
        below, above = (int(one[0]) for one in neighbours(np.array([pattern]), layout))
        here, down, up = (Fraction(decode(p, layout)) for p in (pattern, below, above))
        assert up - here == Fraction(2) ** (exponent - 23)
        assert here - down == (up - here) / 2


# ---- refusals, steps, library --------------------------------------------------------------------


@pytest.mark.parametrize("pattern", [-1, 2**32])
def test_a_pattern_too_long_raises(pattern):
    with pytest.raises(ValueError, match="has 32 bits"):
        decode(pattern, LAYOUTS["binary32"])


def test_an_unknown_rule_raises():
    with pytest.raises(ValueError, match="must be 'ieee' or 'fn'"):
        decode(0, Layout(4, 3, 7, "fnuz"))


@pytest.mark.parametrize(
    ("pattern", "taken"),
    [(0x3E200000, "normal"), (1, "subnormal"), (0, "subnormal"), (0x7FC00000, "special")],
)
def test_decode_takes_one_of_three_ways(pattern, taken):
    names = [step.name for step in steps(inspect.getsource(floats), "decode")]
    run = trace(decode, pattern, LAYOUTS["binary32"], watch=("s", "value"))
    named = [names[at] for at in run.at.tolist() if names[at]]
    assert named == ["sign", "fields", taken, "result"]


def test_kernels_use_the_library_they_are_given(monkeypatch):
    monkeypatch.setattr(floats, "np", None)
    patterns, layout = np.arange(256), LAYOUTS["e4m3fn"]
    for kernel in (decode_all, split, classify, spacing, neighbours):
        kernel(patterns, layout, xp=np)
    decode(1, layout, xp=np)
