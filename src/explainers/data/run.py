"""Run datasets in worker processes, with limits; a bad one is named and harms no other."""

from __future__ import annotations

import importlib
import inspect
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..errors import Problem
from . import blame
from .dataset import spec_of
from .load import article
from .worker import Call, Done, Raised, ready, work

if TYPE_CHECKING:
    from .values import Dataset

__all__ = ["Call", "Done", "run", "run_here"]

Result = Done | Problem

_PINNED = {
    # Sums must not depend on the number of cores, nor sets on the process.
    **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "BLIS", "NUMEXPR")},
    "VECLIB_MAXIMUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}

_PRELOAD = ["numpy", "explainers.data.worker", "explainers.data.stack", "explainers.data.codec"]


def run(
    calls: Sequence[Call],
    *,
    workers: int | None = None,
    seconds: float = 60,
    memory: int = 4 << 30,
    done: Callable[[int, Result], None] | None = None,
) -> list[Result]:
    """Return the result of each call, in order: bytes, or what went wrong.

    Args:
        calls: what to run; none waits for another.
        workers: processes; by default the cores this process may use.
        seconds: how long one call may take, all its states together.
        memory: bytes of address space a process may have.
        done: told each result, here in this process, as it comes.
    """
    if not calls:
        return []
    calls = [replace(call, root=str(Path(call.root).resolve())) for call in calls]
    with tempfile.TemporaryDirectory(prefix="explainers-") as logs:
        runner = _Runner(calls, seconds, memory, Path(logs), done or (lambda index, result: None))
        return runner.run(workers or _cores())


def run_here(root: Path | str, slug: str, name: str, backend: str = "numpy") -> Dataset:
    """Compute one dataset in this process, with the datasets it needs: no limits, no store."""
    from .stack import compute

    xp = None if backend == "numpy" else importlib.import_module(backend)

    def one(module: ModuleType, name: str) -> Dataset:
        function = getattr(module, name)
        spec = spec_of(function)
        if spec is None:
            raise TypeError(f"{name} is not marked @dataset")
        inputs: Mapping[str, Dataset] = {
            other: one(module, other)
            for other in inspect.signature(function).parameters
            if other not in spec.sweep and spec_of(getattr(module, other, None)) is not None
        }
        return compute(function, spec, inputs, xp=xp)

    with article(Path(root), slug) as module:
        return one(module, name)


class _Runner:
    """Runs calls in pools until each has a result; a broken pool is replaced."""

    def __init__(
        self,
        calls: Sequence[Call],
        seconds: float,
        memory: int,
        logs: Path,
        done: Callable[[int, Result], None],
    ) -> None:
        self.calls = calls
        self.seconds = seconds
        self.memory = memory
        self.logs = logs
        self.done = done
        self.results: dict[int, Result] = {}

    def run(self, workers: int) -> list[Result]:
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
        executor = ProcessPoolExecutor(
            min(workers, len(waiting)), _context(), initializer=ready, initargs=(self.memory,)
        )
        try:
            with _without_main():
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
            executor.shutdown(wait=True, cancel_futures=True)

    def _collect(self, futures: Mapping[Future[Done | Raised], int]) -> bool:
        broken = False
        waiting = set(futures)
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
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


def _cores() -> int:
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
    kept = {name: os.environ.get(name) for name in _PINNED}
    os.environ.update(_PINNED)
    try:
        forkserver.ensure_running()
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    return context


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program from workers that start now: they would run it again to no end."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
