"""`(label)=` on a line of its own names the heading, image or table that follows."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from .page import page_of

_LINE = re.compile(r"\(([A-Za-z][\w-]*)\)=[ \t]*$")


def install(md: MarkdownIt) -> None:
    """Add the rule."""
    md.block.ruler.before("fence", "label", _rule, {"alt": ["paragraph"]})


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("(", begin) or state.is_code_block(start):
        return False
    match = _LINE.match(state.src[begin : state.eMarks[start]])
    if not match:
        return False
    if silent:
        return True
    token = state.push("label", "", 0)
    column = begin - state.src.rfind("\n", 0, begin) - 1
    token.map, token.hidden = [start, start + 1], True
    token.meta = {
        "span": page_of(state.env).row(start, column + 1, len(match[1])),
        "name": match[1],
    }
    state.line = start + 1
    return True
