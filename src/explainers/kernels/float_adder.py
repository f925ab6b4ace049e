"""Addition of two floats in integers only, the way an adder does it.

Patterns are unsigned integers with one sign bit, `exponent_bits` and `mantissa_bits`, by the rules
of IEEE 754; binary32 unless said otherwise. A *significand* is the mantissa field with its hidden
1. To its right stand three more bits while the sum is made: guard, round and sticky. Sticky is 1
when anything that was shifted out further was not 0.
"""

# The package's docstring tells what xp is.
# ruff: noqa: D417

from __future__ import annotations

from typing import Any

import numpy as np

Namespace = Any
"""NumPy, or a module with NumPy's functions."""


def add(
    a: int, b: int, exponent_bits: int = 8, mantissa_bits: int = 23, *, xp: Namespace = np
) -> int:
    """Add two patterns: align, add, normalise, and round once, to nearest, ties to even.

    Args:
        a: pattern of one number.
        b: pattern of the other.
        exponent_bits: width of the exponent field.
        mantissa_bits: width of the mantissa field, at least 1.

    Returns:
        Pattern of the sum; the quiet NaN without a sign where there is none.

    Source:
        goldberg1991float, on guard digits and the sticky bit; ieee754, section 5.4.1.

    Oracle:
        the machine's own float32 addition, and fractions over all pairs of a small layout; exact.
    """
    sign, hidden = 1 << (exponent_bits + mantissa_bits), 1 << mantissa_bits
    infinity = sign - hidden
    if max(a % sign, b % sign) >= infinity:
        return _add_specials(a, b, infinity, sign)  # step: special
    large, small = (a, b) if a % sign >= b % sign else (b, a)  # step: order
    exponent, high = _unpack(large % sign, hidden)  # step: unpack larger
    lower, low = _unpack(small % sign, hidden)  # step: unpack smaller
    shift = exponent - lower  # step: distance
    fell_off = low % (1 << shift) != 0
    low = low >> shift | fell_off  # step: align
    same_sign = large // sign == small // sign
    total = high + low if same_sign else high - low  # step: add
    if total == 0:
        return a & b & sign  # step: zero
    # 1 after a carry, below 0 after cancellation; a subnormal number stays at exponent 1.
    move = max(total.bit_length() - (mantissa_bits + 4), 1 - exponent)
    exponent += move
    total = total >> 1 | total & 1 if move > 0 else total << -move  # step: normalise
    kept, rest = divmod(total, 8)  # step: cut
    up = rest > 4 or (rest == 4 and kept % 2 == 1)
    kept += up  # step: round
    # A significand that reached the next power of two carries into the exponent by itself.
    magnitude = min((exponent - 1) * hidden + kept, infinity)
    return large & sign | magnitude  # step: pack


def _unpack(magnitude: int, hidden: int) -> tuple[int, int]:
    """Return exponent and significand of a finite number, three bits of room to the right."""
    exponent, mantissa = divmod(magnitude, hidden)
    return max(exponent, 1), (mantissa + (hidden if exponent > 0 else 0)) << 3


def _add_specials(a: int, b: int, infinity: int, sign: int) -> int:
    """Add two patterns of which one at least is infinite or NaN."""
    specials = [one for one in (a, b) if one % sign >= infinity]
    if len(set(specials)) > 1 or specials[0] % sign > infinity:
        return infinity | (infinity & -infinity) >> 1
    return specials[0]
