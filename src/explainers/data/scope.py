"""Which names a piece of Python takes from outside of itself: Python's own rules of scope."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def free_names(node: ast.AST, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names that a node uses and does not bind in a scope of its own.

    Args:
        node: a statement or expression.
        bound: names that the scopes around it bind.
    """
    if isinstance(node, ast.Name):
        if node.id not in bound:
            yield node.id
    elif isinstance(node, _FUNCTIONS):
        yield from _of_function(node, bound)
    elif isinstance(node, _COMPREHENSIONS):
        yield from _of_comprehension(node, bound)
    else:
        if isinstance(node, ast.Global):
            yield from node.names
        for child in ast.iter_child_nodes(node):
            yield from free_names(child, bound)


def _of_function(node: _Function, bound: frozenset[str]) -> Iterator[str]:
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    named = [argument.arg for argument in (*every, *extra)]
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    # Defaults, decorators and annotations belong to the scope around.
    outside: list[ast.AST] = [d for d in (*arguments.defaults, *arguments.kw_defaults) if d]
    outside += [argument.annotation for argument in (*every, *extra) if argument.annotation]
    if not isinstance(node, ast.Lambda):
        outside += [*node.decorator_list, *([node.returns] if node.returns else [])]
    for part in outside:
        yield from free_names(part, bound)
    stored, shared = set(named), set[str]()
    for part in body:
        for name, is_shared in _binds(part):
            (shared if is_shared else stored).add(name)
    inside = (bound | stored) - shared
    for part in body:
        yield from free_names(part, frozenset(inside))


def _of_comprehension(node: ast.AST, bound: frozenset[str]) -> Iterator[str]:
    generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
    yield from free_names(generators[0].iter, bound)
    targets = {
        part.id
        for generator in generators
        for part in ast.walk(generator.target)
        if isinstance(part, ast.Name)
    }
    inside = bound | targets
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.comprehension):
            yield from free_names(child, inside)
    for generator in generators:
        rest: Iterable[ast.AST] = (generator.target, *generator.ifs)
        for part in rest if generator is generators[0] else (*rest, generator.iter):
            yield from free_names(part, inside)


def _binds(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield what a function's statement binds in its scope, and whether a scope around owns it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, False
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, False
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], False
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name, False
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, False
    elif isinstance(node, ast.Global):
        yield from ((name, True) for name in node.names)
    if isinstance(node, _COMPREHENSIONS):
        # Only := reaches out of a comprehension.
        for part in ast.walk(node):
            if isinstance(part, ast.NamedExpr) and isinstance(part.target, ast.Name):
                yield part.target.id, False
        return
    for child in ast.iter_child_nodes(node):
        yield from _binds(child)
