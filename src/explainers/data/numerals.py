"""Numbers as text: the filters of expressions, and the signs that print uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

MINUS = "−"
NARROW = "\u202f"
"""A narrow space that does not break, between a number and its unit."""

MOST_DIGITS = 40

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Number = int | float


class FormatError(ValueError):
    """A filter was given what it cannot format; the sentence says why."""


class Formatted(str):
    """Text that a filter made of a value; `raw` is the value."""

    __slots__ = ("raw",)

    raw: Any

    def __new__(cls, text: str, raw: Any) -> Formatted:
        """Keep the value beside its text."""
        made = super().__new__(cls, text)
        made.raw = raw
        return made


def whole(number: int) -> str:
    """Return a whole number, its thousands set apart."""
    return f"{number:,}".replace("-", MINUS)


def fixed(number: Number, n: int = 0) -> str:
    """Return a number with n digits after the point."""
    _check_digits(n, 0)
    if not math.isfinite(number):
        return _special(number)
    text = f"{Decimal(number):,.{n}f}"
    # What rounds to nothing has no sign.
    return text.lstrip("-") if not text.strip("-0.,") else text.replace("-", MINUS)


def sig(number: Number, n: int = 3) -> str:
    """Return a number with n significant digits, as a power of ten where it is long."""
    _check_digits(n, 1)
    if not math.isfinite(number):
        return _special(number)
    if number == 0:
        return fixed(0, n - 1)
    mantissa, _, exponent = f"{Decimal(number):.{n - 1}e}".partition("e")
    power = int(exponent)
    if -4 <= power < 6:
        rounded = Decimal(f"{mantissa}e{power}")
        return f"{rounded:,.{max(0, n - 1 - power)}f}".replace("-", MINUS)
    raised = str(power).translate(_RAISED)
    return f"{mantissa.replace('-', MINUS)}{NARROW}×{NARROW}10{raised}"


def integer(number: Number, plain: bool = False) -> str:
    """Return a number that is whole; `plain` leaves its thousands together."""
    if not math.isfinite(number):
        return _special(number)
    if number != int(number):
        raise FormatError(f"{number!r} is not whole; write | fixed(0) to round it")
    return str(int(number)).replace("-", MINUS) if plain else whole(int(number))


def si(number: Number, unit: str = "", n: int = 3) -> str:
    """Return a number with n significant digits, a prefix of a thousand and a unit."""
    _check_digits(n, 1)
    if not math.isfinite(number):
        return f"{_special(number)}{NARROW}{unit}".rstrip(NARROW)
    power = 0
    if number:
        # Rounded first, so that 999,999 is 1 M and not 1000 k.
        power = int(f"{Decimal(number):.{n - 1}e}".partition("e")[2])
    step = min(15, max(-12, 3 * (power // 3)))
    scaled = Decimal(number).scaleb(-step)
    digits = max(0, n - 1 - (power - step))
    text = f"{scaled:,.{digits}f}"
    # A number that is short as it is needs no zeros behind it.
    short = f"{Decimal(repr(number)).scaleb(-step):f}"
    short = short.rstrip("0").rstrip(".") if "." in short else short
    if len(short) <= len(text.replace(",", "")):
        text = f"{Decimal(short):,f}"
    return f"{text.replace('-', MINUS)}{NARROW}{_PREFIXES[step]}{unit}".rstrip(NARROW)


def hexadecimal(number: Number, n: int = 0) -> str:
    """Return a whole number to base 16, with at least n digits."""
    return _based(number, n, "x")


def binary(number: Number, n: int = 0) -> str:
    """Return a whole number to base 2, with at least n digits."""
    return _based(number, n, "b")


def percent(number: Number, n: int = 0) -> str:
    """Return a share of 1 as a percentage with n digits after the point."""
    if isinstance(number, int):
        return fixed(100 * number, n) + "%"
    return fixed(Decimal(number) * 100 if math.isfinite(number) else number, n) + "%"  # type: ignore[arg-type]


def _based(number: Number, n: int, base: str) -> str:
    _check_digits(n, 0, 256)
    if number != int(number):
        raise FormatError(f"{number!r} is not whole")
    sign = MINUS if number < 0 else ""
    return f"{sign}0{base}{abs(int(number)):0{n}{base}}"


def _special(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    return "∞" if number > 0 else f"{MINUS}∞"


def _check_digits(n: object, least: int, most: int = MOST_DIGITS) -> None:
    if not isinstance(n, int) or isinstance(n, bool) or not least <= n <= most:
        raise FormatError(f"the number of digits is {n!r}, not from {least} to {most}")


def _filter(form: Callable[..., str]) -> Callable[..., Formatted]:
    """Return a filter: over a list or an array it formats each item."""

    def applied(value: Any, *args: Any, **options: Any) -> Formatted:
        raw = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(raw, Formatted):
            raise FormatError("a value is formatted once; remove a filter")
        if isinstance(raw, (list, tuple)):
            return Formatted(joined([applied(item, *args, **options) for item in raw]), list(raw))
        if isinstance(raw, bool) or not isinstance(raw, (int, float)):
            raise FormatError(f"{raw!r} is not a number")
        return Formatted(form(raw, *args, **options), raw)

    return applied


def joined(texts: Sequence[str]) -> str:
    """Return the items of a list as text."""
    return ", ".join(texts)


FILTERS: dict[str, Callable[..., Formatted]] = {
    "fixed": _filter(fixed),
    "sig": _filter(sig),
    "int": _filter(integer),
    "si": _filter(si),
    "hex": _filter(hexadecimal),
    "bin": _filter(binary),
    "percent": _filter(percent),
}
