"""Fitting a stack of layers to samples by maximum likelihood.

S samples, K layers of u, w and b as in `flows`. Here the stack runs from the data to the bell, so
the log-slope is added: log p(x) = log N(z) + log |dz/dx|. Likelihoods are in nats a sample.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from explainers.kernels.densities import normal_log_density
from explainers.kernels.flows import push_through

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""


def log_likelihood(x: Array, layers: Array, *, xp: Namespace = np) -> Array:
    """Return the log-density of data, by a stack that takes them to a standard bell.

    Args:
        x: (S,) points among the data.
        layers: (K, 3) u, w and b of each, first the one next to the data.

    Returns:
        (S,) nats.

    Source:
        papamakarios2021normalizing, section 2.1, the density by the inverse map.

    Oracle:
        numerical derivatives of the distribution function, by mpmath; absolute 1e-9.
    """
    z, log_slope = push_through(x, layers, xp=xp)  # (S,), (S,)
    return normal_log_density(z, xp=xp) + log_slope


def loss(x: Array, layers: Array, *, xp: Namespace = np) -> float:
    """Return the negative log-likelihood, averaged over the samples.

    Args:
        x: (S,) samples.
        layers: (K, 3) u, w and b of each, first the one next to the data.

    Returns:
        Nats a sample.

    Source:
        papamakarios2021normalizing, section 2.3.1, the divergence from the data.

    Oracle:
        math.fsum over log-densities by mpmath; relative 1e-12.
    """
    return -xp.mean(log_likelihood(x, layers, xp=xp))


def loss_gradient(x: Array, layers: Array, *, xp: Namespace = np) -> Array:
    """Return how the loss changes with each number of each layer, from the bell backwards.

    Args:
        x: (S,) samples.
        layers: (K, 3) u, w and b of each, first the one next to the data.

    Returns:
        (K, 3) nats per unit of u, of w, of b.

    Source:
        rezende2015variational, equations 10 and 12, differentiated by hand.

    Oracle:
        central differences of the loss, by mpmath at 40 digits; relative 1e-9.
    """
    S = len(x)
    seen = []
    for u, w, b in layers:
        t = xp.tanh(w * x + b)  # (S,)
        seen.append((x, t, 1 - t**2))
        x = x + u * t
    # How the loss changes with x, after the last layer: the bell's share.
    by_x = x / S  # (S,)
    rows = []
    for (u, w, _), (before, t, bend) in zip(layers[::-1], seen[::-1], strict=True):
        by_log = -1 / (S * (1 + u * w * bend))  # (S,) by the slope
        by_bend = by_log * u * w * -2 * t * bend  # (S,) by w x + b, through the slope
        by_inner = by_x * u * bend + by_bend  # (S,) by w x + b, in all
        rows.append(
            xp.stack(
                [
                    (by_x * t + by_log * w * bend).sum(),
                    (by_inner * before + by_log * u * bend).sum(),
                    by_inner.sum(),
                ]
            )
        )
        by_x = by_x + by_inner * w
    return xp.stack(rows[::-1])  # (K, 3)


def bound_layers(free: Array, *, xp: Namespace = np) -> Array:
    """Turn numbers that may be anything into layers that never fold.

    Args:
        free: (K, 3) numbers without bounds: u w = log(1 + e^first) - 1, w = e^second, b = third.

    Returns:
        (K, 3) u, w and b of each; u w > -1 and w > 0.

    Source:
        rezende2015variational, appendix A.1.

    Oracle:
        mpmath at 40 digits; relative 1e-12.
    """
    first, second, b = free.T  # (K,), (K,), (K,)
    w = xp.exp(second)
    return xp.stack([(xp.logaddexp(0.0, first) - 1) / w, w, b], axis=1)  # (K, 3)


def free_gradient(x: Array, free: Array, *, xp: Namespace = np) -> Array:
    """Return how the loss changes with the free numbers.

    Args:
        x: (S,) samples.
        free: (K, 3) numbers without bounds, as in bound_layers.

    Returns:
        (K, 3) nats per unit of each.

    Source:
        rezende2015variational, appendix A.1, differentiated by hand.

    Oracle:
        central differences of the loss, by mpmath at 40 digits; relative 1e-9.
    """
    layers = bound_layers(free, xp=xp)
    u, w, _ = layers.T  # (K,), (K,), (K,)
    by_u, by_w, by_b = loss_gradient(x, layers, xp=xp).T  # (K,), (K,), (K,)
    by_first = by_u / (w * (1 + xp.exp(-free[:, 0])))
    by_second = by_w * w - by_u * u
    return xp.stack([by_first, by_second, by_b], axis=1)  # (K, 3)


def fit(x: Array, free: Array, steps: int, rate: float = 0.03, *, xp: Namespace = np) -> Array:
    """Fit a stack to samples with Adam, all samples in each step, and ever smaller steps.

    The rate falls to 0 with the square of what is left to do. At a constant rate the last digit of
    a sample, as another processor rounds it, would grow to the third digit of the loss.

    Args:
        x: (S,) samples.
        free: (K, 3) numbers to begin with, as in bound_layers.
        steps: steps to make, at least 0.
        rate: size of the first step, above 0.

    Returns:
        (steps + 1, K, 3) the free numbers before the first step and after each.

    Raises:
        ValueError: steps is below 0.

    Source:
        kingma2015adam, algorithm 1, with its default settings.

    Oracle:
        the same updates in plain Python on a gradient by central differences; absolute 1e-5.
    """
    if steps < 0:
        raise ValueError(f"steps is {steps}, must be at least 0")
    mean, square = xp.zeros_like(free), xp.zeros_like(free)  # (K, 3), (K, 3)
    path = [free]
    for step in range(1, steps + 1):
        gradient = free_gradient(x, free, xp=xp)  # (K, 3)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        size = xp.sqrt(square / (1 - 0.999**step)) + 1e-8
        now = rate * (1 - (step - 1) / steps) ** 2
        free = free - now * (mean / (1 - 0.9**step)) / size
        path.append(free)
    return xp.stack(path)  # (steps + 1, K, 3)
