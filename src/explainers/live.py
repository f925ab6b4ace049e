"""What `serve` shows at this moment, and who looks at it."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

ASKED = 3.0
"""Seconds for which a page that was asked for counts as looked at."""


@dataclass(frozen=True, slots=True)
class State:
    """What there is to see: the files, which version of them, and what is wrong with the next.

    `marks` names the pages that readers of the published site do not get, and why; `doing` is what
    the build is at while there is no page yet.
    """

    files: Mapping[str, bytes]
    version: str
    problems: str | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    doing: str = ""


class Live:
    """The present state, which the builder replaces and every request reads."""

    def __init__(self) -> None:
        """Start with no site; versions differ from those of an earlier run."""
        run = secrets.token_hex(4)
        self._versions = (f"{run}-{number}" for number in itertools.count())
        self.state = State({}, next(self._versions))
        self._news = threading.Condition()
        self._open: Counter[str] = Counter()
        self._asked: dict[str, float] = {}

    def publish(
        self, files: Mapping[str, bytes], marks: Mapping[str, str], *, changed: bool
    ) -> None:
        """Show a good build; only one that changed something is worth looking at again."""
        version = next(self._versions) if changed else self.state.version
        self._set(State(files, version, None, marks))

    def glimpse(self, files: Mapping[str, bytes]) -> None:
        """Show what there is of a build that goes on; whether it is good is not known yet."""
        self._set(replace(self.state, files=files, version=next(self._versions)))

    def tell(self, doing: str) -> None:
        """Say what the first build is at; later ones are not waited for."""
        if not self.state.files:
            self._set(replace(self.state, doing=doing))

    def fail(self, problems: str) -> None:
        """Show what is wrong over the last good build."""
        self._set(replace(self.state, problems=problems))

    def _set(self, state: State) -> None:
        with self._news:
            self.state = state
            self._news.notify_all()

    def wait(self, seen: State | None, timeout: float) -> State:
        """Return the state as soon as it is not the one seen, or when the time is up."""
        with self._news:
            self._news.wait_for(lambda: self.state is not seen, timeout)
            return self.state

    def asked(self, path: str) -> None:
        """Note that a page was asked for."""
        with self._news:
            now = time.monotonic()
            self._asked = {p: at for p, at in self._asked.items() if now - at < ASKED}
            self._asked[path] = now

    @contextmanager
    def reader(self, path: str) -> Iterator[None]:
        """Note that a page is open in a browser."""
        with self._news:
            self._open[path] += 1
        try:
            yield
        finally:
            with self._news:
                self._open[path] -= 1

    def watched(self) -> tuple[str, ...]:
        """Return the files of the pages that somebody looks at."""
        with self._news:
            now = time.monotonic()
            asked = [path for path, at in self._asked.items() if now - at < ASKED]
            return tuple(dict.fromkeys([*(+self._open), *reversed(asked)]))
