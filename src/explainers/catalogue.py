"""The frozen types of what joins pages: series with their modules, tags, places in a series."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass

from .errors import Span


@dataclass(frozen=True, slots=True)
class Module:
    """One part of a series: an article by its slug, or one that is only planned.

    `title` and `promise` are what the series says of a part that is not published yet.
    """

    slug: str
    title: str
    promise: str
    span: Span


@dataclass(frozen=True, slots=True)
class Series:
    """What a series says beside its title and its promise: its parts in their order."""

    subtitle: str
    modules: tuple[Module, ...]
    order: int = 0


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as it is written, its name in addresses, and its articles, newest first."""

    name: str
    slug: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an article stands in a series: its slug, the part's index from 0."""

    series: str
    index: int


_APOSTROPHE = re.compile("['\u2019]")

GLOSSARY = "content/glossary.md"
"""The page whose definition lists are the glossary."""


def entry_id(word: str) -> str:
    """Return the anchor of a word's entry, the same in small letters and with any apostrophe."""
    return f"gloss-{tag_slug(_APOSTROPHE.sub('', word))}"


@functools.lru_cache(maxsize=4096)
def tag_slug(name: str) -> str:
    """Return a tag's name in addresses: small letters and digits of any script, hyphens between.

    Marks belong to the letters they stand on; "+" and "#" tell languages apart. Nothing is left
    of a name that has neither letter, digit nor pictogram.
    """
    folded = unicodedata.normalize("NFC", name.lower()).replace("#", "-sharp")
    kept = (c if _kept(c) else "" if unicodedata.category(c) == "Cf" else "-" for c in folded)
    slug = re.sub("-+", "-", "".join(kept)).strip("-")
    return slug if slug.strip("+") else ""


def _kept(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LMN" or category == "So" or character == "+"
