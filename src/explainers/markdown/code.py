"""Fenced code: its language, its title, the lines to mark."""

from __future__ import annotations

import re
from html import escape

from markdown_it.token import Token

from .. import highlight
from ..nearest import listed, nearest
from .page import Page

_WORD = re.compile(
    r'(?P<key>[A-Za-z][\w-]*)(?:=(?:"(?P<quoted>[^"]*)"|(?P<bare>\S*)))?|(?P<rest>\S+)'
)
_LINES = re.compile(r"\d+(-\d+)?(\s*,\s*\d+(-\d+)?)*")
ATTRIBUTES = ("title", "mark", "numbers", "first", "diff")
LONGEST = 200_000
"""Characters of one block that are coloured; a longer one stays plain."""


def ranges(text: str) -> set[int]:
    """Return the numbers in "1, 3-5"; a range that is upside down has none."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), min(int(last or first), int(first) + 10_000) + 1))
    return found


def fence(token: Token, page: Page) -> str:
    """Return the HTML of a fenced block; mistakes in its first line become problems."""
    line = (token.map or [0])[0]
    language, _, rest = token.info.strip().partition(" ")
    given = _attributes(rest, token, line, page)
    code = token.content.removesuffix("\n")
    changes = highlight.changes(code) if language == "diff" or "diff" in given else ()
    if "diff" in given and language != "diff":
        code = "\n".join(row[1:] for row in code.split("\n"))
    try:
        lines = page.colour(code if len(code) < LONGEST else "", language)
        if len(code) >= LONGEST:
            lines = highlight.highlight(code, "")
    except highlight.UnknownLanguageError:
        hint = nearest(language, highlight.languages(), "for no highlighting write ```text")
        if language.startswith("{"):
            hint = f"a directive opens with colons: :::{language}"
        span = page.row(line, _find(page, line, language), len(language))
        page.problem("unknown-language", f'no language "{language}"', span, hint)
        lines = highlight.highlight(code, "")
    return highlight.block(
        lines,
        language,
        title=escape(given.get("title", ""), quote=False),
        marked=ranges(given["mark"]) if "mark" in given else (),
        numbers="numbers" in given,
        first=int(given.get("first", "1")),
        changes=changes,
    )


def _attributes(rest: str, token: Token, line: int, page: Page) -> dict[str, str]:
    given: dict[str, str] = {}
    for found in _WORD.finditer(rest):
        key = found["key"]
        value = found["quoted"] if found["quoted"] is not None else found["bare"]
        if key not in ATTRIBUTES:
            span = page.row(line, _find(page, line, found[0]), len(found[0]))
            hint = f'known: {listed(ATTRIBUTES)}, as in title="a.py" mark="1,3-5" numbers first=12'
            message = f'a code block has no setting "{key or found[0]}"'
            page.problem("unknown-option", message, span, nearest(key or "", ATTRIBUTES, hint))
        elif (key == "mark" and not _LINES.fullmatch(value or "")) or (
            key == "first" and not (value or "").isdecimal()
        ):
            span = page.row(line, _find(page, line, found[0]), len(found[0]))
            hint = 'mark="1,3-5"' if key == "mark" else "first=12"
            page.problem("bad-option", f'"{key}" must be line numbers', span, hint)
        else:
            given[key] = value or ""
    return given


def _find(page: Page, line: int, text: str) -> int:
    row = page.lines[page.first - 1 + line]
    return max(0, row.rfind(text))
