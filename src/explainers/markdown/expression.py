"""Which datasets an expression names; what it means is found out when it is evaluated."""

from __future__ import annotations

import re
from functools import lru_cache

from ..errors import Span
from .page import Page

KNOWN = frozenset({"abs", "all", "any", "close", "len", "max", "min", "numbers", "round", "sum"})
"""Names that are no datasets: the functions of the language, and the table of numbers."""


def note(text: str, span: Span, page: Page) -> None:
    """Keep the names that an expression at `span` uses."""
    for name in names(text):
        found = re.search(rf"(?<![\w.]){re.escape(name)}\b", text)
        start = found.start() if found else 0
        at = Span(span.path, span.line, span.column + start, len(name))
        page.datasets.setdefault((name, at))


@lru_cache(maxsize=4096)
def names(text: str) -> tuple[str, ...]:
    """Return the names an expression takes from outside, sorted; none when it cannot be read."""
    from jinja2 import Environment, TemplateError, nodes

    try:
        tree = Environment(autoescape=False).parse("{{ (" + text + "\n) }}")
    except (TemplateError, RecursionError):
        return ()
    found = {node.name for node in tree.find_all(nodes.Name)}
    return tuple(sorted(found - KNOWN))
