"""CommonMark's own examples hold with every rule of ours in place.

The examples come from the npm package commonmark-spec; they are compared as the parser's tokens
through markdown-it's plain renderer, since our own HTML has anchors, holes and boxes of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.token import Token

from explainers.markdown.grammar import tokens
from explainers.markdown.page import Page

SPEC = Path(__file__).parents[1] / "node_modules" / "commonmark-spec" / "spec.txt"
EXAMPLE = re.compile(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """Return input and output of each example; → stands for a tab."""
    text = SPEC.read_text(encoding="utf-8").split("<!-- END TESTS -->")[0]
    found = EXAMPLE.findall(text)
    return [(source.replace("→", "\t"), html.replace("→", "\t")) for source, html in found]


def plainly(source: str) -> str:
    """Return what the tokens of our grammar are in plain HTML."""
    page = Page("a.md", source.split("\n"))
    page.html, page.curly = True, False
    found = tokens(page, source)
    _encode(found)
    md = MarkdownIt("commonmark")
    md.options["xhtmlOut"] = True
    return str(md.renderer.render(found, md.options, {}))


def _encode(found: Sequence[Token]) -> None:
    """Encode addresses, which our grammar leaves as typed."""
    for token in found:
        for name in ("href", "src"):
            if name in token.attrs:
                token.attrs[name] = normalizeLink(str(token.attrs[name]))
        _encode(token.children or [])


def _same(html: str) -> str:
    return html.replace("<blockquote>\n</blockquote>", "<blockquote></blockquote>")


def test_the_specification_is_there() -> None:
    assert len(examples()) > 600


@pytest.mark.parametrize(("source", "html"), examples())
def test_an_example_of_the_specification(source: str, html: str) -> None:
    assert _same(plainly(source)) == _same(html)
