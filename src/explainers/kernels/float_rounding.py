"""Rounding to the nearest pattern, ties to the even one, and the exact value of a pattern.

A layout is a tuple (exponent_bits, mantissa_bits, bias, specials), and a pattern an unsigned
integer, as in `floats`. A quantum is the gap between neighbours where a number falls, 2^q. Numbers
that no float holds are exact ratios of Python's integers. N numbers in an array.
"""

# The package's docstring tells what xp and layout are. What xp returns depends on which library it
# is, so mypy sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Layout = tuple[int, int, int, str]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""


def encode(values: Array, layout: Layout, *, xp: Namespace = np) -> Array:
    """Round float64 numbers once, straight to the nearest pattern, ties to the even one.

    Args:
        values: (N,) any float64 numbers.
        layout: exponent bits, mantissa bits, bias, rule for specials; at most 52 mantissa bits.

    Returns:
        (N,) patterns, uint64. What rounds beyond the largest finite number becomes infinity, or
        NaN where the layout has no infinity; NaN becomes the quiet NaN without a sign.

    Source:
        ieee754, section 4.3.1, roundTiesToEven.

    Oracle:
        numpy's casts, ml_dtypes' casts from float32, exact nearest by fractions; exact.
    """
    exponent_bits, mantissa_bits, bias, specials = layout
    x = xp.asarray(values, dtype=xp.float64)  # (N,)
    nan = xp.isnan(x)  # (N,)
    size = xp.where(xp.isfinite(x), xp.abs(x), 0.0)  # (N,)
    _, exponent = xp.frexp(size)  # size = f 2^exponent with 1/2 <= f < 1  # (N,)
    E = xp.clip(exponent.astype(xp.int64) - 1 + bias, 1, 2**exponent_bits)  # (N,)
    E = xp.where(size > 0, E, 1)  # (N,)
    q = E - bias - mantissa_bits  # (N,)
    quanta = xp.round(xp.ldexp(size, (-q).astype(xp.int32)))  # ties go to even  # (N,)
    # A number of quanta that reaches the next power of two carries into the exponent by itself.
    most = 2.0 ** (mantissa_bits + 1)
    pattern = (E - 1) * 2**mantissa_bits + xp.minimum(quanta, most).astype(xp.int64)  # (N,)
    infinity = (2**exponent_bits - 1) * 2**mantissa_bits
    if specials == "fn":
        infinity += 2**mantissa_bits - 1
    quiet = infinity if specials == "fn" else infinity + 2 ** (mantissa_bits - 1)
    pattern = xp.where(xp.isinf(x), infinity, xp.minimum(pattern, infinity))  # (N,)
    pattern = xp.where(nan, quiet, pattern).astype(xp.uint64)  # (N,)
    sign = xp.where(xp.signbit(x) & ~nan, 1, 0).astype(xp.uint64)  # (N,)
    return pattern + (sign << (exponent_bits + mantissa_bits))  # (N,)


def encode_ratio(numerator: int, denominator: int, layout: Layout, *, xp: Namespace = np) -> int:
    """Round an exact ratio to the nearest pattern, ties to the even one: what a typed number gets.

    Args:
        numerator: a Python integer of any size and sign; 0 gives the positive zero.
        denominator: a Python integer of any size, above 0.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        The pattern; infinity or NaN, as in `encode`, for what is too large.

    Raises:
        ValueError: the denominator is not above 0.

    Source:
        ieee754, sections 4.3.1 and 5.12.2.

    Oracle:
        the nearest of all numbers by fractions, and Python's float(); exact.
    """
    exponent_bits, mantissa_bits, bias, specials = layout
    if denominator < 1:
        raise ValueError(f"the denominator is {denominator}, must be above 0")
    if numerator == 0:
        return 0
    sign, size = int(numerator < 0), abs(numerator)
    # 2^e <= size / denominator < 2^(e + 1), after one comparison.
    e = size.bit_length() - denominator.bit_length()
    if size << max(-e, 0) < denominator << max(e, 0):
        e -= 1
    E = max(e + bias, 1)
    q = E - bias - mantissa_bits
    whole, rest = divmod(size << max(-q, 0), unit := denominator << max(q, 0))
    if 2 * rest > unit or (2 * rest == unit and whole % 2 == 1):
        whole += 1
    pattern = (E - 1) * 2**mantissa_bits + whole
    ends = 1 if specials == "fn" else 2**mantissa_bits
    infinity = 2 ** (exponent_bits + mantissa_bits) - ends
    return min(pattern, infinity) + (sign << (exponent_bits + mantissa_bits))


def ratio(pattern: int, layout: Layout, *, xp: Namespace = np) -> tuple[int, int]:
    """Give the value of a finite pattern as an exact ratio, its denominator a power of two.

    Args:
        pattern: the bits, read as an unsigned integer.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        numerator: a Python integer, odd unless the denominator is 1.
        denominator: a power of two.

    Raises:
        ValueError: the pattern is no finite number.

    Source:
        ieee754, section 3.4.

    Oracle:
        fractions.Fraction of struct.unpack; exact.
    """
    exponent_bits, mantissa_bits, bias, specials = layout
    s, rest = divmod(pattern, 2 ** (exponent_bits + mantissa_bits))
    E, F = divmod(rest, 2**mantissa_bits)
    ends = 1 if specials == "fn" else 2**mantissa_bits
    if rest >= 2 ** (exponent_bits + mantissa_bits) - ends:
        raise ValueError("the pattern is no finite number")
    whole = F + (2**mantissa_bits if E > 0 else 0)
    q = max(E, 1) - bias - mantissa_bits
    # As many halvings as leave an integer.
    even = min((whole & -whole).bit_length() - 1, -q) if whole and q < 0 else 0
    numerator, q = (whole >> even, q + even) if whole else (0, 0)
    return (-1) ** s * (numerator << max(q, 0)), 1 << max(-q, 0)


def exact_decimal(pattern: int, layout: Layout, *, xp: Namespace = np) -> str:
    """Write the value of a pattern in full: each binary fraction ends in decimal too.

    Args:
        pattern: the bits, read as an unsigned integer.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        All its digits, such as "0.15625", "-6.75" or "-0"; "inf", "-inf" or "nan".

    Source:
        goldberg1991float, on binary to decimal conversion.

    Oracle:
        decimal.Decimal of struct.unpack, written with "f"; exact.
    """
    exponent_bits, mantissa_bits, _, specials = layout
    s, rest = divmod(pattern, 2 ** (exponent_bits + mantissa_bits))
    minus = "-" if s else ""
    ends = 1 if specials == "fn" else 2**mantissa_bits
    first = 2 ** (exponent_bits + mantissa_bits) - ends
    if rest >= first:
        return f"{minus}inf" if rest == first and specials != "fn" else "nan"
    numerator, denominator = ratio(rest, layout, xp=xp)
    # numerator / 2^k = numerator 5^k / 10^k: k digits after the point.
    k = denominator.bit_length() - 1
    digits = str(numerator * 5**k).rjust(k + 1, "0")
    return f"{minus}{digits[: len(digits) - k]}.{digits[len(digits) - k :]}".removesuffix(".")
