"""What the source of a Python file says: its bindings, what each uses, what it imports.

All by AST: nothing is imported, so a site that has nothing to compute needs no NumPy. The facts of
a file are JSON-able and depend on its text alone, so they can be kept by its digest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ..digest import code_digest, digest, is_remark
from ..errors import BuildError, Problem, Span, refuse
from .marks import column, mark_of, mistaken, names, said, swept
from .scope import free_names

SCHEMA = "5"
"""Raised when a change here changes what is said of the same text."""

_DYNAMIC = frozenset({"eval", "exec", "globals", "__import__", "importlib", "vars"})
"""Names that reach what no reader of the source can see."""


@dataclass(frozen=True, slots=True)
class Import:
    """`from MODULE import ATTRIBUTE` at LEVEL dots, or `import MODULE` with no attribute."""

    level: int
    module: str
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """What one top-level name stands for: the statements that set it, and the names they use."""

    digest: str
    uses: tuple[str, ...]
    imports: tuple[Import, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """A top-level function: its parameters, place, first line of docstring, and what it needs."""

    line: int
    column: int
    parameters: tuple[str, ...]
    is_dataset: bool
    swept: tuple[str, ...] = ()
    summary: str = ""
    recorded: str = ""
    origin: str = ""
    env: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything keys need to know of a file.

    `bindings` has the name "" for statements that bind nothing but run all the same.
    """

    digest: str
    imports: tuple[Import, ...]
    bindings: dict[str, Binding]
    functions: dict[str, Definition]


def facts(path: str, text: str) -> Facts:
    """Return the facts of a file's text.

    Raises:
        BuildError: the text is no Python.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise BuildError([_syntax(path, error)]) from error
    except (RecursionError, MemoryError) as error:
        problem = Problem("data-syntax", "an expression is nested too deep to be read", Span(path))
        raise BuildError([problem]) from error
    refuse(mistaken(path, module))
    groups: dict[str, list[_Statement]] = {}
    every: list[_Statement] = []
    for node in module.body:
        if is_remark(node) or _is_main(node):
            continue
        every.append(statement := _statement(node))
        for name in dict.fromkeys(_binds(node)) or ("",):
            groups.setdefault(name, []).append(statement)
    return Facts(
        digest(*(statement.digest for statement in every)),
        tuple(dict.fromkeys(item for statement in every for item in statement.imports)),
        {name: _binding(name, statements) for name, statements in groups.items()},
        {
            node.name: _definition(node)
            for node in module.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        },
    )


def to_json(found: Facts) -> dict[str, Any]:
    """Return the facts ready for JSON."""
    return asdict(found)


def from_json(kept: dict[str, Any]) -> Facts:
    """Return the facts that `to_json` was given."""
    return Facts(
        kept["digest"],
        tuple(Import(**item) for item in kept["imports"]),
        {
            name: Binding(b["digest"], tuple(b["uses"]), tuple(Import(**i) for i in b["imports"]))
            for name, b in kept["bindings"].items()
        },
        {
            name: Definition(
                **{**d, **{name: tuple(d[name]) for name in ("parameters", "swept", "env")}}
            )
            for name, d in kept["functions"].items()
        },
    )


def _syntax(path: str, error: SyntaxError | ValueError) -> Problem:
    if not isinstance(error, SyntaxError):
        return Problem("data-syntax", str(error), Span(path))
    span = Span(path, error.lineno or 1, error.offset or 1)
    return Problem("data-syntax", f"Python cannot read this: {error.msg}", span)


def _is_main(node: ast.stmt) -> bool:
    """Say whether a statement runs only when the file is the program."""
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test)
    )


def _binds(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement sets, or changes something inside of."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    for part in _here(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
            base: ast.expr = part
            while isinstance(base, (ast.Attribute, ast.Subscript)):
                base = base.value
            if isinstance(base, ast.Name):
                yield base.id
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield part.name
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            for alias in part.names:
                yield alias.asname or alias.name.partition(".")[0]
        elif isinstance(part, ast.ExceptHandler) and part.name:
            yield part.name


def _here(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what is below it, but not what is inside other scopes."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _here(child)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A top-level statement: what it says, the names it uses, what is imported in it."""

    node: ast.stmt
    digest: str
    names: frozenset[str]
    imports: tuple[Import, ...]


def _statement(node: ast.stmt) -> _Statement:
    names = set(free_names(node))
    imports: list[Import] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            imports += (Import(0, alias.name) for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            imports += (Import(part.level, part.module or "", a.name) for a in part.names)
    return _Statement(node, code_digest(node), frozenset(names), tuple(imports))


def _binding(name: str, statements: list[_Statement]) -> Binding:
    uses = set().union(*(statement.names for statement in statements)) - {name}
    imports: list[Import] = []
    digests = []
    for statement in statements:
        if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
            imports += _imports_of(name, statement.node)
        else:
            imports += statement.imports
            digests.append(statement.digest)
    # What only imports says nothing that the files and libraries do not.
    code = digest(*digests) if digests else ""
    return Binding(code, tuple(sorted(uses)), tuple(imports))


def is_dynamic(binding: Binding) -> bool:
    """Say whether a binding may use names that its source does not show."""
    return not _DYNAMIC.isdisjoint(binding.uses)


def _imports_of(name: str, node: ast.Import | ast.ImportFrom) -> Iterator[Import]:
    """Yield those imports of a statement that bind one name."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            if (alias.asname or alias.name.partition(".")[0]) == name:
                yield Import(0, alias.name)
        elif (alias.asname or alias.name) == name:
            yield Import(node.level, node.module or "", alias.name)


def _definition(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Definition:
    arguments = node.args
    parameters = [
        argument.arg
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    ]
    mark = mark_of(node)
    docstring = ast.get_docstring(node) or ""
    return Definition(
        node.lineno,
        column(node),
        tuple(parameters),
        mark is not None,
        tuple(swept(mark)),
        next(iter(docstring.splitlines()), ""),
        said(mark, "needs"),
        said(mark, "origin"),
        tuple(names(mark, "env")),
    )
