"""Every problem the engine can name is in the guide, and is shown by a broken site or a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explainers.assets import gather
from explainers.errors import BuildError
from explainers.model import Tree
from explainers.node import Node
from explainers.store import Store

from .conftest import cases

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "content" / "guide" / "errors.md"
TESTS = Path(__file__).parent

CODE = re.compile(r"[a-z]+(?:-[a-z]+)+|maths|node|recording|template")
MAKERS = {"Problem", "problem", "add", "_add", "_take", "Remark"}
"""Calls that are given a code: first, by name, or through one that makes the problem."""

ELSEWHERE = {
    "asset-syntax": "test_assets.py",
    "dataset-hung": "data/test_run.py",
    "font-missing": "test_fonts.py",
    "heavy-script": "test_check.py",
    "missing-asset": "test_catalogue.py",
    "node": "test_draw.py",
    "output-folder": "test_sites.py",
    "same-address": "test_link.py",
    "stale-recording": "data/test_recorded.py",
    "store-write": "test_store.py",
    "unknown-article": "test_sites.py",
}
"""What no site of its own can show everywhere: it needs time, another machine, an option."""


def codes() -> set[str]:
    """Return every code that stands in the source where a problem is made."""
    return {
        value.value
        for file in (ROOT / "src" / "explainers").rglob("*.py")
        for value in _values(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(value, ast.Constant)
        and isinstance(value.value, str)
        and CODE.fullmatch(value.value)
    }


def _values(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in MAKERS:
                yield from node.args
                yield from (keyword.value for keyword in node.keywords)
        elif isinstance(node, ast.Assign):
            if any(getattr(target, "id", "") == "code" for target in node.targets):
                yield from ast.walk(node.value)
        elif isinstance(node, ast.arguments):
            for argument, default in zip(node.args[::-1], node.defaults[::-1], strict=False):
                if argument.arg == "code":
                    yield default


def test_the_source_is_read() -> None:
    assert {"unknown-dataset", "bad-expression", "unknown-field", "alias-clash"} <= codes()


def test_a_site_without_a_style_is_refused(tmp_path: Path) -> None:
    lacking = Tree(tmp_path, {}, ROOT)
    with Node(ROOT) as node, pytest.raises(BuildError) as caught:
        gather(lacking, Store(ROOT / ".cache" / "store"), node)
    assert [problem.code for problem in caught.value.problems] == ["missing-asset"]


def test_the_catalogue_has_an_entry_for_every_problem_and_no_other() -> None:
    entries = re.findall(r"^#### `([a-z-]+)`\n\n\S", CATALOGUE.read_text("utf-8"), re.MULTILINE)
    assert len(entries) == len(set(entries))
    assert sorted(set(entries) ^ codes()) == []


def test_every_problem_is_shown_by_a_site_or_by_a_test() -> None:
    shown = {folder.name for kind in ("errors", "notes") for folder in cases(TESTS / kind)}
    assert sorted(codes() - shown - ELSEWHERE.keys()) == []
    assert sorted(shown & ELSEWHERE.keys()) == []
    for code, file in ELSEWHERE.items():
        assert code in (TESTS / file).read_text(encoding="utf-8"), code
