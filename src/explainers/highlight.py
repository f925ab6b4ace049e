"""Colour code: Pygments' tokens as spans, one string of HTML a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

ALIASES = {"cu": "cuda", "sh": "bash", "shell": "bash", "js": "javascript", "triton": "python"}
"""Names of ours beside those of Pygments; Triton is written in Python's syntax."""

PLAIN = frozenset({"text", "txt", "plain"})
DIFF = re.compile(r"[+-](?![+-]{2} )")


Colour = Callable[[str, str], tuple[str, ...]]
"""What `highlight` is: code and its language to the HTML of its lines."""


class UnknownLanguageError(LookupError):
    """No highlighter knows this language."""


def languages() -> tuple[str, ...]:
    """Return every name a language goes by."""
    from pygments.lexers import get_all_lexers

    names = {alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}
    return tuple(sorted(names | ALIASES.keys() | PLAIN))


def highlight(code: str, language: str) -> tuple[str, ...]:
    """Return the code's lines as HTML, each with its own spans, in Pygments' short classes."""
    code = code.removesuffix("\n")
    if language in PLAIN or not language:
        return tuple(escape(line, quote=False) for line in code.split("\n"))
    lexer = _lexer(language)
    lines: list[list[str]] = [[]]
    for kind, text in lexer.get_tokens(code):
        name = _class(kind)
        for index, piece in enumerate(text.split("\n")):
            if index:
                lines.append([])
            if piece:
                html = escape(piece, quote=False)
                lines[-1].append(f'<span class="{name}">{html}</span>' if name else html)
    # A lexer ends its text with a line end of its own.
    count = code.count("\n") + 1
    return tuple("".join(line) for line in lines[:count])


def block(
    lines: Sequence[str],
    language: str,
    *,
    title: str = "",
    marked: Iterable[int] = (),
    numbers: bool = False,
    first: int = 1,
    changes: Sequence[str] = (),
) -> str:
    """Return the box a page shows code in.

    Args:
        lines: HTML of each line, from `highlight`.
        language: written to the box, for style and script.
        title: HTML of a line above the code.
        marked: numbers of the lines to mark, as they are shown.
        numbers: show line numbers.
        first: the number of the first line.
        changes: for each line "added", "removed" or "".
    """
    chosen = frozenset(marked)
    rows = []
    for index, line in enumerate(lines):
        names = ["line", "marked"] if first + index in chosen else ["line"]
        if index < len(changes) and changes[index]:
            names.append(changes[index])
        rows.append(f'<span class="{" ".join(names)}">{line}</span>')
    kind = "code numbered" if numbers else "code"
    style = f' style="--first:{first}"' if numbers and first != 1 else ""
    head = f'<p class="code-title">{title}</p>' if title else ""
    body = "\n".join(rows)
    return (
        f'<div class="{kind}" data-lang="{escape(language or "text")}"{style}>{head}'
        f'<pre tabindex="0"><code>{body}</code></pre></div>'
    )


def changes(code: str) -> list[str]:
    """Return what happens to each line of a diff: "added", "removed" or nothing."""
    names = {"+": "added", "-": "removed"}
    return [names[line[0]] if DIFF.match(line) else "" for line in code.split("\n")]


@lru_cache(maxsize=512)
def _class(kind: _TokenType) -> str:
    """Return the short class of a kind of token: its own, or the nearest above it."""
    from pygments.token import STANDARD_TYPES

    found: _TokenType | None = kind
    while found is not None and found not in STANDARD_TYPES:
        found = found.parent
    return STANDARD_TYPES[found] if found is not None else ""


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(ALIASES.get(language, language), stripnl=False)
    except ClassNotFound as error:
        raise UnknownLanguageError(language) from error
