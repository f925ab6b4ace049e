"""Guess what a mistyped name was meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], otherwise: str | None = None) -> str | None:
    """Return a hint that names the closest of the known words, else the other hint."""
    candidates = list(known)
    found = difflib.get_close_matches(word[:80], candidates, 1, cutoff=0.6)
    if not found:
        folded = {candidate.casefold(): candidate for candidate in candidates}
        found = [folded[word.casefold()]] if word.casefold() in folded else []
    return f'did you mean "{found[0]}"?' if found else otherwise


def listed(words: Iterable[str]) -> str:
    """Return the words as a list in a sentence."""
    return ", ".join(words)
