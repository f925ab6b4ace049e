"""A finished site in a folder: only what changed is written, nothing is left over."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ..model import Output
from ..store import whole
from .publish import Waiting, publish, sweep
from .sink import Last, NotOursError

MARK = ".explainers"
"""A file that says this folder is ours; a folder with other things in it is never cleaned."""


class Entry(NamedTuple):
    """One file of the last build: its inputs, its bytes, how it looks on disk, what it needs."""

    key: str
    digest: str
    mark: list[int]
    uses: list[str]


class Folder:
    """A site in a folder.

    New files wait beside the store, on the same file system when it can be, and are moved into
    place one by one when the whole build has succeeded: a reader meets the old page or the new.
    The ledger remembers what each file was made from and how it looked after it was written.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        """Open a folder for output; `cache` is where the ledger and the waiting files live."""
        name = hashlib.sha256(_seen_from(cache.parent, folder).encode()).hexdigest()[:16]
        self.folder = folder
        self._ledger = cache / "outputs" / f"{name}.json"
        sweep(self._ledger.parent)
        self._waiting = Waiting(self._ledger.parent, name)
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
        if (entry and entry.digest == digest and self._intact(output.path)) or self._holds(output):
            self._entries[output.path] = Entry(key, digest, self._mark(output.path), sorted(uses))
            self._changed = True
            self._kept.add(output.path)
            return
        self._waiting.path(output.path).write_bytes(output.data)
        self._fresh[output.path] = (key, digest, sorted(uses))

    def keep(self, path: str) -> None:
        """Say that the present file is right, with those it uses."""
        self._kept.update((path, *self._entries[path].uses))

    def rekey(self, keys: Mapping[str, str]) -> None:
        """Take the keys as they are known at the end."""
        for path, key in keys.items():
            if path in self._fresh:
                self._fresh[path] = (key, *self._fresh[path][1:])
            elif path in self._kept and self._entries[path].key != key:
                self._entries[path] = self._entries[path]._replace(key=key)
                self._changed = True

    def first(self) -> Collection[str]:
        """Return nothing: nobody looks at a folder while it is written."""
        return ()

    def glimpse(self) -> None:
        """Show nothing before the whole build has succeeded."""

    def finish(self, build: Last | None) -> tuple[int, int, int]:
        """Move new files into place, remove strays, and write the ledger.

        Raises:
            OSError: a file cannot be moved, and the old site stays; or a stray cannot be removed,
                or the ledger not be written, and the new site is there.
        """
        self._claim()
        # Pages come last, so that none ever names a file that is not there yet.
        order = sorted(self._fresh, key=lambda path: (path.endswith(".html"), path))
        publish(self.folder, self._waiting, order)
        for path, (key, digest, uses) in self._fresh.items():
            self._entries[path] = Entry(key, digest, self._mark(path), uses)
        removed, refused = 0, None
        if build is not None:
            wanted = self._fresh.keys() | self._kept
            for path in sorted(set(self._present()) - wanted):
                try:
                    (self.folder / path).unlink(missing_ok=True)
                    removed += 1
                except OSError as error:
                    refused = error
            self._prune()
            self._entries = {path: self._entries[path] for path in sorted(wanted)}
        counts = len(self._fresh), len(self._kept), removed
        if build is not None:
            build = build._replace(files=len(self._entries))
        if self._fresh or removed or self._changed or build != self._last:
            self._last = build
            self._save()
        self.abandon()
        if refused is not None:
            raise refused
        return counts

    def abandon(self) -> None:
        """Forget what a failed build has put."""
        self._waiting.clear()
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

    def _holds(self, output: Output) -> bool:
        """Return whether the file is there already, though no ledger knows of it."""
        try:
            place = self.folder / output.path
            same = place.stat().st_size == len(output.data) and not place.is_symlink()
            return same and place.read_bytes() == output.data
        except OSError:
            return False

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
            key, files, datasets, held, since, until, variables = found["build"]
            pairs = (tuple((a, b) for a, b in item) for item in (held, variables))
            held, variables = pairs
            return Last(key, files, datasets, held, since, until, variables), entries
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None, {}  # without a ledger every file is written anew

    def _save(self) -> None:
        ledger = {"build": self._last, "files": self._entries}
        whole(self._ledger, json.dumps(ledger, separators=(",", ":")).encode())


def _seen_from(root: Path, folder: Path) -> str:
    """Return a name for a folder that stays when the site, with the folder in it, is moved."""
    root, folder = root.resolve(), folder.resolve()
    return os.path.relpath(folder, root) if folder.is_relative_to(root) else str(folder)
