"""Interactive figures and listings."""

from __future__ import annotations

from html import escape
from typing import Any

from ..errors import Span
from ..model import Figure, Listing
from .content import Content
from .options import NAME, as_json


def figure(content: Content) -> str:
    """Return a numbered figure whose picture a later stage draws."""
    block, page = content.block, content.page
    kind = block.argument
    if kind and not NAME.fullmatch(kind):
        message = "a figure's kind is one word of letters, digits, - and _"
        page.problem("bad-argument", message, block.at, "it names the kind's file: one-sweep.js")
        kind = ""
    data: Any = block.text("data") or {}
    where = block.where("data")
    found = tuple((name, dataset, _within(dataset, where, page)) for name, dataset in data.items())
    for _, dataset, span in found:
        page.datasets.setdefault((dataset, span))
    state: Any = block.text("state") or {}
    options: Any = block.text("options") or {}
    hole = Figure(
        kind, content.label, content.number, found, as_json(state), block.span, as_json(options)
    )
    page.kinds.setdefault(kind)
    size = f" {block.text('size')}" if block.text("size", "text") != "text" else ""
    return (
        f'<figure class="figure{size}"{content.id} data-kind="{escape(kind)}">'
        f"{page.hole(hole)}{content.caption('Figure')}</figure>\n"
    )


def _within(word: str, span: Span, page: Any) -> Span:
    """Return the place of a word inside an option's value."""
    row = page.lines[span.line - 1] if span.line <= len(page.lines) else ""
    found = row.rfind(word, span.column - 1, span.column - 1 + span.width)
    return Span(span.path, span.line, found + 1, len(word)) if found >= 0 else span


def listing(content: Content) -> str:
    """Return a numbered listing whose source a later stage finds."""
    block, page = content.block, content.page
    target = block.argument
    keys = ("lines", "mark", "numbers", "title")
    options = {key: block.options[key].value for key in keys if key in block.options}
    if target:
        page.listings.setdefault(target)
    hole = page.hole(Listing(target, block.at, content.label, as_json(options)))
    caption = content.caption("Listing")
    return f'<figure class="listing"{content.id}>{hole}{caption}</figure>\n'
