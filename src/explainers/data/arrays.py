"""Take what functions return as arrays that can be kept exactly, or refuse it with a reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .trace import here
from .values import EncodingError

Array = npt.NDArray[Any]

_REFUSED = {
    "c": ("complex numbers", "return the real and the imaginary part as two fields"),
    "O": ("Python objects", "return numbers, bools or text of one type"),
    "S": ("bytes", "return text, or the numbers with np.frombuffer"),
    "M": ("dates", "return them as text or as numbers with a unit"),
    "m": ("time spans", "return numbers with a unit"),
    "V": ("a type that NumPy itself does not know", "convert it, e.g. .astype(np.float32)"),
}


def as_array(name: str, value: Any) -> Array:
    """Return a field's value as an array that can be kept exactly.

    Raises:
        EncodingError: its type cannot be kept.
    """
    value = here(value)
    if isinstance(value, np.ma.MaskedArray):
        raise EncodingError(f'field "{name}" is a masked array', "fill it: .filled(np.nan)")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise EncodingError(
            f'field "{name}" has rows of unequal length', "pad them, and say how long each is"
        ) from error
    kind = array.dtype.kind
    if kind == "O" and all(isinstance(item, int) for item in array.flat):
        raise EncodingError(f'field "{name}" has whole numbers beyond 64 bits', "return text")
    if kind in _REFUSED or array.dtype.names:
        what, hint = _REFUSED.get(kind, _REFUSED["V"])
        raise EncodingError(f'field "{name}" has {what}, which cannot be kept', hint)
    if kind == "f" and array.dtype.itemsize > 8:
        raise EncodingError(
            f'field "{name}" is {array.dtype}, which not every machine has',
            "convert it: .astype(np.float64)",
        )
    if kind == "U":
        _check_text(name, value, array)
        return array
    if kind not in "biuf":
        raise EncodingError(f'field "{name}" is {array.dtype}, which cannot be kept')
    return np.array(array, dtype=array.dtype.newbyteorder("<"), order="C")


def _check_text(name: str, value: Any, array: Array) -> None:
    texts = value if isinstance(value, (list, tuple)) else [value]
    if any(isinstance(text, str) and "\0" in text for text in texts):
        raise EncodingError(f'field "{name}" has text with a zero character')
    try:
        "".join(array.flat).encode()
    except UnicodeEncodeError as error:
        raise EncodingError(f'field "{name}" has text that is no Unicode') from error


def as_axis(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values of an axis, which are plain, finite and all different."""
    axis = tuple(value.item() if isinstance(value, np.generic) else value for value in values)
    if not axis:
        raise EncodingError(f'the sweep of "{name}" is empty')
    for value in axis:
        if not isinstance(value, (int, float, str)) or (
            isinstance(value, float) and not math.isfinite(value)
        ):
            raise EncodingError(
                f'the sweep of "{name}" has {value!r}', "use finite numbers, bools or text"
            )
    if len({(type(value), value) for value in axis}) < len(axis):
        raise EncodingError(f'the sweep of "{name}" has a value twice')
    return axis
