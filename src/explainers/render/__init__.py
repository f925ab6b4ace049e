"""Lay out pages: holes filled, templates applied."""

from __future__ import annotations

from .entry import WORDS_A_MINUTE, Heads, Page
from .fill import Answers, noted
from .layout import Layout, Shared, menu
from .lists import Lists
from .onward import neighbours
from .pages import Renderer
from .templates import Templates

__all__ = [
    "WORDS_A_MINUTE",
    "Answers",
    "Heads",
    "Layout",
    "Lists",
    "Page",
    "Renderer",
    "Shared",
    "Templates",
    "menu",
    "neighbours",
    "noted",
]
