"""Rows of bits and the integers they stand for, by five readings; other widths; negation; shifts.

A *row* is `width` bits, held as the unsigned integer they spell: bit i is worth 2^i, and the top
bit is bit width - 1. N rows in an array. Widths go from 1 to 62, so that int64 holds every result.
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

READINGS = ("unsigned", "sign-magnitude", "ones' complement", "two's complement", "offset")


def read_row(row: int, width: int = 8, signed: bool = False, *, xp: Namespace = np) -> int:
    """Add up the place values of the bits that are set; signed, the top one counts below zero.

    Args:
        row: the bits.
        width: how many they are.
        signed: whether the row is in two's complement.

    Returns:
        The integer it stands for.

    Raises:
        ValueError: the row does not fit in the width.

    Source:
        knuth1997seminumerical, section 4.1.

    Oracle:
        int.from_bytes, and numpy's int8 view; exact.
    """
    if not 0 <= row < 2**width:
        raise ValueError(f"a row has {width} bits")
    total = 0  # step: start
    for i in range(width - 1):
        bit = row >> i & 1  # step: bit
        total += bit * 2**i  # step: add
    top = row >> (width - 1) & 1  # step: top bit
    weight = -(2 ** (width - 1)) if signed else 2 ** (width - 1)  # step: top weight
    total += top * weight  # step: add top
    return total


def read(rows: Array, reading: str, width: int = 8, *, xp: Namespace = np) -> Array:
    """Read rows by one of the five rules.

    Args:
        rows: (N,) the bits.
        reading: one of READINGS.
        width: bits in a row.

    Returns:
        (N,) integers, int64. The negative zeros of two readings are 0 here.

    Raises:
        ValueError: there is no such reading.

    Source:
        knuth1997seminumerical, section 4.1.

    Oracle:
        numpy's int8 view, and strings of digits handled as text; exact.
    """
    u = xp.asarray(rows).astype(xp.int64)  # (N,)
    half = 2 ** (width - 1)
    top = u // half  # (N,)
    if reading == "unsigned":
        return u
    if reading == "sign-magnitude":
        return (1 - 2 * top) * (u - top * half)  # (N,)
    if reading == "ones' complement":
        return u - top * (2 * half - 1)  # (N,)
    if reading == "two's complement":
        return u - top * 2 * half  # (N,)
    if reading == "offset":
        return u - half  # (N,)
    raise ValueError(f"no reading {reading!r}; there are {', '.join(READINGS)}")


def write(values: Array, reading: str, width: int = 8, *, xp: Namespace = np) -> Array:
    """Find the row of each integer: the inverse of `read`.

    Args:
        values: (N,) integers in the range of the reading; 0 gets its positive row.
        reading: one of READINGS.
        width: bits in a row.

    Returns:
        (N,) rows, int64.

    Raises:
        ValueError: a value is out of range, or there is no such reading.

    Source:
        knuth1997seminumerical, section 4.1.

    Oracle:
        a search through all rows; exact.
    """
    v = xp.asarray(values).astype(xp.int64)  # (N,)
    half = 2 ** (width - 1)
    # What a negative number's row is written from.
    base = {
        "unsigned": v,
        "sign-magnitude": half - v,
        "ones' complement": v + 2 * half - 1,
        "two's complement": v + 2 * half,
        "offset": v + half,
    }
    if reading not in base:
        raise ValueError(f"no reading {reading!r}; there are {', '.join(READINGS)}")
    plain = v + half if reading == "offset" else v  # (N,)
    rows = xp.where(v < 0, base[reading], plain) % (2 * half)  # (N,)
    if not xp.all(read(rows, reading, width, xp=xp) == v):
        raise ValueError(f"a value does not fit in {width} bits, {reading}")
    return rows


def negate(rows: Array, width: int = 8, *, xp: Namespace = np) -> Array:
    """Flip every bit and add one: the row of -x in two's complement, where there is one.

    Args:
        rows: (N,) the bits.
        width: bits in a row.

    Returns:
        (N,) rows, int64; the row of the smallest number stays itself.

    Source:
        warren2012hackers, section 2-2.

    Oracle:
        numpy's negative of the int8 view; exact.
    """
    u = xp.asarray(rows).astype(xp.int64)  # (N,)
    flipped = u ^ (2**width - 1)  # (N,)
    return (flipped + 1) % 2**width  # (N,)


def extend(rows: Array, width: int, to: int, signed: bool = True, *, xp: Namespace = np) -> Array:
    """Move rows to a wider row: new places filled with the top bit (signed) or with zeros.

    Args:
        rows: (N,) the bits.
        width: bits in a row now.
        to: bits in a row then, at least `width`.
        signed: whether the top bit is copied.

    Returns:
        (N,) rows, int64.

    Raises:
        ValueError: `to` is below `width`.

    Source:
        warren2012hackers, section 2-6.

    Oracle:
        numpy's astype from int8 and uint8, and text padded on the left; exact.
    """
    if to < width:
        raise ValueError(f"{to} bits are fewer than {width}: that is narrowing")
    u = xp.asarray(rows).astype(xp.int64)  # (N,)
    top = u >> (width - 1) if signed else 0 * u  # (N,)
    return u + top * (2**to - 2**width)  # (N,)


def truncate(rows: Array, to: int, *, xp: Namespace = np) -> Array:
    """Keep the low bits only.

    Args:
        rows: (N,) the bits, in any width from `to` up.
        to: bits that stay.

    Returns:
        (N,) rows, int64.

    Source:
        knuth1997seminumerical, section 4.1, arithmetic modulo a power of two.

    Oracle:
        numpy's astype to int8, and text cut on the left; exact.
    """
    return xp.asarray(rows).astype(xp.int64) % 2**to  # (N,)


def shift_right(
    rows: Array, by: int, width: int = 8, signed: bool = False, *, xp: Namespace = np
) -> Array:
    """Move rows to the right: places that open take the top bit (arithmetic) or 0 (logical).

    Args:
        rows: (N,) the bits.
        by: places, from 0 to width.
        width: bits in a row.
        signed: whether the shift is arithmetic.

    Returns:
        (N,) rows, int64. Arithmetic, the number is halved `by` times and rounded down.

    Source:
        warren2012hackers, section 2-7.

    Oracle:
        numpy's right_shift of the int8 and uint8 views; exact.
    """
    u = xp.asarray(rows).astype(xp.int64)  # (N,)
    top = u >> (width - 1) if signed else 0 * u  # (N,)
    return (u >> by) + top * (2**width - 2 ** (width - by))  # (N,)
