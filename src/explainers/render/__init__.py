"""Lay out pages: holes filled, templates applied."""

from __future__ import annotations

from .content import content
from .entry import WORDS_A_MINUTE, Heads, Page
from .fill import Answers, fill, noted
from .layout import Layout, absolute, menu
from .lists import Lists
from .onward import neighbours, tag_address
from .pages import Renderer
from .still import on_paper, paper_style, sheets, still
from .templates import Templates
from .twinned import twin

__all__ = [
    "WORDS_A_MINUTE",
    "Answers",
    "Heads",
    "Layout",
    "Lists",
    "Page",
    "Renderer",
    "Templates",
    "absolute",
    "content",
    "fill",
    "menu",
    "neighbours",
    "noted",
    "on_paper",
    "paper_style",
    "sheets",
    "still",
    "tag_address",
    "twin",
]
