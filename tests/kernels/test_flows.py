"""Maps of the line against mpmath, SciPy's root finder, quadrature and samples."""

# ruff: noqa: N806 - S, K and n are the kernels' own letters.

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from explainers.kernels.flows import (
    fold_density,
    fold_preimages,
    fold_turns,
    planar,
    planar_inverse,
    planar_log_density,
    planar_slope,
    pull_back,
    push_through,
)

KS = 2.23
"""Above this over the square root of S, one sample in 10,000 would fail by chance."""

PLACES = st.floats(-6, 6)
SHIFTS = st.floats(-3, 3)
BENDS = st.floats(-3, 3).filter(lambda w: abs(w) > 0.05)


def exact(z, u, w, b):
    return z + u * mpmath.tanh(w * z + b)


def test_a_layer_shifts_to_either_side_and_bends_between():
    z = np.array([-40.0, 0.0, 40.0])
    np.testing.assert_allclose(planar(z, 2.0, 1.5, 0.0), [-42, 0, 42], atol=1e-14)
    np.testing.assert_allclose(planar_slope(z, 2.0, 1.5, 0.0), [1, 4, 1], atol=1e-14)


@given(PLACES, SHIFTS, BENDS, SHIFTS)
def test_a_layer_and_its_slope_are_mpmath_s(z, u, w, b):
    with mpmath.workdps(40):
        image = exact(mpmath.mpf(z), u, w, b)
        slope = mpmath.diff(lambda t: exact(t, u, w, b), z)
    assert float(planar(z, u, w, b)) == pytest.approx(float(image), abs=1e-14)
    assert float(planar_slope(z, u, w, b)) == pytest.approx(float(slope), abs=1e-13)


@given(SHIFTS, BENDS, SHIFTS)
def test_the_slope_lies_between_one_and_that_of_the_middle(u, w, b):
    slope = planar_slope(np.linspace(-9, 9, 999), u, w, b)
    assert slope.min() >= min(1, 1 + u * w) - 1e-12
    assert slope.max() <= max(1, 1 + u * w) + 1e-12
    assert float(planar_slope(-b / w, u, w, b)) == pytest.approx(1 + u * w, abs=1e-12)


@given(PLACES, SHIFTS, BENDS, SHIFTS)
def test_undoing_a_layer_finds_the_root_that_brent_finds(x, u, w, b):
    if u * w <= -0.99:
        u = -0.99 / w
    expected = optimize.brentq(
        lambda z: z + u * np.tanh(w * z + b) - x, x - abs(u) - 1, x + abs(u) + 1, xtol=1e-15
    )
    assert float(planar_inverse(np.array(x), u, w, b)) == pytest.approx(expected, abs=1e-12)


def test_a_layer_that_folds_cannot_be_undone():
    with pytest.raises(ValueError, match="must be at least -1"):
        planar_inverse(np.zeros(3), -1.0, 1.5, 0.0)
    with pytest.raises(ValueError, match="must be at least -1"):
        planar_log_density(np.zeros(3), 1.0, -1.5, 0.0)
    # With the slope just 0 it still can.
    assert float(planar_inverse(np.array(0.0), -1.0, 1.0, 0.0)) == pytest.approx(0, abs=1e-5)


@settings(deadline=None, max_examples=40)
@given(st.floats(-3, 3), st.floats(-0.9, 2), st.floats(0.3, 2), st.floats(-1, 1))
def test_the_density_is_the_derivative_of_the_distribution_function(x, uw, w, b):
    u = uw / w
    with mpmath.workdps(30):

        def upto(x):
            ends = [x - u, x + u + 1e-3]
            z = mpmath.findroot(
                lambda z: exact(z, u, w, b) - x, ends, tol=1e-25, solver="anderson", maxsteps=200
            )
            return mpmath.ncdf(z)

        height = mpmath.diff(upto, mpmath.mpf(x), h=mpmath.mpf("1e-8"))
    found = float(planar_log_density(np.array([x]), u, w, b)[0])
    assert found == pytest.approx(float(mpmath.log(height)), abs=1e-7)


@pytest.mark.parametrize(("u", "w", "b"), [(2, 1.5, 0), (-0.5, 1.5, 0.4), (1, -0.8, 1), (0, 1, 0)])
def test_a_density_has_area_one_and_is_that_of_pushed_samples(u, w, b):
    def height(x):
        return float(np.exp(planar_log_density(np.array([x]), u, w, b)[0]))

    total, _ = integrate.quad(height, -14, 14, limit=300, points=[-3, 0, 3], epsabs=1e-10)
    assert total == pytest.approx(1, abs=1e-8)
    S = 200_000
    pushed = planar(np.random.default_rng(3).normal(size=S), u, w, b)

    def upto(x):
        return stats.norm.cdf(planar_inverse(x, u, w, b))

    assert stats.kstest(pushed, upto).statistic < KS / np.sqrt(S)
    # The same distribution function, as the integral of the density.
    for end in (-1.0, 0.5, 2.0):
        part, _ = integrate.quad(height, -14, end, limit=300, epsabs=1e-10)
        assert part == pytest.approx(float(upto(np.array(end))), abs=1e-8)


STACKS = st.lists(st.tuples(st.floats(-0.9, 3), st.floats(0.3, 2), SHIFTS), max_size=5).map(
    lambda rows: np.array([(uw / w, w, b) for uw, w, b in rows]).reshape(-1, 3)
)


@settings(deadline=None)
@given(PLACES, STACKS)
def test_log_slopes_of_a_stack_add_up_to_the_derivative_of_the_whole(z, layers):
    with mpmath.workdps(40):

        def through(t):
            for u, w, b in layers:
                t = exact(t, float(u), float(w), float(b))
            return t

        slope = mpmath.log(mpmath.diff(through, z))
        image = through(mpmath.mpf(z))
    x, log_slope = push_through(np.array([z]), layers)
    assert x[0] == pytest.approx(float(image), abs=1e-12)
    assert log_slope[0] == pytest.approx(float(slope), abs=1e-9)


@settings(deadline=None)
@given(st.floats(-3, 3), STACKS)
def test_a_stack_can_be_undone(x, layers):
    def through(t):
        for u, w, b in layers:
            t = t + u * np.tanh(w * t + b)
        return t - x

    far = np.abs(layers[:, 0]).sum() + 5
    expected = optimize.brentq(through, -far, far, xtol=1e-15)
    found = pull_back(np.array([x]), layers)
    assert abs(float(through(found[0]))) < 1e-9
    assert found[0] == pytest.approx(expected, abs=1e-6)


FOLDS = st.tuples(st.floats(1.05, 5), st.floats(0.3, 3), st.sampled_from([-1, 1]), st.floats(-2, 2))


@given(FOLDS)
def test_the_turns_are_where_the_slope_is_nothing(fold):
    size, w, sign, b = fold
    w *= sign
    u = -size / w
    middle = -b / w

    def slope(z):
        return 1 + u * w / np.cosh(w * z + b) ** 2

    left, right = fold_turns(u, w, b)
    far = 9 / abs(w)
    assert left == pytest.approx(optimize.brentq(slope, middle - far, middle, xtol=1e-15), abs=1e-8)
    assert right == pytest.approx(
        optimize.brentq(slope, middle, middle + far, xtol=1e-15), abs=1e-8
    )


def test_a_map_that_does_not_fold_has_no_turns():
    for kernel in (fold_turns, lambda *map_: fold_preimages(np.zeros(2), *map_)):
        with pytest.raises(ValueError, match="must be below -1"):
            kernel(-0.5, 1.5, 0.0)


@given(st.floats(-4, 4), st.floats(-3, -1.1), st.floats(-1, 1))
def test_the_points_behind_an_image_are_brent_s(x, uw, b):
    w = 1.5
    u = uw / w
    turns = fold_turns(u, w, b)

    def off(z):
        return z + u * np.tanh(w * z + b) - x

    found = fold_preimages(np.array([x]), u, w, b)[:, 0]
    ends = [-20, *turns, 20]
    for piece, (low, high) in enumerate(pairwise(ends)):
        if off(low) * off(high) < 0:
            expected = optimize.brentq(off, low, high, xtol=1e-15)
            assert abs(off(found[piece])) < 1e-9
            assert found[piece] == pytest.approx(expected, abs=1e-6)
        else:
            assert np.isnan(found[piece])


@pytest.mark.parametrize(("u", "w", "b"), [(-1.0, 1.5, 0.0), (-1.6, 1.5, 0.3), (1.2, -1.5, 0.0)])
def test_the_shares_of_a_fold_add_up_to_its_distribution(u, w, b):
    turns = np.sort(planar(fold_turns(u, w, b), u, w, b))

    def upto(x):
        """The probability of all points whose image is at most x, piece by piece, by brent."""
        ends = np.array([-30.0, *fold_turns(u, w, b), 30.0])
        total = 0.0
        for low, high in pairwise(ends):
            images = planar(np.array([low, high]), u, w, b) - x
            if images[0] * images[1] < 0:
                root = optimize.brentq(lambda z: z + u * np.tanh(w * z + b) - x, low, high)
                low, high = (low, root) if images[0] < 0 else (root, high)
            elif images.max() > 0:
                continue
            total += stats.norm.cdf(high) - stats.norm.cdf(low)
        return total

    def height(x):
        return float(fold_density(np.array([x]), u, w, b)[0])

    for low, high in ((-6, turns[0]), (turns[0], turns[1]), (turns[1], 6)):
        # The height is infinite at the turns, like 1 / sqrt: a change of variables takes it out.
        middle, half = (low + high) / 2, (high - low) / 2
        part, _ = integrate.quad(
            lambda t, middle=middle, half=half: (
                height(middle + half * np.sin(t)) * half * np.cos(t)
            ),
            -np.pi / 2,
            np.pi / 2,
            limit=400,
            epsabs=1e-9,
        )
        assert part == pytest.approx(upto(high - 1e-13) - upto(low + 1e-13), abs=1e-6)
    S = 1_000_000
    pushed = planar(np.random.default_rng(8).normal(size=S), u, w, b)
    grid = np.linspace(-4, 4, 61)
    found = np.searchsorted(np.sort(pushed), grid, side="right") / S
    assert np.abs(found - [upto(x) for x in grid]).max() < 1.63 / np.sqrt(S)
