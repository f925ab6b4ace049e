"""Write the finished site: only what changed, each file whole, nothing left over."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import math
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from .model import Output
from .store import whole

MARK = ".explainers"
"""A file that says this folder is ours; a folder with other things in it is never cleaned."""


class Last(NamedTuple):
    """The last build of the whole site: the key of all its inputs, and what its report said.

    `since` and `until` are the times between which it holds back the same pages.
    """

    key: str
    files: int
    datasets: int
    held_back: tuple[tuple[str, str], ...]
    since: float = -math.inf
    until: float = math.inf

    def holds(self, key: str) -> bool:
        """Return whether a build of these inputs would do the same now."""
        return self.key == key and self.since <= time.time() < self.until


class Entry(NamedTuple):
    """One file of the last build: its inputs, its bytes, how it looks on disk, what it needs."""

    key: str
    digest: str
    mark: list[int]
    uses: list[str]


def _pages_last(item: tuple[str, object]) -> tuple[bool, str]:
    return item[0].endswith(".html"), item[0]


class Sink(Protocol):
    """Where a build puts its pages."""

    def has(self, path: str, key: str) -> bool:
        """Return whether the file made from the inputs `key` is there, untouched."""

    def put(self, output: Output, key: str, uses: Collection[str] = ()) -> None:
        """Take a new file and the paths it needs beside it; nothing shows before `finish`."""

    def keep(self, path: str) -> None:
        """Say that the file of the last build is still right, and so are those it uses."""

    def glimpse(self) -> None:
        """Say that the first page is made, with all it needs; others are to come."""

    def finish(self, build: Last | None) -> tuple[int, int, int]:
        """Publish; return the numbers of files written, kept, removed.

        `build` tells of a build of the whole site; without it, files not mentioned stay.
        """

    def unchanged(self, key: str) -> Last | None:
        """Return the last build when it had this key and every file is as it left it."""

    def abandon(self) -> None:
        """Forget what a failed build has put."""


class Memory:
    """A site in memory, for `serve`.

    `early` is given what there is of the first build when its first page is made.
    """

    def __init__(self, early: Callable[[Mapping[str, bytes]], None] = lambda _: None) -> None:
        """Start empty."""
        self.files: dict[str, bytes] = {}
        self._early = early
        self._made: dict[str, tuple[str, Collection[str]]] = {}
        self._fresh: dict[str, tuple[bytes, str, Collection[str]]] = {}
        self._kept: set[str] = set()
        self._last: Last | None = None

    def has(self, path: str, key: str) -> bool:
        """Return whether the file is there, made from the same inputs."""
        made = self._made.get(path)
        return made is not None and made[0] == key and all(use in self.files for use in made[1])

    def put(self, output: Output, key: str, uses: Collection[str] = ()) -> None:
        """Take a new file."""
        self._fresh[output.path] = (output.data, key, uses)

    def keep(self, path: str) -> None:
        """Say that the present file is right."""
        self._kept.update((path, *self._made[path][1]))

    def glimpse(self) -> None:
        """Show the first pages of the first build: an author need not wait for the others."""
        if not self.files:
            self._early({path: data for path, (data, _, _) in self._fresh.items()})

    def finish(self, build: Last | None) -> tuple[int, int, int]:
        """Replace the site as a whole, so that no request sees half of it."""
        files = {p: d for p, d in self.files.items() if build is None or p in self._kept}
        made = {p: self._made[p] for p in files}
        written = sum(self.files.get(p) != data for p, (data, _, _) in self._fresh.items())
        removed = len(self.files.keys() - files.keys() - self._fresh.keys())
        files |= {p: data for p, (data, _, _) in self._fresh.items()}
        made |= {p: (key, uses) for p, (_, key, uses) in self._fresh.items()}
        kept = len(files) - written
        self.files, self._made = files, made
        self._last = build._replace(files=len(files)) if build else None
        self.abandon()
        return written, kept, removed

    def unchanged(self, key: str) -> Last | None:
        """Return the last build when it had this key."""
        return self._last if self._last and self._last.holds(key) else None

    def abandon(self) -> None:
        """Forget what a failed build has put."""
        self._fresh, self._kept = {}, set()


class Folder:
    """A site in a folder.

    New files wait beside the store, on the same file system when it can be, and are moved into
    place one by one when the whole build has succeeded: a reader meets the old page or the new.
    The ledger remembers what each file was made from and how it looked after it was written.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        """Open a folder for output; `cache` is where the ledger and the waiting files live."""
        name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
        self.folder = folder
        self._ledger = cache / "outputs" / f"{name}.json"
        self._waiting = cache / "outputs" / f"{name}.{os.getpid()}"
        self._last, self._entries = self._load()
        self._fresh: dict[str, tuple[str, str, list[str]]] = {}
        self._kept: set[str] = set()
        self._changed = False

    def has(self, path: str, key: str) -> bool:
        """Return whether the file is as this folder's last build left it, from the same inputs."""
        entry = self._entries.get(path)
        if entry is None or entry.key != key or not self._intact(path):
            return False
        return all(self._intact(use) for use in entry.uses)

    def put(self, output: Output, key: str, uses: Collection[str] = ()) -> None:
        """Take a new file; one with the same bytes as the present one is not written at all."""
        digest = hashlib.sha256(output.data).hexdigest()
        entry = self._entries.get(output.path)
        if entry and entry.digest == digest and self._intact(output.path):
            self._entries[output.path] = Entry(key, digest, entry.mark, sorted(uses))
            self._changed = True
            self._kept.add(output.path)
            return
        self._waiting.mkdir(parents=True, exist_ok=True)
        self._wait(output.path).write_bytes(output.data)
        self._fresh[output.path] = (key, digest, sorted(uses))

    def keep(self, path: str) -> None:
        """Say that the present file is right, with those it uses."""
        self._kept.update((path, *self._entries[path].uses))

    def glimpse(self) -> None:
        """Show nothing before the whole build has succeeded."""

    def finish(self, build: Last | None) -> tuple[int, int, int]:
        """Move new files into place, remove strays, and write the ledger."""
        self._claim()
        # Pages come last, so that none ever names a file that is not there yet.
        for path, (key, digest, uses) in sorted(self._fresh.items(), key=_pages_last):
            self._place(path)
            self._entries[path] = Entry(key, digest, self._mark(path), uses)
        removed = 0
        if build is not None:
            wanted = self._fresh.keys() | self._kept
            for path in sorted(set(self._present()) - wanted):
                (self.folder / path).unlink(missing_ok=True)
                removed += 1
            self._prune()
            self._entries = {path: self._entries[path] for path in sorted(wanted)}
        counts = len(self._fresh), len(self._kept), removed
        if build is not None:
            build = build._replace(files=len(self._entries))
        if self._fresh or removed or self._changed or build != self._last:
            self._last = build
            self._save()
        self.abandon()
        return counts

    def abandon(self) -> None:
        """Forget what a failed build has put."""
        shutil.rmtree(self._waiting, ignore_errors=True)
        self._fresh, self._kept, self._changed = {}, set(), False

    def unchanged(self, key: str) -> Last | None:
        """Return the last build when it had this key and every file is as it left it."""
        if self._last is None or not self._last.holds(key):
            return None
        present = set(self._present())
        same = present == set(self._entries) and all(map(self._intact, present))
        return self._last if same else None

    def _claim(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        mark = self.folder / MARK
        if not mark.exists():
            if any(self.folder.iterdir()):
                raise NotOursError(self.folder)
            mark.write_text(
                "This folder is written by `explainers build`; files put here are removed.\n"
            )

    def _wait(self, path: str) -> Path:
        return self._waiting / hashlib.sha256(path.encode()).hexdigest()

    def _place(self, path: str) -> None:
        target = self.folder / path
        for above in target.relative_to(self.folder).parents:
            # A link put here would lead what is written out of the folder.
            if above != Path() and (self.folder / above).is_symlink():
                (self.folder / above).unlink()
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._wait(path).replace(target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            partial = target.with_name(f".{target.name}.{os.getpid()}")
            shutil.copyfile(self._wait(path), partial)
            partial.replace(target)

    def _present(self) -> Iterator[str]:
        top = str(self.folder)
        for folder, _, names in os.walk(top):
            prefix = folder[len(top) + 1 :].replace(os.sep, "/")
            for name in names:
                if folder != top or name != MARK:
                    yield f"{prefix}/{name}" if prefix else name

    def _prune(self) -> None:
        """Remove folders that hold nothing any more."""
        for folder, _, names in os.walk(self.folder, topdown=False):
            if not names and Path(folder) != self.folder:
                with contextlib.suppress(OSError):  # it holds a folder that holds something
                    Path(folder).rmdir()

    def _intact(self, path: str) -> bool:
        entry = self._entries.get(path)
        return entry is not None and self._mark(path) == entry.mark

    def _mark(self, path: str) -> list[int]:
        try:
            status = (self.folder / path).stat()
        except OSError:
            return []
        return [status.st_size, status.st_mtime_ns]

    def _load(self) -> tuple[Last | None, dict[str, Entry]]:
        try:
            found = json.loads(self._ledger.read_bytes())
            entries = {path: Entry(*entry) for path, entry in found["files"].items()}
            if found["build"] is None:
                return None, entries
            key, files, datasets, held, *times = found["build"]
            return Last(key, files, datasets, tuple((n, r) for n, r in held), *times), entries
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None, {}  # without a ledger every file is written anew

    def _save(self) -> None:
        ledger = {"build": self._last, "files": self._entries}
        whole(self._ledger, json.dumps(ledger, separators=(",", ":")).encode())


class NotOursError(Exception):
    """The output folder holds files that no build of ours put there."""

    def __init__(self, folder: Path) -> None:
        """Name the folder."""
        super().__init__(str(folder))
        self.folder = folder
