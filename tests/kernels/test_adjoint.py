"""Gradients against the Fréchet derivative of the exponential, DOP853 and central differences."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm, expm_frechet

from explainers.kernels.adjoint import adjoint_gradient, discrete_gradient
from explainers.kernels.neural_fields import (
    WEIGHTS,
    linear_field,
    linear_pull,
    pendulum_field,
    tanh_field,
    tanh_pull,
)
from explainers.kernels.odes import DORMAND_PRINCE, RK4, SOLVERS, THREE_EIGHTHS, solve

SPIRAL = np.array([-0.1, 2.0, -2.0, -0.1])
START, TARGET, TIME = np.array([2.0, 0.0]), np.array([0.0, 1.0]), 6.0
NET = np.random.default_rng(7).normal(0, 0.6, WEIGHTS)


def linear(t, z, theta):
    return linear_field(z, theta)


def pull_linear(t, z, theta, a):
    return linear_pull(z, theta, a)


def net(t, z, theta):
    """The network, faster as the time goes on: the time of a stage counts."""
    return (1 + 0.3 * t) * tanh_field(z, theta)


def pull_net(t, z, theta, a):
    by_z, by_theta = tanh_pull(z, theta, (1 + 0.3 * t) * a)
    return by_z, by_theta


def by_end(z):
    return z - TARGET


def frechet():
    """The gradient of the exact spiral's loss by the entries of A, and by the start."""
    matrix = SPIRAL.reshape(2, 2)
    whole = expm(matrix * TIME)
    a = whole @ START - TARGET
    rows = []
    for k in range(4):
        direction = np.zeros(4)
        direction[k] = TIME
        moved = expm_frechet(matrix * TIME, direction.reshape(2, 2), compute_expm=False)
        rows.append(a @ moved @ START)
    return np.array(rows), a @ whole


def differences(loss, at, step=1e-5):
    return np.array([(loss(at + e) - loss(at - e)) / (2 * step) for e in step * np.eye(len(at))])


def off(found, wanted):
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


@pytest.mark.parametrize("field", ["linear", "tanh"])
def test_a_pull_is_the_chain_rule(field):
    f, pull, theta = {
        "linear": (linear_field, linear_pull, SPIRAL),
        "tanh": (tanh_field, tanh_pull, NET),
    }[field]
    rng = np.random.default_rng(3)
    z, a = rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    by_z, by_theta = pull(z, theta, a)
    np.testing.assert_allclose(
        by_theta, differences(lambda theta: (a * f(z, theta)).sum(), theta), atol=1e-8
    )
    flat = differences(lambda z: (a * f(z.reshape(5, 2), theta)).sum(), z.reshape(-1))
    np.testing.assert_allclose(by_z.reshape(-1), flat, atol=1e-8)
    # One state alone is a row of many.
    one_z, one_theta = pull(z[0], theta, a[0])
    np.testing.assert_allclose(one_z, by_z[0], rtol=1e-13)
    np.testing.assert_allclose(one_theta, pull(z[:1], theta, a[:1])[1], rtol=1e-13)


def test_the_fields_entry_by_entry():
    z = np.array([0.7, -1.3])
    np.testing.assert_allclose(
        linear_field(z, SPIRAL), [-0.1 * 0.7 - 2 * 1.3, -2 * 0.7 + 0.1 * 1.3], rtol=1e-14
    )
    hidden = [
        math.tanh(math.fsum([NET[2 * k] * 0.7, NET[2 * k + 1] * -1.3, NET[32 + k]]))
        for k in range(16)
    ]
    wanted = [
        math.fsum([NET[48 + 16 * i + k] * hidden[k] for k in range(16)] + [NET[80 + i]])
        for i in range(2)
    ]
    np.testing.assert_allclose(tanh_field(z, NET), wanted, atol=1e-13)
    assert pendulum_field(z).tolist() == [-1.3, -math.sin(0.7) - 0.2 * -1.3]


def test_the_adjoint_converges_to_the_frechet_derivative():
    wanted, by_start = frechet()
    offs = []
    for n in (24, 48, 96, 192, 768):
        end = solve(lambda _, z: linear_field(z, SPIRAL), START, 0, TIME, n, RK4)[-1]
        back = adjoint_gradient(linear, pull_linear, end, end - TARGET, SPIRAL, 0, TIME, n, RK4)
        assert back.z.shape == back.a.shape == (n + 1, 2)
        assert back.g.shape == (n + 1, 4)
        assert not back.g[0].any()
        offs.append(off(back.g[-1], wanted))
    assert all(a > 10 * b for a, b in pairwise(offs))
    assert offs[-1] < 1e-7
    assert off(back.a[-1], by_start) < 1e-7
    np.testing.assert_allclose(back.z[-1], START, atol=1e-7)


@pytest.mark.parametrize("name", [*SOLVERS, "3/8 rule", "Dormand-Prince"])
@pytest.mark.parametrize("n", [1, 3, 20])
def test_through_a_solver_is_the_gradient_of_its_own_loss(name, n):
    tableau = {**SOLVERS, "3/8 rule": THREE_EIGHTHS, "Dormand-Prince": DORMAND_PRINCE}[name]
    z = np.array([0.8, -0.5])

    def loss(theta, start=z):
        end = solve(lambda t, z: net(t, z, theta), start, 0.2, 1.7, n, tableau)[-1]
        return 0.5 * ((end - TARGET) ** 2).sum()

    through = discrete_gradient(net, pull_net, by_end, z, NET, 0.2, 1.7, n, tableau)
    assert off(through.g, differences(loss, NET)) < 1e-6
    assert off(through.a[0], differences(lambda start: loss(NET, start), z)) < 1e-6
    np.testing.assert_allclose(
        through.z, solve(lambda t, z: net(t, z, NET), z, 0.2, 1.7, n, tableau), rtol=1e-14
    )
    np.testing.assert_array_equal(through.a[-1], through.z[-1] - TARGET)


def test_both_meet_dop853_on_a_network_with_time():
    z, d = np.array([0.8, -0.5]), 2

    def packed(t, y):
        by_z, by_theta = pull_net(t, y[:d], NET, y[d : 2 * d])
        return np.concatenate([net(t, y[:d], NET), -by_z, -by_theta])

    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}
    end = solve_ivp(lambda t, y: net(t, y, NET), (0.2, 1.7), z, **options).y[:, -1]
    start = np.concatenate([end, end - TARGET, np.zeros(WEIGHTS)])
    truth = solve_ivp(packed, (1.7, 0.2), start, **options).y[:, -1]
    back = adjoint_gradient(net, pull_net, end, end - TARGET, NET, 0.2, 1.7, 200, RK4)
    assert off(back.g[-1], truth[2 * d :]) < 1e-8
    assert off(back.a[-1], truth[d : 2 * d]) < 1e-8
    through = discrete_gradient(net, pull_net, by_end, z, NET, 0.2, 1.7, 200, RK4)
    assert off(through.g, truth[2 * d :]) < 1e-7
    # In coarse steps they are two gradients, not one.
    coarse = discrete_gradient(net, pull_net, by_end, z, NET, 0.2, 1.7, 2, SOLVERS["Euler"])
    again = adjoint_gradient(
        net, pull_net, coarse.z[-1], coarse.a[-1], NET, 0.2, 1.7, 2, SOLVERS["Euler"]
    )
    assert off(again.g[-1], coarse.g) > 0.01


def test_many_starts_add_their_gradients_up():
    starts = np.random.default_rng(5).normal(size=(4, 2))
    together = discrete_gradient(net, pull_net, by_end, starts, NET, 0, 1, 6, RK4)
    each = [discrete_gradient(net, pull_net, by_end, z, NET, 0, 1, 6, RK4).g for z in starts]
    np.testing.assert_allclose(together.g, sum(each), rtol=1e-11, atol=1e-13)


def test_no_steps_are_refused():
    with pytest.raises(ValueError, match="n is 0, must be at least 1"):
        adjoint_gradient(linear, pull_linear, START, START, SPIRAL, 0, 1, 0, RK4)
    with pytest.raises(ValueError, match="n is 0, must be at least 1"):
        discrete_gradient(linear, pull_linear, by_end, START, SPIRAL, 0, 1, 0, RK4)
