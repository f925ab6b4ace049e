"""The datasets of "Anatomy of a floating point" against oracles that share no code with them."""

import functools
import itertools
import struct
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from explainers.data.run import run_here

ROOT = Path(__file__).parents[2]
TYPES = {
    "binary64": np.dtype(np.float64),
    "binary32": np.dtype(np.float32),
    "binary16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
}


@functools.cache
def computed(name):
    return run_here(ROOT, "anatomy-of-a-floating-point", name)


def single(pattern):
    """What the machine reads in 32 bits."""
    return np.array(pattern, dtype=np.uint32).view(np.float32)[()]


def in_full(x):
    """All digits of a number."""
    return format(Decimal(float(x)), "f")


def test_the_board_s_patterns_are_read_as_the_machine_reads_them():
    decoded = computed("decoded")
    for name in decoded.axis("pattern"):
        state = decoded.at(pattern=name)
        x = single(state.bits)
        assert np.array_equal(state.value[-1], float(x), equal_nan=True)
        assert np.signbit(x) == state.s[-1]
        if not np.isfinite(x):
            assert (state.below, state.above, state.exact) == (-1, -1, str(float(x)))
            continue
        assert state.exact == in_full(x).replace("-0", "-0", 1)
        with np.errstate(all="ignore"):
            up = np.nextafter(x, np.float32(np.inf))
            down = np.nextafter(x, np.float32(-np.inf))
        assert state.above == (-1 if np.isinf(up) else int(up.view(np.uint32)))
        assert state.below == int(down.view(np.uint32))
    assert decoded.at(pattern="0.15625").value[-1] == 0.15625


def test_widths_are_what_finfo_says():
    widths = computed("widths")
    for layout, dtype in TYPES.items():
        state, info = widths.at(layout=layout), ml_dtypes.finfo(dtype)
        assert state.width == 8 * dtype.itemsize == 1 + state.exponent_bits + state.mantissa_bits
        for field, theirs in (
            ("largest", info.max),
            ("smallest_normal", info.smallest_normal),
            ("smallest", info.smallest_subnormal),
            ("epsilon", info.eps),
        ):
            assert getattr(state, field) == float(theirs)
        # The next integer is the first that a cast changes.
        whole = int(state.integers_to)
        near = np.array([whole - 1, whole, whole + 1])
        kept = near.astype(np.float64).astype(dtype).astype(np.float64)
        assert kept[:2].tolist() == near[:2].tolist()
        assert kept[2] != near[2] or layout == "binary64"
        assert state.epsilon == 2.0**-state.mantissa_bits
        assert whole == 2 ** (state.mantissa_bits + 1)
        if dtype.itemsize < 4:
            with np.errstate(invalid="ignore"):
                x = np.arange(2**state.width, dtype=f"u{dtype.itemsize}").view(dtype)
                x = x.astype(np.float64)
            assert state.finite == np.isfinite(x).sum()
            half = x[: len(x) // 2]
            half = half[np.isfinite(half)]
            assert state.below_one == np.mean(half < 1)


def test_a_tenth_and_two_tenths_in_every_width():
    tenths = computed("tenths")
    for layout, dtype in TYPES.items():
        state, number = tenths.at(layout=layout), dtype.type
        a, b, c = number(0.1), number(0.2), number(0.3)
        assert (state.a, state.b, state.c) == (float(a), float(b), float(c))
        assert state.total == float(a + b)
        assert state.equal == (a + b == c)
        for x, text in ((a, state.a_exact), (a + b, state.total_exact), (c, state.c_exact)):
            assert text == in_full(x)
        # Places in gaps from a true 0.3, each rounding by the machine.
        gap = Fraction(float(np.nextafter(c, number(1)))) - Fraction(float(c))
        sums = Fraction(float(a)) + Fraction(float(b)), Fraction(float(a + b)), Fraction(float(c))
        places = [(x - Fraction(3, 10)) / gap for x in sums]
        assert [state.sum_at, state.total_at, state.c_at] == pytest.approx(
            [float(x) for x in places], abs=1e-15
        )
        assert state.equal == (abs(places[0] - places[2]) < Fraction(1, 2))


def test_the_ruler_s_numbers_are_exact():
    minifloats = computed("minifloats")
    for exponent_bits in (2, 3, 4, 5):
        state, m = minifloats.at(exponent_bits=exponent_bits), 7 - exponent_bits
        bias = 2 ** (exponent_bits - 1) - 1
        values = []
        for code in range(128):
            exponent, mantissa = divmod(code, 2**m)
            if exponent == 2**exponent_bits - 1:
                break
            size = Fraction(mantissa, 2**m) + (exponent > 0)
            values.append(size * Fraction(2) ** (max(exponent, 1) - bias))
        assert state.value[: len(values)].tolist() == [float(value) for value in values]
        assert not np.isfinite(state.value[len(values) :]).any()
        assert (state.largest, state.smallest) == (float(values[-1]), float(values[1]))
        inside = [value for value in values if 1 <= value < 2]
        assert state.per_binade == len(inside)
    with np.errstate(invalid="ignore"):
        theirs = np.arange(128, dtype=np.uint8).view(ml_dtypes.float8_e5m2).astype(np.float64)
    assert np.array_equal(minifloats.at(exponent_bits=5).value, theirs, equal_nan=True)


def test_gaps_are_numpy_s_spacing():
    gaps = computed("gaps")
    x = gaps.x.astype(np.float32)
    assert gaps.e.tolist() == list(range(-149, 128))
    assert np.array_equal(gaps.gap, np.spacing(x).astype(float))
    below = x.astype(float) - np.nextafter(x, np.float32(0)).astype(float)
    assert np.array_equal(gaps.below, below)


def test_marks_are_numpy_s_too():
    marks = computed("marks")
    x = marks.x.astype(np.float32)
    assert x.astype(float).tolist() == marks.x.tolist()
    assert np.array_equal(marks.gap[:-1], np.spacing(x[:-1]).astype(float))
    assert np.array_equal(marks.one_more, (x + np.float32(1)).astype(float))


def test_the_adder_s_pairs_have_the_machine_s_sums():
    addition = computed("addition")
    for pair in addition.axis("pair"):
        state = addition.at(pair=pair)
        a, b = single(state.a), single(state.b)
        assert int((a + b).view(np.uint32)) == state.out
        exact = Fraction(float(a)) + Fraction(float(b))
        assert Fraction(state.exact) == exact
        assert Fraction(state.out_exact) == Fraction(float(a + b))
        assert (state.a_exact, state.b_exact) == (in_full(a), in_full(b))
        assert state.shift[-1] == state.exponent[4] - state.lower[-1] if state.move[-1] == 0 else 1
        assert state.rest[-1] == state.total[-1] % 8
    # What falls off makes the difference between a tie and more.
    sticky, tie = addition.at(pair="sticky"), addition.at(pair="tie down")
    assert (sticky.rest[-1], tie.rest[-1]) == (5, 4)
    assert (sticky.out_exact, tie.out_exact) == ("16777218", "16777216")
    assert computed("machine_sums").differing == 0


def test_long_sums_are_those_of_plain_loops():
    sums = computed("long_sums")
    tenth = np.float32(0.1)
    assert sums.exact.tolist() == [float(Fraction(float(tenth)) * n) for n in sums.n.tolist()]
    start = int(np.sum(sums.n <= 20_000))
    loop = list(itertools.accumulate(itertools.repeat(tenth, 20_000), np.add))
    total = lost = np.float32(0)
    kahan = []
    for _ in range(20_000):
        corrected = tenth - lost
        new = total + corrected
        lost = (new - total) - corrected
        total = new
        kahan.append(total)
    for k, n in enumerate(sums.n[:start].tolist()):
        assert sums.sequential[k] == loop[n - 1]
        assert sums.kahan[k] == kahan[n - 1]
    # The end, from a run in C; and each better sum within its bound.
    assert sums.sequential[-1] == 1_087_937
    assert np.all(sums.error_kahan <= 2.01 * 2.0**-24)
    assert np.all(sums.error_pairwise <= 1.01 * np.ceil(np.log2(np.maximum(sums.n, 2))) * 2.0**-24)
    # From 2 up, the way the loop errs turns at every second power of two.
    long = np.cumsum(np.full(2_000_000, tenth), dtype=np.float32).astype(np.float64)
    change = np.diff(long - np.arange(1, len(long) + 1) * float(tenth))
    ways = [
        np.sign(change[(long[:-1] >= 2.0**k) & (long[:-1] < 2.0 ** (k + 1))].mean())
        for k in range(1, 17)
    ]
    assert ways == [-1, -1, 1, 1] * 4
    for name in ("sequential", "pairwise", "kahan"):
        error = np.abs(getattr(sums, name) - sums.exact) / sums.exact
        assert getattr(sums, f"error_{name}") == pytest.approx(error, rel=1e-6, abs=1e-15)


def test_the_endless_loop_meets_no_one_and_stops():
    endless = computed("endless")
    tenth, total = np.float32(0.1), np.float32(0)
    for n in range(1, 12):
        total = total + tenth
        assert total != 1
        if n == 10:
            assert endless.ten32_exact == in_full(total)
    assert endless.after == total
    end = np.float32(endless.total)
    assert end + tenth == end == 2**21
    assert np.nextafter(end, np.float32(0)) + tenth == end
    assert endless.ten64 == sum([0.1] * 10)
    assert endless.gap == np.spacing(end)


def test_orders():
    orders = computed("orders")
    big, one = np.float32(1e8), np.float32(1)
    assert orders.left == (big + -big) + one
    assert orders.right == big + (-big + one)
    assert 1 < orders.results < 500
    assert 0 < orders.spread < orders.bound == 1000 / 2**24
    assert (orders.naive, orders.kahan, orders.neumaier) == (0, 0, 2)


def test_integers_and_the_order_of_patterns():
    assert computed("held_integers").missing == 0
    n = np.arange(2**24 + 1, dtype=np.int64)
    assert np.array_equal(n.astype(np.float32).astype(np.int64), n)
    ordering = computed("ordering")
    assert ordering.sorted
    assert ordering.halves_sorted
    assert ordering.all_sorted
    x = np.array([-np.inf, -2, -1.5, -1e-40, -0.0, 0.0, 1e-40, 1, 1.5, np.inf], dtype=np.float32)
    keys = [int(p) ^ (2**32 - 1 if p >> 31 else 2**31) for p in x.view(np.uint32)]
    assert keys == sorted(keys)
    assert ordering.nan_share == Fraction(2 * (2**23 - 1), 2**32)


def test_one_rounding_and_two():
    roundings = computed("roundings")
    x = 1 + 2.0**-8 + 2.0**-30
    twice = np.float32(x).astype(ml_dtypes.bfloat16)
    assert roundings.twice == float(twice) == 1
    # Halfway between 1 and 1 + 2^-7 lies 1 + 2^-8, and x is above it.
    assert roundings.once == 1 + 2.0**-7
    a, c = np.float32(1 + 2.0**-12), np.float32(-(1 + 2.0**-11))
    assert roundings.separate == a * a + c == 0
    exact = Fraction(float(a)) ** 2 + Fraction(float(c))
    assert roundings.fused == exact == Fraction(1, 2**24)


def test_the_self_checks_have_their_answers():
    answers = computed("answers")
    assert answers.pattern == struct.unpack(">f", bytes.fromhex("C0D80000"))[0] == -6.75
    assert answers.gap1000 == np.spacing(np.float32(1000))
    even, y = np.float32(2**25), np.float32(answers.absorbed)
    assert even + y == even
    assert even + np.nextafter(y, np.float32(9)) == answers.absorbed_next > even
    big = np.float32(1e8)
    assert (answers.four_up, answers.five_up) == (big + np.float32(4), big + np.float32(5))
    assert answers.subnormal == struct.unpack(">f", bytes.fromhex("00400000"))[0] == 2.0**-127
    assert answers.a_million == 2 * 10**6 * np.finfo(np.float32).eps / 2
    assert answers.cents == np.spacing(np.float32(1e9))
    base = np.float32(2**24)
    assert (answers.one_up, answers.three_up) == (base + np.float32(1), base + np.float32(3))


@pytest.mark.parametrize("name", ["orders", "machine_sums", "ordering", "addition", "decoded"])
def test_a_second_run_gives_the_same_numbers(name):
    first, second = computed(name), run_here(ROOT, "anatomy-of-a-floating-point", name)
    for field in first.fields:
        one, two = np.asarray(getattr(first, field)), np.asarray(getattr(second, field))
        assert np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
