"""The store: results by the digest of everything they depend on."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from .errors import BuildError, Problem
from .shelf import Shelf

MOST = 2 * 1024**3
"""Bytes beyond which what was not used for longest is removed, down to three quarters of it."""

_HEAD = b"explainers 1\n"
_AGE = 3600.0
"""Seconds after which a use is noted again: a note is a write."""

_count = itertools.count()


class Store:
    """Files named by their keys, each with its own digest before it.

    Two builds may use one store at once: a file appears whole or not at all, and both would write
    the same. Nothing that is kept depends on the machine or the time; only how long ago it was
    used is told by the file's own time. `shelf` is for values that are many and small.
    """

    def __init__(self, root: Path) -> None:
        """Name the folder; it is made when something is put there."""
        self.root = root
        self.shelf = Shelf(root / "shelf.sqlite")
        self.used: set[str] = set()
        self._grew = False

    def get(self, key: str) -> bytes | None:
        """Return what was put, or None; a damaged file is removed and counts as absent."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                data, used = file.read(), os.fstat(file.fileno()).st_mtime
        except OSError:
            return None
        body = data[len(_HEAD) + 32 :]
        if data[: len(_HEAD) + 32] == _HEAD + hashlib.sha256(body).digest():
            self.used.add(key)
            if abs(time.time() - used) > _AGE:
                with contextlib.suppress(OSError):  # then it counts as used when it was made
                    os.utime(path)
            return body
        _remove(path)
        return None

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes under a key.

        Raises:
            BuildError: the disk refuses.
        """
        path = self._path(key)
        self.used.add(key)
        self._grew = True
        part = path.with_name(f"{path.name}.{os.getpid()}-{next(_count)}.part")
        whole = _HEAD + hashlib.sha256(data).digest() + data
        try:
            try:
                part.write_bytes(whole)
            except FileNotFoundError:
                path.parent.mkdir(parents=True, exist_ok=True)
                part.write_bytes(whole)
            if path.is_dir():
                shutil.rmtree(path)
            part.replace(path)
        except OSError as error:
            _remove(part)
            raise BuildError(
                [
                    Problem(
                        "store-write",
                        f"cannot write {path}: {error.strerror}",
                        hint="free some space, mend the folder's permissions, or delete it",
                    )
                ]
            ) from error

    def keys(self) -> Iterator[str]:
        """Yield the keys of everything in the store."""
        for path in self._files():
            if path.suffix != ".part":
                yield path.parent.name + path.name

    def prune(self, keep: Collection[str]) -> tuple[int, int]:
        """Remove everything but what the keys name; return how many files and bytes that was."""
        wanted = {self._path(key) for key in keep}
        return _removed(path for path in self._files() if path not in wanted)

    def bound(self, most: int = MOST) -> tuple[int, int]:
        """Remove what was not used for longest, when something was put and there is too much.

        Returns:
            How many files and bytes were removed.
        """
        if not self._grew:
            return 0, 0
        self._grew = False
        found = []
        for path in self._files():
            with contextlib.suppress(OSError):  # another build has removed it
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in found)
        least = most * 3 // 4 if total > most else total
        strays: list[Path] = []
        for _, size, path in sorted(found):
            if total <= least:
                break
            # What this build used stays, however much it is.
            if path.parent.name + path.name not in self.used:
                strays.append(path)
                total -= size
        return _removed(strays)

    def _path(self, key: str) -> Path:
        return self.root / key[:2] / key[2:]

    def _files(self) -> list[Path]:
        return sorted(path for path in self.root.glob("??/*") if path.is_file())


def whole(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all; a folder that stands in its place goes.

    Raises:
        OSError: the disk refuses.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}-{next(_count)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        if path.is_dir():
            shutil.rmtree(path)
        part.replace(path)
    except OSError:
        _remove(part)
        raise


def _removed(paths: Iterable[Path]) -> tuple[int, int]:
    """Remove files; return how many, and their bytes."""
    count = total = 0
    for path in list(paths):
        with contextlib.suppress(OSError):
            size = path.stat().st_size
            path.unlink()
            count, total = count + 1, total + size
    return count, total


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # then it is replaced by the next put, or that says why not
