"""Fitting against mpmath: likelihoods, gradients by differences, and Adam in plain Python."""

# ruff: noqa: N806 - S is the kernels' own letter.

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.kernels.densities import lumps_samples
from explainers.kernels.flow_fit import (
    bound_layers,
    fit,
    free_gradient,
    log_likelihood,
    loss,
    loss_gradient,
)

LUMPS = np.array([[0.6, -1.7, 1.3], [0.4, 1.5, 0.9]])
FREE = st.lists(
    st.tuples(st.floats(-2, 3), st.floats(-1, 1), st.floats(-2, 2)), min_size=1, max_size=3
)
ROWS = st.lists(st.floats(-3, 3), min_size=1, max_size=4)


def through(x, layers):
    for u, w, b in layers:
        x = x + u * mpmath.tanh(w * x + b)
    return x


def log_density(x, layers):
    """The logarithm of the derivative of the distribution function."""
    return mpmath.log(mpmath.diff(lambda t: mpmath.ncdf(through(t, layers)), x))


def mean_loss(rows, layers):
    """The loss from its definition: the mean of minus log N(z) and minus the log of the slope."""
    terms = []
    for x in rows:
        z = through(mpmath.mpf(x), layers)
        slope = mpmath.diff(lambda t: through(t, layers), mpmath.mpf(x))
        terms.append(z**2 / 2 + mpmath.log(2 * mpmath.pi) / 2 - mpmath.log(slope))
    return sum(terms) / len(terms)


def bounded(free):
    return [
        ((mpmath.log(1 + mpmath.exp(first)) - 1) / mpmath.exp(second), mpmath.exp(second), b)
        for first, second, b in free
    ]


def differences(function, numbers):
    """Central differences with 40 digits, number by number."""
    step = mpmath.mpf("1e-12")
    found = []
    for k, row in enumerate(numbers):
        for j in range(3):
            ends = []
            for way in (1, -1):
                moved = [list(map(mpmath.mpf, other)) for other in numbers]
                moved[k][j] = mpmath.mpf(row[j]) + way * step
                ends.append(function(moved))
            found.append(float((ends[0] - ends[1]) / (2 * step)))
    return np.array(found).reshape(-1, 3)


@settings(deadline=None, max_examples=30)
@given(st.floats(-2.5, 2.5), FREE)
def test_the_likelihood_is_the_derivative_of_the_distribution_function(x, free):
    with mpmath.workdps(40):
        expected = float(log_density(mpmath.mpf(x), bounded(free)))
    found = log_likelihood(np.array([x]), bound_layers(np.array(free)))[0]
    assert found == pytest.approx(expected, abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(ROWS, FREE)
def test_the_loss_is_its_definition(rows, free):
    with mpmath.workdps(40):
        expected = float(mean_loss(rows, bounded(free)))
    found = float(loss(np.array(rows), bound_layers(np.array(free))))
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-12)


@settings(deadline=None, max_examples=15)
@given(ROWS, FREE)
def test_the_gradients_are_central_differences(rows, free):
    x = np.array(rows)
    layers = bound_layers(np.array(free))
    with mpmath.workdps(40):
        by_layers = differences(lambda moved: mean_loss(rows, moved), layers.tolist())
        by_free = differences(lambda moved: mean_loss(rows, bounded(moved)), free)
    np.testing.assert_allclose(loss_gradient(x, layers), by_layers, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(free_gradient(x, np.array(free)), by_free, rtol=1e-9, atol=1e-9)


@given(FREE)
def test_bound_layers_never_fold(free):
    layers = bound_layers(np.array(free))
    with mpmath.workdps(40):
        expected = [[float(number) for number in row] for row in bounded(free)]
    np.testing.assert_allclose(layers, expected, rtol=1e-12, atol=1e-14)
    assert (layers[:, 0] * layers[:, 1] > -1).all()
    assert (layers[:, 1] > 0).all()


def test_the_steps_are_adam_s():
    x = lumps_samples(np.random.default_rng(2).random((50, 4)), LUMPS)
    free = np.array([[0.5, 0.1, -0.4], [0.6, -0.2, 0.9]])
    path = fit(x, free, 12, 0.05)
    assert path.shape == (13, 2, 3)

    flat = free.ravel().tolist()
    mean, square = [0.0] * 6, [0.0] * 6
    for step in range(1, 13):
        found = []
        for k in range(6):
            ends = []
            for way in (1e-6, -1e-6):
                moved = np.array(flat)
                moved[k] += way
                ends.append(float(loss(x, bound_layers(moved.reshape(2, 3)))))
            found.append((ends[0] - ends[1]) / 2e-6)
        for k, g in enumerate(found):
            mean[k] = 0.9 * mean[k] + 0.1 * g
            square[k] = 0.999 * square[k] + 0.001 * g * g
            size = math.sqrt(square[k] / (1 - 0.999**step)) + 1e-8
            rate = 0.05 * ((12 - step + 1) / 12) ** 2
            flat[k] -= rate * mean[k] / (1 - 0.9**step) / size
        np.testing.assert_allclose(path[step].ravel(), flat, atol=1e-5)


def test_a_last_digit_does_not_grow_while_fitting():
    x = lumps_samples(np.random.default_rng(4).random((300, 4)), LUMPS)
    free = np.column_stack([np.full(4, 0.54), np.zeros(4), [0.5, -1.2, 1.3, 0.1]])
    path, other = (fit(samples, free, 1000) for samples in (x, x * (1 + 1e-15)))
    assert not np.array_equal(path[-1], other[-1])
    np.testing.assert_allclose(other[-1], path[-1], atol=1e-6)


def test_fitting_lowers_the_loss_and_no_steps_change_nothing():
    S = 300
    x = lumps_samples(np.random.default_rng(2).random((S, 4)), LUMPS)
    free = np.array([[0.54, 0.0, 0.3]])
    path = fit(x, free, 200)
    losses = [float(loss(x, bound_layers(path[step]))) for step in (0, 50, 200)]
    assert losses[0] > losses[1] > losses[2]
    np.testing.assert_array_equal(fit(x, free, 0), free[None])
    with pytest.raises(ValueError, match="at least 0"):
        fit(x, free, -1)
