"""Densities on a line, and what becomes of one when its points move.

n points, K lumps, S samples. `z` is measured before a move, `x` after it, both in any unit of
length; a density is a probability per unit of length, and its logarithm is in nats.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""

LOG_ROOT_TAU = float(np.log(2 * np.pi)) / 2
"""What makes the bell's area 1: the logarithm of the square root of 2 pi."""


def normal_log_density(
    z: Array | float, mean: float = 0.0, sd: float = 1.0, *, xp: Namespace = np
) -> Array:
    """Return the logarithm of the bell's height.

    Args:
        z: points of any shape, in a unit of length.
        mean: centre of the bell, in the same unit.
        sd: its standard deviation, above 0, in the same unit.

    Returns:
        Nats, of the shape of `z`, float64.

    Raises:
        ValueError: sd is not above 0.

    Source:
        papamakarios2021normalizing, section 2.1, the base distribution.

    Oracle:
        scipy.stats.norm.logpdf; relative 1e-13.
    """
    if not sd > 0:
        raise ValueError(f"sd is {sd}, must be above 0")
    return -0.5 * ((xp.asarray(z) - mean) / sd) ** 2 - LOG_ROOT_TAU - xp.log(xp.asarray(sd))


def normal_density(
    z: Array | float, mean: float = 0.0, sd: float = 1.0, *, xp: Namespace = np
) -> Array:
    """Return the bell's height.

    Args:
        z: points of any shape, in a unit of length.
        mean: centre of the bell, in the same unit.
        sd: its standard deviation, above 0, in the same unit.

    Returns:
        Probability per unit of length, of the shape of `z`, float64.

    Raises:
        ValueError: sd is not above 0.

    Source:
        papamakarios2021normalizing, section 2.1, the base distribution.

    Oracle:
        scipy.stats.norm.pdf; relative 1e-13 within ten sd, 1e-12 where it is above 1e-300.
    """
    return xp.exp(normal_log_density(z, mean, sd, xp=xp))


def moved_log_density(log_p: Array, slope: Array | float, *, xp: Namespace = np) -> Array:
    """Return the log-density at the images of points, from that at the points.

    A thin strip keeps its probability; the map makes it |slope| times as wide, so its height falls
    by that factor. A decreasing map turns the strip around and does not change its width, hence
    the absolute value.

    Args:
        log_p: log-densities at the points, of any shape; nats.
        slope: slopes of the map there, of the same shape or one number; image per unit, not 0.

    Returns:
        Nats at the images, of the shape of `log_p`.

    Source:
        papamakarios2021normalizing, section 2.1, in one dimension.

    Oracle:
        scipy.stats.norm and lognorm for straight and exponential maps; absolute 1e-12.
    """
    return log_p - xp.log(xp.abs(xp.asarray(slope)))


def lump_density(x: Array, centre: float, reach: float, *, xp: Namespace = np) -> Array:
    """Return the density of a mean of three uniform numbers: a lump with nothing beyond it.

    Args:
        x: points of any shape, in a unit of length.
        centre: middle of the lump, in the same unit.
        reach: how far it goes on either side, above 0, in the same unit.

    Returns:
        Probability per unit of length, of the shape of `x`; exactly 0 beyond the reach.

    Raises:
        ValueError: reach is not above 0.

    Source:
        devroye1986nonuniform, section I.4.1, sums of uniform random variables.

    Oracle:
        SciPy's B-spline of degree 2; absolute 1e-13.
    """
    if not reach > 0:
        raise ValueError(f"reach is {reach}, must be above 0")
    # In units where each of the three spans one.
    s = xp.abs(x - centre) * (1.5 / reach)
    shoulder = xp.maximum(1.5 - s, 0.0) ** 2 / 2
    return (1.5 / reach) * xp.where(s < 0.5, 0.75 - s**2, shoulder)


def lumps_density(x: Array, lumps: Array, *, xp: Namespace = np) -> Array:
    """Return the density of a mixture of lumps.

    Args:
        x: (n,) points, in a unit of length.
        lumps: (K, 3) share, centre and reach of each; the shares add up to 1.

    Returns:
        (n,) probability per unit of length.

    Source:
        devroye1986nonuniform, section II.4.1, the composition method.

    Oracle:
        SciPy's B-splines of degree 2; absolute 1e-13.
    """
    height = xp.zeros(len(x))  # (n,)
    for share, centre, reach in lumps:
        height = height + share * lump_density(x, centre, reach, xp=xp)
    return height


def lumps_samples(uniform: Array, lumps: Array, *, xp: Namespace = np) -> Array:
    """Turn uniform numbers into samples of a mixture of lumps.

    Args:
        uniform: (S, 4) numbers from 0 to below 1: the first chooses a lump, three are averaged.
        lumps: (K, 3) share, centre and reach of each; the shares add up to 1.

    Returns:
        (S,) samples, in the unit of the lumps.

    Source:
        devroye1986nonuniform, section II.4.1, the composition method.

    Oracle:
        the distribution function by SciPy's B-splines, of 200,000 samples; absolute 5e-3.
    """
    upto = xp.cumsum(xp.asarray(lumps)[:-1, 0])  # (K - 1,)
    chosen = (uniform[:, :1] >= upto).sum(axis=1)  # (S,)
    _, centre, reach = xp.asarray(lumps)[chosen].T  # (S,), (S,), (S,)
    return centre + reach * (2 * xp.mean(uniform[:, 1:], axis=1) - 1)


def histogram_density(samples: Array, edges: Array, *, xp: Namespace = np) -> Array:
    """Estimate a density from samples: the share in each bin, divided by its width.

    Args:
        samples: (S,) in a unit of length; S >= 1.
        edges: (n + 1,) edges of bins, increasing, in the same unit.

    Returns:
        (n,) probability per unit of length; samples outside all bins count in the share.

    Source:
        devroye1986nonuniform, section VIII.3, the histogram.

    Oracle:
        a loop that counts, in Python; exact.
    """
    inside = (samples >= edges[:-1, None]) & (samples < edges[1:, None])  # (n, S)
    return inside.sum(axis=1) / (len(samples) * (edges[1:] - edges[:-1]))  # (n,)


def area(heights: Array, places: Array, *, xp: Namespace = np) -> float:
    """Return the area under a curve by Simpson's rule: a parabola over every two strips.

    Args:
        heights: (n,) heights at the places; n is odd, at least 3.
        places: (n,) evenly spaced, increasing, in a unit of length.

    Returns:
        Height times length.

    Raises:
        ValueError: n is even or below 3.

    Source:
        dlmf, section 3.5, the composite Simpson's rule.

    Oracle:
        scipy.integrate.quad; absolute 1e-8 for the curves of the article.
    """
    n = len(heights)
    if n < 3 or n % 2 == 0:
        raise ValueError(f"there are {n} points, must be an odd number from 3")
    step = (places[-1] - places[0]) / (n - 1)
    ends, odd, even = heights[0] + heights[-1], heights[1::2].sum(), heights[2:-1:2].sum()
    return step / 3 * (ends + 4 * odd + 2 * even)
