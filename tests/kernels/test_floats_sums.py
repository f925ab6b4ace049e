"""Long sums, against loops over exact fractions that struct rounds, and math.fsum."""

import itertools
import math
import struct
from fractions import Fraction

import numpy as np
import pytest

from explainers.kernels import float_sums
from explainers.kernels.float_sums import (
    sum_kahan,
    sum_neumaier,
    sum_pairwise,
    sum_sequential,
)

SIZES = (1, 7, 63, 500)


def rounded(x):
    """A fraction as binary32: struct rounds a float64, into which a sum of two of them fits."""
    near = float(x)
    assert Fraction(near) == x or abs(x) > 2.0**-100
    return Fraction(struct.unpack("f", struct.pack("f", near))[0])


def plus(a, b):
    """Add and round; float64 has digits enough for a sum of two binary32 to round twice safely."""
    return rounded(a + b)


def terms(n, seed=0, kind="mixed"):
    rng = np.random.default_rng([n, seed])
    x = rng.standard_normal(n) * 10.0 ** rng.integers(-3, 4, n)
    return (np.abs(x) if kind == "positive" else x).astype(np.float32)


def fractions(x):
    return [Fraction(value) for value in x.astype(float).tolist()]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("seed", range(5))
class TestToTheBit:
    def test_sequential(self, n, seed):
        x = terms(n, seed)
        running = list(itertools.accumulate(fractions(x), plus))
        assert fractions(sum_sequential(x)) == running

    def test_pairwise(self, n, seed):
        x = terms(n, seed)
        level = fractions(x)
        while len(level) > 1:
            level = [
                plus(level[i], level[i + 1]) if i + 1 < len(level) else level[i]
                for i in range(0, len(level), 2)
            ]
        assert Fraction(float(sum_pairwise(x))) == level[0]

    def test_kahan(self, n, seed):
        x = terms(n, seed)
        total = lost = Fraction(0)
        for term in fractions(x):
            corrected = plus(term, -lost)
            new = plus(total, corrected)
            lost = plus(plus(new, -total), -corrected)
            total = new
        ours = sum_kahan(x)
        assert (Fraction(float(ours[0])), Fraction(float(ours[1]))) == (total, lost)

    def test_neumaier(self, n, seed):
        x = terms(n, seed)
        total = lost = Fraction(0)
        for term in fractions(x):
            new = plus(total, term)
            large, small = (total, term) if abs(total) >= abs(term) else (term, total)
            lost = plus(lost, plus(plus(large, -new), small))
            total = new
        assert Fraction(float(sum_neumaier(x))) == plus(total, lost)

    def test_in_parts_kahan_is_the_same(self, n, seed):
        x = terms(n, seed)
        whole = sum_kahan(x)
        total, lost = sum_kahan(x[: n // 3])
        assert sum_kahan(x[n // 3 :], total, lost) == whole


@pytest.mark.parametrize("n", [63, 500, 5000])
def test_errors_are_within_their_bounds(n):
    # higham1993sums, sections 3 and 4: with u = 2^-24, of a sum of positive terms.
    x = terms(n, kind="positive")
    exact, u = math.fsum(x.astype(float).tolist()), 2.0**-24
    error = {
        "sequential": abs(float(sum_sequential(x)[-1]) - exact) / exact,
        "pairwise": abs(float(sum_pairwise(x)) - exact) / exact,
        "kahan": abs(float(sum_kahan(x)[0]) - exact) / exact,
        "neumaier": abs(float(sum_neumaier(x)) - exact) / exact,
    }
    assert error["sequential"] <= 1.01 * n * u
    assert error["pairwise"] <= 1.01 * math.ceil(math.log2(n)) * u
    assert error["kahan"] <= 2.01 * u
    assert error["neumaier"] <= 1.01 * u


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_sum_has_the_dtype_of_its_terms(dtype):
    x = terms(63).astype(dtype)
    assert sum_sequential(x).dtype == dtype
    assert {type(sum_pairwise(x)), type(sum_kahan(x)[0]), type(sum_neumaier(x))} == {dtype}


def test_neumaier_keeps_what_kahan_loses():
    x = np.array([1, 1e100, 1, -1e100])
    assert math.fsum(x) == 2
    assert sum_sequential(x)[-1] == 0
    assert sum_kahan(x)[0] == 0
    assert sum_neumaier(x) == 2


def test_ten_thousand_tenths():
    x = np.full(10_000, 0.1, dtype=np.float32)
    exact = float(Fraction(float(x[0])) * len(x))
    assert abs(float(sum_kahan(x)[0]) / exact - 1) < 2.0**-23
    assert abs(float(sum_pairwise(x)) / exact - 1) < 1e-6
    assert abs(float(sum_sequential(x)[-1]) / exact - 1) > 1e-5


def test_kernels_use_the_library_they_are_given(monkeypatch):
    monkeypatch.setattr(float_sums, "np", None)
    for kernel in (sum_sequential, sum_pairwise, sum_kahan, sum_neumaier):
        kernel(terms(7), xp=np)
