"""Pools of worker processes: a broken one is replaced, and who broke it is found."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import Problem, Superseded
from . import blame
from .call import Call, Done
from .worker import Raised, ready, work

Result = Done | Problem

PINNED = {
    # Sums must not depend on the number of cores, nor sets on the process.
    **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "BLIS", "NUMEXPR")},
    "VECLIB_MAXIMUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "MPLBACKEND": "Agg",
}

_PRELOAD = ["numpy", "explainers.data.worker", "explainers.data.stack", "explainers.data.codec"]


LOOK = 0.1
"""Seconds after which it is asked again whether the results are still wanted."""

GRACE = 2.0
"""Seconds that workers get to end by themselves when all results are in."""


class Runner:
    """Runs calls in pools until each has a result; a broken pool is replaced."""

    def __init__(
        self,
        calls: Sequence[Call],
        seconds: float,
        memory: int | None,
        logs: Path,
        done: Callable[[int, Result], None],
        give_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take the calls and their limits; `logs` is an empty folder."""
        self.calls = calls
        self.seconds = seconds
        self.memory = memory
        self.logs = logs
        self.done = done
        self.give_up = give_up
        self.results: dict[int, Result] = {}

    def run(self, workers: int) -> list[Result]:
        """Return the result of each call, in their order."""
        while waiting := [i for i in range(len(self.calls)) if i not in self.results]:
            if self._pool(waiting, workers):
                self._blame([i for i in waiting if i not in self.results])
        return [self.results[index] for index in range(len(self.calls))]

    def _blame(self, waiting: list[int]) -> None:
        """Find who ended a process: by the logs, else by running the suspects one by one."""
        suspects = [i for i in waiting if self._log(i).exists()]
        guilty = [i for i in suspects if blame.is_guilty(self._text(i))]
        if not suspects:
            guilty = waiting  # no worker came as far as a call
        elif not guilty:
            guilty = suspects if len(suspects) == 1 else []
            for index in suspects if len(suspects) > 1 else []:
                self._log(index).unlink()
                if self._pool([index], 1):
                    guilty.append(index)
        for index in guilty:
            problem = blame.of_death(self.calls[index], self._text(index), self.seconds)
            self._finish(index, problem)
        for index in suspects:
            self._log(index).unlink(missing_ok=True)

    def _pool(self, waiting: Sequence[int], workers: int) -> bool:
        """Run calls in a fresh pool; return whether it broke before the end."""
        before = set(multiprocessing.active_children())
        with _undisturbed():
            context = _context()
        executor = ProcessPoolExecutor(
            min(workers, len(waiting)), context, initializer=ready, initargs=(self.memory,)
        )
        try:
            with _without_main(), _undisturbed():
                futures = {
                    executor.submit(work, self.calls[i], self.seconds, str(self._log(i))): i
                    for i in waiting
                }
            return self._collect(futures)
        except BrokenProcessPool:  # a worker died while calls were handed in
            return True
        except BaseException:
            for process in set(multiprocessing.active_children()) - before:
                process.kill()
            raise
        finally:
            # A thread that a dataset left behind would keep its worker, and us, for ever.
            workers_now = set(multiprocessing.active_children()) - before
            late = threading.Timer(GRACE, _kill, [workers_now])
            late.start()
            executor.shutdown(wait=True, cancel_futures=True)
            late.cancel()

    def _collect(self, futures: Mapping[Future[Done | Raised], int]) -> bool:
        broken = False
        waiting = set(futures)
        while waiting:
            ended, waiting = wait(waiting, LOOK, return_when=FIRST_COMPLETED)
            for future in sorted(ended, key=futures.__getitem__):
                index = futures[future]
                try:
                    result = future.result()
                except BrokenProcessPool:
                    broken = True
                    continue
                if isinstance(result, Raised):
                    problem = blame.of_exception(self.calls[index], result, self.memory)
                    self._finish(index, problem)
                else:
                    self._finish(index, result)
            if waiting and self.give_up():
                raise Superseded
        return broken

    def _finish(self, index: int, result: Result) -> None:
        self.results[index] = result
        self.done(index, result)

    def _log(self, index: int) -> Path:
        return self.logs / f"{index}.log"

    def _text(self, index: int) -> str:
        try:
            return self._log(index).read_text(errors="replace")
        except OSError:
            return ""


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _context() -> Any:
    """Return how processes are started: from a server that has NumPy already, never by fork."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    kept = {name: os.environ.get(name) for name in PINNED}
    os.environ.update(PINNED)
    try:
        with _deaf():
            forkserver.ensure_running()
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    return context


@contextmanager
def _deaf() -> Iterator[None]:
    """Ignore Ctrl-C: what is started meanwhile ignores it from its first moment, and its forks."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold Ctrl-C back while processes start: one that is half started could not be ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program from workers that start now: they would run it again to no end."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _kill(processes: Iterable[BaseProcess]) -> None:
    for process in processes:
        process.kill()
