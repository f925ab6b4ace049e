"""Parse many articles at once, in processes of their own."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..digest import digest
from ..errors import BuildError
from ..highlight import PLAIN, highlight
from ..model import Parsed
from ..parse import parse
from ..store import Store
from .packing import pack, unpack

MANY = 192
"""Articles for which processes are worth their start."""

_SHARE = 16
"""Articles handed to a process at a time."""


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


def outlines(tasks: Sequence[Task], store: Store) -> Mapping[str, bytes]:
    """Return the packed outlines of the articles by their keys, those with problems left out.

    One whose process fails is left out too: whoever asks for it next meets the reason.
    """
    workers = min(_cores(), len(tasks) // _SHARE)
    if len(tasks) < MANY or workers < 2:
        return {}
    shares = [tasks[first : first + _SHARE] for first in range(0, len(tasks), _SHARE)]
    return _spread(shares, store, workers)


def _spread(shares: Sequence[Sequence[Task]], store: Store, workers: int) -> dict[str, bytes]:
    # Imported here: a build after an edit does without them.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # A server of forks has the datasets' settings, and a fork would copy the threads' locks.
    context = multiprocessing.get_context("spawn")
    found: dict[str, bytes] = {}
    pool = ProcessPoolExecutor(workers, context, initializer=_ready)
    try:
        for part in pool.map(_work, shares, [store.root] * len(shares)):
            found |= part
    except (BrokenProcessPool, OSError):
        return found
    finally:
        pool.shutdown(cancel_futures=True)
    return found


def _ready() -> None:
    # Ctrl-C is the parent's to handle; a worker ends with its pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(tasks: Sequence[Task], store: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    kept = Store(store)
    for task in tasks:
        try:
            found[task.key] = pack(recall(task, kept).outline)
        except BuildError:
            continue
    kept.shelf.close()
    return found


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
