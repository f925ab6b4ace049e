"""The functions of expressions, and what keeps their arithmetic exact and short."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .expression import Fault
from .numerals import Formatted
from .values import Dataset

Array = npt.NDArray[Any]

MOST_BITS = 4096
MOST_ITEMS = 10_000_000
_EXACT = float(1 << 62)


class EvaluationError(Exception):
    """An expression that came to nothing; carries what to say."""

    def __init__(self, message: str, hint: str | None = None, word: str = "") -> None:
        """Keep what a problem is made of."""
        super().__init__(message)
        self.fault = Fault(message, hint, word)


def wide(value: Any) -> Any:
    """Return a value in the types that expressions compute in."""
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, np.ndarray):
        return value
    if value.ndim == 0:
        return value.item()
    code = value.dtype.kind
    if code == "u" and value.dtype.itemsize == 8 and value.size and int(value.max()) >= 1 << 63:
        return value
    return value.astype({"i": np.int64, "u": np.int64, "f": np.float64}.get(code, value.dtype))


def check_arrays(operator: str, left: Any, right: Any) -> None:
    """Refuse operands whose result would be huge, or whose whole numbers would wrap."""
    shapes = np.shape(left), np.shape(right)
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise EvaluationError(f"arrays of {shapes[0]} and {shapes[1]} do not fit") from error
    if math.prod(shape) > MOST_ITEMS:
        raise EvaluationError(f"the result would have {math.prod(shape):,} items", "use data.py")
    whole = all(np.asarray(value).dtype.kind in "iub" for value in (left, right))
    if not whole or operator not in ("+", "-", "*", "**") or 0 in shape:
        return
    a, b = (float(np.max(np.abs(np.asarray(value, dtype=np.float64)))) for value in (left, right))
    with np.errstate(all="ignore"):
        most = {"+": a + b, "-": a + b, "*": a * b, "**": float(np.float64(max(a, 2)) ** b)}
    if most[operator] >= _EXACT:
        raise EvaluationError("whole numbers would exceed 64 bits", "make one a float: 1.0 * a")


def check_whole(operator: str, left: int, right: int) -> None:
    """Refuse whole numbers whose result would have thousands of digits."""
    bits = left.bit_length() + right.bit_length()
    if operator == "**":
        bits = left.bit_length() * abs(right)
    if bits > MOST_BITS:
        raise EvaluationError("a number is too large", "write it as a float: 10.0 ** 300")


def number(value: Any) -> Any:
    """Return a number or an array of numbers; refuse anything else."""
    if isinstance(value, Formatted):
        raise EvaluationError(
            "a filter belongs to the word before it, so this computes with text",
            "put the computation in parentheses: (a / b) | fixed(2)",
            "|",
        )
    if isinstance(value, (bool, int, float)) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    ):
        return value
    raise EvaluationError(f"{kind(value)} is not a number")


def truth(value: Any) -> Any:
    """Refuse an array where one truth is asked for, even an array of one."""
    if isinstance(value, np.ndarray):
        raise EvaluationError(
            "an array stands where one truth is needed: and, or, not and if take single values",
            "write all(a < b) and all(b < c)",
        )
    return operand(value)


def scalar(value: Any) -> Any:
    """Refuse an array in a chained comparison or beside `in`."""
    if isinstance(value, np.ndarray):
        raise EvaluationError(
            "arrays can be compared once only, and not by in",
            "write all(a < b) and all(b < c), or any(a == x)",
        )
    return operand(value)


def operand(value: Any) -> Any:
    """Refuse what no comparison can mean: a dataset, a formatted number."""
    if isinstance(value, Formatted):
        number(value)
    if isinstance(value, Dataset):
        raise EvaluationError(
            "a dataset cannot be compared", f"write {value.name}.{value.fields[0]}"
        )
    return value


def _items(values: tuple[Any, ...], name: str) -> Any:
    """Return the numbers that a function is given: one array or list, or several numbers."""
    if len(values) == 1 and isinstance(values[0], (np.ndarray, list, tuple)):
        array = np.asarray(values[0])
        if array.dtype.kind not in "biuf":
            raise EvaluationError(f"{name} takes numbers")
        return wide(array)
    if len(values) > 1 and all(not isinstance(number(v), np.ndarray) for v in values):
        return list(values)
    raise EvaluationError(f"{name} takes one array or several numbers", word=name)


def _least(*values: Any) -> Any:
    return _extreme(values, "min", np.min, min)


def _greatest(*values: Any) -> Any:
    return _extreme(values, "max", np.max, max)


def _extreme(
    values: tuple[Any, ...], name: str, of_array: Callable[..., Any], of_list: Callable[..., Any]
) -> Any:
    items = _items(values, name)
    if len(items) == 0 or (isinstance(items, np.ndarray) and items.size == 0):
        raise EvaluationError(f"{name} of nothing", word=name)
    return wide(of_array(items)) if isinstance(items, np.ndarray) else of_list(items)


def _sum(*values: Any) -> Any:
    """Add without rounding on the way, so that the sum is the same on every machine."""
    items = np.asarray(_items(values, "sum")).ravel().tolist()
    if all(isinstance(item, int) for item in items):
        return sum(items)
    if all(map(math.isfinite, items)):
        return math.fsum(items)
    return float(np.sum(np.asarray(items, dtype=np.float64)))


def _abs(value: Any) -> Any:
    return wide(abs(number(value)))


def _round(value: Any, n: Any = 0) -> Any:
    if not isinstance(n, int):
        raise EvaluationError("round takes a whole number of digits", word="round")
    return wide(np.round(value, n)) if isinstance(number(value), np.ndarray) else round(value, n)


def _len(value: Any) -> int:
    if isinstance(value, (np.ndarray, list, tuple, str)) and not isinstance(value, Formatted):
        return len(value)
    raise EvaluationError(f"{kind(value)} has no length", word="len")


def _every(value: Any) -> bool:
    return bool(np.all(_truths(value, "all")))


def _some(value: Any) -> bool:
    return bool(np.any(_truths(value, "any")))


def _truths(value: Any, name: str) -> Array:
    array = np.asarray(value)
    if array.dtype.kind != "b":
        raise EvaluationError(f"{name} takes truths, as {name}(a < b)", word=name)
    if array.size == 0:
        raise EvaluationError(f"{name} of nothing: the array is empty", word=name)
    return array


def close(a: Any, b: Any, rel: float = 1e-9, abs: float = 0.0) -> Any:
    """Say whether two numbers, or each two of two arrays, are as near as math.isclose asks."""
    for value in (a, b, rel, abs):
        number(value)
    if not isinstance(a, np.ndarray) and not isinstance(b, np.ndarray):
        return math.isclose(a, b, rel_tol=rel, abs_tol=abs)
    check_arrays("-", np.asarray(a, dtype=np.float64), b)
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    near = np.abs(x - y) <= np.maximum(rel * np.maximum(np.abs(x), np.abs(y)), abs)
    return (x == y) | (near & np.isfinite(x) & np.isfinite(y))


def kind(value: Any) -> str:
    """Say in words what a value is."""
    if isinstance(value, Dataset):
        return f'the dataset "{value.name}"'
    if isinstance(value, np.ndarray):
        return f"an array of {value.shape}"
    names = {"str": "text", "bool": "a truth", "int": "a number", "float": "a number"}
    return names.get(type(value).__name__, f"a {type(value).__name__}")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": _abs,
    "min": _least,
    "max": _greatest,
    "sum": _sum,
    "all": _every,
    "any": _some,
    "len": _len,
    "round": _round,
    "close": close,
}
