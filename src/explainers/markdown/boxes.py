"""Blocks around text: claim, note, warning, aside, mental model, derivation, example."""

from __future__ import annotations

from .. import highlight
from ..model import Expression
from .content import Content
from .expression import note


def claim(content: Content) -> str:
    """Return a sentence the build checks."""
    block, page = content.block, content.page
    hole = ""
    if block.argument:
        hole = page.hole(note(Expression(block.argument, "claim", block.at), page))
    return f'<div class="claim"{content.id}>{hole}{content.body()}</div>\n'


def box(content: Content) -> str:
    """Return a block beside the line of thought."""
    name, title = content.block.name, content.title()
    head = f'<p class="box-title">{title}</p>\n' if title else ""
    return f'<aside class="{name}" role="note"{content.id}>{head}{content.body()}</aside>\n'


def example(content: Content) -> str:
    """Return Markdown as it is written, and under it what it becomes."""
    lines = highlight.highlight(content.block.source.rstrip("\n"), "markdown")
    code = highlight.block(lines, "markdown")
    return (
        f'<div class="example"{content.id}>{code}\n<div class="result">\n{content.body()}</div>'
        "</div>\n"
    )


def derivation(content: Content) -> str:
    """Return a block that is folded until it is asked for."""
    head = f"<summary>{content.title()}</summary>\n"
    return f'<details class="derivation"{content.id}>{head}{content.body()}</details>\n'
