"""Evaluate the tree of an expression over datasets: Jinja's sandbox, our functions, exact numbers.

Whole numbers are Python's or int64, others float64, whatever the arrays were: so nothing wraps or
loses digits in silence. Nothing that an expression says can run for long.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from jinja2 import StrictUndefined, nodes
from jinja2.environment import TemplateExpression
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

from .expression import OPERAND, SCALAR, TRUTH, guarded
from .functions import (
    FUNCTIONS,
    EvaluationError,
    check_arrays,
    check_whole,
    kind,
    number,
    operand,
    scalar,
    truth,
    wide,
)
from .numerals import FILTERS, FormatError
from .values import Dataset

_ATTRIBUTES = ("T", "shape", "size", "ndim")
"""What an array may be asked for."""


class Typed(float):
    """A number that was typed in a table; `text` is how."""

    __slots__ = ("text",)

    text: str


def evaluate(tree: nodes.Expr, datasets: Mapping[str, Any]) -> Any:
    """Return what the tree comes to.

    Raises:
        EvaluationError: anything that goes wrong, save a field or state that is not there.
        StateError: a field or state that is not there.
    """
    copied = guarded(tree)
    copied.set_environment(_sandbox)
    body: list[nodes.Node] = [nodes.Assign(nodes.Name("result", "store"), copied, lineno=1)]
    template = _sandbox.from_string(nodes.Template(body, lineno=1))
    try:
        with np.errstate(all="ignore"):
            return TemplateExpression(template, undefined_to_none=False)(**datasets)
    except LookupError:  # StateError; others are caught where they arise
        raise
    except EvaluationError:
        raise
    except FormatError as error:
        raise EvaluationError(str(error)) from error
    except ZeroDivisionError as error:
        raise EvaluationError("this divides by zero") from error
    except OverflowError as error:
        raise EvaluationError("a number is too large") from error
    except SecurityError as error:
        raise EvaluationError(f"this is not allowed: {error}") from error
    except Exception as error:  # whatever NumPy or Jinja finds wrong
        raise EvaluationError(f"this cannot be computed: {error}") from error


class _Sandbox(SandboxedEnvironment):
    """The sandbox, where attributes are fields and operators are watched."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))
    intercepted_unops = frozenset(("+", "-"))

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Dataset):
            return obj.at if attribute == "at" else wide(obj.read(attribute))
        if isinstance(obj, np.ndarray):
            if attribute in _ATTRIBUTES:
                return getattr(obj, attribute)
            raise EvaluationError(
                f'an array has no ".{attribute}" here',
                f"it has {', '.join(_ATTRIBUTES)}; the functions are written around it: sum(a)",
                f".{attribute}",
            )
        if isinstance(obj, Mapping):
            return _row(obj, attribute)
        raise EvaluationError(f'{kind(obj)} has no ".{attribute}"', word=f".{attribute}")

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Mapping):
            return _row(obj, str(argument))
        if isinstance(obj, Dataset):
            raise EvaluationError("a dataset has fields", f"write {obj.name}.{obj.fields[0]}")
        if not isinstance(obj, (np.ndarray, list, tuple, str)):
            raise EvaluationError(f"{kind(obj)} has no items")
        try:
            return wide(obj[argument])
        except (IndexError, TypeError) as error:
            raise EvaluationError(
                f"there is no item {argument!r} among {len(obj)}",
                f"items are numbered from 0 to {len(obj) - 1}" if len(obj) else None,
            ) from error

    def call(self, context: Context, called: Any, *args: Any, **options: Any) -> Any:
        at = getattr(called, "__func__", None) is Dataset.at
        if not at and called not in _CALLABLE:
            raise EvaluationError(f"{kind(called)} cannot be called")
        if at and args:
            raise EvaluationError("at() takes its values by name", "write .at(stride=33)", ".at")
        return called(*args, **options)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        for value in (left, right):
            number(value)
        if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
            check_arrays(operator, left, right)
        elif isinstance(left, int) and isinstance(right, int):
            check_whole(operator, left, right)
        return wide(self.binop_table[operator](left, right))

    def call_unop(self, context: Context, operator: str, arg: Any) -> Any:
        return wide(self.unop_table[operator](number(arg)))


def _row(table: Mapping[str, Any], name: str) -> Any:
    """Return a row of `numbers`, with the text that was typed for it."""
    if name not in table:
        near = get_close_matches(name, table, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(table) or 'none'}"
        raise EvaluationError(f'no row "{name}" in numbers', hint, f".{name}")
    held = table[name]
    value, text = getattr(held, "value", held), getattr(held, "text", None)
    if isinstance(value, float):
        # A short number was typed as it is; what was computed has its format in the table alone.
        value, short = Typed(value), f"{value:.6g}"
        value.text = text or (short if float(short) == value else "")
    return value


_CHECKS = {TRUTH: truth, SCALAR: scalar, OPERAND: operand}
_CALLABLE = [*FUNCTIONS.values(), *_CHECKS.values()]

_sandbox = _Sandbox(autoescape=False, undefined=StrictUndefined, optimized=False)
_sandbox.globals = {**FUNCTIONS, **_CHECKS}
_sandbox.filters = dict(FILTERS)
_sandbox.tests = {}
