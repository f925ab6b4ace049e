"""Recall what was parsed, or parse: one article here, many in the crew's processes.

What a process parses and typesets goes to the store.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .. import draw
from ..digest import digest
from ..discover import HOME
from ..errors import BuildError
from ..highlight import PLAIN, highlight
from ..model import Formula, Parsed
from ..node import Node
from ..parse import parse
from ..store import Store
from .crew import Crew
from .packing import pack, unpack


class Task(NamedTuple):
    """An article to be parsed: its path and slug, where it is on this machine, its key.

    `text` is the digest of what is written there, `engine` that of the code that parses.
    """

    path: str
    slug: str
    place: Path
    text: str
    key: str
    engine: str


def recall(task: Task, store: Store) -> Parsed:
    """Return an article from the store, else parse it; raise BuildError with its problems."""
    stored = store.shelf.get(task.key)
    if stored is not None:
        found: Parsed = unpack(stored)
        return found
    colour = functools.partial(coloured, store, task.engine)
    parsed = parse(task.path, task.slug, text(task), colour)
    store.shelf.put(task.key, pack(parsed))
    return parsed


def coloured(store: Store, engine: str, code: str, language: str) -> tuple[str, ...]:
    """Return what `highlight` does: an edit of the prose around code imports no highlighter."""
    if language in PLAIN or not language:
        return highlight(code, language)
    key = digest("coloured", engine, language, code)
    stored = store.shelf.get(key)
    if stored is not None:
        return tuple(stored.decode().split("\n"))
    lines = highlight(code, language)
    store.shelf.put(key, "\n".join(lines).encode())
    return lines


def text(task: Task) -> str:
    """Return an article's text; each byte that is no UTF-8 is kept as what parse refuses."""
    return task.place.read_bytes().decode("utf-8", "surrogateescape")


def outlines(
    crew: Crew, tasks: Sequence[Task], store: Store, macros: Mapping[str, str]
) -> Mapping[str, bytes]:
    """Return the packed outlines of the articles by their keys, those with problems left out.

    One whose process fails is left out too, and few are not parsed here: whoever asks for one of
    them next meets the reason.
    """
    found: dict[str, bytes] = {}
    for _, part in crew.shares(tasks, functools.partial(_work, store.root, macros)):
        found |= part or {}
    return found


def _work(store: Path, macros: Mapping[str, str], tasks: Sequence[Task]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    kept = store_at(store)
    formulas: list[Formula] = []
    for task in tasks:
        with contextlib.suppress(BuildError):
            parsed = recall(task, kept)
            found[task.key] = pack(parsed.outline)
            formulas += [hole for hole in parsed.body.holes() if isinstance(hole, Formula)]
    with contextlib.suppress(BuildError):
        _typeset(formulas, macros, kept)
    kept.shelf.flush()
    return found


def _typeset(formulas: Sequence[Formula], macros: Mapping[str, str], store: Store) -> None:
    """Have the formulas made that this process has not met before."""
    fresh = {(f.tex, f.display): f for f in formulas if (f.tex, f.display) not in _MET}
    _MET.update(fresh)
    draw.formulas(fresh.values(), macros, node(), store)


_MET: set[tuple[str, bool]] = set()
"""Formulas this process has met, whose answers are on the shelf."""


@functools.cache
def store_at(root: Path) -> Store:
    """Return the store of this process."""
    return Store(root)


@functools.cache
def node() -> Node:
    """Return the Node of this process; it ends when the process does."""
    return Node(HOME)


def rest() -> None:
    """End the Node of this process: once all is typeset, it only takes room."""
    node().close()
