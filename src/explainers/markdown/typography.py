"""Curly quotes, dashes and the ellipsis in prose; code, formulas and expressions stay as typed."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore, smartquotes

from .page import page_of

_SIGNS = re.compile(r"(?<!-)---(?!-)|(?<![-\s!])--(?![->])|(?<=\s)--(?=[\s\d])|(?<!\.)\.\.\.(?!\.)")
_BECOMES = {"---": "—", "--": "–", "...": "…"}


def install(md: MarkdownIt) -> None:
    """Add the rule after the inline texts are read, before escaped characters join them."""
    md.options["typographer"] = True
    md.options["quotes"] = "“”‘’"
    md.core.ruler.before("text_join", "typography", curl)


def curl(state: StateCore) -> None:
    """Replace typewriter signs by those of print, where the page's language is English."""
    if not page_of(state.env).curly:
        return
    smartquotes(state)
    for block in state.tokens:
        if block.type == "inline" and ("--" in block.content or "..." in block.content):
            for token in block.children or []:
                if token.type == "text":
                    token.content = _SIGNS.sub(lambda found: _BECOMES[found[0]], token.content)
