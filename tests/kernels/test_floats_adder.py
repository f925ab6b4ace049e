"""The adder of floats, against the machine's own addition and exact fractions."""

import bisect
import inspect
import itertools
import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from explainers import trace
from explainers.data.steps import steps
from explainers.kernels import float_adder
from explainers.kernels.float_adder import add

INFINITY = 0x7F800000


def machine(a, b):
    """The machine's sums of pairs of binary32 patterns."""
    with np.errstate(all="ignore"):
        return np.array(a, dtype=np.uint32).view(np.float32) + np.array(b, dtype=np.uint32).view(
            np.float32
        )


def assert_sums(adder, a, b):
    """The adder's patterns are the machine's; a NaN is the quiet one, unless one came in."""
    total = machine(a, b)
    ours = [adder(x, y) for x, y in zip(a, b, strict=True)]
    expected = total.view(np.uint32).tolist()
    for x, y, pattern, theirs, nan in zip(a, b, ours, expected, np.isnan(total), strict=True):
        if nan:
            assert pattern % 2**31 > INFINITY
        else:
            assert pattern == theirs, f"{x:#x} + {y:#x}"


def pairs(n, seed=0):
    """Random pairs: all signs, every gap between exponents, subnormals, near-cancellations."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2**32, n, dtype=np.uint32)
    b = rng.integers(0, 2**32, n, dtype=np.uint32)
    kind = np.arange(n) % 8
    small = kind == 0
    a[small] &= np.uint32(0x807FFFFF)
    b[small] &= np.uint32(0x81FFFFFF)
    gap = rng.integers(-30, 31, n)
    # Significands full of ones, which carry and leave a sticky bit.
    carry = kind == 5
    a[carry] |= np.uint32(0x007F0000)
    gap[carry] = -rng.integers(3, 7, n)[carry]
    near = kind >= 3
    exponent = ((a >> np.uint32(23)).astype(np.int64) % 256 + gap).clip(0, 255)
    b[near] = (b[near] & np.uint32(0x807FFFFF)) | (exponent[near].astype(np.uint32) << 23)
    # The same number but for its sign and its last bits.
    cancel = kind == 7
    b[cancel] = a[cancel] ^ np.uint32(0x80000000) ^ (b[cancel] & np.uint32(7))
    # Short significands, so that sums are exact or ties.
    tie = kind == 6
    a[tie] &= np.uint32(0xFFF00000)
    b[tie] &= np.uint32(0xFFFF0000)
    return a.tolist(), b.tolist()


def test_the_sums_of_240_000_pairs_are_the_machine_s():
    a, b = pairs(240_000)
    gaps = {abs(x // 2**23 % 256 - y // 2**23 % 256) for x, y in zip(a, b, strict=True)}
    assert gaps == set(range(256))
    assert_sums(add, a, b)


EDGES = [
    0, 1, 2, 0x007FFFFF, 0x00800000, 0x00800001, 0x00FFFFFF, 0x01000000, 0x33800000, 0x33800001,
    0x337FFFFF, 0x34000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x4B7FFFFF, 0x4B800000, 0x4B800001,
    0x4CBEBC20, 0x40800000, 0x40800001, 0x40400000, 0x72FFFFFF, 0x73000000, 0x73000001, 0x7F000000,
    0x7F7FFFFE, 0x7F7FFFFF, INFINITY, 0x7FC00000,
]  # fmt: skip


def test_the_sums_of_all_edges_are_the_machine_s():
    both = [*EDGES, *(edge | 2**31 for edge in EDGES)]
    a, b = zip(*itertools.product(both, both), strict=True)
    assert_sums(add, a, b)


@pytest.mark.parametrize("gap", range(-27, 28))
def test_near_cancellation_at_every_gap(gap):
    rng = np.random.default_rng(gap + 100)
    a = rng.integers(0x30000000, 0x50000000, 200)
    b = (a + (gap << 23) + rng.integers(-3, 4, 200)) | 2**31
    assert_sums(add, a.tolist(), b.tolist())


def test_all_pairs_of_e5m2_are_the_nearest_of_all_numbers():
    # The exact sum in units of the smallest number, then the nearest number by a search: no
    # rounding rule is shared.
    codes = np.arange(256, dtype=np.uint8)
    with np.errstate(invalid="ignore"):
        value = codes.view(ml_dtypes.float8_e5m2).astype(np.float64).tolist()
    # Infinity stands where the next number would.
    ladder = [int(value[code] * 2**16) for code in range(124)] + [2**32]
    for a, b in itertools.product(range(256), range(256)):
        ours = add(a, b, exponent_bits=5, mantissa_bits=2)
        total = value[a] + value[b]
        if not math.isfinite(total):
            assert value[ours] == total or (math.isnan(value[ours]) and math.isnan(total))
            continue
        size = abs(int(total * 2**16))
        at = min(bisect.bisect_left(ladder, size), 124)
        distances = sorted((abs(ladder[k] - size), k % 2, k) for k in range(max(at - 1, 0), at + 1))
        sign = 128 if total < 0 or (total == 0 and a >= 128 and b >= 128) else 0
        assert ours == distances[0][2] + sign


def test_binary16_and_bfloat16_add_as_their_libraries_do():
    rng = np.random.default_rng(9)
    for dtype, fields in ((np.float16, (5, 10)), (ml_dtypes.bfloat16, (8, 7))):
        a, b = rng.integers(0, 2**16, (2, 20_000), dtype=np.uint16)
        with np.errstate(all="ignore"):
            total = a.view(dtype) + b.view(dtype)
            nan = np.isnan(total.astype(np.float32))
        ours = [add(x, y, *fields) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        assert np.array_equal(np.array(ours)[~nan], total.view(np.uint16)[~nan])


def test_the_sum_does_not_depend_on_the_order_of_two():
    a, b = pairs(20_000, seed=5)
    for x, y in zip(a, b, strict=True):
        ours, theirs = add(x, y), add(y, x)
        assert ours == theirs or min(ours, theirs) % 2**31 > INFINITY


# ---- invariants at every step --------------------------------------------------------------------

NAMED = [
    *("order", "unpack larger", "unpack smaller", "distance", "align"),
    *("add", "normalise", "cut", "round", "pack"),
]


def test_every_step_keeps_what_it_should():
    names = [step.name for step in steps(inspect.getsource(float_adder), "add")]
    a, b = pairs(3000, seed=6)
    for x, y in zip(a, b, strict=True):
        if max(x % 2**31, y % 2**31) >= INFINITY or x ^ y == 2**31 or (x | y) % 2**31 == 0:
            continue
        watch = ("exponent", "high", "low", "shift", "total", "move", "kept", "rest")
        run = trace(add, x, y, watch=watch)
        named = [(names[at], step) for step, at in enumerate(run.at.tolist()) if names[at]]
        assert [name for name, _ in named] == NAMED
        left = {name: {field: run[field][step] for field in watch} for name, step in named}
        # The larger operand keeps its place; the smaller one moves right, and loses at most what
        # the sticky bit tells.
        assert left["align"]["high"] >= left["align"]["low"] >= 0
        assert left["distance"]["shift"] >= 0
        before, after = (Fraction(left[name]["low"]) for name in ("distance", "align"))
        assert abs(after - before / 2 ** int(left["distance"]["shift"])) < 1
        # After normalising, the significand fills its 27 bits, or the exponent is at its least.
        normal = left["normalise"]
        assert 2**26 <= normal["total"] < 2**27 or normal["exponent"] == 1
        assert -26 <= normal["move"] <= 1
        # Rounding moves the kept bits by one at most.
        assert left["round"]["kept"] - left["cut"]["kept"] in (0, 1)
        assert 0 <= left["cut"]["rest"] < 8


# ---- mutants: each of these slips must be caught -------------------------------------------------

MUTANTS = {
    "no sticky bit": ("low >> shift | fell_off", "low >> shift"),
    "no sticky bit after a carry": ("total >> 1 | total & 1", "total >> 1"),
    "ties go up": ("rest == 4 and kept % 2 == 1", "rest == 4"),
    "ties go down": ("(rest == 4 and kept % 2 == 1)", "False"),
    "nothing rounds up": ("kept += up", "pass"),
    "a subnormal number has a hidden 1": ("(hidden if exponent > 0 else 0)", "hidden"),
    "subnormal numbers have a scale of their own": ("max(exponent, 1)", "exponent"),
    "cancellation is not normalised": ("- (mantissa_bits + 4), 1 - exponent)", "* 0, 0)"),
    "the result dives below the subnormal numbers": (", 1 - exponent)", ", -300)"),
    "overflow runs on": ("+ kept, infinity)", "+ kept, 2**31 - 1)"),
    "the sign of the smaller": ("large & sign | magnitude", "small & sign | magnitude"),
    "zero keeps a sign": ("return a & b & sign", "return a & sign"),
    "operands are not ordered": (">= b % sign else", ">= 0 else"),
    "two room bits": (") << 3", ") << 2"),
}


@pytest.mark.parametrize(("old", "new"), [("kept += up", "kept += up"), *MUTANTS.values()])
def test_a_slip_is_caught(old, new):
    source = inspect.getsource(float_adder)
    assert old in source, f"the kernel no longer has {old!r}: mend this list"
    scope = {"__name__": "mutant"}
    exec(source.replace(old, new), scope)
    a, b = pairs(8000, seed=7)
    if old == new:
        assert_sums(scope["add"], a, b)
        return
    with pytest.raises((AssertionError, ValueError)):
        assert_sums(scope["add"], a, b)
        both = [*EDGES, *(edge | 2**31 for edge in EDGES)]
        assert_sums(scope["add"], *zip(*itertools.product(both, both), strict=True))


def test_the_kernel_uses_the_library_it_is_given(monkeypatch):
    monkeypatch.setattr(float_adder, "np", None)
    assert add(0x3F800000, 0x3F800000, xp=np) == 0x40000000
