"""HTML that the pages hold, as Markdown."""

from __future__ import annotations

import pytest

from explainers.parse import parse
from explainers.twin import INSET, Inset, fenced, markdown

from .conftest import Site
from .test_feeds import published

HEAD = """---
title: A
summary: A summary of at least one hundred and twenty characters, so that lists and feeds have
  something to say of the article that they name.
date: 2026-08-01
kind: note
---
"""

PLAIN = [
    "Plain *words*, **strong ones**, ~~struck~~ and `code`.",
    "A [link](https://x.example/a?b=1&c=2) and 5 \\* 3, a\\_b, \\$5, \\[x\\], 1 \\< 2 & 3.",
    "## A heading",
    "- one\n- two\n- three",
    "1. one\n2. two",
    "- one\n\n  more of one\n\n- two",
    "1. one\n\n   - inner\n   - other",
    "> A quotation\n>\n> of two paragraphs",
    '```python\nx = "<a>"\n\n    y\n```',
    "````\n```\n````",
    "| a | b |\n| --- | --- |\n| 1 | x \\| y |",
    "``a ` b``",
    "---",
    "- [x] done\n- [ ] not done",
]


def html(text: str) -> str:
    body = parse("content/articles/a/index.md", "a", HEAD + text + "\n").body
    return "".join(part for part in body.parts if isinstance(part, str))


@pytest.mark.parametrize("text", PLAIN)
def test_markdown_that_needs_no_directive_comes_back(text: str) -> None:
    assert markdown(html(text), []) == text + "\n"


@pytest.mark.parametrize("text", PLAIN)
def test_what_comes_back_says_the_same(text: str) -> None:
    assert html(markdown(html(text), [])) == html(text)


def test_a_footnote_keeps_its_place_and_its_text() -> None:
    found = markdown(html("So.[^a]\n\n[^a]: It *is*."), [])
    assert found == "So.[^1]\n\n[^1]: It *is*.\n"


def test_boxes_and_questions_keep_their_words() -> None:
    text = ":::{warning} Hot\nTouch *nothing*.\n:::\n\n:::{self-check}\nWhy?\n\n---\nSo.\n:::"
    assert markdown(html(text), []).split("\n\n") == [
        "**Hot**", "Touch *nothing*.", "**Self-check**", "Why?", "**Answer**", "So.\n",
    ]  # fmt: skip


def test_insets_stand_in_the_line_or_as_a_block() -> None:
    text = f"<p>A {INSET}0{INSET}, then</p>{INSET}1{INSET}<ul><li>{INSET}2{INSET}</li></ul>"
    insets = [Inset("$a_b$"), Inset("$$\nx\n$$", True), Inset("30")]
    assert markdown(text, insets) == "A $a_b$, then\n\n$$\nx\n$$\n\n- 30\n"


def test_a_fence_is_longer_than_those_in_the_code() -> None:
    assert fenced("a", "py") == "```py\na\n```"
    assert fenced("````", "") == "`````\n````\n`````"


def test_a_page_has_a_twin_with_its_numbers_and_figures_in_words(site: Site) -> None:
    published(site)
    twin = (site.root / "_site/a.md").read_text(encoding="utf-8")
    assert twin.startswith("# Is 1 \\< 2 & “3” > ‘2’? \N{ELECTRIC LIGHT BULB}\n\nA summary")
    assert "Ada, 2 August 2026. https://tiny.example/sub/a/" in twin
    assert "Text $x^2$ with a 30 and a note.[^1]" in twin
    assert "See [b](https://tiny.example/sub/b/#part)." in twin
    assert "A dot of <30> & more. [The figure, alive](https://tiny.example/sub/a/#dot)" in twin
    assert "**Figure 1** A 30 dot." in twin
    assert 'href="../a.md" type="text/markdown"' in site.page("a")
