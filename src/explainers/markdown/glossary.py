"""The definition lists of the glossary: sorted, each entry with an anchor, and a card of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from markdown_it.token import Token

from ..catalogue import entry_id
from ..digest import digest
from ..errors import Span
from ..model import Definition, Formula, Link, Part
from .outline import plain
from .page import Page

_IDS = re.compile(r"(<[^<>]*?) id=\"[^\"]*\"")
_SHOWN = frozenset({"link", "ref", "eq", "words", "gloss"})

Render = Callable[[Sequence[Token]], str]


def definitions(run: Sequence[Token], page: Page, inline: Render, blocks: Render) -> str:
    """Return a definition list of the glossary; its entries are kept for the pages that use them.

    Args:
        run: the tokens from dl_open to dl_close.
        page: the page, which is the glossary.
        inline: renders a word.
        blocks: renders what is said of it.
    """
    starts = [n for n, token in enumerate(run) if token.type == "dt_open" and token.level == 1]
    entries = []
    for start, end in zip(starts, [*starts[1:], len(run) - 1], strict=True):
        word = plain(run[start + 1].children)
        head = inline(run[start + 1].children or [])
        told = [blocks(part) for part in _bodies(run[start + 3 : end])]
        name = _keep(word, head, told, page.row((run[start].map or [0])[0]), page)
        users = page.hole(Link(name, "users", page.row((run[start].map or [0])[0])))
        anchor = f'<a class="anchor" href="#{name}" aria-label="Link to this entry">#</a>'
        bodies = "".join(f"<dd>{text}</dd>\n" for text in told)
        entry = f'<div id="{name}"><dt>{head}{anchor}</dt>\n{bodies}{users}</div>\n'
        # Letters with marks stand beside those without.
        entries.append((unicodedata.normalize("NFKD", word.casefold()), entry))
    return f"<dl>\n{''.join(entry for _, entry in sorted(entries))}</dl>\n"


def _bodies(run: Sequence[Token]) -> list[Sequence[Token]]:
    """Return the tokens inside each dd of an entry."""
    opens = [n for n, token in enumerate(run) if token.type == "dd_open" and token.level == 1]
    ends = [n for n, token in enumerate(run) if token.type == "dd_close" and token.level == 1]
    return [run[a + 1 : b] for a, b in zip(opens, ends, strict=True)]


def _keep(word: str, head: str, told: Sequence[str], span: Span, page: Page) -> str:
    """Keep an entry for the pages that use it, say what is wrong with it, return its anchor."""
    name = entry_id(word)
    known = {entry.id: entry for entry in page.glossary}
    # The card stands on other pages, whose ids are theirs.
    card = _IDS.sub(r"\1", f"<b>{head}</b> {' '.join(told)}".strip())
    parts = page.parts(card)
    if name == entry_id(""):
        message = "an entry of the glossary needs a word with a letter or a digit"
        page.problem(
            "bad-entry", message, span, "the word stands on the line before : what it means"
        )
    elif name in known:
        hint = f"it is also at {known[name].span}"
        page.problem("duplicate-entry", f'two entries explain "{word}"', span, hint)
    places = [getattr(part, "span", span) for part in parts if not _is_shown(part)]
    if "footnote-ref" in card:
        places.append(span)
    if places:
        message = f'the definition of "{word}" holds more than words, formulas and links'
        hint = "it is shown on other pages: a figure, a value, a source belongs into an article"
        page.problem("bad-entry", message, places[0], hint)
    mark = digest("definition", *(repr(_said(part)) for part in parts))
    page.glossary.append(Definition(name, word, parts, mark, span))
    page.anchors[name] = word
    return name


def _is_shown(part: Part) -> bool:
    """Say whether a part of a definition can stand on any page."""
    return isinstance(part, str | Formula) or (isinstance(part, Link) and part.use in _SHOWN)


def _said(part: Part) -> object:
    """Return what a part shows, without its place in the file."""
    if isinstance(part, Formula):
        return part.tex, part.display
    return (part.use, part.target) if isinstance(part, Link) else part
