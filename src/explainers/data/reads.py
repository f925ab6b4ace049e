"""See which of the site's files a run opens, and refuse it what no dataset may do."""

from __future__ import annotations

import os
import sys
from typing import Any

# A network that answers differently tomorrow is no source of numbers either.
_REFUSED = frozenset(
    (
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork"),
        *("os.forkpty", "pty.spawn", "socket.connect", "socket.getaddrinfo"),
    )
)


class Watched:
    """What the running call has opened. An audit hook cannot be removed, so it asks here."""

    def __init__(self) -> None:
        """Watch nothing yet."""
        self.root = ""
        self.strict = False
        self.reads: set[str] = set()

    def begin(self, root: str, *, strict: bool) -> None:
        """Note from now on what is opened below a folder; when strict, refuse what is refused."""
        self.reads = set()
        self.strict = strict
        self.root = os.path.join(os.path.abspath(root), "")  # noqa: PTH100, PTH118 - plain text

    def end(self) -> tuple[str, ...]:
        """Return what was opened, and note no more."""
        self.root = ""
        return tuple(sorted(self.reads))

    def note(self, path: object, *, is_folder: bool) -> None:
        """Note a path, unless it is code or lies elsewhere."""
        if isinstance(path, int) or path is None:
            return
        full = os.path.abspath(os.fsdecode(path))  # type: ignore[arg-type]  # noqa: PTH100
        if not full.startswith(self.root) or full.endswith((".py", ".pyc", "__pycache__")):
            return
        inside = full[len(self.root) :].replace(os.sep, "/")
        if any(full.startswith(os.path.join(prefix, "")) for prefix in _PREFIXES):  # noqa: PTH118
            return
        if is_folder:
            # Imports list the folders of the path, which says nothing of the data.
            if inside.startswith("content/"):
                self.reads.add(f"{inside}/")
        else:
            self.reads.add(inside)


_PREFIXES = tuple({sys.prefix, sys.base_prefix})
watched = Watched()


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Hear of an event; installed once a process."""
    if not watched.root:
        return
    if event == "open":
        path, mode, flags = arguments
        writes = (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if not writes and not (mode and set(mode) & set("wax+")):
            watched.note(path, is_folder=False)
    elif event in ("os.listdir", "os.scandir"):
        watched.note(arguments[0], is_folder=True)
    elif event in _REFUSED and watched.strict:
        raise PermissionError(
            "a dataset may neither start a process nor use the network: its numbers come from "
            "its code and the files beside it"
        )
