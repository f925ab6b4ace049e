"""Guess what a mistyped name was meant to be."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 80
"""Characters of a word that are compared: nobody mistypes more, and the work grows as a square."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that this one is most like, None when it is like none."""
    import difflib  # only mistakes need it

    candidates = list(known)
    found = difflib.get_close_matches(word[:LONGEST], candidates, 1, cutoff=0.5)
    if found:
        return found[0]
    folded = {candidate.casefold(): candidate for candidate in candidates}
    return folded.get(word.casefold())


def nearest(word: str, known: Iterable[str], otherwise: str | None = None) -> str | None:
    """Return a hint that names the closest of the known words, else the other hint."""
    found = closest(word, known)
    return f'did you mean "{found}"?' if found else otherwise


def listed(words: Iterable[str]) -> str:
    """Return the words as a list in a sentence."""
    return ", ".join(words)
