"""Run datasets in worker processes, with limits; a bad one is named and harms no other."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ..errors import Problem
from .call import Call, Done
from .dataset import spec_of

if TYPE_CHECKING:
    from .values import Dataset

__all__ = ["Call", "Done", "run", "run_here"]

Result = Done | Problem


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
    import tempfile

    from .pool import Runner, cores

    calls = [replace(call, root=str(Path(call.root).resolve())) for call in calls]
    with tempfile.TemporaryDirectory(prefix="explainers-") as logs:
        runner = Runner(calls, seconds, memory, Path(logs), done or (lambda index, result: None))
        return runner.run(workers or cores())


def run_here(root: Path | str, slug: str, name: str, backend: str = "numpy") -> Dataset:
    """Compute one dataset in this process, with the datasets it needs: no limits, no store."""
    from .load import article
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
