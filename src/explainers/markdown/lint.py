"""What a page may hold but should not: measurements typed by hand, images nobody described."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from ..errors import Span
from .grammar import tokens
from .outline import plain
from .page import Page

_NUMBER = r"(?<![\w.,])\d[\d,]*(?:\.\d+)?"
_UNIT = (
    r"(?:[µμnm]s|[kKMGTP]i?B/s|B/s|[kKMGTP]?FLOPS?(?:/s)?|k?W|[kMG]Hz|cycles?)\b"
    r"|%|×(?!\s*\d)|x(?![\w×])"
)
MEASURED = re.compile(rf"{_NUMBER}(?:[ \u00a0\u202f]?(?:{_UNIT})|[ \u00a0\u202f]s\b)")
NOTE = re.compile(r"\b(?:TODO|FIXME|XXX|TBD)\b|<!-")
_HELD = ("numbers", "claim")
"""Directives in which a number has its source, or is checked by the build."""

_CITED = ("given",)
"""Roles whose words may hold a measurement."""


def lint(page: Page, text: str) -> None:
    """Add what is doubtful in a page's body to its problems."""
    found = tokens(page, text)
    page.problems.clear()
    _headings(found, page)
    for token, held in _prose(found):
        _inline(token, held, page)


def _prose(found: Sequence[Token]) -> Iterator[tuple[Token, bool]]:
    """Yield the inline texts, and whether the numbers in them are held to something."""
    inside = 0
    for token in found:
        if token.type == "directive_open" and (inside or token.info in _HELD):
            inside += 1
        elif token.type == "directive_close" and inside:
            inside -= 1
        elif token.type == "inline":
            yield token, bool(inside)


def _headings(found: Sequence[Token], page: Page) -> None:
    last = 1
    for token in found:
        if token.type == "heading_open" and not token.level:
            level = token.meta["level"]
            if level > last + 1:
                message = f"a heading of level {level} stands under one of level {last}"
                hint = f"write {'#' * (last + 1)}"
                page.problem("heading-jump", message, token.meta["span"], hint)
            last = level


def _inline(token: Token, held: bool, page: Page) -> None:
    begin = 0
    spared = int(held)
    for child in token.children or []:
        if child.type == "role_open":
            spared += child.info in _CITED
        elif child.type == "role_close":
            spared -= child.info in _CITED
        elif child.type == "image" and not plain(child.children):
            message = "this image has no description"
            hint = "![what it shows](file), for those who cannot see it"
            page.problem("missing-alt", message, child.meta["span"], hint)
        elif child.type == "text":
            for match in MEASURED.finditer(child.content):
                if not spared:
                    span, begin = _find(token, match[0], begin)
                    message = f'the measurement "{match[0]}" is typed by hand'
                    hint = "take it from a dataset ({value}), a numbers row, or mark it {given}"
                    page.problem("typed-measurement", message, span, hint)
            for match in NOTE.finditer(child.content):
                span, begin = _find(token, match[0], begin)
                page.problem("leftover-note", f'a note to yourself: "{match[0]}"', span)


def _find(token: Token, words: str, begin: int) -> tuple[Span, int]:
    """Return where words stand in a text, looked for after the last that were found."""
    start = token.content.find(words, begin)
    start = start if start >= 0 else max(0, token.content.find(words))
    span: Span = token.meta["place"].span(start, start + len(words))
    return span, start + len(words)
