"""What the marks of datasets say, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..errors import Problem, Span

Function = ast.FunctionDef | ast.AsyncFunctionDef


def mistaken(path: str, module: ast.Module) -> Iterator[Problem]:
    """Yield a problem for each dataset that another definition hides, or that hides its needs."""
    first: dict[str, Function] = {}
    for node in module.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        mark = mark_of(node)
        span = Span(path, node.lineno, column(node), len(node.name))
        other = first.setdefault(node.name, node)
        if other is not node and (mark or mark_of(other)):
            message = f'the dataset "{node.name}" is defined twice, and only this one would count'
            hint = f"the first is at {path}:{other.lineno}:{column(other)}: rename one of them"
            yield Problem("duplicate-dataset", message, span, hint)
        for keyword in mark.keywords if isinstance(mark, ast.Call) else []:
            if keyword.arg == "env" and not _is_written_out(keyword.value):
                value = keyword.value
                width = (value.end_col_offset or 0) - value.col_offset
                place = Span(path, value.lineno, value.col_offset + 1, max(1, width))
                message = "env names environment variables, and is read without running anything"
                yield Problem("data-syntax", message, place, 'write them out: env=["NAME"]')


def _is_written_out(value: ast.expr) -> bool:
    """Say whether an expression is a list of texts, each written out."""
    return isinstance(value, (ast.List, ast.Tuple)) and all(
        isinstance(item, ast.Constant) and isinstance(item.value, str) for item in value.elts
    )


def column(node: Function) -> int:
    """Return the column, from 1, of a function's name."""
    word = "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
    return node.col_offset + len(word) + 1


def mark_of(node: Function) -> ast.expr | None:
    """Return the decorator that makes a function a dataset."""
    return next((d for d in node.decorator_list if _is_mark(d)), None)


def _is_mark(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(called, ast.Attribute):
        return called.attr == "dataset"
    return isinstance(called, ast.Name) and called.id == "dataset"


def swept(mark: ast.expr | None) -> Iterator[str]:
    """Yield the parameters of a sweep that is written out as a dict."""
    keywords = mark.keywords if isinstance(mark, ast.Call) else []
    for keyword in keywords:
        if keyword.arg == "sweep" and isinstance(keyword.value, ast.Dict):
            for key in keyword.value.keys:
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value


def said(mark: ast.expr | None, word: str) -> str:
    """Return what a mark says of itself under a keyword, where it is written out."""
    for keyword in mark.keywords if isinstance(mark, ast.Call) else []:
        if keyword.arg == word and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value or "")
    return ""


def names(mark: ast.expr | None, word: str) -> Iterator[str]:
    """Yield the texts of a list that a mark gives under a keyword."""
    for keyword in mark.keywords if isinstance(mark, ast.Call) else []:
        if keyword.arg == word and isinstance(keyword.value, (ast.List, ast.Tuple)):
            for item in keyword.value.elts:
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    yield item.value
