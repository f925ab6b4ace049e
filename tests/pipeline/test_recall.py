from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from explainers import draw
from explainers.discover import HOME
from explainers.errors import BuildError, Problem, Span
from explainers.highlight import highlight
from explainers.model import Formula
from explainers.node import Node
from explainers.parse import parse
from explainers.pipeline import crew, recall
from explainers.pipeline.packing import pack, unpack, unpack_all
from explainers.store import Store

ARTICLE = """\
---
title: "Article {0}"
summary: "A summary of at least one hundred and twenty characters, so that lists and feeds have
  something to say of the article that they name."
date: 2026-08-01
kind: note
---
## Section {0}

Words, $x_{{{0}}}$, and a [link](../other/index.md).

```python
print({0})
```
"""


def tasks(folder: Path, count: int, broken: int = -1) -> list[recall.Task]:
    made = []
    for number in range(count):
        place = folder / f"a{number}.md"
        text = ARTICLE.format(number)
        place.write_text(text.replace("date:", "dato:") if number == broken else text)
        path = f"content/articles/a{number}/index.md"
        made.append(recall.Task(path, f"a{number}", place, "text", f"{number:064x}", "engine"))
    return made


def parsed_apart(asked: list[recall.Task], store: Store) -> Mapping[str, bytes]:
    hands = crew.Crew()
    try:
        return recall.outlines(hands, asked, store, {})
    finally:
        hands.close()


def test_a_packed_value_comes_back_equal() -> None:
    parsed = parse("content/articles/a/index.md", "a", ARTICLE.format(1))
    assert unpack(pack(parsed)) == parsed
    assert unpack_all([pack(parsed), pack(parsed.outline)]) == [parsed, parsed.outline]


def test_every_field_is_packed_in_its_place() -> None:
    problem = Problem("code", "message", Span("path", 3, 5, 7), "hint")
    assert dataclasses.asdict(unpack(pack(problem))) == dataclasses.asdict(problem)


def test_processes_parse_as_this_one_does_and_keep_what_they_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "cores", lambda: 2)
    store = Store(tmp_path / "store")
    asked = tasks(tmp_path, crew.MANY, broken=5)
    found = parsed_apart(asked, store)
    assert set(found) == {task.key for task in asked} - {asked[5].key}
    for task in (asked[0], asked[-1]):
        parsed = parse(task.path, task.slug, recall.text(task))
        assert unpack(found[task.key]) == parsed.outline
        kept = store.shelf.get(task.key)
        assert kept is not None
        assert unpack(kept) == parsed


def test_few_articles_are_left_to_the_caller(tmp_path: Path) -> None:
    assert parsed_apart(tasks(tmp_path, 3), Store(tmp_path / "store")) == {}


def test_what_was_parsed_is_not_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (task,) = tasks(tmp_path, 1)
    store = Store(tmp_path / "store")
    first = recall.recall(task, store)
    monkeypatch.setattr(recall, "parse", None)
    assert recall.recall(task, store) == first


def test_problems_are_raised_and_nothing_is_kept(tmp_path: Path) -> None:
    (task,) = tasks(tmp_path, 1, broken=0)
    store = Store(tmp_path / "store")
    with pytest.raises(BuildError, match="dato"):
        recall.recall(task, store)
    assert store.shelf.get(task.key) is None


def test_coloured_code_is_remembered_and_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "store")
    code = "def f(x):\n    return x < 1\n\n# <b>\n"
    first = recall.coloured(store, "engine", code, "python")
    assert first == highlight(code, "python")
    monkeypatch.setattr(recall, "highlight", None)
    assert recall.coloured(store, "engine", code, "python") == first


def test_an_edit_of_prose_needs_no_highlighter(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    (task,) = tasks(tmp_path, 1)
    recall.recall(task, store)
    store.shelf.close()
    task.place.write_text(task.place.read_text() + "\nMore words.\n")
    script = (
        "import sys; from pathlib import Path; from explainers.pipeline import recall\n"
        "from explainers.store import Store\n"
        f"place = Path({str(task.place)!r})\n"
        f"task = recall.Task({task.path!r}, 'a0', place, 'other', '{1:064x}', 'engine')\n"
        f"assert 'print' in repr(recall.recall(task, Store(Path({str(store.root)!r}))))\n"
        "print([name for name in sys.modules if name.startswith('pygments')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_processes_typeset_the_formulas_of_what_they_parse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "cores", lambda: 2)
    store = Store(tmp_path / "store")
    parsed_apart(tasks(tmp_path, crew.MANY), store)
    span = Span("a.md", 1, 1)
    wanted = [Formula(f"x_{{{number}}}", False, span) for number in range(crew.MANY)]
    idle = Node(HOME, command="/nowhere")
    found = draw.formulas(wanted, {}, idle, store)
    assert len(found) == crew.MANY
    assert not idle.started
