"""Addition of two rows of bits: place by place, and whole arrays at once.

A row is `width` bits, held as the unsigned integer they spell. The flags are read from the bits
alone: C, the carry out of the top place; V, whether the carries into and out of it differ; Z, all
bits of the sum are 0; N, its top bit. N rows in an array.
"""

# The package's docstring tells what xp is.
# ruff: noqa: D417

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""


class Sum(NamedTuple):
    """The row of a sum and the four flags; numbers, or arrays of them."""

    row: Any
    C: Any
    V: Any
    Z: Any
    N: Any


def ripple_add(a: int, b: int, width: int = 8, carry: int = 0, *, xp: Namespace = np) -> Sum:
    """Add two rows place by place, from the right, each carry rippling into the next place.

    Args:
        a: one row.
        b: the other; to subtract it, pass its bits flipped and a carry of 1.
        width: bits in a row.
        carry: 0 or 1, carried into place 0.

    Returns:
        The row of the sum, and the flags, each 0 or 1.

    Source:
        warren2012hackers, section 2-13.

    Oracle:
        Python's integers, flags by range tests, all 65,536 pairs of 8 bits; exact.
    """
    row, into = 0, 0  # step: start
    for i in range(width):
        x, y, into = a >> i & 1, b >> i & 1, carry
        s = x ^ y ^ into
        row |= s << i  # step: sum
        carry = x & y | x & into | y & into  # step: carry
    C = carry  # step: carry flag
    V = into ^ carry  # step: overflow flag
    Z = int(row == 0)  # step: zero flag
    N = row >> (width - 1)  # step: sign flag
    return Sum(row, C, V, Z, N)


def add_rows(a: Array, b: Array, width: int = 8, carry: int = 0, *, xp: Namespace = np) -> Sum:
    """Add rows pair by pair at once; agrees with `ripple_add` on each.

    Args:
        a: (N,) rows.
        b: (N,) rows, or a shape that broadcasts.
        width: bits in a row, at most 62.
        carry: 0 or 1, carried into place 0.

    Returns:
        The rows of the sums, int64, and the flags, each (N,) of 0 and 1.

    Source:
        warren2012hackers, section 2-13.

    Oracle:
        Python's integers, flags by range tests, all 65,536 pairs of 8 bits; exact.
    """
    x, y = xp.asarray(a).astype(xp.int64), xp.asarray(b).astype(xp.int64)  # (N,), (N,)
    total = x + y + carry  # (N,)
    row = total % 2**width  # (N,)
    # Overflow: the terms have one sign bit, and the sum has the other.
    V = ((x ^ row) & (y ^ row)) >> (width - 1)  # (N,)
    return Sum(row, total >> width, V, (row == 0).astype(xp.int64), row >> (width - 1))
