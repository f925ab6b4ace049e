"""The datasets of the neural ODEs against SciPy: closed forms, DOP853, fractions, differences."""

import functools
import importlib.util
import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm, expm_frechet

from explainers.data.run import run_here
from explainers.kernels.odes import SOLVERS, solve_adaptive

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "content/articles/neural-odes-from-first-principles"
MATRIX = np.array([[-0.1, 2.0], [-2.0, -0.1]])
START, TARGET, TIME = np.array([2.0, 0.0]), np.array([0.0, 1.0]), 6.0
EXACT = expm(MATRIX * TIME) @ START
ORDER = {"Euler": 1, "midpoint": 2, "RK4": 4}


@functools.cache
def computed(name):
    return run_here(ROOT, "neural-odes-from-first-principles", name)


@functools.cache
def script():
    spec = importlib.util.spec_from_file_location("train", FOLDER / "train.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pendulum(_, z):
    return [z[1], -np.sin(z[0]) - 0.2 * z[1]]


def network(theta):
    w, b = theta[:32].reshape(16, 2), theta[32:48]
    v, c = theta[48:80].reshape(2, 16), theta[80:]
    return lambda _, z: v @ np.tanh(w @ z + b) + c


def walked(f, start, end, **more):
    return solve_ivp(f, (0, end), start, method="DOP853", rtol=1e-11, atol=1e-11, **more)


def taylor(order, w):
    """What one step multiplies by: the first terms of the exponential."""
    term, total = 1, 0
    for k in range(order + 1):
        total = total + term
        term = term * w / (k + 1)
    return total


def test_the_spiral_is_the_matrix_exponential():
    spiral, ending = computed("spiral"), computed("ending")
    np.testing.assert_array_equal(spiral.theta.reshape(2, 2), MATRIX)
    truth = [expm(MATRIX * t) @ START for t in np.linspace(0, TIME, 121)]
    np.testing.assert_allclose(spiral.path, truth, atol=2e-5)
    assert ending.error == pytest.approx(np.abs(spiral.path - truth).max(), rel=1e-4)
    np.testing.assert_allclose([ending.x, ending.y], EXACT, atol=1e-12)
    assert ending.radius == pytest.approx(np.linalg.norm(EXACT), abs=1e-12)
    np.testing.assert_allclose([ending.velocity_x, ending.velocity_y], MATRIX @ START)


def test_three_euler_steps_in_fractions():
    a, w, h = Fraction(-1, 10), Fraction(2), Fraction(1, 2)
    x, y = Fraction(2), Fraction(0)
    for k in range(4):
        np.testing.assert_allclose(computed("euler_walk").z[k], [float(x), float(y)], rtol=1e-14)
        x, y = x + h * (a * x + w * y), y + h * (-w * x + a * y)
    np.testing.assert_allclose(
        computed("euler_walk").radius, np.linalg.norm(computed("euler_walk").z, axis=1)
    )


@pytest.mark.parametrize("solver", ORDER)
def test_by_hand_is_the_taylor_polynomial_of_the_matrix(solver):
    by_hand, after = computed("by_hand"), computed("after_three")
    for h in by_hand.axis("h"):
        run, cost = by_hand.at(solver=solver, h=h), after.at(solver=solver, h=h)
        power, step = np.eye(2), np.zeros((2, 2))
        for k in range(ORDER[solver] + 1):
            step = step + power
            power = power @ MATRIX * h / (k + 1)
        end = np.linalg.matrix_power(step, 3) @ START
        np.testing.assert_allclose(run.z[-1], end, rtol=1e-6, atol=1e-6)
        truth = expm(MATRIX * 3 * h) @ START
        np.testing.assert_allclose(run.exact[-1], truth, rtol=1e-6, atol=1e-6)
        assert cost.off == pytest.approx(np.linalg.norm(end - truth), rel=1e-9)
        assert cost.evaluations == 3 * {"Euler": 1, "midpoint": 2, "RK4": 4}[solver]
        # Every slope is the field's where the solver looked.
        asked = ~np.isnan(run.slope[:, 0])
        new = asked & np.r_[True, (np.diff(run.slope, axis=0) != 0).any(axis=1)]
        np.testing.assert_allclose(run.slope[new], run.y[new] @ MATRIX.T, atol=1e-4)


@pytest.mark.parametrize("solver", ORDER)
def test_errors_fall_by_the_order(solver):
    errors, row = computed("errors"), list(ORDER).index(solver)
    one = errors.at(digits="float64")
    np.testing.assert_allclose(one.h * one.n, TIME)
    for k, n in enumerate(one.n):
        factor = taylor(ORDER[solver], complex(-0.1, 2) * TIME / int(n))
        off = 2 * abs(factor ** int(n) - np.exp(complex(-0.1, 2) * TIME))
        assert one.error[row, k] == pytest.approx(off, rel=2e-3, abs=1e-13)
    found = computed("solvers").at(solver=solver)
    assert found.slope == pytest.approx(ORDER[solver], abs=0.15)
    assert found.factor == pytest.approx(2 ** ORDER[solver], rel=0.05)
    # The step at which the size of the factor passes 1.
    inside, outside = (
        abs(taylor(ORDER[solver], complex(-0.1, 2) * found.limit * s)) for s in (0.999, 1.001)
    )
    assert inside < 1 < outside
    # In fewer digits it stops falling.
    few = errors.at(digits="float32")
    assert few.error[2, -1] > 3 * few.error[2].min()
    np.testing.assert_allclose(few.error[:, :4], one.error[:, :4], rtol=2e-3)


def test_radii_at_a_tenth_and_growth():
    at, growth = computed("at_a_tenth"), computed("growth")
    assert at.at(solver="Euler").a_step == pytest.approx(np.sqrt(0.99**2 + 0.2**2), rel=1e-12)
    assert at.at(solver="Euler").radius == pytest.approx(2 * 1.0201**30, rel=1e-9)
    assert at.at(solver="RK4").exact_radius == pytest.approx(np.linalg.norm(EXACT), rel=1e-12)
    for name, solver in (("euler", "Euler"), ("midpoint", "midpoint"), ("rk4", "RK4")):
        wanted = [abs(taylor(ORDER[solver], complex(-0.1, 2) * h)) for h in growth.h]
        np.testing.assert_allclose(getattr(growth, name), wanted, rtol=1e-6)
    np.testing.assert_allclose(growth.exact, np.exp(-0.1 * growth.h), rtol=1e-6)


@pytest.mark.parametrize("solver", ORDER)
@pytest.mark.parametrize("tolerance", [1e-2, 1e-6])
def test_the_fewest_steps_are_few_enough_and_one_less_is_not(solver, tolerance):
    found = computed("cheapest").at(tolerance=tolerance, solver=solver)

    def off(n):
        w = complex(-0.1, 2) * TIME / n
        return 2 * abs(np.exp(n * np.log(taylor(ORDER[solver], w))) - np.exp(w * n))

    assert off(found.count) <= tolerance * 1.001
    assert off(found.count - 1) > tolerance * 0.999
    assert found.evaluations == found.count * {"Euler": 1, "midpoint": 2, "RK4": 4}[solver]


def test_the_adaptive_pair_ends_where_dop853_does():
    truth = walked(pendulum, [3.14, 0.0], 20).y[:, -1]
    for tolerance in (1e-3, 1e-6):
        found = computed("adaptive").at(tolerance=tolerance)
        ours = solve_adaptive(
            lambda t, z: np.array(pendulum(t, z)), np.array([3.14, 0]), 0, 20, tolerance
        )
        assert found.off == pytest.approx(np.linalg.norm(ours.path[-1] - truth), abs=1e-8)
        # This holds the dataset to the kernel, and the kernel's tests hold that to SciPy.
        assert found.count == len(ours.times) - 1
        assert found.evaluations == 1 + 6 * (found.count + found.refused)
        assert found.off < 100 * tolerance
        assert found.shortest < found.longest

        def rk4_off(steps):
            z, h = np.array([3.14, 0.0]), 20 / steps
            for _ in range(steps):
                a = np.array(pendulum(0, z))
                b = np.array(pendulum(0, z + h / 2 * a))
                c = np.array(pendulum(0, z + h / 2 * b))
                d = np.array(pendulum(0, z + h * c))
                z = z + h / 6 * (a + 2 * b + 2 * c + d)
            return np.linalg.norm(z - truth)

        # The fewest equal steps of RK4 that end as near.
        steps, rest = divmod(found.rk4, 4)
        assert rest == 0
        assert rk4_off(int(steps)) <= found.off < rk4_off(int(steps) - 1)


def test_the_script_makes_the_weights_that_are_checked_in():
    kept = json.loads((FOLDER / "pendulum.json").read_text())
    made = script().train(25)
    assert list(made) == [0, 25] == kept["updates"][:2]
    for k, update in enumerate(made):
        loss, theta = made[update]
        # Twenty-five updates carry the last digits of a tangent not far.
        np.testing.assert_allclose(kept["theta"][k], theta, rtol=1e-6, atol=1e-9)
        assert kept["loss"][k] == pytest.approx(loss, rel=1e-6)
    assert kept["loss"][0] > 20 * kept["loss"][-1]
    assert kept["loss"] == sorted(kept["loss"], reverse=True)


def test_the_losses_are_those_of_the_kept_weights():
    starts = np.random.default_rng(0).uniform(-2.2, 2.2, (128, 2))
    learned = computed("learned")
    ends = np.array([walked(pendulum, z, 3).y[:, -1] for z in starts[:16]])
    np.testing.assert_allclose(script().pairs()[1][:16], ends, atol=1e-6)
    for updates in learned.axis("updates"):
        one = learned.at(updates=updates)
        loss, _ = script().gradient(np.asarray(one.theta), *script().pairs())
        assert one.loss == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("updates", [0, 2000])
def test_the_network_s_path_is_dop853_s(updates):
    one = computed("learned").at(updates=updates)
    times = np.linspace(0, TIME, 61)
    truth = walked(network(np.asarray(one.theta)), one.path[0], TIME, t_eval=times).y.T
    np.testing.assert_allclose(one.path, truth, atol=2e-5)
    swing = walked(pendulum, one.path[0], 3).y[:, -1]
    assert one.off == pytest.approx(np.linalg.norm(truth[30] - swing), abs=1e-4)
    last = computed("last_field")
    truth = walked(network(np.asarray(last.theta)), last.path[0], TIME, t_eval=times).y.T
    np.testing.assert_allclose(last.path, truth, atol=2e-5)


def test_gradients_against_the_frechet_derivative():
    a = EXACT - TARGET
    wanted = []
    for k in range(4):
        direction = np.zeros(4)
        direction[k] = TIME
        moved = expm_frechet(MATRIX * TIME, direction.reshape(2, 2), compute_expm=False)
        wanted.append(a @ moved @ START)
    wanted = np.array(wanted)
    np.testing.assert_allclose(computed("fine_gradient").exact, wanted, rtol=1e-9)

    def off(found):
        return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)

    gradients = computed("gradients")
    for solver in gradients.axis("solver"):
        for n in gradients.axis("n"):
            one = gradients.at(solver=solver, n=n)
            assert one.adjoint_off == pytest.approx(off(one.adjoint), rel=1e-4)
            assert one.through_off == pytest.approx(off(one.through), rel=1e-4)
            assert one.difference < 1e-6
            np.testing.assert_allclose(one.through, one.differences, rtol=1e-6)
    last = gradients.at(solver="RK4", n=192)
    assert last.start_off < 1e-6
    assert off(last.adjoint) < 2e-6


def test_backwards_starts_from_the_loss_and_ends_in_the_gradient():
    backwards, gradients = computed("backwards"), computed("gradients")
    by_start = (EXACT - TARGET) @ expm(MATRIX * TIME)
    for n in (12, 24, 48):
        run = backwards.at(n=n)
        np.testing.assert_allclose(run.a[0], run.z[0] - TARGET, atol=1e-6)
        np.testing.assert_allclose(run.g[-1], gradients.at(solver="RK4", n=n).adjoint, rtol=1e-5)
    run = backwards.at(n=48)
    np.testing.assert_allclose(run.a[-1], by_start, atol=2e-3)
    np.testing.assert_allclose(run.z[-1], START, atol=1e-3)
    assert np.linalg.norm(backwards.at(n=6).z[-1] - START) > 1


def test_both_gradients_of_the_network_meet():
    found = [computed("net_gradients").at(n=n).apart for n in (3, 12, 48)]
    assert found[0] > 100 * found[1] > 10_000 * found[2]
    assert computed("net_gradients").at(n=3).weights == 82


def test_the_way_back_is_the_polynomials_product_and_the_rounding():
    reverse = computed("reverse")
    for k in reverse.axis("k"):
        w = Fraction(3, 60) * k
        both = float((taylor(4, -w) * taylor(4, w)) ** 60)
        for digits in ("float64", "float32"):
            one = reverse.at(digits=digits, k=k)
            assert one.by_solver == pytest.approx(abs(both - 1), rel=1e-6)
            eps = {"float64": 2.0**-53, "float32": 2.0**-24}[digits]
            assert one.grown == pytest.approx(eps * np.exp(3 * k), rel=1e-12, abs=0)
            assert one.error == pytest.approx(abs(one.back[0] - 2), rel=1e-6, abs=1e-7)
        wide = reverse.at(digits="float64", k=k)
        truth = 1 + np.exp(-k * np.linspace(0, 3, 61))
        np.testing.assert_allclose(wide.there, truth, atol=2e-3)
        # Rounding adds no more than a few times what half an ulp of 1 grows to.
        assert abs(wide.error - wide.by_solver) < 4 * wide.grown + 1e-12
    wide = [reverse.at(digits="float64", k=k).error for k in reverse.axis("k")]
    assert wide == sorted(wide)
    assert reverse.at(digits="float32", k=7).error > 0.99


def test_the_last_gap_is_left_only_where_half_of_it_is_asked_for():
    """One step of RK4 back from the float32 above 1, in exact fractions and rounded after each."""
    reverse = computed("reverse")
    gap, h = Fraction(1, 2**23), Fraction(float(np.float32(0.05)))

    def rounded(x):
        # Between 1 and 2 the numbers of float32 are whole gaps, and ties go to the even one.
        return 1 + round((x - 1) / gap) * gap

    for k in range(6, 11):
        one = reverse.at(digits="float32", k=k)
        assert np.exp(-3 * k) < 2.0**-23
        assert (one.there[-1], one.gaps) == (1 + 2.0**-23, 1)
        assert one.push == pytest.approx(k * 0.05)
        z = 1 + gap
        slopes = []
        for part in (0, Fraction(1, 2), Fraction(1, 2), 1):
            slopes.append(k * (rounded(z + h * part * slopes[-1] if slopes else z) - 1))
        weights = [Fraction(w, 6) for w in (1, 2, 2, 1)]
        moved = rounded(z + h * sum(w * s for w, s in zip(weights, slopes, strict=True)))
        assert (moved == z) == (k < 10)
        assert one.back[-2] == float(moved)
        assert (abs(one.back[0] - 1) < 2e-7) == (k < 10)
    assert reverse.at(digits="float32", k=10).error > 1e6


def test_two_points_change_places():
    swap = computed("swap")
    np.testing.assert_array_equal(swap.euler, [0.5, -0.5])
    turn, middle = expm(np.array([[0.0, -1.0], [1.0, 0.0]]) * np.pi), np.array([0.5, 0])
    for found, start in zip(swap.turned, [[0, 0], [1, 0]], strict=True):
        np.testing.assert_allclose(found, middle + turn @ (start - middle), atol=1e-8)
    np.testing.assert_allclose(swap.turned, [[1, 0], [0, 0]], atol=1e-8)


def test_a_coarse_solve_ends_at_the_wrong_radius():
    gradients, backwards = computed("gradients"), computed("backwards")
    for n in (6, 12):
        one = computed("coarse").at(n=n)
        factor = abs(taylor(4, complex(-0.1, 2) * TIME / n))
        assert one.a_step == pytest.approx(factor, rel=1e-12)
        assert one.radius == pytest.approx(2 * factor**n, rel=1e-9)
        assert one.exact_step**n == pytest.approx(np.linalg.norm(EXACT) / 2, rel=1e-12)
        assert one.first == pytest.approx(backwards.at(n=n).g[-1][0], rel=1e-5)
    assert one.first == pytest.approx(gradients.at(solver="RK4", n=12).adjoint[0], rel=1e-12)


def test_the_printed_field_and_tableaus_are_those_of_the_code():
    text = (FOLDER / "index.md").read_text(encoding="utf-8")
    first = re.search(r"f_1 &= (\S+)\\, z_1 \+ (\S+)\\, z_2", text)
    second = re.search(r"f_2 &= (\S+)\\, z_1 - (\S+)\\, z_2", text)
    (a, b), (c, d) = (map(float, row.groups()) for row in (first, second))
    np.testing.assert_array_equal(MATRIX, [[a, b], [c, -d]])

    def numbers(words):
        return tuple(float(Fraction(w)) for w in words.split(", "))

    rows = {
        name: [cell.strip() for cell in cells.split("|")]
        for name, cells in re.findall(r"^\| `([abc])` \|(.*)\|$", text, re.MULTILINE)
    }
    for k, solver in enumerate(ORDER):
        tableau = SOLVERS[solver]
        assert numbers(rows["b"][k]) == pytest.approx(tableau.b)
        assert numbers(rows["c"][k]) == pytest.approx(tableau.c)
        lists = rows["a"][k].split("; ")
        assert [() if one == "none" else numbers(one) for one in lists] == list(tableau.a)


def test_the_answers():
    answers = computed("answers")
    assert (answers.fair, answers.quarter) == (0.125, 256)
    euler = np.linalg.matrix_power(np.eye(2) + MATRIX / 8, 12) @ START
    assert answers.fair_off == pytest.approx(
        np.linalg.norm(euler - expm(1.5 * MATRIX) @ START), rel=1e-9
    )
    assert answers.fair_off > 10 * computed("after_three").at(solver="RK4", h=0.5).off
    assert (answers.kept, answers.kept_adjoint) == (240, 1)
    # L = z(T), and z(T) = z e^-(T - t): the adjoint e^-(T - t) changes by itself.
    left = 0.7
    rate = (np.exp(-(left - 0.001)) - np.exp(-(left + 0.001))) / 0.002 / np.exp(-left)
    assert answers.decay == pytest.approx(rate, abs=1e-5)
    assert answers.gain == pytest.approx(np.linalg.norm(EXACT), rel=1e-12)
