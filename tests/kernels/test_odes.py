"""The solvers against closed forms, DOP853 and exact fractions, with the order of each."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import RK45, solve_ivp
from scipy.linalg import expm

from explainers.kernels.odes import (
    DORMAND_PRINCE,
    EULER,
    MIDPOINT,
    RK4,
    SOLVERS,
    THREE_EIGHTHS,
    combine,
    rk4_step,
    solve,
    solve_adaptive,
)
from explainers.kernels.stability import amplification, stability_limit

A = np.array([[-0.1, 2.0], [-2.0, -0.1]])
ALL = {**SOLVERS, "3/8 rule": THREE_EIGHTHS, "Dormand-Prince": DORMAND_PRINCE}
LAMBDA = complex(-0.1, 2)


def forced(t, z):
    """A nonlinear field that depends on the time: a wrong time in a stage shows."""
    return np.stack([z[..., 1], np.cos(2 * t) - np.sin(z[..., 0]) * (1 + t) - 0.3 * z[..., 1]], -1)


def forced_truth(start, end, z):
    found = solve_ivp(forced, (start, end), z, method="DOP853", rtol=1e-13, atol=1e-13)
    return found.y[:, -1]


@pytest.mark.parametrize("name", ALL)
def test_every_order_condition_up_to_four_holds_in_fractions(name):
    """The conditions are those of rooted trees, one by one: Butcher's own."""
    tableau = ALL[name]
    exact = [Fraction(b).limit_denominator(400_000) for b in tableau.b]
    s = len(exact)
    a = [[Fraction(w).limit_denominator(20_000) for w in row] for row in tableau.a]
    a = [row + [Fraction(0)] * (s - len(row)) for row in a]
    c = [sum(row) for row in a]
    assert [float(one) for one in c] == pytest.approx(list(tableau.c), abs=1e-15)

    def under(values):
        return [sum(a[i][j] * values[j] for j in range(s)) for i in range(s)]

    def total(values):
        return sum(b * v for b, v in zip(exact, values, strict=True))

    squares, cubes = [x**2 for x in c], [x**3 for x in c]
    conditions = [
        (1, [Fraction(1)] * s, Fraction(1)),
        (2, c, Fraction(1, 2)),
        (3, squares, Fraction(1, 3)),
        (3, under(c), Fraction(1, 6)),
        (4, cubes, Fraction(1, 4)),
        (4, [x * y for x, y in zip(c, under(c), strict=True)], Fraction(1, 8)),
        (4, under(squares), Fraction(1, 12)),
        (4, under(under(c)), Fraction(1, 24)),
    ]
    for order, values, wanted in conditions:
        if order <= tableau.order:
            assert total(values) == wanted, (name, order)
    # And none has a higher order than it says, as far as this goes.
    beyond = [total(values) != wanted for k, values, wanted in conditions if k > tableau.order]
    assert any(beyond) or tableau.order >= 4


def test_dormand_prince_is_scipy_s():
    for row, theirs in zip(DORMAND_PRINCE.a[:6], RK45.A, strict=True):
        np.testing.assert_allclose(row, theirs[: len(row)], rtol=1e-15)
    np.testing.assert_allclose(DORMAND_PRINCE.b[:6], RK45.B, rtol=1e-15)
    np.testing.assert_allclose(DORMAND_PRINCE.c[:6], RK45.C, rtol=1e-15)
    off = np.array(DORMAND_PRINCE.lower) - np.array(DORMAND_PRINCE.b)
    np.testing.assert_allclose(off, RK45.E, atol=1e-15)
    # The last stage is the first of the next step.
    assert (*DORMAND_PRINCE.a[6], 0.0) == DORMAND_PRINCE.b


@pytest.mark.parametrize("name", ALL)
def test_a_linear_field_is_solved_as_by_the_matrix_exponential(name):
    z = np.array([2.0, 0.3])
    n = {"Euler": 4000, "midpoint": 2000}.get(name, 200)
    path = solve(lambda _, z: z @ A.T, z, 0, 1.5, n, ALL[name])
    bound = {"Euler": 3e-3, "midpoint": 3e-6}.get(name, 1e-7)
    for k in (1, n // 3, n):
        np.testing.assert_allclose(path[k], expm(A * 1.5 * k / n) @ z, atol=bound)
    back = solve(lambda _, z: z @ A.T, path[-1], 1.5, 0, n, ALL[name])
    np.testing.assert_allclose(back[-1], z, atol=2 * bound)


@pytest.mark.parametrize("name", ALL)
def test_the_order_on_a_nonlinear_field_with_time(name):
    z = np.array([1.2, -0.4])
    truth = forced_truth(0.5, 3.5, z)
    n = {"Euler": 800, "midpoint": 200, "Dormand-Prince": 96}.get(name, 60)
    off = [np.linalg.norm(solve(forced, z, 0.5, 3.5, m, ALL[name])[-1] - truth) for m in (n, 2 * n)]
    assert np.log2(off[0] / off[1]) == pytest.approx(ALL[name].order, abs=0.3)


def test_the_classical_one_is_not_the_three_eighths_rule():
    z = np.array([1.2, -0.4])
    ours = solve(forced, z, 0, 1, 3, RK4)[-1]
    other = solve(forced, z, 0, 1, 3, THREE_EIGHTHS)[-1]
    assert np.abs(ours - other).max() > 1e-6
    assert [6 * b for b in RK4.b] == pytest.approx([1, 2, 2, 1], abs=1e-15)
    # On a linear field there is no difference.
    pair = [solve(lambda _, z: z @ A.T, z, 0, 1, 3, one)[-1] for one in (RK4, THREE_EIGHTHS)]
    np.testing.assert_allclose(*pair, rtol=1e-13)


def test_the_written_step_is_the_tableau_s_and_that_of_fractions():
    z = np.array([0.75, -1.25])
    for t, h in ((0.0, 0.25), (1.5, -0.5)):
        step = rk4_step(forced, t, z, h)
        np.testing.assert_allclose(step, solve(forced, z, t, t + h, 1, RK4)[-1], rtol=1e-14)
    # In exact numbers, on a field that is a polynomial of both: f = t z - z^2.
    h, x, t = Fraction(1, 4), Fraction(3, 4), Fraction(1, 2)

    def f(t, z):
        return t * z - z * z

    k1 = f(t, x)
    k2 = f(t + h / 2, x + h * k1 / 2)
    k3 = f(t + h / 2, x + h * k2 / 2)
    k4 = f(t + h, x + h * k3)
    exact = x + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
    found = rk4_step(f, 0.5, np.array([0.75]), 0.25)
    assert found[0] == pytest.approx(float(exact), rel=1e-15)
    assert combine((0.5, 0.0, 2.0), (1.0, 7.0, 3.0)) == 6.5
    assert combine((), ()) == 0


def test_many_states_are_solved_as_each_alone():
    states = np.random.default_rng(2).normal(size=(5, 2))
    together = solve(forced, states, 0, 2, 7, RK4)
    for k, z in enumerate(states):
        np.testing.assert_array_equal(together[:, k], solve(forced, z, 0, 2, 7, RK4))


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8])
def test_adaptive_steps_keep_near_the_truth(tolerance):
    z = np.array([1.2, -0.4])
    asked = []

    def counted(t, z):
        asked.append(t)
        return forced(t, z)

    found = solve_adaptive(counted, z, 0.5, 6.0, tolerance)
    assert found.evaluations == len(asked)
    assert found.evaluations == 1 + 6 * (len(found.times) - 1 + found.refused)
    assert (found.times[0], found.times[-1]) == (0.5, 6.0)
    assert (np.diff(found.times) > 0).all()
    off = np.abs(found.path[-1] - forced_truth(0.5, 6.0, z)).max()
    assert off < 100 * tolerance
    # It stops where it is told to, and looks no further.
    assert max(asked) <= 6.0 + 1e-12


def test_a_sudden_field_makes_it_take_steps_back():
    def sudden(t, z):
        return -50 * np.tanh(40 * (t - 1)) * z

    found = solve_adaptive(sudden, np.array([1.0]), 0.9, 1.1, 1e-6)
    assert found.refused > 0
    steps = np.diff(found.times)
    assert steps.max() > 1.5 * steps.min()


@pytest.mark.parametrize("name", ALL)
def test_a_step_multiplies_by_the_taylor_polynomial(name):
    tableau = ALL[name]
    for w in (Fraction(-3, 7), Fraction(1, 5)):
        series, term = Fraction(0), Fraction(1)
        for power in range(tableau.order + 1):
            series += term
            term = term * w / (power + 1)
        found = float(amplification(np.array(float(w)), tableau))
        if name == "Dormand-Prince":
            # Six stages leave one term beyond the order: w^6 / 600.
            series += w**6 / 600
        assert found == pytest.approx(float(series), rel=1e-13)
    # And that is what a step does.
    one = solve(lambda _, z: LAMBDA * z, np.array([1 + 0j]), 0, 0.4, 1, tableau)[-1, 0]
    assert amplification(np.array(0.4 * LAMBDA), tableau) == pytest.approx(one, rel=1e-13)


@pytest.mark.parametrize("name", SOLVERS)
def test_the_stability_limit_is_a_root_of_the_polynomial(name):
    order = SOLVERS[name].order
    factor = np.polynomial.Polynomial(
        [LAMBDA**k / np.prod(range(1, k + 1)) for k in range(order + 1)]
    )
    bar = np.polynomial.Polynomial(np.conj(factor.coef))
    roots = (factor * bar - 1).roots()
    real = [r.real for r in roots if abs(r.imag) < 1e-9 and r.real > 1e-6]
    assert stability_limit(LAMBDA, SOLVERS[name]) == pytest.approx(min(real), rel=1e-9)


def test_euler_s_limit_is_the_closed_form():
    for lam in (complex(-0.1, 2), complex(-3, 0), complex(-1, -1)):
        assert stability_limit(lam, EULER) == pytest.approx(-2 * lam.real / abs(lam) ** 2, rel=1e-9)


def test_mistakes_are_named():
    z = np.array([1.0])
    with pytest.raises(ValueError, match="n is 0, must be at least 1"):
        solve(forced, z, 0, 1, 0, MIDPOINT)
    for end, tolerance in ((0.0, 1e-3), (1.0, 0.0)):
        with pytest.raises(ValueError, match="must be after start, above 0"):
            solve_adaptive(forced, z, 0.0, end, tolerance)
    with pytest.raises(ValueError, match="its real part must be below 0"):
        stability_limit(complex(0, 1), RK4)
