"""Gradients of a loss at the end of a path: by the adjoint equation, and through the solver.

d numbers in a state, p parameters, n steps. A loss L looks at the last state alone. A field takes
(t, z, theta); a pull takes (t, z, theta, a) and returns a^T df/dz (d,) and a^T df/dtheta (p,).
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from explainers.kernels.odes import Tableau, combine, solve

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""
Field = Callable[[Any, Array, Array], Array]
"""A velocity (d,) from a time, a state (d,) and parameters (p,)."""
Pull = Callable[[Any, Array, Array, Array], tuple[Array, Array]]
"""Gradients by state (d,) and parameters (p,), from time, state, parameters and a gradient (d,)."""


class Backwards(NamedTuple):
    """What was integrated backwards in time; the first entry belongs to the last time."""

    z: Array
    """(n + 1, d) the path, found again."""
    a: Array
    """(n + 1, d) dL/dz along it."""
    g: Array
    """(n + 1, p) the integral so far; its last entry is dL/dtheta."""


class Through(NamedTuple):
    """What a solver did, and the gradient of exactly that."""

    z: Array
    """(n + 1, d) the path, from the first time to the last."""
    a: Array
    """(n + 1, d) dL/dz at each of those."""
    g: Array
    """(p,) dL/dtheta."""


def adjoint_gradient(
    f: Field,
    pull: Pull,
    z: Array,
    a: Array,
    theta: Array,
    start: float,
    end: float,
    n: int,
    tableau: Tableau,
    *,
    xp: Namespace = np,
) -> Backwards:
    """Integrate state, adjoint and parameter gradient together, from the end back to the start.

    Nothing of the way there is needed but its end. Each step keeps the state, dL/dz and the
    integral of a^T df/dtheta, so memory does not grow with n (the returned history is for
    looking at).

    Args:
        f: the field.
        pull: the chain rule through it.
        z: (d,) state at the end.
        a: (d,) dL/dz there.
        theta: (p,) parameters.
        start: first time of the path, to which it goes back.
        end: last time of the path, from which it starts.
        n: number of steps, at least 1.
        tableau: the solver.

    Returns:
        The path, the adjoint and the integral, from the end to the start.

    Raises:
        ValueError: n is below 1.

    Source:
        chen2018neural, algorithm 1.

    Oracle:
        scipy.linalg.expm_frechet on linear fields, DOP853 on the network; relative 1e-6 with
        enough steps.
    """
    if n < 1:
        raise ValueError(f"n is {n}, must be at least 1")
    d = len(z)

    def backwards(t: Any, packed: Array) -> Array:
        z, a = packed[:d], packed[d : 2 * d]
        by_z, by_theta = pull(t, z, theta, a)
        return xp.concatenate([f(t, z, theta), -by_z, -by_theta])  # (2 d + p,)

    h = (end - start) / n
    g = 0.0 * theta  # step: begin
    kept = [(z, a, g)]
    for step in range(n):
        t = end - step * h
        packed = xp.concatenate([z, a, g])  # (2 d + p,)
        packed = solve(backwards, packed, t, t - h, 1, tableau, xp=xp)[-1]
        z, a, g = packed[:d], packed[d : 2 * d], packed[2 * d :]  # step: back
        kept.append((z, a, g))
    return Backwards(*(xp.stack(rows) for rows in zip(*kept, strict=True)))


def discrete_gradient(
    f: Field,
    pull: Pull,
    by_end: Callable[[Array], Array],
    z: Array,
    theta: Array,
    start: float,
    end: float,
    n: int,
    tableau: Tableau,
    *,
    xp: Namespace = np,
) -> Through:
    """Solve with fixed steps, then apply the chain rule to every operation of the solver.

    It keeps the points of all evaluations, so memory grows with n. The gradient is that of the
    program: exact for the path that the solver made, however coarse.

    Args:
        f: the field.
        pull: the chain rule through it.
        by_end: dL/dz (d,) from the last state (d,).
        z: (d,) state at the start; or (N, d), many at once.
        theta: (p,) parameters.
        start: first time.
        end: last time.
        n: number of steps, at least 1.
        tableau: the solver.

    Returns:
        The path, dL/dz along it, and dL/dtheta.

    Raises:
        ValueError: n is below 1.

    Source:
        kidger2022neural, section 5.1.1, discretise-then-optimise.

    Oracle:
        central differences of the solver's own loss; relative 1e-6 at every n.
    """
    if n < 1:
        raise ValueError(f"n is {n}, must be at least 1")
    h = (end - start) / n
    path, seen = [z], []
    for step in range(n):
        t = start + step * h
        points: list[Array] = []
        slopes: list[Array] = []
        for row, c in zip(tableau.a, tableau.c, strict=True):
            points.append(z + h * combine(row, slopes, xp=xp))
            slopes.append(f(t + c * h, points[-1], theta))
        z = z + h * combine(tableau.b, slopes, xp=xp)
        path.append(z)
        seen.append((t, points))
    a = by_end(z)
    g = 0.0 * theta
    along = [a]
    for t, points in reversed(seen):
        # How the loss changes with each slope of the step; a later stage adds to earlier ones.
        by_slope = [h * b * a for b in tableau.b]
        for i in reversed(range(len(points))):
            by_z, by_theta = pull(t + tableau.c[i] * h, points[i], theta, by_slope[i])
            for j, weight in enumerate(tableau.a[i]):
                by_slope[j] = by_slope[j] + h * weight * by_z
            a = a + by_z
            g = g + by_theta
        along.append(a)
    return Through(xp.stack(path), xp.stack(along[::-1]), g)
