"""Lay out pages: holes filled, templates applied."""

from __future__ import annotations

from .fill import Answers
from .pages import Page, Renderer, Shared
from .templates import Templates

__all__ = ["Answers", "Page", "Renderer", "Shared", "Templates"]
