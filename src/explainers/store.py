"""The store: results by the digest of everything they depend on."""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from .errors import BuildError, Problem
from .shelf import Shelf

_HEAD = b"explainers 1\n"
_count = itertools.count()


class Store:
    """Files named by their keys, each with its own digest before it.

    Two builds may use one store at once: a file appears whole or not at all, and both would write
    the same. Nothing in it depends on the machine or the time. `shelf` is for values that are many
    and small.
    """

    def __init__(self, root: Path) -> None:
        """Name the folder; it is made when something is put there."""
        self.root = root
        self.shelf = Shelf(root / "shelf.sqlite")

    def get(self, key: str) -> bytes | None:
        """Return what was put, or None; a damaged file is removed and counts as absent."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        body = data[len(_HEAD) + 32 :]
        if data[: len(_HEAD) + 32] == _HEAD + hashlib.sha256(body).digest():
            return body
        _remove(path)
        return None

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes under a key.

        Raises:
            BuildError: the disk refuses.
        """
        path = self._path(key)
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

    def prune(self, keep: Collection[str]) -> int:
        """Remove everything but what the keys name, and return how many files that was."""
        wanted = {self._path(key) for key in keep}
        strays = [path for path in self._files() if path not in wanted]
        for path in strays:
            _remove(path)
        return len(strays)

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


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # then it is replaced by the next put, or that says why not
