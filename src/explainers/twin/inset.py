"""What other stages made, on its way into the Markdown of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

INSET = "\0"
"""Stands around the index of an inset; no page can hold it."""


@dataclass(frozen=True, slots=True)
class Inset:
    """Markdown that stands for a hole: in the line, or as a block of its own."""

    text: str
    block: bool = False


def fenced(text: str, language: str) -> str:
    """Return code between fences that it does not hold itself."""
    runs = [len(run) for run in re.findall("`{3,}", text)]
    fence = "`" * (max(runs, default=2) + 1)
    return f"{fence}{language}\n{text}\n{fence}"
