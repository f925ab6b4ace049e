"""Check an expression as it is written, and note which datasets it names."""

from __future__ import annotations

import re

from ..data import claims
from ..errors import Span
from ..model import Expression
from .page import Page

NUMBERS = "numbers"
"""What expressions call the page's table of numbers: no dataset."""


def note(found: Expression, page: Page) -> Expression:
    """Keep the names an expression uses, and what is wrong with it; return it."""
    page.problems += claims.check(found)
    text, span = found.text, found.span
    for name in claims.names(text):
        if name != NUMBERS:
            at = re.search(rf"(?<![\w.]){re.escape(name)}\b", text)
            start = at.start() if at else 0
            place = Span(span.path, span.line, span.column + start, len(name))
            page.datasets.setdefault((name, place))
    return found
