"""Fields with parameters, and what pulls a gradient back through them.

d numbers in a state, p parameters. A field returns the velocity in a state; a pull takes a
gradient by that velocity, `a`, and returns those by the state and by the parameters, which are
a^T df/dz and a^T df/dtheta: the chain rule, without ever making the matrices. None of these fields
depends on the time.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417 - W is the paper's own letter.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""

HIDDEN = 16
"""Units in the hidden layer of the small network."""

WEIGHTS = 5 * HIDDEN + 2
"""Numbers of it: HIDDEN rows of 2 weights, HIDDEN offsets, 2 rows of HIDDEN weights, 2 offsets."""


def linear_field(z: Array, theta: Array, *, xp: Namespace = np) -> Array:
    """Return the velocity A z.

    Args:
        z: (..., 2) states.
        theta: (4,) the entries of A, row after row.

    Returns:
        (..., 2) velocities.

    Source:
        hairer1993solving, section I.12, linear systems with constant coefficients.

    Oracle:
        the entries multiplied out in exact fractions; relative 1e-14.
    """
    return z @ theta.reshape(2, 2).T  # (..., 2)


def linear_pull(z: Array, theta: Array, a: Array, *, xp: Namespace = np) -> tuple[Array, Array]:
    """Pull a gradient back through A z.

    Args:
        z: (..., 2) states.
        theta: (4,) the entries of A, row after row.
        a: (..., 2) gradient by the velocities.

    Returns:
        by_z: (..., 2) gradient by the states.
        by_theta: (4,) gradient by the entries, added up over the states.

    Source:
        chen2018neural, appendix B.

    Oracle:
        central differences; absolute 1e-8.
    """
    A = theta.reshape(2, 2)
    return a @ A, (a.reshape(-1, 2).T @ z.reshape(-1, 2)).reshape(-1)  # (..., 2), (4,)


def tanh_field(z: Array, theta: Array, *, xp: Namespace = np) -> Array:
    """Return the velocity that a network with one hidden layer outputs: V tanh(W z + b) + c.

    Args:
        z: (..., 2) states.
        theta: (82,) W (16, 2), b (16,), V (2, 16) and c (2,), one after another.

    Returns:
        (..., 2) velocities.

    Source:
        chen2018neural, section 2.

    Oracle:
        the sums by math.tanh and math.fsum, entry by entry; absolute 1e-13.
    """
    W, b, V, c = _split(theta)
    return xp.tanh(z @ W.T + b) @ V.T + c  # (..., 2)


def tanh_pull(z: Array, theta: Array, a: Array, *, xp: Namespace = np) -> tuple[Array, Array]:
    """Pull a gradient back through the network: backpropagation.

    Args:
        z: (..., 2) states.
        theta: (82,) parameters, as in tanh_field.
        a: (..., 2) gradient by the velocities.

    Returns:
        by_z: (..., 2) gradient by the states.
        by_theta: (82,) gradient by the parameters, added up over the states.

    Source:
        chen2018neural, appendix B.

    Oracle:
        central differences; absolute 1e-8.
    """
    W, b, V, _ = _split(theta)
    hidden = xp.tanh(z @ W.T + b)  # (..., 16)
    inner = (a @ V) * (1 - hidden**2)  # (..., 16)
    points, rows = z.reshape(-1, 2), a.reshape(-1, 2)  # (N, 2), (N, 2)
    flat = inner.reshape(-1, HIDDEN)  # (N, 16)
    by_theta = xp.concatenate(
        [
            (flat.T @ points).reshape(-1),
            flat.sum(axis=0),
            (rows.T @ hidden.reshape(-1, HIDDEN)).reshape(-1),
            rows.sum(axis=0),
        ]
    )  # (82,)
    return inner @ W, by_theta


def pendulum_field(z: Array, *, xp: Namespace = np) -> Array:
    """Return the velocity of a damped pendulum: angle and its rate of change.

    Args:
        z: (..., 2) angle in radians, and radians per unit of time.

    Returns:
        (..., 2) rates of change of both.

    Source:
        hairer1993solving, section I.6, the pendulum, with friction.

    Oracle:
        math.sin, entry by entry; absolute 1e-15.
    """
    angle, rate = z[..., 0], z[..., 1]
    return xp.stack([rate, -xp.sin(angle) - 0.2 * rate], axis=-1)  # (..., 2)


def _split(theta: Array) -> tuple[Array, Array, Array, Array]:
    """Return W (16, 2), b (16,), V (2, 16) and c (2,)."""
    H = HIDDEN
    return (
        theta[: 2 * H].reshape(H, 2),
        theta[2 * H : 3 * H],
        theta[3 * H : 5 * H].reshape(2, H),
        theta[5 * H :],
    )
