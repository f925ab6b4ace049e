"""A finished site in memory, for `serve` and `check`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ..model import Output
from .sink import Last


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

    def rekey(self, keys: Mapping[str, str]) -> None:
        """Take the keys as they are known at the end."""
        for path, key in keys.items():
            if path in self._fresh:
                data, _, uses = self._fresh[path]
                self._fresh[path] = data, key, uses

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
