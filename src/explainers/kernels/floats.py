"""Patterns of bits and the floating-point numbers they stand for, in any binary layout.

A *layout* is a tuple (exponent_bits, mantissa_bits, bias, specials). A *pattern* is the row of
bits read as an unsigned integer: from the left one sign bit s, the exponent field E, the mantissa
field F. A number with 1 <= E has the value (-1)^s * (1 + F / 2^mantissa_bits) * 2^(E - bias); with
E = 0 the hidden 1 is missing, and the scale is that of E = 1. N patterns in an array.

The rule for what is no number is one of two. "ieee": the largest E is kept for infinity (F = 0)
and NaN. "fn": only the pattern of all ones, whatever its sign, is NaN, and there is no infinity.
"""

# The package's docstring tells what xp and layout are. What xp returns depends on which library it
# is, so mypy sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""


class Layout(NamedTuple):
    """How a pattern is divided, and which patterns are no numbers."""

    exponent_bits: int
    mantissa_bits: int
    bias: int
    specials: str = "ieee"


LAYOUTS = {
    "binary64": Layout(11, 52, 1023),
    "binary32": Layout(8, 23, 127),
    "binary16": Layout(5, 10, 15),
    "bfloat16": Layout(8, 7, 127),
    "e5m2": Layout(5, 2, 15),
    "e4m3fn": Layout(4, 3, 7, "fn"),
}

KINDS = ("zero", "subnormal", "normal", "infinity", "NaN")


def largest(layout: Layout, *, xp: Namespace = np) -> int:
    """Find the pattern of the largest finite number: the last one below what is no number.

    Args:
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        The pattern, as a Python integer.

    Raises:
        ValueError: the rule for specials is not one of the two.

    Source:
        ieee754, section 3.4; "fn" is E4M3 of micikevicius2022fp8.

    Oracle:
        numpy.finfo and ml_dtypes.finfo; exact.
    """
    exponent_bits, mantissa_bits, _, specials = layout
    if specials not in ("ieee", "fn"):
        raise ValueError(f"specials is {specials!r}, must be 'ieee' or 'fn'")
    ends = 2**mantissa_bits if specials == "ieee" else 1
    return 2 ** (exponent_bits + mantissa_bits) - ends - 1


def decode(pattern: int, layout: Layout, *, xp: Namespace = np) -> float:
    """Read one pattern as a person does, field by field.

    Args:
        pattern: the bits, read as an unsigned integer.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        The number, exactly, as a float64.

    Raises:
        ValueError: the pattern has more bits than the layout.

    Source:
        ieee754, section 3.4.

    Oracle:
        struct.unpack, and ml_dtypes over all codes; exact.
    """
    exponent_bits, mantissa_bits, bias, _ = layout
    if not 0 <= pattern < 2 ** (1 + exponent_bits + mantissa_bits):
        raise ValueError(f"a pattern has {1 + exponent_bits + mantissa_bits} bits")
    s, rest = divmod(pattern, 2 ** (exponent_bits + mantissa_bits))  # step: sign
    E, F = divmod(rest, 2**mantissa_bits)  # step: fields
    if rest > largest(layout, xp=xp):
        value = xp.inf if rest == largest(layout, xp=xp) + 1 and F == 0 else xp.nan  # step: special
    elif E == 0:
        value = F / 2**mantissa_bits * 2.0 ** (1 - bias)  # step: subnormal
    else:
        value = (1 + F / 2**mantissa_bits) * 2.0 ** (E - bias)  # step: normal
    value *= (-1) ** s  # step: result
    return value


def decode_all(patterns: Array, layout: Layout, *, xp: Namespace = np) -> Array:
    """Read an array of patterns at once; agrees with `decode` on each.

    Args:
        patterns: (N,) the bits, read as unsigned integers.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        (N,) the numbers, exactly, as float64.

    Source:
        ieee754, section 3.4.

    Oracle:
        numpy's own float32, float16 and float64, and ml_dtypes over all codes; exact.
    """
    _, mantissa_bits, bias, _ = layout
    s, E, F = split(patterns, layout, xp=xp)  # (N,), (N,), (N,)
    hidden = xp.where(E > 0, 2**mantissa_bits, 0)  # (N,)
    scale = xp.maximum(E, 1) - bias - mantissa_bits  # (N,)
    kind = classify(patterns, layout, xp=xp)  # (N,)
    # A scale beyond the largest finite number belongs to an infinity or a NaN: 0 stands in.
    scale = xp.where(kind < 3, scale, 0)  # (N,)
    value = xp.ldexp((hidden + F).astype(xp.float64), scale.astype(xp.int32))  # (N,)
    value = xp.where(kind == 3, xp.inf, xp.where(kind == 4, xp.nan, value))  # (N,)
    return xp.where(s == 1, -value, value)  # (N,)


def split(patterns: Array, layout: Layout, *, xp: Namespace = np) -> tuple[Array, Array, Array]:
    """Cut patterns into their three fields.

    Args:
        patterns: (N,) the bits, read as unsigned integers.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        s: (N,) sign bit, int64.
        E: (N,) exponent field as stored, int64.
        F: (N,) mantissa field, int64.

    Source:
        ieee754, section 3.4.

    Oracle:
        slices of the pattern written in base two; exact.
    """
    exponent_bits, mantissa_bits, _, _ = layout
    bits = xp.asarray(patterns).astype(xp.uint64)  # (N,)
    s = (bits >> (exponent_bits + mantissa_bits)).astype(xp.int64)  # (N,)
    E = ((bits >> mantissa_bits) & (2**exponent_bits - 1)).astype(xp.int64)  # (N,)
    F = (bits & (2**mantissa_bits - 1)).astype(xp.int64)  # (N,)
    return s, E, F


def classify(patterns: Array, layout: Layout, *, xp: Namespace = np) -> Array:
    """Tell zeros, subnormal and normal numbers, infinities and NaNs apart.

    Args:
        patterns: (N,) the bits, read as unsigned integers.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        (N,) index into KINDS, int64.

    Source:
        ieee754, section 3.4.

    Oracle:
        numpy.isnan, isinf and finfo on the numbers; exact.
    """
    _, mantissa_bits, _, specials = layout
    _, E, F = split(patterns, layout, xp=xp)  # (N,), (N,)
    magnitude = E * 2**mantissa_bits + F  # (N,)
    number = xp.where(E > 0, 2, xp.where(F > 0, 1, 0))  # (N,)
    infinite = (F == 0) & (specials == "ieee")  # (N,)
    return xp.where(magnitude > largest(layout, xp=xp), xp.where(infinite, 3, 4), number)  # (N,)


def spacing(patterns: Array, layout: Layout, *, xp: Namespace = np) -> Array:
    """Measure the gap from each number to the next one away from zero.

    Args:
        patterns: (N,) the bits, read as unsigned integers.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        (N,) gaps, above 0, float64; NaN for what is no finite number. The largest finite number
        has no such neighbour: its gap is that of its binade.

    Source:
        goldberg1991float, the unit in the last place.

    Oracle:
        numpy.spacing, and differences of the sorted numbers; exact.
    """
    _, mantissa_bits, bias, _ = layout
    _, E, _ = split(patterns, layout, xp=xp)  # (N,)
    finite = classify(patterns, layout, xp=xp) < 3  # (N,)
    scale = xp.where(finite, xp.maximum(E, 1) - bias - mantissa_bits, 0)  # (N,)
    gap = xp.ldexp(xp.ones(scale.shape), scale.astype(xp.int32))  # (N,)
    return xp.where(finite, gap, xp.nan)  # (N,)


def neighbours(patterns: Array, layout: Layout, *, xp: Namespace = np) -> tuple[Array, Array]:
    """Find the finite numbers just below and just above each one.

    Args:
        patterns: (N,) the bits, read as unsigned integers; at most 62 of them.
        layout: exponent bits, mantissa bits, bias, rule for specials.

    Returns:
        below: (N,) pattern of the next smaller finite number, int64; -1 where there is none.
        above: (N,) pattern of the next larger one, int64; -1 where there is none.

    Source:
        ieee754, section 5.3.1, nextUp and nextDown.

    Oracle:
        numpy.nextafter, and the sorted list of all numbers; exact.
    """
    exponent_bits, mantissa_bits, _, _ = layout
    bits = xp.asarray(patterns).astype(xp.int64)  # (N,)
    sign = 2 ** (exponent_bits + mantissa_bits)
    top = largest(layout, xp=xp)
    magnitude = bits & (sign - 1)  # (N,)
    # Place on the ladder of all finite numbers; both zeros stand on rung 0.
    rung = xp.where(bits < sign, magnitude, -magnitude)  # (N,)

    def pattern(to: Array) -> Array:
        found = xp.where(to < 0, sign - to, to)  # (N,)
        return xp.where((magnitude > top) | (abs(to) > top), -1, found)  # (N,)

    return pattern(rung - 1), pattern(rung + 1)
