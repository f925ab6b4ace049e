"""Say what runs, and what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence

SHOWN = 3
"""Names that a line lists."""


class Progress:
    """Tells, as each run ends, which datasets are still to come."""

    def __init__(self, names: Sequence[str], say: Callable[[str], None]) -> None:
        """Say what is about to run."""
        self._left = dict(enumerate(names))
        self._all, self._say = len(names), say
        say(f"running {self._listed()}")

    def ended(self, index: int, good: bool) -> None:
        """Say that one ended, and what is left."""
        name = self._left.pop(index)
        done = self._all - len(self._left)
        left = f"; left: {self._listed()}" if self._left else ""
        self._say(f"{done}/{self._all} {name}{'' if good else ' failed'}{left}")

    def _listed(self) -> str:
        names = list(self._left.values())
        more = len(names) - SHOWN
        return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
