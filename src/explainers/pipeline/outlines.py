"""Parse every article, and remember what was parsed by the digest of its text."""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..digest import digest
from ..errors import BuildError, Problem
from ..front_matter import read
from ..model import Outline, Parsed, Source, Tree
from ..store import Store, whole
from . import recall
from .crew import Crew
from .packing import pack, unpack_all

PAGE = re.compile(
    r"content/(?:articles/(?P<article>[^/]+)/index|(?P<guide>guide(?:/[^/]+)??)(?:/index)?"
    r"|pages/(?P<page>[^/]+)|(?P<series>series/[^/]+)|(?P<glossary>glossary))\.md"
)
"""An article is a folder; a page of the guide, a plain page, a series may be a file."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """The outline of each article and the key of what was parsed; drafts that do not parse."""

    outlines: Mapping[str, Outline]
    keys: Mapping[str, str]
    broken_drafts: Mapping[str, str]

    def without(self, drafts: Mapping[str, str]) -> Outlines:
        """Return the same, with some drafts among the broken ones."""
        kept = {slug: found for slug, found in self.outlines.items() if slug not in drafts}
        return Outlines(kept, self.keys, {**self.broken_drafts, **drafts})


def written(tree: Tree) -> dict[str, Source]:
    """Return the source of every page that was written, by slug, which is its address."""
    found = ((PAGE.fullmatch(source.path), source) for source in tree.under("content"))
    return {m[m.lastgroup or 0]: source for m, source in found if m}


class Parser:
    """Parses what no earlier build has parsed; outlines are remembered together, bodies apart."""

    def __init__(self, store: Store, memo: Path, engine: str, crew: Crew) -> None:
        """Read the remembered outlines; `engine` is the digest of the code that parses."""
        self._store, self._memo, self.engine, self._crew = store, memo, engine, crew
        self._known = self._saved = _load(memo, engine)
        self._unpacked: dict[str, Outline] = {}
        self._tasks: dict[str, recall.Task] = {}

    def outlines(
        self,
        tree: Tree,
        only: str | None = None,
        macros: Mapping[str, str] | None = None,
        *,
        looked_at: Collection[str] | None = None,
    ) -> Outlines:
        """Return all outlines, or raise BuildError with the problems of all pages.

        With `only`, the problems of other pages do not count. A draft never blocks the site, save
        where it is `looked_at`.
        `macros` are those of formulas, which are typeset along with the parsing of many pages.
        """
        tasks = {slug: self._task(tree, slug, source) for slug, source in written(tree).items()}
        packed = {
            task.key: self._known[task.key] for task in tasks.values() if task.key in self._known
        }
        rest = [task for task in tasks.values() if task.key not in packed]
        packed |= recall.outlines(self._crew, rest, self._store, macros or {})
        known = self._unpack(packed)
        found: dict[str, Outline] = {}
        keys: dict[str, str] = {}
        drafts: dict[str, str] = {}
        problems: list[Problem] = []
        for slug, task in tasks.items():
            try:
                outline = known.get(task.key) or recall.recall(task, self._store).outline
            except BuildError as error:
                if only in (None, slug):
                    if only is None and slug not in (looked_at or ()) and _is_draft(task):
                        drafts[slug] = f"draft, with {_count(len(error.problems), 'problem')}"
                    else:
                        problems += error.problems
                continue
            found[slug], keys[slug] = outline, task.key
        if problems:
            raise BuildError(problems)
        if set(keys.values()) != self._known.keys():
            self._known = {key: packed.get(key) or pack(found[slug]) for slug, key in keys.items()}
        self._unpacked = {key: found[slug] for slug, key in keys.items()}
        return Outlines(found, keys, drafts)

    def save(self) -> None:
        """Remember the outlines for the next process."""
        if self._known is not self._saved:
            _save(self._memo, self.engine, self._known)
            self._saved = self._known

    def _unpack(self, packed: Mapping[str, bytes]) -> dict[str, Outline]:
        """Return the outlines, those of the last build as they were."""
        known = {key: self._unpacked[key] for key in packed if key in self._unpacked}
        rest = [key for key in packed if key not in known]
        return known | dict(zip(rest, unpack_all(packed[key] for key in rest), strict=True))

    def parsed(self, tree: Tree, outline: Outline) -> Parsed:
        """Return an article with its body."""
        task = self._task(tree, outline.slug, tree.files[outline.path])
        return recall.recall(task, self._store)

    def _task(self, tree: Tree, slug: str, source: Source) -> recall.Task:
        """Return what is to be done for a page: the same as last time while its text is."""
        known = self._tasks.get(source.path)
        if known is None or known.text != source.digest:
            key = digest("parsed", self.engine, source.path, source.digest)
            place = tree.place(source.path)
            known = recall.Task(source.path, slug, place, source.digest, key, self.engine)
            self._tasks[source.path] = known
        return known


def _is_draft(task: recall.Task) -> bool:
    meta = read(task.path, recall.text(task)).meta
    return meta is not None and meta.draft


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _load(memo: Path, engine: str) -> dict[str, bytes]:
    """Return the packed outlines; none when the file is damaged or of another engine."""
    try:
        mark, data = memo.read_bytes().split(b"\n", 1)
        if mark.decode() != engine + hashlib.sha256(data).hexdigest():
            return {}
        known: dict[str, bytes] = pickle.loads(data)
    except (OSError, ValueError):
        return {}
    return known


def _save(memo: Path, engine: str, known: Mapping[str, bytes]) -> None:
    data = pickle.dumps(dict(known))
    with contextlib.suppress(OSError):  # without it, outlines are unpacked one by one
        whole(memo, (engine + hashlib.sha256(data).hexdigest()).encode() + b"\n" + data)
