"""See which of the site's files a run opens, and refuse it what no dataset may do.

Python's own functions tell of what they are about to do; libraries in C that open a file by
themselves do not, so this finds mistakes and is no prison.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

# A network that answers differently tomorrow is no source of numbers either.
_REFUSED = frozenset(
    (
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork"),
        *("os.forkpty", "pty.spawn", "socket.connect", "socket.getaddrinfo"),
    )
)

_CHANGES = frozenset(
    (
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink"),
        *("os.truncate", "os.chmod", "os.utime", "shutil.move", "shutil.rmtree"),
    )
)
"""What changes the files that are named by its first arguments."""


class Watched:
    """What the running call has opened. An audit hook cannot be removed, so it asks here."""

    def __init__(self) -> None:
        """Watch nothing yet."""
        self.root = ""
        self.strict = False
        self.reads: set[str] = set()
        self.wrote = ""
        self._apart = _PREFIXES

    def begin(self, root: str, *, strict: bool) -> None:
        """Note from now on what is opened below a folder; when strict, refuse what is refused."""
        self.reads, self.wrote = set(), ""
        self._apart = (*_PREFIXES, tempfile.gettempdir())
        self.strict = strict
        self.root = os.path.join(os.path.abspath(root), "")  # noqa: PTH100, PTH118 - plain text

    def end(self) -> tuple[str, ...]:
        """Return what was opened, and note no more."""
        self.root = ""
        return tuple(sorted(self.reads))

    def note(self, path: object, *, is_folder: bool) -> None:
        """Note a path, unless it is code or lies elsewhere."""
        inside = self._inside(path, _PREFIXES)
        if not inside or inside.endswith((".py", ".pyc", "__pycache__")):
            return
        if is_folder:
            # Imports list the folders of the path, which says nothing of the data.
            if inside.startswith("content/"):
                self.reads.add(f"{inside}/")
        else:
            self.reads.add(inside)

    def change(self, path: object) -> None:
        """Refuse to change one of the site's files."""
        inside = self._inside(path, self._apart)
        if inside and "__pycache__" not in inside:
            self.wrote = inside
            self.refuse()

    def refuse(self) -> None:
        """Raise PermissionError when the run has tried to change a file of the site."""
        if self.wrote and self.strict:
            raise PermissionError(
                f"a dataset may not change the site's files, here {self.wrote}: what it makes is "
                "what it returns"
            )

    def _inside(self, path: object, apart: tuple[str, ...]) -> str:
        """Return a path from the site's root; "" when it lies elsewhere, or in a folder apart."""
        if isinstance(path, int) or path is None:
            return ""
        full = os.path.abspath(os.fsdecode(path))  # type: ignore[arg-type]  # noqa: PTH100
        # A folder that holds the whole site is none of its own.
        own = [folder for folder in apart if not self.root.startswith(os.path.join(folder, ""))]  # noqa: PTH118
        if any(full.startswith(os.path.join(folder, "")) for folder in own):  # noqa: PTH118
            return ""
        return full[len(self.root) :].replace(os.sep, "/") if full.startswith(self.root) else ""


_PREFIXES = tuple({sys.prefix, sys.base_prefix})
watched = Watched()


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Hear of an event; installed once a process."""
    if not watched.root:
        return
    if event == "open":
        path, mode, flags = arguments
        writes = (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or (mode and set(mode) & set("wax+")):
            watched.change(path)
        else:
            watched.note(path, is_folder=False)
    elif event in ("os.listdir", "os.scandir"):
        watched.note(arguments[0], is_folder=True)
    elif event in _CHANGES:
        # Only links, renames and moves have two.
        for path in arguments[:2]:
            if isinstance(path, (str, bytes, os.PathLike)):
                watched.change(path)
    elif event in _REFUSED and watched.strict:
        raise PermissionError(
            "a dataset may neither start a process nor use the network: its numbers come from "
            "its code and the files beside it"
        )
