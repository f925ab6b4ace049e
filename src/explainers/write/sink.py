"""Where a build puts its pages, and what is remembered of the last one."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from ..digest import variable
from ..model import Output


class Last(NamedTuple):
    """The last build of the whole site: the key of all its inputs, and what its report said.

    `since` and `until` are the times between which it holds back the same pages; `variables` are
    the environment variables that its datasets declare, and the digest of what each held.
    """

    key: str
    files: int
    datasets: int
    held_back: tuple[tuple[str, str], ...]
    since: float = -math.inf
    until: float = math.inf
    variables: tuple[tuple[str, str], ...] = ()

    def holds(self, key: str) -> bool:
        """Return whether a build of these inputs would do the same now."""
        if self.key != key or not self.since <= time.time() < self.until:
            return False
        return all(variable(name) == state for name, state in self.variables)


class Sink(Protocol):
    """Where a build puts its pages."""

    def has(self, path: str, key: str) -> bool:
        """Return whether the file made from the inputs `key` is there, untouched."""

    def put(self, output: Output, key: str, uses: Collection[str] = ()) -> None:
        """Take a new file and the paths it needs beside it; nothing shows before `finish`."""

    def keep(self, path: str) -> None:
        """Say that the file of the last build is still right, and so are those it uses."""

    def rekey(self, keys: Mapping[str, str]) -> None:
        """Take the keys of files that were put or kept as they are known at the end.

        What a run of a dataset reads is known only after it, and is a part of its pages' keys.
        """

    def first(self) -> Collection[str]:
        """Return the pages that are to be made before all others, as somebody waits for them."""

    def glimpse(self) -> None:
        """Say that the first pages are made, with all they need; others are to come."""

    def finish(self, build: Last | None) -> tuple[int, int, int]:
        """Publish; return the numbers of files written, kept, removed.

        `build` tells of a build of the whole site; without it, files not mentioned stay.
        """

    def unchanged(self, key: str) -> Last | None:
        """Return the last build when it had this key and every file is as it left it."""

    def abandon(self) -> None:
        """Forget what a failed build has put."""


class NotOursError(Exception):
    """The output folder holds files that no build of ours put there."""

    def __init__(self, folder: Path) -> None:
        """Name the folder."""
        super().__init__(str(folder))
        self.folder = folder
