"""Editors: the snippets and schemas are those of the code, and messages become problems."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explainers import cli
from explainers.front_matter import KEYS
from explainers.markdown.directives import DIRECTIVES
from explainers.markdown.roles import ROLES
from explainers.snippets import snippets, text

from .conftest import Site

ROOT = Path(__file__).parents[1]
EDITOR = ROOT / ".vscode"


def settings(name: str) -> Any:
    return json.loads((EDITOR / name).read_text(encoding="utf-8"))


def test_the_snippets_are_current(golden: Callable[[Path, str], None]) -> None:
    golden(EDITOR / "explainers.code-snippets", text())


def test_every_directive_role_and_key_has_a_snippet() -> None:
    names = {f"directive {n}" for n in DIRECTIVES} | {f"role {n}" for n in ROLES}
    assert snippets().keys() == names | {f"key {n}" for n in KEYS} | {"front matter"}


@pytest.mark.parametrize("name", sorted(DIRECTIVES))
def test_a_snippet_is_a_directive_with_all_its_options(name: str) -> None:
    body = snippets()[f"directive {name}"]["body"]
    assert body[0].startswith(f":::{{{name}}}")
    assert body[-1] == ":::"
    written = {line.split(":")[1] for line in body[1:-2]}
    assert written | {"label"} == {*DIRECTIVES[name].options, "label"}


def test_the_schemas_are_there_and_cover_the_files_of_this_site() -> None:
    wired = settings("settings.json")["yaml.schemas"]
    found: set[Path] = set()
    for schema, globs in wired.items():
        assert json.loads((ROOT / schema).read_text(encoding="utf-8"))["type"] == "object"
        for pattern in [globs] if isinstance(globs, str) else globs:
            files = set(ROOT.glob(pattern))
            assert files, pattern
            found |= files
    texts = {path for path in (ROOT / "content").rglob("*.md") if "kernels" not in path.parts}
    assert texts <= found
    assert ROOT / "content/site.yaml" in found


TASKS = {task["label"]: task for task in settings("tasks.json")["tasks"]}


@pytest.mark.parametrize("label", sorted(TASKS))
def test_a_task_is_a_command_that_can_be_given(label: str) -> None:
    words = TASKS[label]["command"].split()
    assert words[:2] == ["python3", "build.py"]
    assert cli.parser().parse_args(words[2:]).run


@pytest.mark.parametrize("label", sorted(TASKS))
def test_a_message_becomes_a_problem_at_its_place(site: Site, label: str) -> None:
    site.article("a", "One line.\n\n[x](nowhere.md)\n")
    said = site.build("--verbose").err
    pattern = TASKS[label]["problemMatcher"]["pattern"]
    (found,) = filter(None, (re.search(pattern["regexp"], line) for line in said.splitlines()))
    assert found[pattern["file"]] == "content/articles/a/index.md"
    assert (found[pattern["line"]], found[pattern["severity"]]) == ("9", "error")
    assert found[pattern["code"]] == "broken-link"
    assert "nowhere.md" in found[pattern["message"]]


def test_the_list_of_problems_is_renewed_by_every_build(site: Site) -> None:
    marks = TASKS["serve"]["problemMatcher"]["background"]
    site.article("a", "Words.\n")
    built = site.build("--verbose")
    assert re.search(marks["beginsPattern"], built.err, re.MULTILINE)
    assert re.search(marks["endsPattern"], built.out, re.MULTILINE)
    site.article("a", "[x](nowhere.md)\n")
    broken = site.build("--verbose").err
    assert re.search(marks["beginsPattern"], broken, re.MULTILINE)
    assert re.search(marks["endsPattern"], broken, re.MULTILINE)
