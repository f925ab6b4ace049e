"""The house stands: modules import downwards only, none is too long, kernels are an island."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "explainers"

RANKS = {
    "errors": 0,
    "nearest": 0,
    "config": 1,
    "digest": 1,
    "yaml_nodes": 1,
    "catalogue": 2,
    "holes": 1,
    "tree": 2,
    "model": 2,
    "shelf": 3,
    "store": 3,
    "front_matter": 3,
    "series": 3,
    "twin": 3,
    "markdown": 3,
    "bibliography": 3,
    "highlight": 3,
    "fonts": 3,
    "images": 3,
    "listing": 3,
    "provenance": 3,
    "origins": 3,
    "imports": 3,
    "scripts": 3,
    "data": 3,
    "node": 3,
    "recording": 3,
    "counters": 3,
    "device": 3,
    "discover": 4,
    "parse": 4,
    "link": 4,
    "compute": 4,
    "draw": 4,
    "assets": 4,
    "render": 4,
    "feeds": 4,
    "write": 4,
    "pipeline": 5,
    "watch": 5,
    "live": 5,
    "new": 5,
    "scaffold": 4,
    "schema": 6,
    "snippets": 6,
    "check": 6,
    "weight": 3,
    "record": 6,
    "recompute": 6,
    "server": 6,
    "prune": 6,
    "arguments": 6,
    "terminal": 6,
    "serve": 7,
    "cli_data": 7,
    "commands": 7,
    "cli": 8,
}
STAGE = 4
MOST_LINES = 300

MODULES = sorted(PACKAGE.rglob("*.py"))


def _name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def _imports(path: Path) -> Iterator[str]:
    """Yield the names, within the package, of the modules a file imports."""
    here = path.relative_to(PACKAGE).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("explainers."):
                    yield alias.name.removeprefix("explainers.")
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = here[: len(here) - node.level]
                yield from (".".join((*base, node.module or alias.name)) for alias in node.names)
            elif node.module and node.module.startswith("explainers."):
                yield node.module.removeprefix("explainers.")


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_imports_only_lower_ranks(path: Path) -> None:
    name = _name(path)
    top = name.split(".")[0]
    if top in ("", "__init__", "__main__"):
        return  # the package's face and its door may import what they show
    if top == "kernels":
        assert all(other.startswith("kernels") for other in _imports(path)), name
        return
    for other in set(_imports(path)) - {"__version__"}:
        lower = other.split(".")[0]
        assert lower in RANKS, f"{name} imports {other}, which has no rank"
        inside = lower == top
        assert inside or RANKS[lower] <= RANKS[top], f"{name} imports upwards: {other}"
        if RANKS[top] == STAGE:
            assert inside or RANKS[lower] < STAGE, f"the stage {name} imports the stage {other}"


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_is_one_idea(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MOST_LINES
    assert ast.get_docstring(ast.parse(path.read_text())), "a module says what it is for"


def test_every_module_has_a_rank() -> None:
    tops = {_name(path).split(".")[0] for path in MODULES} - {"", "__init__", "__main__", "kernels"}
    assert tops <= RANKS.keys()
