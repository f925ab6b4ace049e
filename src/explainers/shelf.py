"""The shelf: many small values in one file, by the digest of everything they depend on.

A file each, as in the store, would cost half a millisecond a value to make. Like the store, the
shelf is a cache: what cannot be read is made again, and the file may be deleted at any time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from .errors import BuildError, Problem

if TYPE_CHECKING:
    import sqlite3

Value = TypeVar("Value")

MOST = 512 * 1024 * 1024
"""Bytes of values beyond which the half that was not used for longest is dropped."""

_BATCH = 500
"""Values written in one transaction, and keys asked for in one question."""

_FRESH = 16
"""Turns within which a use is not noted again: a note is a write."""

_WAIT = 60.0
"""Seconds to wait for another build to finish its transaction, which takes milliseconds."""

_TABLE = (
    "CREATE TABLE IF NOT EXISTS shelf"
    " (key BLOB PRIMARY KEY, turn INTEGER NOT NULL, mark BLOB NOT NULL, value BLOB NOT NULL)"
)


class Shelf:
    """One SQLite database of values, each with the digest of its key and its bytes.

    Two builds may use one shelf at once, and both would write the same. A damaged database is
    removed and made anew. Nothing in it depends on the machine or the time: how long ago a value
    was used is counted in turns, which are the uses of the shelf that wrote to it.
    """

    def __init__(self, path: Path) -> None:
        """Name the file; it is opened, and SQLite imported, at the first question."""
        self.path = path
        self._waiting: dict[str, bytes] = {}
        self._used: set[bytes] = set()
        self._database: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._turn = 0

    def get(self, key: str) -> bytes | None:
        """Return what was put, or None."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Return what was put under these keys; one that is damaged counts as absent."""
        wanted = list(dict.fromkeys(keys))
        found = {key: self._waiting[key] for key in wanted if key in self._waiting}
        rest = [key for key in wanted if key not in found]
        if rest and (self._database is not None or self.path.exists()):
            for first in range(0, len(rest), _BATCH):
                read = functools.partial(self._read, keys=rest[first : first + _BATCH])
                with contextlib.suppress(_RefusedError):
                    found |= self._tried(read)
        return found

    def put(self, key: str, data: bytes) -> None:
        """Keep a value; see `put_many`."""
        self.put_many({key: data})

    def put_many(self, values: Mapping[str, bytes]) -> None:
        """Keep values under their keys; they are written some hundred at a time, and by `flush`.

        Raises:
            BuildError: the disk refuses.
        """
        self._waiting.update(values)
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what waits, in one transaction.

        Raises:
            BuildError: the disk refuses.
        """
        if not (self._waiting or self._used):
            return
        try:
            self._tried(self._write)
        except _BusyError:
            return  # another build holds the file for long: what waits will be made again
        except _RefusedError as refused:
            message = f"cannot write {self.path}: {refused}"
            hint = "free some space, mend the folder's permissions, or delete it"
            raise BuildError([Problem("store-write", message, hint=hint)]) from refused
        finally:
            self._waiting.clear()
            self._used.clear()

    def close(self) -> None:
        """Write what waits, and let go of the file; the next question opens it again."""
        try:
            self.flush()
        finally:
            self._drop()

    def __del__(self) -> None:
        """Let go of the file."""
        self._drop()

    def _read(self, database: sqlite3.Connection, keys: list[str]) -> dict[str, bytes]:
        names = {bytes.fromhex(key): key for key in keys}
        marks = ",".join("?" * len(names))
        question = f"SELECT key, turn, mark, value FROM shelf WHERE key IN ({marks})"
        found = {}
        for name, turn, mark, value in database.execute(question, list(names)):
            if mark == _mark(name, value):
                found[names[name]] = value
                if turn + _FRESH < self._turn:
                    self._used.add(name)
        return found

    def _write(self, database: sqlite3.Connection) -> None:
        rows = [(bytes.fromhex(key), value) for key, value in self._waiting.items()]
        # Immediate: a transaction that began by reading could not wait for one that writes.
        database.execute("BEGIN IMMEDIATE")
        with database:
            turn = max(self._turn, _number(database, "user_version"))
            database.executemany(
                "INSERT OR REPLACE INTO shelf VALUES (?, ?, ?, ?)",
                ((name, turn, _mark(name, value), value) for name, value in rows),
            )
            database.executemany(
                "UPDATE shelf SET turn = ? WHERE key = ?", ((turn, name) for name in self._used)
            )
            pages = _number(database, "page_count") - _number(database, "freelist_count")
            if pages * _number(database, "page_size") > MOST:
                database.execute(
                    "DELETE FROM shelf WHERE rowid IN (SELECT rowid FROM shelf ORDER BY turn, rowid"
                    " LIMIT (SELECT (count(*) + 1) / 2 FROM shelf))"
                )
            database.execute(f"PRAGMA user_version = {turn:d}")

    def _tried(self, work: Callable[[sqlite3.Connection], Value]) -> Value:
        """Do some work with the database; with a new one when the one there is damaged."""
        import sqlite3

        try:
            return work(self._connected())
        except OSError as error:
            raise _RefusedError(error.strerror) from error
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise _BusyError(str(error)) from error
            if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                raise _RefusedError(str(error)) from error
            # Whatever else it says, it says of the file: that is torn, or none of ours.
        self._remove()
        try:
            return work(self._connected())
        except (OSError, sqlite3.DatabaseError) as error:
            raise _RefusedError(str(error)) from error

    def _connected(self) -> sqlite3.Connection:
        """Return the open database, opened anew when another build has put a new one there."""
        if self._database is not None:
            if self._file == _identity(self.path):
                return self._database
            self._drop()
        import sqlite3

        self.path.parent.mkdir(parents=True, exist_ok=True)
        database = self._database = sqlite3.connect(
            self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        self._file = _identity(self.path)
        # The journal is a plain file beside it: a write-ahead log needs memory that processes
        # share, which network file systems lack. Nothing waits for the disk: a loss of power may
        # damage the file, and then it is made anew.
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = TRUNCATE")
        database.execute(_TABLE)
        self._turn = _number(database, "user_version") + 1
        return database

    def _drop(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _remove(self) -> None:
        """Remove the database, unless another build has put a new one in its place."""
        mine = self._file
        self._drop()
        if mine == _identity(self.path):
            for path in (Path(f"{self.path}-journal"), self.path):
                with contextlib.suppress(OSError):
                    path.unlink()


class _RefusedError(Exception):
    """The machine does not let the database be read or written."""


class _BusyError(_RefusedError):
    """Another build does not let go of the database."""


def _number(database: sqlite3.Connection, pragma: str) -> int:
    (number,) = database.execute(f"PRAGMA {pragma}").fetchone()
    return int(number)


def _mark(name: bytes, value: bytes) -> bytes:
    """Return the digest kept beside a value; the key is part of it, lest one stand for another."""
    return hashlib.sha256(name + value).digest()


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another that has taken its place."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
