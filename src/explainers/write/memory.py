"""A finished site in memory, for `serve` and `check`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ..model import Output
from .sink import Last


class Memory:
    """A site in memory, for `serve`.

    `early` is given what there is when the pages that somebody looks at are made, others are not;
    `watched` tells which those are.
    """

    def __init__(
        self,
        early: Callable[[Mapping[str, bytes]], None] = lambda _: None,
        watched: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """Start empty."""
        self.files: dict[str, bytes] = {}
        self._early, self._watched = early, watched
        self._made: dict[str, tuple[str, Collection[str]]] = {}
        self._fresh: dict[str, tuple[bytes, str, Collection[str]]] = {}
        self._kept: set[str] = set()
        self._written = 0
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
            elif path in self._kept and path in self._made:
                self._made[path] = key, self._made[path][1]

    def first(self) -> Collection[str]:
        """Return the pages that are to be made before all others."""
        return self._watched() or ([] if self.files else ["index.html"])

    def glimpse(self) -> None:
        """Show what there is: an author need not wait for the pages that nobody looks at.

        Each page is right by its key, so one that was shown is kept whatever becomes of the rest.
        """
        written = self._take()
        if written:
            self._written += written
            self._early(self.files)

    def _take(self) -> int:
        """Let the new files take the places of the old ones; return how many differ."""
        written = sum(self.files.get(p) != data for p, (data, _, _) in self._fresh.items())
        self.files = self.files | {p: data for p, (data, _, _) in self._fresh.items()}
        for path, (_, key, uses) in self._fresh.items():
            self._made[path] = key, uses
            self._kept.update((path, *uses))
        self._fresh = {}
        return written

    def finish(self, build: Last | None) -> tuple[int, int, int]:
        """Replace the site as a whole, so that no request sees half of it."""
        written = self._written + self._take()
        before = len(self.files)
        if build is not None:
            self.files = {path: data for path, data in self.files.items() if path in self._kept}
            self._made = {path: self._made[path] for path in self.files}
        self._last = build._replace(files=len(self.files)) if build else None
        kept = len(self.files) - written
        self.abandon()
        return written, kept, before - len(self.files)

    def unchanged(self, key: str) -> Last | None:
        """Return the last build when it had this key."""
        return self._last if self._last and self._last.holds(key) else None

    def abandon(self) -> None:
        """Forget what a failed build has put."""
        self._fresh, self._kept, self._written = {}, set(), 0
