"""Maps of the line that can be undone, alone and one after another, and what they do to a bell.

n points, K layers. A layer is f(z) = z + u tanh(w z + b): it shifts by -u on one side, by +u on
the other, and bends in between. `z` is before the map, `x` after it, both without unit; slopes
are images per unit of z.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from explainers.kernels.densities import moved_log_density, normal_density, normal_log_density

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""

HALVINGS = 60
"""Of an interval around a root: it ends as narrow as float64 can tell apart."""


def planar(z: Array | float, u: float, w: float, b: float, *, xp: Namespace = np) -> Array:
    """Move points by one layer, f(z) = z + u tanh(w z + b).

    Args:
        z: points of any shape.
        u: how far it shifts, at most.
        w: how sudden the bend is.
        b: where the bend is: at z = -b / w.

    Returns:
        Images, of the shape of `z`.

    Source:
        rezende2015variational, equation 10, in one dimension.

    Oracle:
        mpmath at 40 digits; absolute 1e-14.
    """
    return z + u * xp.tanh(w * xp.asarray(z) + b)


def planar_slope(z: Array | float, u: float, w: float, b: float, *, xp: Namespace = np) -> Array:
    """Return the slope of one layer, f'(z) = 1 + u w (1 - tanh(w z + b)^2).

    It lies between 1 and 1 + u w, and is 1 + u w in the middle of the bend.

    Args:
        z: points of any shape.
        u: how far the layer shifts, at most.
        w: how sudden the bend is.
        b: where the bend is.

    Returns:
        Slopes, of the shape of `z`; above 0 everywhere when u w > -1.

    Source:
        rezende2015variational, equation 12, in one dimension.

    Oracle:
        the derivative of the map by mpmath at 40 digits; absolute 1e-13.
    """
    return 1 + u * w * (1 - xp.tanh(w * xp.asarray(z) + b) ** 2)


def planar_inverse(x: Array, u: float, w: float, b: float, *, xp: Namespace = np) -> Array:
    """Find the point behind each image, by halving the interval that holds it.

    Args:
        x: images of any shape.
        u: how far the layer shifts, at most.
        w: how sudden the bend is.
        b: where the bend is.

    Returns:
        The only points whose images these are, of the shape of `x`.

    Raises:
        ValueError: u w is below -1, so that the map folds.

    Source:
        dlmf, section 3.8, bisection; the condition is rezende2015variational's, appendix A.1.

    Oracle:
        scipy.optimize.brentq; absolute 1e-12 where the slope is above 0.01.
    """
    if u * w < -1:
        raise ValueError(f"u w is {u * w:.3g}, must be at least -1: the map folds")
    x = xp.asarray(x)
    # The layer shifts no point further than |u|.
    return _halved(lambda z: planar(z, u, w, b, xp=xp) < x, x - abs(u), x + abs(u), xp=xp)


def planar_log_density(x: Array, u: float, w: float, b: float, *, xp: Namespace = np) -> Array:
    """Return the log-density of a standard bell whose points one layer has moved.

    Args:
        x: (n,) points after the map.
        u: how far the layer shifts, at most.
        w: how sudden the bend is.
        b: where the bend is.

    Returns:
        (n,) nats.

    Raises:
        ValueError: u w is below -1, so that the map folds.

    Source:
        rezende2015variational, equation 5, in one dimension.

    Oracle:
        numerical derivatives of the distribution function, by mpmath; absolute 1e-9.
    """
    z = planar_inverse(x, u, w, b, xp=xp)  # (n,)
    log_p = normal_log_density(z, xp=xp)  # (n,)
    slope = planar_slope(z, u, w, b, xp=xp)  # (n,)
    return moved_log_density(log_p, slope, xp=xp)  # (n,)


def push_through(z: Array, layers: Array, *, xp: Namespace = np) -> tuple[Array, Array]:
    """Push points through a stack of layers, and add up the logarithms of the slopes.

    Args:
        z: (n,) points before the first layer.
        layers: (K, 3) u, w and b of each.

    Returns:
        x: (n,) points after the last.
        log_slope: (n,) logarithm of the whole stack's slope at each point; nats.

    Source:
        papamakarios2021normalizing, section 2.1, composition, in one dimension.

    Oracle:
        the derivative of the composed map by mpmath at 40 digits; absolute 1e-10.
    """
    x = z
    log_slope = xp.zeros(len(z))  # step: start
    for u, w, b in layers:
        log_slope = log_slope + xp.log(planar_slope(x, u, w, b, xp=xp))  # step: add
        x = planar(x, u, w, b, xp=xp)  # step: move
    return x, log_slope


def pull_back(x: Array, layers: Array, *, xp: Namespace = np) -> Array:
    """Undo a stack: find the points that it pushes to given ones, last layer first.

    Args:
        x: (n,) points after the last layer.
        layers: (K, 3) u, w and b of each.

    Returns:
        (n,) points before the first.

    Raises:
        ValueError: a layer folds.

    Source:
        papamakarios2021normalizing, section 2.1, composition.

    Oracle:
        scipy.optimize.brentq on the composed map; absolute 1e-9.
    """
    for u, w, b in layers[::-1]:
        x = planar_inverse(x, u, w, b, xp=xp)  # (n,)
    return x


def fold_turns(u: float, w: float, b: float, *, xp: Namespace = np) -> Array:
    """Return the two points where a folding layer turns back, and its slope is 0.

    Args:
        u: how far the layer shifts, at most.
        w: how sudden the bend is.
        b: where the bend is.

    Returns:
        (2,) points, the smaller one first.

    Raises:
        ValueError: u w is at least -1, so that the map does not fold.

    Source:
        rezende2015variational, appendix A.1: where the slope is 0.

    Oracle:
        scipy.optimize.brentq on the slope; absolute 1e-12.
    """
    if u * w >= -1:
        raise ValueError(f"u w is {u * w:.3g}, must be below -1: the map does not fold")
    away = xp.arctanh(xp.sqrt(xp.asarray(1 + 1 / (u * w))))
    return xp.sort(xp.stack([(-b - away) / w, (-b + away) / w]))  # (2,)


def fold_preimages(x: Array, u: float, w: float, b: float, *, xp: Namespace = np) -> Array:
    """Find all points whose image is x under a layer that folds: one, or three between the turns.

    Args:
        x: (n,) images.
        u: how far the layer shifts, at most.
        w: how sudden the bend is.
        b: where the bend is.

    Returns:
        (3, n) points on the rising, falling and rising piece of the map; NaN where there is none.

    Raises:
        ValueError: u w is at least -1, so that the map does not fold.

    Source:
        dlmf, section 3.8, bisection, on each piece between the turns.

    Oracle:
        scipy.optimize.brentq between the turns; absolute 1e-9.
    """
    left, right = fold_turns(u, w, b, xp=xp)
    x = xp.asarray(x)
    far = abs(u) + xp.abs(x).max() + xp.abs(left) + xp.abs(right)
    pieces = []
    for start, end in ((-far, left), (left, right), (right, far)):
        low, high = (planar(place, u, w, b, xp=xp) for place in (start, end))
        rises = low < high
        root = _halved(
            lambda z, rises=rises: (planar(z, u, w, b, xp=xp) < x) == rises,
            start + 0 * x,
            end + 0 * x,
            xp=xp,
        )  # (n,)
        there = (x >= xp.minimum(low, high)) & (x <= xp.maximum(low, high))  # (n,)
        pieces.append(xp.where(there, root, xp.nan))
    return xp.stack(pieces)  # (3, n)


def fold_density(x: Array, u: float, w: float, b: float, *, xp: Namespace = np) -> Array:
    """Return the density that a folding layer makes of a standard bell: a share from each preimage.

    Args:
        x: (n,) images.
        u: how far the layer shifts, at most.
        w: how sudden the bend is.
        b: where the bend is.

    Returns:
        (n,) probability per unit; infinite at the images of the turns.

    Raises:
        ValueError: u w is at least -1, so that the map does not fold.

    Source:
        papamakarios2021normalizing, section 2.1, summed over the pieces that can be undone.

    Oracle:
        the distribution function by scipy.integrate.quad and brentq; absolute 1e-6.
    """
    z = fold_preimages(x, u, w, b, xp=xp)  # (3, n)
    there = ~xp.isnan(z)
    z = xp.where(there, z, 0.0)
    share = normal_density(z, xp=xp) / xp.abs(planar_slope(z, u, w, b, xp=xp))  # (3, n)
    return xp.where(there, share, 0.0).sum(axis=0)  # (n,)


def _halved(is_below: Any, low: Array, high: Array, *, xp: Namespace) -> Array:
    """Return where `is_below` turns false between low and high, each of them by bisection."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = is_below(middle)
        low, high = xp.where(below, middle, low), xp.where(below, high, middle)
    return (low + high) / 2
