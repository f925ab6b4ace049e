"""What is refused of datasets and of what is said of them."""

from __future__ import annotations

from collections.abc import Mapping

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
