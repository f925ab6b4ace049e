"""Processes that work beside the build: they start at the first work worth it.

Whatever a process could not do is met again, and told, by the build itself.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")

MANY = 192
"""Pages for which processes are worth their start."""

_SHARE = 16
"""Pages handed to a process at a time."""


class Crew:
    """The processes of one build; `close` ends them."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._pool: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """End the processes; the next work starts others."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def shares(
        self, items: Sequence[Item], work: Callable[[Sequence[Item]], Result]
    ) -> Iterator[tuple[Sequence[Item], Result | None]]:
        """Yield the items in shares, each with what the work made of it, None where that failed.

        Where processes are not worth their start, one share of all items comes with None.
        """
        if len(items) < MANY or cores() < 2:
            yield items, None
            return
        # Imported here: a build after an edit does without them.
        from concurrent.futures.process import BrokenProcessPool

        pool = self._started()
        waiting: deque[tuple[Sequence[Item], Future[Result] | None]] = deque()
        first = 0
        while waiting or first < len(items):
            # What is made ahead of the caller stays in memory: no more than keeps all at work.
            while first < len(items) and len(waiting) < 3 * cores():
                share = items[first : first + _SHARE]
                try:
                    waiting.append((share, pool.submit(work, share)))
                except BrokenProcessPool:
                    waiting.append((share, None))
                first += _SHARE
            share, future = waiting.popleft()
            try:
                result = future.result() if future else None
            except (BrokenProcessPool, OSError):
                result = None
            yield share, result

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            # A server of forks has the datasets' settings, and a fork would copy threads' locks.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(cores(), context, initializer=_ready)
        return self._pool


def cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ready() -> None:
    # Ctrl-C is the parent's to handle; a worker ends with its pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Making pages leaves little garbage; to look for it often would take a tenth of the time.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
