"""Long sums of floats, from the obvious loop to the compensated one.

N terms in an array. Every sum and difference is rounded to the terms' own type.
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
Number = Any
"""A float, or an array without axes: what NumPy and CuPy return for one number."""
Namespace = Any
"""NumPy, or a module with NumPy's functions."""


def sum_sequential(terms: Array, *, xp: Namespace = np) -> Array:
    """Add one term after another, and keep the sum after each.

    NumPy's cumsum adds in this order. CuPy's does not: on a GPU the last digits differ.

    Args:
        terms: (N,) numbers of any one unit.

    Returns:
        (N,) running sums, in the dtype of the terms; the last one is the sum.

    Source:
        higham1993sums, recursive summation.

    Oracle:
        a loop over struct's rounding of exact fractions; exact.
    """
    return xp.cumsum(terms, dtype=terms.dtype)  # (N,)


def sum_pairwise(terms: Array, *, xp: Namespace = np) -> Number:
    """Add neighbours, then neighbours of those sums, until one is left.

    Args:
        terms: (N,) numbers of any one unit; N >= 1.

    Returns:
        The sum, in the dtype of the terms.

    Source:
        higham1993sums, pairwise summation.

    Oracle:
        the same tree over struct's rounding of exact fractions; exact.
    """
    while len(terms) > 1:
        single = terms[len(terms) // 2 * 2 :]  # the last one, when it has no neighbour
        terms = xp.concatenate([terms[:-1:2] + terms[1::2], single])  # (ceil(N / 2),)
    return terms[0]


def sum_kahan(
    terms: Array, total: Number = 0, excess: Number = 0, *, xp: Namespace = np
) -> tuple[Number, Number]:
    """Add one term after another, and take what each rounding added off the next.

    Args:
        terms: (N,) numbers of any one unit.
        total: the sum so far, as an earlier call returned it.
        excess: what `total` is too large by, as an earlier call returned it.

    Returns:
        total: the sum, in the dtype of the terms.
        excess: what it is too large by, as far as is known.

    Source:
        kahan1965remarks.

    Oracle:
        the loop over struct's rounding of exact fractions; exact. The sum: math.fsum.
    """
    total, excess = terms.dtype.type(total), terms.dtype.type(excess)
    for term in terms:
        corrected = term - excess
        new = total + corrected
        excess = (new - total) - corrected
        total = new
    return total, excess


def sum_neumaier(terms: Array, *, xp: Namespace = np) -> Number:
    """Collect what each addition rounded away, and add it at the end.

    Args:
        terms: (N,) numbers of any one unit.

    Returns:
        The sum, in the dtype of the terms.

    Source:
        neumaier1974rundung.

    Oracle:
        the loop over struct's rounding of exact fractions; exact. The sum: math.fsum.
    """
    total = lost = terms.dtype.type(0)
    for term in terms:
        new = total + term
        # The larger of the two keeps its digits in `new`, so it is taken off first.
        large, small = (total, term) if abs(total) >= abs(term) else (term, total)
        lost = lost + ((large - new) + small)
        total = new
    return total + lost
