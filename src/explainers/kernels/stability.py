"""When a solver makes a solution grow that decays: what one step does to dz/dt = lambda z."""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from explainers.kernels.odes import Tableau, combine

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""


def amplification(w: Array, tableau: Tableau, *, xp: Namespace = np) -> Array:
    """Return by what one step multiplies the state of dz/dt = lambda z, with w = h lambda.

    The exact factor is e^w. A solver is stable where its own factor is at most 1 in size.

    Args:
        w: products of step and lambda, of any shape, real or complex.
        tableau: the solver.

    Returns:
        Factors, of the shape of `w`: a polynomial in w.

    Source:
        hairer1996solving, section IV.2, equation 2.9.

    Oracle:
        the Taylor polynomial of e^w in exact fractions; relative 1e-13.
    """
    one = 1 + 0 * w
    slopes: list[Array] = []
    for row in tableau.a:
        slopes.append(w * (one + combine(row, slopes, xp=xp)))
    return one + combine(tableau.b, slopes, xp=xp)


def stability_limit(lam: complex, tableau: Tableau, *, xp: Namespace = np) -> float:
    """Return the step from which on a solver makes a decaying solution of dz/dt = lambda z grow.

    Args:
        lam: lambda; its real part is below 0.
        tableau: the solver.

    Returns:
        The shortest step, in units of t, at which the amplification has size 1.

    Raises:
        ValueError: the real part of lambda is not below 0.

    Source:
        hairer1996solving, section IV.2, definition 2.1.

    Oracle:
        the roots of |R|^2 - 1 as a polynomial, a closed form for Euler; relative 1e-9.
    """
    if lam.real >= 0:
        raise ValueError(f"lambda is {lam}, its real part must be below 0")
    steps = xp.linspace(0, 10 / abs(lam), 20_001)[1:]
    grows = xp.abs(amplification(steps * lam, tableau, xp=xp)) > 1
    high = float(steps[int(xp.argmax(grows))])
    low = high - float(steps[0])
    for _ in range(60):
        middle = (low + high) / 2
        if abs(complex(amplification(middle * lam, tableau, xp=xp))) > 1:  # type: ignore[arg-type]
            high = middle
        else:
            low = middle
    return (low + high) / 2
