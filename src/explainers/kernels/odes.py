"""Solving dz/dt = f(t, z) in steps: explicit Runge-Kutta solvers, written as Butcher tableaux.

d numbers in a state, n steps, s stages in a step. A field f takes a time and a state (d,), and
returns the velocity (d,), in units of z per unit of t. States of many points at once, (N, d), are
solved side by side.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""
Field = Callable[[Any, Array], Array]
"""A velocity (d,) from a time and a state (d,)."""


class Tableau(NamedTuple):
    """An explicit Runge-Kutta solver in numbers.

    Stage i evaluates the field at time t + c[i] h, in the point z + h (a[i] . slopes before it);
    the step ends in z + h (b . slopes). `lower` are the weights of a second end of lower order, by
    which the error is estimated; () where there is none.
    """

    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    order: int
    lower: tuple[float, ...] = ()


EULER = Tableau(a=((),), b=(1.0,), c=(0.0,), order=1)

MIDPOINT = Tableau(a=((), (1 / 2,)), b=(0.0, 1.0), c=(0.0, 1 / 2), order=2)

RK4 = Tableau(
    a=((), (1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0)),
    b=(1 / 6, 2 / 6, 2 / 6, 1 / 6),
    c=(0.0, 1 / 2, 1 / 2, 1.0),
    order=4,
)
"""The classical one, with weights 1-2-2-1; not Kutta's 3/8 rule, which has four stages too."""

THREE_EIGHTHS = Tableau(
    a=((), (1 / 3,), (-1 / 3, 1.0), (1.0, -1.0, 1.0)),
    b=(1 / 8, 3 / 8, 3 / 8, 1 / 8),
    c=(0.0, 1 / 3, 2 / 3, 1.0),
    order=4,
)

DORMAND_PRINCE = Tableau(
    a=(
        (),
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    b=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0),
    c=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    order=5,
    lower=(
        5179 / 57600,
        0.0,
        7571 / 16695,
        393 / 640,
        -92097 / 339200,
        187 / 2100,
        1 / 40,
    ),
)
"""Order 5 with an estimate of order 4. Its last stage is the first one of the next step."""

SOLVERS = {"Euler": EULER, "midpoint": MIDPOINT, "RK4": RK4}
"""Those that the article follows, by name."""


class Adaptive(NamedTuple):
    """What a solver that chooses its own steps did, in m steps that it kept."""

    times: Array
    """(m + 1,) where its steps end, with the start."""
    path: Array
    """(m + 1, d) states there."""
    refused: int
    """Steps that it took back."""
    evaluations: int
    """Calls of the field."""


def rk4_step(f: Field, t: float, z: Array, h: float, *, xp: Namespace = np) -> Array:
    """Make one step of the classical Runge-Kutta method, with weights 1-2-2-1.

    Args:
        f: the field.
        t: time before the step.
        z: (d,) state before the step.
        h: length of the step; negative to go back.

    Returns:
        (d,) state after the step.

    Source:
        hairer1993solving, section II.1, table 1.2.

    Oracle:
        the same tableau in exact fractions; relative 1e-14.
    """
    k1 = f(t, z)
    k2 = f(t + h / 2, z + h / 2 * k1)
    k3 = f(t + h / 2, z + h / 2 * k2)
    k4 = f(t + h, z + h * k3)
    return z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def combine(weights: Sequence[float], slopes: Sequence[Array], *, xp: Namespace = np) -> Array:
    """Add up slopes by their weights; without any it is 0.

    Args:
        weights: one for each slope.
        slopes: arrays of one shape.

    Returns:
        The weighted sum, of that shape.

    Source:
        hairer1993solving, section II.1, equation 1.8.

    Oracle:
        the same sum in exact fractions; relative 1e-14.
    """
    total: Any = sum(w * slope for w, slope in zip(weights, slopes, strict=True) if w)
    return total


def solve(
    f: Field, z: Array, start: float, end: float, n: int, tableau: Tableau, *, xp: Namespace = np
) -> Array:
    """Follow a field in n equal steps of any explicit solver.

    Args:
        f: the field.
        z: (d,) state at the start.
        start: first time.
        end: last time; before the start to go back.
        n: number of steps, at least 1.
        tableau: the solver.

    Returns:
        (n + 1, d) states at the ends of the steps, with the start.

    Raises:
        ValueError: n is below 1.

    Source:
        hairer1993solving, section II.1, definition 1.1.

    Oracle:
        scipy.linalg.expm on linear fields, DOP853 at 1e-13 on others, with the order of each
        solver; relative 1e-9 where the steps are short enough for it.
    """
    if n < 1:
        raise ValueError(f"n is {n}, must be at least 1")
    h = (end - start) / n
    path = [z]
    for step in range(n):
        t = start + step * h
        slopes: list[Array] = []
        for row, c in zip(tableau.a, tableau.c, strict=True):
            y = z + h * combine(row, slopes, xp=xp)  # step: look
            slope = f(t + c * h, y)  # step: slope
            slopes.append(slope)
        z = z + h * combine(tableau.b, slopes, xp=xp)  # step: move
        path.append(z)
    return xp.stack(path)  # (n + 1, d)


def solve_adaptive(
    f: Field,
    z: Array,
    start: float,
    end: float,
    tolerance: float,
    *,
    xp: Namespace = np,
) -> Adaptive:
    """Follow a field in steps as long as the error of each stays below a tolerance.

    The Dormand-Prince pair of orders 5 and 4 ends each step twice; the distance between the two
    ends estimates the error. A step that is too wrong is taken back and tried shorter.

    Args:
        f: the field.
        z: (d,) state at the start.
        start: first time.
        end: last time, after the start.
        tolerance: error allowed in a step, absolute and relative to the state, above 0.

    Returns:
        What it did: times, path, refused steps, evaluations.

    Raises:
        ValueError: end is not after start, or tolerance not above 0.

    Source:
        dormand1980family, table 2; step control as in hairer1993solving, section II.4.

    Oracle:
        DOP853 at 1e-13; absolute 1e-6 at a tolerance of 1e-8.
    """
    if end <= start or tolerance <= 0:
        raise ValueError(f"end is {end:g}, tolerance {tolerance:g}: must be after start, above 0")
    pair = DORMAND_PRINCE
    t, h = start, (end - start) / 20
    times, path = [t], [z]
    refused, evaluations = 0, 1
    first = f(t, z)
    while t < end:
        h = min(h, end - t)
        slopes = [first]
        for row, c in zip(pair.a[1:], pair.c[1:], strict=True):
            slopes.append(f(t + c * h, z + h * combine(row, slopes, xp=xp)))
        evaluations += len(slopes) - 1
        high = z + h * combine(pair.b, slopes, xp=xp)
        low = z + h * combine(pair.lower, slopes, xp=xp)
        room = tolerance * (1 + xp.maximum(xp.abs(z), xp.abs(high)))
        off = float((xp.abs(high - low) / room).max())
        if off <= 1:
            # The last stage lies at the end of the step, where the next one begins.
            t, z, first = end if h == end - t else t + h, high, slopes[-1]
            times.append(t)
            path.append(z)
        else:
            refused += 1
        h = h * min(5.0, max(0.2, 0.9 * max(off, 1e-10) ** (-1 / pair.order)))
    return Adaptive(xp.asarray(times), xp.stack(path), refused, evaluations)
