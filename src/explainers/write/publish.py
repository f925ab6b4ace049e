"""Move new files into place: all of them, or none when one cannot be moved."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path


class Waiting:
    """A folder of files that wait for their place.

    A lock on it ends with the process, however that ends: so a later build knows what was left.
    """

    def __init__(self, above: Path, name: str) -> None:
        """Name the folder; it is made for the first file."""
        self._above, self._name = above, f"{name}.{os.getpid()}."
        self._folder: Path | None = None
        self._lock = -1

    def path(self, path: str) -> Path:
        """Return where a file waits."""
        if self._folder is None:
            self._above.mkdir(parents=True, exist_ok=True)
            self._folder = Path(tempfile.mkdtemp(prefix=self._name, dir=self._above))
            self._lock = os.open(self._folder, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        return self._folder / hashlib.sha256(path.encode()).hexdigest()

    def clear(self) -> None:
        """Forget what waits."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            os.close(self._lock)
            self._folder = None


def sweep(above: Path) -> None:
    """Remove the folders that builds left which were killed."""
    try:
        left = [entry.path for entry in os.scandir(above) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for path in left:
        with contextlib.suppress(OSError):  # a build that runs holds the lock
            folder = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(folder)


def publish(folder: Path, waiting: Waiting, paths: Iterable[str]) -> None:
    """Move files into a folder, in this order; a reader meets the old file or the new.

    Raises:
        OSError: one cannot be moved; then all that were there are there again.
    """
    done: list[tuple[Path, Path | None]] = []
    try:
        for path in paths:
            target = folder / path
            _clear_way(folder, target)
            kept = _keep(target, waiting.path(f"old {path}"))
            done.append((target, kept))
            _move(waiting.path(path), target)
    except BaseException:
        for target, kept in reversed(done):
            with contextlib.suppress(OSError):
                if kept is None:
                    target.unlink()
                else:
                    kept.replace(target)
                    kept.unlink(missing_ok=True)  # two names of one file are not moved
        raise
    for target, kept in done:
        if kept is not None and kept.parent == target.parent:
            kept.unlink(missing_ok=True)


def _clear_way(folder: Path, target: Path) -> None:
    for above in target.relative_to(folder).parents:
        # A link put here would lead what is written out of the folder.
        if above != Path() and (folder / above).is_symlink():
            (folder / above).unlink()
    target.parent.mkdir(parents=True, exist_ok=True)


def _keep(target: Path, place: Path) -> Path | None:
    """Give the present file a second name, so that it can come back; None when there is none."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.old")
    for name in (place, beside):  # the first may be on another file system
        try:
            os.link(target, name)
        except FileNotFoundError:
            return None
        except OSError:
            continue
        return name
    shutil.copy2(target, beside)
    return beside


def _move(source: Path, target: Path) -> None:
    try:
        source.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        partial = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            shutil.copyfile(source, partial)
            partial.replace(target)
        except OSError:
            partial.unlink(missing_ok=True)
            raise
