"""Refuse what is nested too deep: markdown-it drops it without a word."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from .page import Page, page_of

DEEPEST = 60
"""Levels of quotes, lists and blocks, where a list item is two; brackets open at one place."""

_BRACKET = re.compile(r"\\.|\$[^$\n]{0,200}\$|[\[\]]", re.DOTALL)


def install(md: MarkdownIt) -> None:
    """Add the rule in front of all others, below the parser's own limit."""
    md.options["maxNesting"] = DEEPEST + 10
    md.block.ruler.before("table", "depth", _rule)


def has_many_brackets(text: str, page: Page) -> bool:
    """Refuse a text in which too many brackets are open at once, at the one too many."""
    opened = 0
    for found in _BRACKET.finditer(text):
        if found[0] == "]":
            opened = max(0, opened - 1)
        elif found[0] == "[":
            opened += 1
            if opened > DEEPEST:
                hint = "close some of them, or write \\[ where a bracket is only a sign"
                span = page.span(text, found.start(), found.end())
                page.problem("too-deep", f"{opened} brackets are open here", span, hint)
                return True
    return False


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent or state.level < DEEPEST:
        return False
    page = page_of(state.env)
    if not page.counts.get("too-deep"):
        page.count("too-deep")
        page.problem("too-deep", "blocks are nested too deep here", page.row(start), "flatten them")
    state.line = end
    return True
