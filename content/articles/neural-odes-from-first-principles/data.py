"""Datasets of the article "Solving neural ODEs from first principles"."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset, trace
from explainers.kernels.adjoint import adjoint_gradient, discrete_gradient
from explainers.kernels.neural_fields import (
    WEIGHTS,
    linear_field,
    linear_pull,
    pendulum_field,
    tanh_field,
    tanh_pull,
)
from explainers.kernels.odes import EULER, MIDPOINT, RK4, SOLVERS, solve, solve_adaptive
from explainers.kernels.stability import amplification, stability_limit

Array = npt.NDArray[Any]

SPIRAL = np.array([-0.1, 2.0, -2.0, -0.1])
"""The entries of A: a turn of 2 radians a unit of time, and a radius that shrinks by a tenth."""

LAMBDA = complex(-0.1, 2.0)
"""An eigenvalue of A; the other one is its mirror image."""

START = np.array([2.0, 0.0])
TIME = 6.0
TARGET = np.array([0.0, 1.0])
"""Where the loss wants the spiral to end."""

LEARNED_START = np.array([1.8, 0.0])
TRAINED = 3.0
"""How long the points travelled that the network was trained on."""


def spiral_field(_: float, z: Array) -> Array:
    """Return the spiral's velocity."""
    return linear_field(z, SPIRAL)


def exact(times: Array) -> Array:
    """Return the spiral's exact states: it turns clockwise while the radius shrinks."""
    turned = START[0] * np.exp(np.conj(LAMBDA) * times)  # (n,) complex
    return np.stack([turned.real, turned.imag], axis=-1)  # (n, 2)


def apart(found: Array, wanted: Array) -> float:
    """Return how far two arrays are apart, as a share of the size of the second."""
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


@dataset(dims={"theta": ("entry",), "path": ("point", "axis")}, units={"theta": "1", "path": "1"})
def spiral() -> dict[str, Array]:
    """The field A z, and its path from (2, 0)."""
    return {"theta": SPIRAL, "path": solve(spiral_field, START, 0, TIME, 120, RK4)}


@dataset(units=dict.fromkeys(("x", "y", "radius", "error", "velocity_x", "velocity_y"), "1"))
def ending() -> dict[str, float]:
    """Where the exact spiral ends, how far RK4's path is from it, and the first velocity."""
    x, y = exact(np.array([TIME]))[0]
    u, v = spiral_field(0, START)
    path = solve(spiral_field, START, 0, TIME, 120, RK4)
    return {
        "x": float(x),
        "y": float(y),
        "radius": math.hypot(x, y),
        "error": float(np.abs(path - exact(np.linspace(0, TIME, 121))).max()),
        "velocity_x": float(u),
        "velocity_y": float(v),
    }


@dataset(dims={"z": ("step", "axis"), "radius": ("step",)}, units={"z": "1", "radius": "1"})
def euler_walk() -> dict[str, Array]:
    """Three Euler steps of length 0.5 from (2, 0)."""
    z = solve(spiral_field, START, 0, 1.5, 3, EULER)  # (4, 2)
    return {"z": z, "radius": np.hypot(*z.T)}


HAND = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


@dataset(
    sweep={"solver": list(SOLVERS), "h": HAND},
    dims={"y": ("axis",), "slope": ("axis",), "z": ("axis",), "exact": ("moment", "axis")},
    wire={"y": "f32", "slope": "f32", "z": "f32", "exact": "f32"},
    nonfinite=["y", "slope"],
)
def by_hand(solver: str, h: float) -> Any:
    """Three steps of a solver, statement by statement, and the exact path beside them."""
    followed = trace(
        solve, spiral_field, START, 0, 3 * h, 3, SOLVERS[solver], watch=("y", "slope", "z")
    )
    return followed | {"exact": exact(np.linspace(0, 3 * h, 31))}


@dataset(
    sweep={"solver": list(SOLVERS), "h": HAND},
    units=dict.fromkeys(("off", "evaluations"), "1"),
)
def after_three(solver: str, h: float) -> dict[str, float]:
    """How far three steps end from the exact path, and what they cost."""
    end = solve(spiral_field, START, 0, 3 * h, 3, SOLVERS[solver])[-1]
    return {
        "off": float(np.linalg.norm(end - exact(np.array([3 * h]))[0])),
        "evaluations": 3 * len(SOLVERS[solver].b),
    }


COUNTS = np.array([4, 8, 15, 30, 60, 120, 240, 480, 960, 1920, 3840, 7680])


@dataset(
    sweep={"digits": ["float64", "float32"]},
    dims={"n": ("count",), "h": ("count",), "error": ("solver", "count")},
    units={"n": "1", "h": "1", "error": "1"},
    wire={"h": "f32", "error": "f32", "n": "u16"},
)
def errors(digits: str) -> dict[str, Array]:
    """How far the end of the spiral is off, by solver and number of steps, in two precisions."""
    theta, start = SPIRAL.astype(digits), START.astype(digits)
    end = exact(np.array([TIME]))[0]
    rows = [
        [
            float(
                np.linalg.norm(
                    solve(lambda _, z: linear_field(z, theta), start, 0, TIME, int(n), tableau)[
                        -1
                    ].astype(np.float64)
                    - end
                )
            )
            for n in COUNTS
        ]
        for tableau in SOLVERS.values()
    ]
    return {"n": COUNTS, "h": TIME / COUNTS, "error": np.array(rows)}


@dataset(
    sweep={"solver": list(SOLVERS)},
    units=dict.fromkeys(("limit", "evaluations", "order", "slope", "factor"), "1"),
)
def solvers(solver: str) -> dict[str, float]:
    """A solver's cost, order, stability limit on the spiral, and the order that is measured."""
    tableau = SOLVERS[solver]
    end = exact(np.array([TIME]))[0]
    counts = {"Euler": (3840, 7680), "midpoint": (240, 480), "RK4": (120, 240)}[solver]
    off = [
        float(np.linalg.norm(solve(spiral_field, START, 0, TIME, n, tableau)[-1] - end))
        for n in counts
    ]
    return {
        "limit": stability_limit(LAMBDA, tableau),
        "evaluations": len(tableau.b),
        "order": tableau.order,
        "slope": math.log2(off[0] / off[1]),
        "factor": off[0] / off[1],
    }


@dataset(
    sweep={"solver": list(SOLVERS)},
    units=dict.fromkeys(("radius", "a_step", "exact_radius", "exact_step"), "1"),
)
def at_a_tenth(solver: str) -> dict[str, float]:
    """The radius at the end in steps of 0.1, and by what one step multiplies it."""
    end = solve(spiral_field, START, 0, TIME, 60, SOLVERS[solver])[-1]
    return {
        "radius": float(np.hypot(*end)),
        "a_step": float(abs(amplification(np.array(0.1 * LAMBDA), SOLVERS[solver]))),
        "exact_radius": 2 * math.exp(-0.6),
        "exact_step": math.exp(-0.01),
    }


@dataset(
    dims=dict.fromkeys(("h", "euler", "midpoint", "rk4", "exact"), ("step",)),
    units=dict.fromkeys(("h", "euler", "midpoint", "rk4", "exact"), "1"),
    wire=dict.fromkeys(("h", "euler", "midpoint", "rk4", "exact"), "f32"),
)
def growth() -> dict[str, Array]:
    """By what one step of each solver multiplies the radius, against its length."""
    h = np.linspace(0, 1.6, 161)  # (n,)
    sizes = {
        name: np.abs(amplification(h * LAMBDA, tableau))
        for name, tableau in (("euler", EULER), ("midpoint", MIDPOINT), ("rk4", RK4))
    }
    return {"h": h, **sizes, "exact": np.exp(LAMBDA.real * h)}


@dataset(
    sweep={"tolerance": [1e-2, 1e-6], "solver": list(SOLVERS)},
    units={"count": "1", "evaluations": "1"},
)
def cheapest(tolerance: float, solver: str) -> dict[str, int]:
    """The fewest steps from which on the spiral's end is within a tolerance.

    On a linear field n steps multiply by one factor to the power n, so nothing has to be walked.
    """
    tableau = SOLVERS[solver]
    end = np.exp(LAMBDA * TIME)

    def off(n: int) -> float:
        factor = amplification(np.array(TIME / n * LAMBDA), tableau)
        return float(START[0] * abs(factor**n - end))

    high = 8
    while off(high) > tolerance:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if off(middle) > tolerance else (low, middle)
    return {"count": high, "evaluations": high * len(tableau.b)}


@dataset(
    sweep={"tolerance": [1e-3, 1e-6]},
    units=dict.fromkeys(
        ("count", "refused", "evaluations", "off", "shortest", "longest", "rk4"), "1"
    ),
)
def adaptive(tolerance: float) -> dict[str, float]:
    """A pendulum let go near the top, solved in steps that choose their own length."""

    def f(_: float, z: Array) -> Array:
        return pendulum_field(z)

    start = np.array([3.14, 0.0])
    truth = solve(f, start, 0, 20, 8000, RK4)[-1]
    found = solve_adaptive(f, start, 0, 20, tolerance)
    steps = np.diff(found.times)[:-1]
    off = float(np.linalg.norm(found.path[-1] - truth))
    n = 8
    while float(np.linalg.norm(solve(f, start, 0, 20, n, RK4)[-1] - truth)) > off:
        n += 1
    return {
        "count": len(found.times) - 1,
        "refused": found.refused,
        "evaluations": found.evaluations,
        "off": off,
        "shortest": float(steps.min()),
        "longest": float(steps.max()),
        "rk4": 4 * n,
    }


@dataset(
    sweep={"updates": [0, 25, 100, 400, 2000]},
    dims={"theta": ("weight",), "path": ("point", "axis")},
    units={"theta": "1", "path": "1", "loss": "1", "off": "1"},
)
def learned(updates: int, pendulum: Any) -> dict[str, Any]:
    """The network's field after some updates, its path, and its loss."""
    k = list(pendulum.updates).index(updates)
    theta = np.asarray(pendulum.theta[k])
    path = solve(lambda _, z: tanh_field(z, theta), LEARNED_START, 0, TIME, 60, RK4)
    truth = solve(lambda _, z: pendulum_field(z), LEARNED_START, 0, TIME, 60, RK4)
    trained = round(60 * TRAINED / TIME)
    return {
        "theta": theta,
        "path": path,
        "loss": float(pendulum.loss[k]),
        "off": float(np.linalg.norm(path[trained] - truth[trained])),
    }


@dataset(dims={"theta": ("weight",), "path": ("point", "axis")}, units={"theta": "1", "path": "1"})
def last_field(learned: Any) -> dict[str, Any]:
    """The network's field at the end of the training, from another start."""
    theta = np.asarray(learned.at(updates=2000).theta)
    start = np.array([0.5, 1.2])
    return {
        "theta": theta,
        "path": solve(lambda _, z: tanh_field(z, theta), start, 0, TIME, 60, RK4),
    }


@dataset(
    sweep={"n": [6, 12, 24, 48]},
    dims={"z": ("axis",), "a": ("axis",), "g": ("entry",)},
    wire={"z": "f32", "a": "f32", "g": "f32"},
    nonfinite=["g"],
)
def backwards(n: int) -> Any:
    """The spiral solved to its end, then state, adjoint and gradient back to the start."""
    end = solve(spiral_field, START, 0, TIME, n, RK4)[-1]
    return trace(
        adjoint_gradient,
        lambda _, z, theta: linear_field(z, theta),
        lambda _, z, theta, a: linear_pull(z, theta, a),
        end,
        end - TARGET,
        SPIRAL,
        0,
        TIME,
        n,
        RK4,
        watch=("z", "a", "g"),
    )


def linear_loss(theta: Array, n: int, solver: str) -> float:
    """Return the loss after n steps."""
    end = solve(lambda _, z: linear_field(z, theta), START, 0, TIME, n, SOLVERS[solver])[-1]
    return float(((end - TARGET) ** 2).sum() / 2)


def linear_gradients(n: int, solver: str) -> tuple[Array, Array, Array]:
    """Return dL/dA by the adjoint and through the solver, and the start that is found again."""

    def f(_: float, z: Array, theta: Array) -> Array:
        return linear_field(z, theta)

    def pull(_: float, z: Array, theta: Array, a: Array) -> tuple[Array, Array]:
        return linear_pull(z, theta, a)

    tableau = SOLVERS[solver]
    through = discrete_gradient(f, pull, lambda z: z - TARGET, START, SPIRAL, 0, TIME, n, tableau)
    end = through.z[-1]
    back = adjoint_gradient(f, pull, end, end - TARGET, SPIRAL, 0, TIME, n, tableau)
    return back.g[-1], through.g, back.z[-1]


@dataset(dims={"exact": ("entry",)}, units={"exact": "1"})
def fine_gradient() -> dict[str, Array]:
    """DL/dA of the exact spiral, through 3,000 steps of RK4."""
    return {"exact": linear_gradients(3000, "RK4")[1]}


@dataset(
    sweep={"solver": ["Euler", "RK4"], "n": [12, 24, 48, 60, 96, 192]},
    dims=dict.fromkeys(("adjoint", "through", "differences"), ("entry",)),
    units=dict.fromkeys(
        (
            *("adjoint", "through", "differences", "adjoint_off", "through_off", "apart"),
            *("difference", "start_off"),
        ),
        "1",
    ),
)
def gradients(solver: str, n: int, fine_gradient: Any) -> dict[str, Any]:
    """Two gradients for each number of steps, against finite differences and the exact one."""
    adjoint, through, start = linear_gradients(n, solver)
    step = 1e-5
    differences = np.array(
        [
            (linear_loss(SPIRAL + e, n, solver) - linear_loss(SPIRAL - e, n, solver)) / (2 * step)
            for e in step * np.eye(4)
        ]
    )
    wanted = np.asarray(fine_gradient.exact)
    return {
        "adjoint": adjoint,
        "through": through,
        "differences": differences,
        "adjoint_off": apart(adjoint, wanted),
        "through_off": apart(through, wanted),
        "apart": apart(adjoint, through),
        "difference": apart(through, differences),
        "start_off": float(np.linalg.norm(start - START)),
    }


@dataset(sweep={"n": [3, 12, 48]}, units=dict.fromkeys(("apart", "weights"), "1"))
def net_gradients(n: int, learned: Any) -> dict[str, float]:
    """How far the two gradients of the trained network's weights are apart, for one point."""
    theta = np.asarray(learned.at(updates=400).theta)

    def f(_: float, z: Array, theta: Array) -> Array:
        return tanh_field(z, theta)

    def pull(_: float, z: Array, theta: Array, a: Array) -> tuple[Array, Array]:
        return tanh_pull(z, theta, a)

    through = discrete_gradient(
        f, pull, lambda z: z - TARGET, LEARNED_START, theta, 0, TRAINED, n, RK4
    )
    end = through.z[-1]
    back = adjoint_gradient(f, pull, end, end - TARGET, theta, 0, TRAINED, n, RK4)
    return {"apart": apart(back.g[-1], through.g), "weights": WEIGHTS}


RATES = range(1, 11)


@dataset(
    sweep={"digits": ["float64", "float32"], "k": list(RATES)},
    dims={"there": ("point",), "back": ("point",)},
    units=dict.fromkeys(("there", "back", "error", "by_solver", "grown", "gaps", "push"), "1"),
    wire={"there": "f32", "back": "f32"},
)
def reverse(digits: str, k: int) -> dict[str, Any]:
    """A contracting field, dz/dt = -k (z - 1), forward to t = 3 and back, from z = 2.

    `gaps` counts how many numbers above 1 it ends; `push` is the part of a gap by which one step
    back moves a point that stands one gap above 1, while all of its looks round back to there.
    """
    kind = np.dtype(digits).type
    rate, one = kind(k), kind(1)

    def f(_: float, z: Array) -> Array:
        back: Array = -rate * (z - one)
        return back

    n, time = 60, 3.0
    there = solve(f, np.array([2.0], dtype=digits), 0, time, n, RK4)[:, 0]
    back = solve(f, there[-1:], time, 0, n, RK4)[:, 0]
    w = time / n * k
    both = amplification(np.array(-w), RK4) * amplification(np.array(w), RK4)
    return {
        "there": there,
        "back": back[::-1],
        "error": abs(float(back[-1]) - 2),
        "by_solver": abs(float(both**n) - 1),
        "grown": float(np.finfo(digits).eps) / 2 * math.exp(k * time),
        "gaps": float((there[-1] - one) / np.finfo(digits).eps),
        "push": w,
    }


@dataset(
    dims={"euler": ("point",), "turned": ("point", "axis")},
    units={"euler": "1", "turned": "1"},
)
def swap() -> dict[str, Array]:
    """Two points that change places: on a line in one long Euler step, in the plane by a turn.

    On the line dz/dt = -z from -0.5 and 0.5. In the plane (0, 0) and (1, 0) go round (1/2, 0).
    """
    pair = np.array([-0.5, 0.5])
    middle, quarter = np.array([0.5, 0.0]), np.array([0.0, -1.0, 1.0, 0.0])
    points = np.array([[0.0, 0.0], [1.0, 0.0]])
    return {
        "euler": solve(lambda _, z: -z, pair, 0, 2, 1, EULER)[-1],
        "turned": solve(
            lambda _, z: linear_field(z - middle, quarter), points, 0, math.pi, 200, RK4
        )[-1],
    }


@dataset(
    sweep={"n": [6, 12]},
    units=dict.fromkeys(("a_step", "exact_step", "radius", "first"), "1"),
)
def coarse(n: int) -> dict[str, float]:
    """What few steps of RK4 do to the spiral's radius, and to the adjoint's gradient by A11."""
    end = solve(spiral_field, START, 0, TIME, n, RK4)[-1]
    w = np.array(TIME / n * LAMBDA)
    return {
        "a_step": float(abs(amplification(w, RK4))),
        "exact_step": math.exp(LAMBDA.real * TIME / n),
        "radius": float(np.hypot(*end)),
        "first": float(linear_gradients(n, "RK4")[0][0]),
    }


@dataset(
    units=dict.fromkeys(
        ("fair", "fair_off", "quarter", "kept", "kept_adjoint", "gain", "decay"), "1"
    )
)
def answers() -> dict[str, float]:
    """What the self-checks ask for, and what the text counts."""
    # How the adjoint of dz/dt = -z changes where it is 1.
    by_z, _ = linear_pull(START, np.array([-1.0, 0.0, 0.0, -1.0]), np.array([1.0, 0.0]))
    asked = 3 * len(RK4.b)
    fair = solve(spiral_field, START, 0, 1.5, asked, EULER)[-1]
    return {
        "decay": -float(by_z[0]),
        # Euler's step for as many evaluations as three steps of RK4 to 1.5, and its error there.
        "fair": 1.5 / asked,
        "fair_off": float(np.linalg.norm(fair - exact(np.array([1.5]))[0])),
        "quarter": 4**RK4.order,
        # Points kept to go back through 60 steps of RK4, against those of the adjoint.
        "kept": 60 * len(RK4.b),
        "kept_adjoint": 1,
        "gain": START[0] * math.exp(-0.6),
    }
