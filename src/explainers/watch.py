"""Tell when the files of a site have changed: once for a burst of saves."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch
from watchdog.observers.polling import PollingObserver

QUIET = 0.015
"""Seconds without an event that end a burst: an editor's writes and renames lie closer together."""

RECENT, CALM = 0.3, 0.08
"""Within so many seconds of a burst, so long without an event ends the next: it was torn in two."""

LONGEST = 1.0
"""Seconds after which a burst that does not end, as a long copy, is reported all the same."""

# Opening, reading and chmod are no changes; a build reads every file it looks at.
_CHANGES: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]


class Watch(FileSystemEventHandler):
    """The changes below some folders, gathered from the moment the `with` block is entered."""

    def __init__(
        self, folders: Iterable[Path], quiet: float = QUIET, longest: float = LONGEST
    ) -> None:
        """Watch the folders, those too that are made later beside the ones that exist."""
        self._folders = list(folders)
        self._quiet = quiet
        self._longest = longest
        self._changed: set[Path] = set()
        self._first = self._last = 0.0
        self._told = -RECENT
        self._news = threading.Condition()
        self._observer = Observer()
        self._watched: dict[Path, ObservedWatch] = {}

    def __enter__(self) -> Self:
        """Start to watch; without the system's help, look at all files again and again."""
        try:
            self._start()
        except OSError:  # the system watches only so many folders for one user
            self._observer.unschedule_all()
            self._watched.clear()
            self._observer = PollingObserver(timeout=0.5)
            self._start()
        return self

    def _start(self) -> None:
        for folder in self._folders:
            self._follow(folder)
        # A folder that is made later, or anew, is heard of by the one that holds it.
        for above in {folder.parent for folder in self._folders}:
            if above.is_dir() and not any(above.is_relative_to(f) for f in self._folders):
                self._observer.schedule(
                    _Above(self), str(above), recursive=False, event_filter=_CHANGES
                )
        self._observer.start()

    def _follow(self, folder: Path) -> None:
        if folder.is_dir():
            self._watched[folder] = self._observer.schedule(
                self, str(folder), recursive=True, event_filter=_CHANGES
            )

    def appeared(self, folder: Path) -> None:
        """Watch a folder that was made while others were watched."""
        if folder not in self._folders:
            return
        if old := self._watched.pop(folder, None):
            with contextlib.suppress(KeyError, OSError):  # it went with the old folder
                self._observer.unschedule(old)
        with contextlib.suppress(OSError):  # it is gone again
            self._follow(folder)
        self._take({folder})

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop to watch."""
        self._observer.stop()
        self._observer.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take one change; watchdog calls this from its own thread."""
        names = (os.fsdecode(name) for name in (event.src_path, event.dest_path) if name)
        paths = {Path(name) for name in names}
        paths = {path for path in paths if not self._is_noise(path)}
        if paths:
            self._take(paths)

    def _take(self, paths: set[Path]) -> None:
        with self._news:
            self._last = time.monotonic()
            if not self._changed:
                self._first = self._last
            self._changed |= paths
            self._news.notify_all()

    def _is_noise(self, path: Path) -> bool:
        """Tell an editor's or Python's own files, by their names below the watched folder."""
        folder = next((f for f in self._folders if path.is_relative_to(f)), path.parent)
        return any(
            part.startswith((".", "#")) or part.endswith(("~", ".pyc")) or part == "__pycache__"
            for part in path.relative_to(folder).parts
        )

    def pending(self) -> bool:
        """Tell whether something has changed that nobody has waited for yet."""
        return bool(self._changed)

    def wait(self, timeout: float | None = None) -> frozenset[Path]:
        """Wait until files have changed and a burst is over; nothing when the time is up first."""
        with self._news:
            if not self._news.wait_for(lambda: self._changed, timeout):
                return frozenset()
            while (left := self._left()) > 0:
                self._news.wait(left)
            changed = frozenset(self._changed)
            self._changed.clear()
            self._told = time.monotonic()
            return changed

    def _left(self) -> float:
        """Return the seconds until the present burst is over, if nothing more happens."""
        calm = CALM if self._first - self._told < RECENT else 0.0
        over = min(self._last + max(self._quiet, calm), self._first + self._longest)
        return over - time.monotonic()


class _Above(FileSystemEventHandler):
    """Hears of the watched folders themselves, from the folders that hold them."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take one change in a folder above; only watched folders count."""
        for name in (event.src_path, event.dest_path):
            if name and event.event_type in ("created", "moved", "deleted"):
                self._watch.appeared(Path(os.fsdecode(name)))
