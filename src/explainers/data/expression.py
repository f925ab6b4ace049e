"""Read an expression: Jinja2's language, cut down to numbers; nothing is evaluated here."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.parser import Parser

from ..errors import Problem, Span
from ..model import Expression
from .numerals import FILTERS

FUNCTIONS = ("abs", "min", "max", "sum", "all", "any", "len", "round", "close")
"""What an expression may call, beside `.at(…)`."""

TRUTH, SCALAR, OPERAND = "truth__", "scalar__", "operand__"
"""What the checks are called in a compiled expression; no expression may call them itself."""

MOST_CHARACTERS = 2000

_ALLOWED: tuple[type[nodes.Node], ...] = (
    *(nodes.Const, nodes.List, nodes.Tuple, nodes.Name, nodes.Getattr, nodes.Getitem),
    *(nodes.Slice, nodes.Call, nodes.Keyword, nodes.Filter, nodes.Compare, nodes.Operand),
    *(nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos, nodes.CondExpr),
    *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow),
)
_WORDS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<="}

_language = Environment(autoescape=False)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an expression, and the word of it that is to blame ("" for all)."""

    message: str
    hint: str | None = None
    word: str = ""


def read(text: str) -> nodes.Expr | Fault:
    """Return the tree of an expression, or why it is none."""
    tree = _parse(text)
    if isinstance(tree, Fault):
        return tree
    for node in _walk(tree):
        if fault := _fault(node):
            return fault
    return tree


def check(expression: Expression) -> tuple[Problem, ...]:
    """Return what is wrong with an expression as it is written; needs no data."""
    tree = read(expression.text)
    return (problem(expression, tree),) if isinstance(tree, Fault) else ()


def problem(expression: Expression, fault: Fault, code: str = "bad-expression") -> Problem:
    """Return a fault with its place in the page."""
    return Problem(code, fault.message, place(expression, fault.word), fault.hint)


def names(text: str) -> tuple[str, ...]:
    """Return the names an expression uses beside our functions; none if it cannot be read."""
    tree = _parse(text)
    if isinstance(tree, Fault):
        return ()
    found = (node.name for node in _walk(tree) if isinstance(node, nodes.Name))
    return tuple(dict.fromkeys(name for name in found if name not in FUNCTIONS))


def place(expression: Expression, word: str, after: str = "") -> Span:
    """Return where a word stands in an expression; the whole of it if it does not.

    A word that begins with a dot is an attribute; `after` is what must follow it.
    """
    span, text = expression.span, expression.text
    whole = Span(span.path, span.line, span.column, max(1, len(text)))
    tokens = list(_tokens(text))
    dotted = word.startswith(".")
    for index, (offset, value) in enumerate(tokens):
        before = tokens[index - 1][1] if index else ""
        rest = "".join(value for _, value in tokens[index + 1 : index + 4])
        if value == word.lstrip(".") and (before == ".") == dotted and rest.startswith(after):
            return Span(span.path, span.line, span.column + offset, len(value))
    return whole


def guarded(tree: nodes.Expr) -> nodes.Expr:
    """Return a copy of a tree that refuses arrays where Python asks for one truth."""
    return _guarded(copy.deepcopy(tree))


def written(node: nodes.Node) -> str:
    """Return an expression's tree as text again, for messages."""
    match node:
        case nodes.Const():
            return repr(node.value)
        case nodes.Name():
            return str(node.name)
        case nodes.Getattr():
            return f"{written(node.node)}.{node.attr}"
        case nodes.Getitem():
            return f"{written(node.node)}[{written(node.arg)}]"
        case nodes.Slice():
            ends = [written(end) if end else "" for end in (node.start, node.stop, node.step)]
            return ":".join(ends).removesuffix(":")
        case nodes.Call():
            named = [f"{k.key}={written(k.value)}" for k in node.kwargs]
            return f"{written(node.node)}({', '.join([*map(written, node.args), *named])})"
        case nodes.Filter():
            options = ", ".join(map(written, node.args))
            value = written(node.node) if node.node else "…"
            return f"{value} | {node.name}" + (f"({options})" if options else "")
        case nodes.UnaryExpr():
            return f"{node.operator} {written(node.node)}".replace("- ", "-").replace("+ ", "+")
        case nodes.BinExpr():
            return f"({written(node.left)} {node.operator} {written(node.right)})"
        case nodes.Compare():
            rest = (f" {_WORDS.get(o.op, o.op)} {written(o.expr)}" for o in node.ops)
            return written(node.expr) + "".join(rest)
        case nodes.List() | nodes.Tuple():
            return f"[{', '.join(map(written, node.items))}]"
    return "…"


@functools.lru_cache(maxsize=4096)
def _parse(text: str) -> nodes.Expr | Fault:
    if len(text) > MOST_CHARACTERS:
        return Fault(f"an expression has at most {MOST_CHARACTERS:,} characters")
    if not text.strip():
        return Fault("the expression is empty")
    try:
        parser = Parser(_language, text, state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            return _unread(parser.stream.current.value)
    except TemplateSyntaxError as error:
        return _unread(None, str(error.message))
    except (RecursionError, ValueError) as error:
        return Fault(f"this cannot be read: {error}")
    return tree


def _unread(token: object, message: str = "") -> Fault:
    word = str(token or "")
    if "=" in (word, message[-2:-1]):
        return Fault('a comparison is written "=="', "one = only names an argument", word)
    if word:
        return Fault(f'the expression ends before "{word}"', "join its parts by an operator", word)
    return Fault(f"this is no expression: {message}")


def _fault(node: nodes.Node) -> Fault | None:
    if isinstance(node, nodes.Call):
        return _call_fault(node)
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        near = get_close_matches(node.name, FILTERS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(FILTERS)}"
        return Fault(f'no filter named "{node.name}"', hint, node.name)
    if isinstance(node, nodes.Filter) and (node.dyn_args or node.dyn_kwargs):
        return Fault("arguments cannot be unpacked here", word=node.name)
    if isinstance(node, nodes.Tuple) and any(isinstance(i, nodes.Slice) for i in node.items):
        return Fault("a slice takes one axis at a time", "index one axis, then the next: a[0][1:3]")
    if isinstance(node, nodes.Pow) and isinstance(node.left, nodes.Pow):
        return Fault("a ** b ** c can be read in two ways", "put parentheses", "**")
    if isinstance(node, nodes.CondExpr) and node.expr2 is None:
        return Fault("an if needs an else", "write a if b else c", "if")
    if isinstance(node, nodes.Test):
        return Fault('"is" cannot be used here', "compare with ==", "is")
    if not isinstance(node, _ALLOWED):
        return Fault(f"{type(node).__name__.lower()} cannot be used in an expression")
    return None


def _call_fault(node: nodes.Call) -> Fault | None:
    called = node.node
    if node.dyn_args or node.dyn_kwargs:
        return Fault("arguments cannot be unpacked here")
    if isinstance(called, nodes.Getattr) and called.attr == "at":
        return None
    if isinstance(called, nodes.Name) and called.name in FUNCTIONS:
        return None
    word = ""
    if isinstance(called, nodes.Name):
        word = called.name
        near = get_close_matches(word, FUNCTIONS, 1)
        if word in FILTERS:
            return Fault(f'"{word}" is a filter', f"write value | {word}", word)
        if near:
            return Fault(f'no function named "{word}"', f"did you mean {near[0]}?", word)
    elif isinstance(called, nodes.Getattr):
        word = f".{called.attr}"
    hint = f"only {', '.join(FUNCTIONS)} and .at(…) can be called; compute the rest in data.py"
    return Fault(f'"{word.lstrip(".") or "this"}" cannot be called', hint, word)


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)


def _guarded(node: nodes.Expr) -> nodes.Expr:
    for field, value in node.iter_fields():
        if isinstance(value, nodes.Node):
            setattr(node, field, _guarded(value))  # type: ignore[arg-type]
        elif isinstance(value, list):
            items = [_guarded(v) if isinstance(v, nodes.Node) else v for v in value]  # type: ignore[arg-type]
            setattr(node, field, items)
    if isinstance(node, (nodes.And, nodes.Or)):
        node.left, node.right = _call(TRUTH, node.left), _call(TRUTH, node.right)
    elif isinstance(node, nodes.Not):
        node.node = _call(TRUTH, node.node)
    elif isinstance(node, nodes.CondExpr):
        node.test = _call(TRUTH, node.test)
    elif isinstance(node, nodes.Compare):
        single = len(node.ops) == 1 and node.ops[0].op not in ("in", "notin")
        name = OPERAND if single else SCALAR
        node.expr = _call(name, node.expr)
        for operand in node.ops:
            operand.expr = _call(name, operand.expr)
    return node


def _call(name: str, node: nodes.Expr) -> nodes.Expr:
    return nodes.Call(nodes.Name(name, "load"), [node], [], None, None)


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words of an expression with their offsets."""
    offset = 0
    try:
        for _, kind, value in _language.lex("{{" + text + "}}"):
            if kind not in ("whitespace", "variable_begin", "variable_end"):
                yield offset, value
            if kind != "variable_begin":
                offset += len(value)
    except TemplateSyntaxError:
        return
