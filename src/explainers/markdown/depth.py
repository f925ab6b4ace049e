"""Refuse what is nested too deep: markdown-it drops it without a word."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from .page import page_of

DEEPEST = 60
"""Levels of quotes, lists and blocks; a list item is two."""


def install(md: MarkdownIt) -> None:
    """Add the rule in front of all others, below the parser's own limit."""
    md.options["maxNesting"] = DEEPEST + 10
    md.block.ruler.before("table", "depth", _rule)


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent or state.level < DEEPEST:
        return False
    page = page_of(state.env)
    if not page.counts.get("too-deep"):
        page.count("too-deep")
        page.problem("too-deep", "blocks are nested too deep here", page.row(start), "flatten them")
    state.line = end
    return True
