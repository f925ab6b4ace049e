"""The guide shows every shared figure alive, and how a small one is made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "content/guide"
GALLERY = (GUIDE / "figures/index.md").read_text(encoding="utf-8")
KINDS = sorted(path.stem for path in (ROOT / "static/js/figures").glob("*.js"))
MADE_BY_A_PART = {"calculator": "own-layout"}
"""What a part makes of a module beside the page, and the gallery's own such module."""
MOST_FILES, MOST_LINES = 2, 120


@pytest.mark.parametrize("kind", [*KINDS, *MADE_BY_A_PART])
def test_every_kind_has_an_entry_alive_with_its_data_and_its_state(kind: str) -> None:
    entry = re.search(rf"^## {kind}$(.*?)(?=^## |\Z)", GALLERY, re.M | re.S)
    assert entry, kind
    name = MADE_BY_A_PART.get(kind, kind)
    assert re.search(r"^:+\{example\}\n" rf":+\{{figure\}} {name}$", entry[1], re.MULTILINE)
    assert "| state |" in entry[1]
    assert "| data |" in entry[1] or "| `trace` |" in entry[1]


def test_a_small_figure_is_made_in_two_files() -> None:
    folder = GUIDE / "make-a-figure"
    files = [path for path in folder.iterdir() if path.suffix in (".js", ".py")]
    assert len(files) <= MOST_FILES
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES
    text = (folder / "index.md").read_text(encoding="utf-8")
    assert all(f"{{listing}} ./{path.name}" in text for path in files)
