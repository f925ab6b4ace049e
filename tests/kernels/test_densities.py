"""Densities against SciPy, counting, and quadrature."""

# ruff: noqa: N806 - S, K and n are the kernels' own letters.

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.interpolate import BSpline

from explainers.kernels.densities import (
    area,
    histogram_density,
    lump_density,
    lumps_density,
    lumps_samples,
    moved_log_density,
    normal_density,
    normal_log_density,
)

LUMPS = np.array([[0.6, -1.7, 1.3], [0.4, 1.5, 0.9]])
KS = 2.23
"""Above this over the square root of S, one sample in 10,000 would fail by chance."""


@given(st.floats(-30, 30), st.floats(-5, 5), st.floats(0.05, 20))
def test_the_bell_is_scipy_s(z, mean, sd):
    expected = stats.norm(mean, sd)
    log_p = float(normal_log_density(z, mean, sd))
    assert log_p == pytest.approx(expected.logpdf(z), rel=1e-13, abs=1e-13)
    # Far out a last digit of the logarithm, some hundreds, is 1e-13 of the height.
    rel = 1e-13 if abs(z - mean) < 10 * sd else 1e-12
    density = float(normal_density(z, mean, sd))
    assert density == pytest.approx(expected.pdf(z), rel=rel, abs=1e-300)


@pytest.mark.parametrize("sd", [0.0, -1.0, float("nan")])
def test_a_bell_without_width_is_refused(sd):
    with pytest.raises(ValueError, match="must be above 0"):
        normal_log_density(np.zeros(3), 0.0, sd)


@given(st.floats(-5, 5), st.floats(-4, 4).filter(lambda a: abs(a) > 0.01), st.floats(-3, 3))
def test_a_straight_map_makes_scipy_s_bell_also_when_it_falls(z, a, b):
    x = a * z + b
    found = float(moved_log_density(normal_log_density(z), a))
    # The widths of bells have no sign: abs() belongs to the slope, not to the density.
    assert found == pytest.approx(stats.norm(b, abs(a)).logpdf(x), abs=1e-10)
    assert found == float(moved_log_density(normal_log_density(z), -a))


@given(st.floats(-6, 6), st.floats(0.2, 2))
def test_an_exponential_map_makes_scipy_s_log_normal(z, s):
    x = np.exp(s * z)
    found = float(moved_log_density(normal_log_density(z), s * x))
    assert found == pytest.approx(stats.lognorm(s).logpdf(x), abs=1e-11)


def test_a_falling_exponential_makes_the_log_normal_of_the_other_side():
    z = np.linspace(-3, 3, 41)
    x = np.exp(-z)  # slope -x
    found = moved_log_density(normal_log_density(z), -x)
    np.testing.assert_allclose(found, stats.lognorm(1).logpdf(x), atol=1e-12)


def test_the_bell_s_own_distribution_function_makes_it_flat():
    z = np.linspace(-4, 4, 81)
    np.testing.assert_allclose(
        moved_log_density(normal_log_density(z), stats.norm.pdf(z)), 0, atol=1e-12
    )


@given(st.floats(-4, 4), st.floats(-3, 3), st.floats(0.1, 3))
def test_a_lump_is_a_spline_with_nothing_beyond(x, centre, reach):
    knots = centre + reach * np.array([-1, -1 / 3, 1 / 3, 1])
    spline = BSpline.basis_element(knots, extrapolate=False)
    height = 0.0 if abs(x - centre) >= reach else float(spline(x)) * 3 / (2 * reach)
    assert float(lump_density(np.array(x), centre, reach)) == pytest.approx(height, abs=1e-12)


def test_the_gap_between_lumps_is_empty_and_their_area_is_one():
    x = np.linspace(-0.4, 0.6, 101)
    assert not lumps_density(x, LUMPS)[1:-1].any()
    found, _ = integrate.quad(
        lambda x: float(lumps_density(np.array([x]), LUMPS)[0]),
        -3,
        2.4,
        points=[-2.6, -1.7, -0.4, 0.6, 1.5],
        limit=200,
    )
    assert found == pytest.approx(1, abs=1e-8)


def test_a_lump_needs_a_reach():
    with pytest.raises(ValueError, match="must be above 0"):
        lump_density(np.zeros(2), 0.0, 0.0)


def test_samples_of_lumps_follow_their_distribution():
    S = 200_000
    samples = lumps_samples(np.random.default_rng(11).random((S, 4)), LUMPS)

    def upto(x):
        total = np.zeros(len(x))
        for share, centre, reach in LUMPS:
            knots = centre + reach * np.array([-1, -1 / 3, 1 / 3, 1])
            whole = BSpline.basis_element(knots).antiderivative()
            inside = np.clip(x, knots[0], knots[-1])
            total += share * (whole(inside) - whole(knots[0])) * 3 / (2 * reach)
        return total

    assert stats.kstest(samples, upto).statistic < KS / np.sqrt(S)
    inside = (samples > -0.4) & (samples < 0.6)
    assert not inside.any()


@given(
    st.lists(st.integers(-20, 20), min_size=1, max_size=60),
    st.lists(st.integers(-15, 15), min_size=2, max_size=9, unique=True).map(sorted),
)
def test_a_histogram_counts_and_divides_by_widths(samples, edges):
    found = histogram_density(np.array(samples, float), np.array(edges, float))
    expected = [
        sum(low <= s < high for s in samples) / (len(samples) * (high - low))
        for low, high in pairwise(edges)
    ]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("n", [3, 7, 63, 501])
def test_simpson_is_exact_for_cubics_and_near_for_the_bell(n):
    places = np.linspace(-1, 2, n)
    cubic = 4 * places**3 - places + 2
    assert float(area(cubic, places)) == pytest.approx(15 - 1.5 + 6, abs=1e-12)
    with pytest.raises(ValueError, match="odd number"):
        area(cubic[1:], places[1:])


def test_the_area_of_the_bell_is_one():
    places = np.linspace(-9, 9, 361)
    expected, _ = integrate.quad(stats.norm.pdf, -9, 9, epsabs=1e-13)
    assert float(area(normal_density(places), places)) == pytest.approx(expected, abs=1e-8)
