"""The statements of a function: their ordinals, lines and names, from the source alone.

A trace records ordinals; a figure asks here, when it is drawn, where they stand now. So a comment
that moves a line neither runs a dataset again nor lights the wrong line.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeGuard

from ..digest import is_remark

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_HEADS = (ast.expr, ast.withitem, ast.arguments)
"""What stands in the header of a compound statement."""

_NAMED = re.compile(r"#\s*step:\s*(.+?)\s*$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a function; its ordinal is its index among `steps(...)`.

    `end_line` is the last line of a simple statement, of a compound one the last of its header.
    """

    ordinal: int
    line: int
    end_line: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Extent:
    """The lines of a function, from its `def`, and of its docstring and decorators."""

    first: int
    last: int
    docstring: tuple[int, int] | None = None
    decorators: tuple[int, int] | None = None


def steps(text: str, qualname: str) -> tuple[Statement, ...]:
    """Return the statements of a function, with the names that `# step: NAME` gives them.

    Raises:
        LookupError: the source has no function of this name.
    """
    names = _names(text)
    found = []
    for ordinal, node in enumerate(statements(find(text, qualname))):
        first, last = header(node)
        named = (names[line] for line in range(first, last + 1) if line in names)
        found.append(Statement(ordinal, node.lineno, last, next(named, "")))
    return tuple(found)


def trace_lines(text: str, qualname: str, ordinals: Iterable[int]) -> tuple[int, ...]:
    """Return the line, in the file, of each step of a trace."""
    lines = [statement.line for statement in steps(text, qualname)]
    return tuple(lines[ordinal] for ordinal in ordinals)


def extent(text: str, qualname: str) -> Extent:
    """Return where a function stands in its file.

    Raises:
        LookupError: the source has no function of this name.
    """
    node = find(text, qualname)
    docstring = node.body[0] if is_remark(node.body[0]) else None
    decorators = node.decorator_list
    return Extent(
        node.lineno,
        node.end_lineno or node.lineno,
        (docstring.lineno, docstring.end_lineno or docstring.lineno) if docstring else None,
        (decorators[0].lineno, decorators[-1].end_lineno or node.lineno) if decorators else None,
    )


def find(text: str, qualname: str) -> FunctionNode:
    """Return the function of this qualified name ("f", "Class.f", "f.<locals>.g").

    A name bound twice means the last, as it does when the module has run.
    """
    scope: ast.AST = ast.parse(text)
    for part in qualname.split("."):
        if part == "<locals>":
            continue
        inner = [
            node
            for node in _definitions(scope)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and node.name == part
        ]
        if not inner:
            raise LookupError(f'no function "{qualname}" in the source')
        scope = inner[-1]
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise LookupError(f'"{qualname}" is not a function')
    return scope


def statements(function: FunctionNode) -> Iterator[ast.stmt]:
    """Yield a function's statements in the order of the source: those of its own frame.

    Text alone is none, so that writing a docstring moves no ordinal.
    """
    for node in function.body:
        yield from _within(node)


def header(node: ast.stmt) -> tuple[int, int]:
    """Return the lines of a statement itself, without the block it opens."""
    if not any(_blocks(node)):
        return node.lineno, node.end_lineno or node.lineno
    heads = (child for child in ast.iter_child_nodes(node) if isinstance(child, _HEADS))
    ends = (part.end_lineno or 0 for child in heads for part in ast.walk(child) if _placed(part))
    return node.lineno, max((node.lineno, *ends))


def _placed(node: ast.AST) -> TypeGuard[ast.expr | ast.arg]:
    return isinstance(node, (ast.expr, ast.arg))


def _within(node: ast.stmt) -> Iterator[ast.stmt]:
    if is_remark(node):
        return
    yield node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for child in _blocks(node):
            yield from _within(child)


def _blocks(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements directly inside a compound one, handlers and cases looked through."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield from _blocks(child)


def _definitions(scope: ast.AST) -> Iterator[ast.stmt]:
    for node in _blocks(scope):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _definitions(node)


def _names(text: str) -> dict[int, str]:
    """Return line -> the name a comment gives the statement there.

    A comment alone on its line names the next line that has code.
    """
    layout = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    names: dict[int, str] = {}
    waiting = ""
    code = 0  # the last line that has code
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if not (match := _NAMED.search(token.string)):
                continue
            if token.start[0] == code:
                names[code] = match[1]
            else:
                waiting = match[1]
        elif token.type not in layout:
            if waiting:
                names.setdefault(token.start[0], waiting)
                waiting = ""
            code = token.end[0]
    return names
