"""Look up the words that pages explain by an entry of the glossary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..catalogue import GLOSSARY, entry_id
from ..errors import Problem
from ..model import Definition, Link, Outline
from ..nearest import nearest


def missing(item: Link, glossary: Outline | None, held: Mapping[str, str]) -> Problem | None:
    """Return what is wrong with a use of the glossary, if anything.

    Args:
        item: the use.
        glossary: the page of the glossary, where the site has one.
        held: the slugs of the pages that are held back, and why.
    """
    if glossary is None:
        hint = f"write {GLOSSARY}, where the word stands on a line, and below it : what it means"
        return Problem("no-glossary", "this site has no glossary", item.span, hint)
    if entry_id(item.target) not in {entry.id for entry in glossary.glossary}:
        words = {entry.word.casefold(): entry.word for entry in glossary.glossary}
        hint = f"write it in {GLOSSARY}, or name the entry: {{gloss}}`warps <warp>`"
        near = nearest(item.target.casefold(), words, hint)
        message = f'the glossary has no entry "{item.target}"'
        return Problem("unknown-entry", message, item.span, near)
    if glossary.slug in held:
        message = f"the glossary is held back: {held[glossary.slug]}"
        hint = "explain the word here until the glossary is published"
        return Problem("held-back-link", message, item.span, hint)
    return None


def cards(outline: Outline, pages: Mapping[str, Outline]) -> tuple[Definition, ...]:
    """Return the entries that a page shows at its words, by their anchors, each once."""
    wanted = {entry_id(item.target) for item in outline.links if item.use == "gloss"}
    if not wanted or outline.glossary or not (glossary := _glossary(pages.values())):
        return ()
    return tuple(sorted((e for e in glossary.glossary if e.id in wanted), key=lambda e: e.id))


def users(pages: Mapping[str, Outline]) -> dict[str, tuple[str, ...]]:
    """Return the slugs of the pages that use each entry, by its anchor, sorted by title."""
    found: dict[str, dict[str, None]] = {}
    for slug, page in sorted(pages.items(), key=lambda pair: (pair[1].title_text, pair[0])):
        for item in page.links:
            if item.use == "gloss" and not page.glossary:
                found.setdefault(entry_id(item.target), {})[slug] = None
    return {name: tuple(slugs) for name, slugs in found.items()}


def _glossary(pages: Iterable[Outline]) -> Outline | None:
    return next((page for page in pages if page.path == GLOSSARY), None)
