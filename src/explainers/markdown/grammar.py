"""Put the rules together: the parser of a page, and the way from text to HTML with holes."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from ..errors import Span
from ..model import Part
from . import (
    depth,
    directive,
    footnote,
    label,
    links,
    maths,
    outline,
    role,
    typography,
)
from .page import Page, page_of
from .place import Field
from .render import Renderer

_CELL = re.compile(r"(?<!\\)\|\s*([^\s|])")
"""Where a cell that is not empty begins."""


class Grammar(MarkdownIt):
    """markdown-it that leaves addresses as typed; links are checked where places are known."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - markdown-it's name
        """Let every link through: what must not be is refused with a place, not shown as text."""
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - markdown-it's name
        """Keep the address as typed."""
        return url


@cache
def grammar(html: bool = False) -> MarkdownIt:
    """Return the parser, with raw HTML or without."""
    md = Grammar("commonmark", {"html": html, "xhtmlOut": False, "tasklists": True})
    md.enable(["table", "strikethrough"])
    if not html:
        md.disable(["html_block", "html_inline"])
    depth.install(md)
    deflist_plugin(md)
    for rule in (directive, label, maths, role, links, footnote, typography, outline):
        rule.install(md)
    md.core.ruler.at("inline", _inline)
    return md


def _inline(state: StateCore) -> None:
    """Read every inline text, with its place at hand."""
    page = page_of(state.env)
    after = 0
    inside = ""
    for token in state.tokens:
        if token.type == "inline":
            cell = inside in ("th_open", "td_open")
            page.stand(token, after if cell else -1)
            page.words += token.content.count(" ") + 1 if token.content else 0
            token.meta["place"] = page.place
            if cell and not isinstance(page.place, Field):
                after = page.place.end
            token.children = token.children if token.children is not None else []
            if depth.has_many_brackets(token.content, page):
                continue
            state.md.inline.parse(token.content, state.md, state.env, token.children)
            if image := outline.lone_image(token.children):
                image.meta["title"] = []
                title = str(image.attrs["title"])
                state.md.inline.parse(title, state.md, state.env, image.meta["title"])
        elif token.nesting == 1:
            inside = token.type
            after = 0 if inside == "tr_open" else after
        else:
            inside = ""
            if token.type == "tr_close":
                _surplus(page, after)


def _surplus(page: Page, after: int) -> None:
    """Refuse what stands in a table's row behind its last column: it would be dropped."""
    place = page.place.span(0, 1)
    row = page.lines[place.line - 1]
    if extra := _CELL.search(row, after):
        message = "this row has more cells than the table's first row"
        hint = "add a column to the first two rows, or write the | in a cell as \\|"
        words = row[extra.start(1) :].partition("|")[0].rstrip()
        span = Span(place.path, place.line, extra.start(1) + 1, len(words))
        page.problem("table-cells", message, span, hint)


def tokens(page: Page, text: str) -> list[Token]:
    """Return a page's text as the parser's tokens."""
    return grammar(page.html).parse(text, {"page": page})


def body(page: Page, text: str) -> tuple[Part, ...]:
    """Return a page's text as HTML with holes."""
    renderer = Renderer(grammar(page.html), page)
    html = renderer.blocks(tokens(page, text))
    if not page.counts.get("opening"):
        html = renderer.opening() + html
    return page.parts(html)


def field(page: Page, text: str, lines: tuple[int, int]) -> tuple[tuple[Part, ...], str]:
    """Return a text of the front matter as HTML with holes, and as plain text."""
    md = grammar(False)
    rows = page.lines[lines[0] - 1 : lines[1]]
    page.source, page.place = text, Field(page.path, text, lines[0], rows)
    children: list[Token] = []
    token = Token("inline", "", 0, content=text, children=children)
    state = StateCore(text, md, {"page": page}, [token])
    if not depth.has_many_brackets(text, page):
        md.inline.parse(text, md, state.env, children)
    typography.curl(state)
    notes = [child for child in children if child.type == "footnote_ref"]
    for _ in notes:
        message = "a footnote has no place in front matter"
        page.problem("unknown-footnote", message, Span(page.path, lines[0]))
    html = Renderer(md, page).inline([child for child in children if child not in notes])
    return page.parts(html), outline.plain(children)
