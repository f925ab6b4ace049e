"""Say how a dataset was made: its code, the kernels it runs and their oracles, versions, key."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import highlight, origins
from .data.key import Keys, Reach
from .listing import KERNELS, SITE_KERNELS, function
from .model import Tree

SHOWN_KEY = 12
"""Characters of a key that are shown; the whole one is in the store."""


def made(
    tree: Tree, keys: Keys, slug: str, name: str, key: str, header: dict[str, Any]
) -> dict[str, Any]:
    """Return what a page tells of one dataset; `header` is that of its stored form."""
    declared = keys.datasets(slug)[name]
    reach = keys.reach(slug, name)
    source = keys.text(slug, "data") or ""
    module = ast.parse(source)
    oracles = list(_oracles(tree, module, name))
    return {
        "name": name,
        "origin": header["origin"],
        "summary": declared.summary,
        "source_html": _source(source, module, [name, *reach.names]),
        "parameters": "; ".join(f"{axis}: {_values(values)}" for axis, values in header["sweep"]),
        "versions": "" if declared.recorded else _versions(reach),
        "key": key[:SHOWN_KEY],
        "oracle": "; ".join(oracles),
        "tolerance": _tolerance(header.get("tolerance", {})),
        "facts": [
            ("made from", ", ".join(declared.needs)),
            ("code", _code(reach, name)),
            *origins.facts(origins.ground(keys, slug, name)),
        ],
        "rebuild": (f'from explainers.data.run import run_here\nrun_here(".", "{slug}", "{name}")'),
    }


def sections(docstring: str) -> dict[str, str]:
    """Return the sections of a Google-style docstring by their names."""
    found: dict[str, str] = {}
    for block in re.split(r"\n(?=\w+:\n)", inspect.cleandoc(docstring)):
        title, _, text = block.partition(":\n")
        if text and title.isalpha():
            found[title] = inspect.cleandoc(text)
    return found


def _source(text: str, module: ast.Module, names: Iterable[str]) -> str:
    """Return the functions of data.py with these names, highlighted, the first one first."""
    shown = []
    for name in dict.fromkeys(names):
        node = function(module, name)
        if isinstance(node, ast.FunctionDef):
            first = min((d.lineno for d in node.decorator_list), default=node.lineno)
            shown.append("\n".join(text.splitlines()[first - 1 : node.end_lineno]))
    code = "\n\n\n".join(shown)
    return highlight.block(highlight.highlight(code, "python"), "python") if code else ""


def _versions(reach: Reach) -> str:
    return ", ".join(f"{library} {version}" for library, version in reach.libraries)


def _code(reach: Reach, name: str) -> str:
    """Return the names that a dataset's function reaches: in data.py, and the files beyond."""
    helpers = [other for other in reach.names if other not in (name, "", "*")]
    own = [f"data.py: {', '.join(helpers)}"] if helpers else []
    return "; ".join([*own, *(module.removeprefix("article.") for module in reach.files)])


def _tolerance(said: Mapping[str, float]) -> str:
    """Return how far numbers may lie from the same made on another device."""
    parts = [f"{tolerance:g}" + (f" ({name})" if name else "") for name, tolerance in said.items()]
    return f"{', '.join(parts)}, relative, between devices" if parts else ""


def _values(values: list[Any]) -> str:
    if len(values) <= 4:
        return ", ".join(map(str, values))
    return f"{values[0]}, {values[1]}, …, {values[-1]} ({len(values)} values)"


def _oracles(tree: Tree, module: ast.Module, name: str) -> Iterator[str]:
    """Yield the declared oracle of each kernel function that a dataset's function names."""
    node = function(module, name)
    for kernel, used in _kernels(module, node) if node else ():
        for folder in (SITE_KERNELS, KERNELS):
            path = f"{folder}/{kernel}.py"
            if path in tree.files:
                found = function(ast.parse(tree.read(path)), used)
                doc = ast.get_docstring(found) if found else None
                if doc and (oracle := sections(doc).get("Oracle")):
                    yield f"{used}: {' '.join(oracle.split())}"
                break


def _kernels(module: ast.Module, node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (kernel module, function) for what a function uses of kernels, in order, once."""
    modules: dict[str, str] = {}
    functions: dict[str, tuple[str, str]] = {}
    for statement in module.body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            root, _, rest = statement.module.removeprefix("explainers.").partition(".")
            for alias in statement.names if root == "kernels" else ():
                shown = alias.asname or alias.name
                if rest:
                    functions[shown] = (rest, alias.name)
                else:
                    modules[shown] = alias.name
    seen = set()
    for inner in ast.walk(node):
        pair = None
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            if kernel := modules.get(inner.value.id):
                pair = (kernel, inner.attr)
        elif isinstance(inner, ast.Name):
            pair = functions.get(inner.id)
        if pair and pair not in seen:
            seen.add(pair)
            yield pair
