"""What is refused of datasets and of what is said of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..errors import Problem, Span
from ..model import Expression
from ..nearest import closest
from .key import Declaration


def undeclared(declared: Mapping[str, Declaration], name: str, span: Span) -> Problem | None:
    """Return the problem of a dataset that data.py does not declare."""
    if name in declared:
        return None
    close = closest(name, declared)
    if close:
        where = declared[close].span
        hint = f'did you mean "{close}"? It is at {where.path}:{where.line}'
    elif declared:
        hint = "there are: " + ", ".join(declared)
    else:
        hint = "datasets are functions marked @dataset in data.py beside the article"
    return Problem("unknown-dataset", f'no dataset named "{name}"', span, hint)


def of_samples(expression: Expression) -> Problem:
    """Return the problem of a conclusion that rests on made-up numbers."""
    message = "this concludes something from sample data"
    hint = "data whose status is sample shows a form; it can carry no conclusion"
    return Problem("sample-conclusion", message, expression.span, hint)


def of_nonfinite(expression: Expression, value: Any, meant: bool) -> Problem | None:
    """Return the problem of a sentence that would show NaN or infinity, unless that is meant."""
    if meant or expression.use not in ("value", "number") or _is_finite(value):
        return None
    message = "this shows no number, but NaN or infinity"
    hint = 'where that is meant, the dataset says of which field: @dataset(nonfinite=["y"])'
    return Problem("nonfinite-value", message, expression.span, hint)


def _is_finite(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)
