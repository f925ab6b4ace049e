"""What lists and heads tell of a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from ..model import Body, Definition, Figure, Outline
from .fill import Answers, fill

WORDS_A_MINUTE = 200


@dataclass(frozen=True, slots=True)
class Page:
    """An article ready to be laid out.

    `scripts` come in the order they load, `styles` by the kinds of figures that need them.
    """

    outline: Outline
    body: Body
    answers: Answers
    scripts: tuple[str, ...] = ()
    styles: Mapping[str, str] = field(default_factory=dict)
    colophon: tuple[Mapping[str, Any], ...] = ()
    sources: str = ""
    cards: tuple[Definition, ...] = ()

    @property
    def maths(self) -> bool:
        """Return whether any formula stands on the page."""
        return bool(self.answers.formulas)

    @property
    def plate(self) -> Figure | None:
        """Return the first figure."""
        return next((hole for hole in self.body.holes() if isinstance(hole, Figure)), None)


def cards(page: Page, root: str) -> Markup:
    """Return the entries of the glossary that a page uses, from where the cards at words copy."""
    entries = [
        Markup('<div id="{}">{}</div>\n').format(entry.id, fill(entry.parts, page.answers, root))
        for entry in page.cards
    ]
    text = Markup("").join(entries)
    return Markup("<div hidden>\n{}</div>\n").format(text) if entries else text


Heads = Callable[[str], Answers]
"""Gives what fills the title and the summary of the page with this slug."""


def identity(outline: Outline, answers: Answers, root: str) -> dict[str, Any]:
    """Return title, summary, date and length of a page."""
    return {
        "title": fill(outline.title, answers, root),
        "title_text": outline.title_text,
        "summary": fill(outline.summary, answers, root),
        "summary_text": outline.summary_text,
        "date": outline.meta.date,
        "minutes": max(1, math.ceil(outline.words / WORDS_A_MINUTE)),
    }
