"""What an expression comes to: a value as text, or a claim with both its sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from ..errors import Problem
from ..model import Expression
from .claims import Evaluated
from .expression import Fault, names, place, problem, read, written
from .numerals import MINUS, Formatted, joined, whole
from .verdict import decoded, judge

if TYPE_CHECKING:
    from .values import StateError

MOST_ITEMS = 24
"""Items of a list that may stand in a sentence."""

_NEGATED = {"eq": "not", "ne": "equal to", "lt": "not below", "lteq": "above"}
_NEGATED |= {"gt": "not above", "gteq": "below"}


def evaluate(expression: Expression, datasets: Mapping[str, Any]) -> Evaluated | Problem:
    """Return what an expression comes to over datasets, or what is wrong with it.

    `datasets` may also hold "numbers": the rows of the article's table, by name.
    """
    tree = read(expression.text)
    if isinstance(tree, Fault):
        return problem(expression, tree)
    unknown = [name for name in names(expression.text) if name not in datasets]
    if unknown:
        return _unknown(expression, unknown[0], datasets)
    literal = _literal(tree)
    if literal is not None and expression.use != "claim":
        return Evaluated(expression.text.strip().replace("-", MINUS), literal, repr(literal))
    result = _compute(expression, tree, datasets)
    if isinstance(result, Problem):
        return result
    if expression.use == "claim":
        return _claim(expression, tree, result, datasets)
    return _value(expression, result)


def verdict(expression: Expression, data: bytes) -> Evaluated | Problem:
    """Return what a claim that is a function of data.py came to, in a worker."""
    found = decoded(data)
    if found.true:
        return Evaluated("true", True, "true")
    name = expression.text.strip()
    if not found.is_claim:
        message = f"{name}() is no claim: {found.message}"
        return problem(expression, Fault(message, "return True or False"), "not-a-claim")
    return problem(
        expression, Fault(f"this claim is false: of {name}(), {found.message}"), "false-claim"
    )


def _compute(
    expression: Expression, tree: nodes.Expr, datasets: Mapping[str, Any]
) -> Any | Problem:
    from .evaluation import evaluate as compute
    from .functions import EvaluationError
    from .values import StateError

    try:
        return compute(tree, datasets)
    except StateError as error:
        return _missing(expression, error)
    except EvaluationError as error:
        return problem(expression, error.fault)


def _unknown(expression: Expression, name: str, datasets: Mapping[str, Any]) -> Problem:
    known = [other for other in datasets if other != "numbers" or datasets[other]]
    near = get_close_matches(name, known, 1)
    hint = f"there are {', '.join(known)}" if known else "the article has no datasets"
    fault = Fault(f'no dataset named "{name}"', f"did you mean {near[0]}?" if near else hint, name)
    return problem(expression, fault, "unknown-dataset")


def _missing(expression: Expression, error: StateError) -> Problem:
    from .values import FieldError

    code = "unknown-field" if isinstance(error, FieldError) else "unknown-state"
    message, _, guess = str(error).partition("; did you mean ")
    hint = f"did you mean {guess}" if guess else None
    return Problem(code, message, place(expression, error.word, error.after), hint)


def _literal(tree: nodes.Expr) -> int | float | None:
    """Return the number when the expression is nothing but one: it prints as it was typed."""
    if isinstance(tree, nodes.Neg):
        number = _literal(tree.node)
        return None if number is None else -number
    if isinstance(tree, nodes.Const) and not isinstance(tree.value, bool):
        return tree.value if isinstance(tree.value, (int, float)) else None
    return None


# ---- values ------------------------------------------------------------------------------------


def _value(expression: Expression, result: Any) -> Evaluated | Problem:
    raw = result.tolist() if hasattr(result, "tolist") else result
    if isinstance(raw, Formatted):
        return Evaluated(str(raw), raw.raw, _in_full(raw.raw))
    text = _text(raw)
    if isinstance(text, Fault):
        code = "unformatted-number" if isinstance(_first(raw), float) else "unfit-value"
        return problem(expression, text, code)
    plain = [_plain(item) for item in raw] if isinstance(raw, (list, tuple)) else _plain(raw)
    return Evaluated(text, plain, _in_full(plain))


def _text(raw: Any) -> str | Fault:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, int):
        return whole(raw)
    if isinstance(raw, float):
        if text := getattr(raw, "text", ""):
            return str(text).replace("-", MINUS)
        hint = "write | fixed(2) for digits after the point, | sig(3) for significant ones"
        return Fault(f"{raw!r} needs a format", hint)
    if isinstance(raw, str):
        return raw
    if isinstance(raw, (list, tuple)):
        flat = not any(isinstance(item, (list, tuple)) for item in raw)
        if flat and 0 < len(raw) <= MOST_ITEMS:
            texts = [_text(item) for item in raw]
            faults = [text for text in texts if isinstance(text, Fault)]
            return faults[0] if faults else joined([str(text) for text in texts])
        return Fault("this is a whole array, not a number", "index it: a[0]")
    return Fault(f"this is no number: {type(raw).__name__}", "name a field of the dataset")


def _first(raw: Any) -> Any:
    floats = (
        [item for item in raw if isinstance(item, float)] if isinstance(raw, (list, tuple)) else []
    )
    return floats[0] if floats else raw


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, float) else value


def _in_full(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return joined([_in_full(item) for item in value])
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


# ---- claims ------------------------------------------------------------------------------------


def _claim(
    expression: Expression, tree: nodes.Expr, result: Any, datasets: Mapping[str, Any]
) -> Evaluated | Problem:
    found = judge(result)
    if found.true:
        return Evaluated("true", True, "true")
    if not found.is_claim:
        fault = Fault(f"this is no claim: {found.message}", "compare it with something: a == b")
        return problem(expression, fault, "not-a-claim")
    why = _why(expression, tree, datasets)
    return problem(expression, Fault(f"this claim is false: {why}"), "false-claim")


def _why(expression: Expression, tree: nodes.Expr, datasets: Mapping[str, Any]) -> str:
    """Say both sides of the part of a false claim that is false."""
    if isinstance(tree, nodes.And):
        left = _compute(expression, tree.left, datasets)
        return _why(expression, tree.right if judge(left).true else tree.left, datasets)
    inner = tree
    while isinstance(inner, nodes.Call) and _name(inner) == "all" and len(inner.args) == 1:
        inner = inner.args[0]
    if isinstance(inner, nodes.Compare) and len(inner.ops) == 1:
        operator, sides = inner.ops[0].op, (inner.expr, inner.ops[0].expr)
    elif isinstance(inner, nodes.Call) and _name(inner) == "close" and len(inner.args) == 2:
        operator, sides = "close", (inner.args[0], inner.args[1])
    else:
        return f"{written(inner)} is false"
    values = [_compute(expression, side, datasets) for side in sides]
    index = judge(_compute(expression, inner, datasets)).index
    return _sides(operator, sides, values, index)


def _sides(
    operator: str,
    sides: Sequence[nodes.Expr],
    values: Sequence[Any],
    index: tuple[int, ...] | None,
) -> str:
    import numpy as np

    at = f"[{', '.join(map(str, index))}]" if index is not None else ""
    if index is not None:
        values = [value[index] for value in np.broadcast_arrays(*values)]
    texts = []
    for side, value in zip(sides, values, strict=True):
        number = value.item() if isinstance(value, np.generic) else value
        shown = repr(_plain(number))
        name = written(side)
        is_literal = isinstance(side, nodes.Const) or not names_of(side)
        texts.append(
            shown if is_literal else f"{name}{at if np.ndim(value) == 0 else ''} = {shown}"
        )
    if operator == "close":
        gap = abs(float(values[0]) - float(values[1]))
        return f"{texts[0]} is not close to {texts[1]}; they differ by {gap:.3g}"
    return f"{texts[0]} is {_NEGATED.get(operator, 'not ' + operator)} {texts[1]}"


def names_of(tree: nodes.Node) -> list[str]:
    """Return the names below a part of an expression."""
    found = [node.name for node in tree.find_all(nodes.Name)]
    return [*found, tree.name] if isinstance(tree, nodes.Name) else found


def _name(call: nodes.Call) -> str:
    return str(call.node.name) if isinstance(call.node, nodes.Name) else ""
