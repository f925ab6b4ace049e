"""Parse every article, and remember what was parsed by the digest of its text."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..digest import digest
from ..errors import BuildError, Problem
from ..front_matter import read
from ..model import Outline, Parsed, Source, Tree
from ..parse import parse
from ..store import Store

PAGE = re.compile(
    r"content/(?:articles/(?P<article>[^/]+)/index|(?P<guide>guide(?:/[^/]+)??)(?:/index)?"
    r"|pages/(?P<page>[^/]+))\.md"
)
"""An article is a folder; a page of the guide, or a plain page, may be a file."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """The outline of each article and the key of what was parsed; drafts that do not parse."""

    outlines: Mapping[str, Outline]
    keys: Mapping[str, str]
    broken_drafts: Mapping[str, str]


def written(tree: Tree) -> dict[str, Source]:
    """Return the source of every page that was written, by slug, which is its address."""
    found = ((PAGE.fullmatch(source.path), source) for source in tree.under("content"))
    return {m["article"] or m["guide"] or m["page"]: source for m, source in found if m}


class Parser:
    """Parses what no earlier build has parsed; outlines are remembered together, bodies apart."""

    def __init__(self, store: Store, memo: Path, engine: str) -> None:
        """Read the remembered outlines; `engine` is the digest of the code that parses."""
        self._store, self._memo, self._engine = store, memo, engine
        self._known = _load(memo, engine)

    def outlines(self, tree: Tree, only: str | None = None) -> Outlines:
        """Return all outlines, or raise BuildError with the problems of all pages.

        With `only`, the problems of other pages do not count. A draft never blocks the site.
        """
        found: dict[str, Outline] = {}
        keys: dict[str, str] = {}
        drafts: dict[str, str] = {}
        problems: list[Problem] = []
        for slug, source in written(tree).items():
            key = digest("parsed", self._engine, source.path, source.digest)
            try:
                outline = self._known.get(key) or self._parse(tree, slug, source, key).outline
            except BuildError as error:
                if only in (None, slug):
                    if _is_draft(tree, source) and only is None:
                        drafts[slug] = f"draft, with {_count(len(error.problems), 'problem')}"
                    else:
                        problems += error.problems
                continue
            found[slug], keys[slug] = outline, key
        if problems:
            raise BuildError(problems)
        known = {keys[slug]: outline for slug, outline in found.items()}
        if known.keys() != self._known.keys():
            self._known = known
            _save(self._memo, self._engine, known)
        return Outlines(found, keys, drafts)

    def parsed(self, tree: Tree, slug: str, key: str) -> Parsed:
        """Return an article with its body."""
        stored = self._store.get(key)
        if stored is not None:
            parsed: Parsed = pickle.loads(stored)
            return parsed
        return self._parse(tree, slug, written(tree)[slug], key)

    def _parse(self, tree: Tree, slug: str, source: Source, key: str) -> Parsed:
        parsed = parse(source.path, slug, tree.read(source.path).decode("utf-8", "replace"))
        self._store.put(key, pickle.dumps(parsed))
        return parsed


def _is_draft(tree: Tree, source: Source) -> bool:
    meta = read(source.path, tree.read(source.path).decode("utf-8", "replace")).meta
    return meta is not None and meta.draft


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _load(memo: Path, engine: str) -> dict[str, Outline]:
    """Return the remembered outlines; none when the file is damaged or of another engine."""
    try:
        mark, data = memo.read_bytes().split(b"\n", 1)
        if mark.decode() != engine + hashlib.sha256(data).hexdigest():
            return {}
        known: dict[str, Outline] = pickle.loads(data)
    except (OSError, ValueError):
        return {}
    return known


def _save(memo: Path, engine: str, known: Mapping[str, Outline]) -> None:
    data = pickle.dumps(dict(known))
    memo.parent.mkdir(parents=True, exist_ok=True)
    partial = memo.with_name(f"{memo.name}.{os.getpid()}")
    partial.write_bytes((engine + hashlib.sha256(data).hexdigest()).encode() + b"\n" + data)
    partial.replace(memo)
