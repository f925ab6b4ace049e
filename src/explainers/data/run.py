"""Run datasets in worker processes, with limits; a bad one is named and harms no other."""

from __future__ import annotations

import hashlib
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ..errors import Problem
from ..model import Source, Tree, folder_of
from .call import Call, Done
from .dataset import spec_of
from .load import KERNELS

if TYPE_CHECKING:
    from .values import Dataset

__all__ = ["Call", "Done", "run", "run_here"]

Result = Done | Problem


def run(
    calls: Sequence[Call],
    *,
    workers: int | None = None,
    seconds: float = 60,
    memory: int | None = 4 << 30,
    done: Callable[[int, Result], None] | None = None,
    give_up: Callable[[], bool] = lambda: False,
) -> list[Result]:
    """Return the result of each call, in order: bytes, or what went wrong.

    Args:
        calls: what to run; none waits for another.
        workers: processes; by default the cores this process may use.
        seconds: how long one call may take, all its states together.
        memory: bytes of address space a process may have; None for any.
        done: told each result, here in this process, as it comes.
        give_up: asked again and again; once it says so, all runs end with Superseded.
    """
    if not calls:
        return []
    import tempfile

    from .pool import Runner, cores

    calls = [replace(call, root=str(Path(call.root).resolve())) for call in calls]
    with tempfile.TemporaryDirectory(prefix="explainers-") as logs:
        told = done or (lambda index, result: None)
        runner = Runner(calls, seconds, memory, Path(logs), told, give_up)
        return runner.run(workers or cores())


def run_here(root: Path | str, slug: str, name: str, backend: str = "numpy") -> Dataset:
    """Return one dataset, computed in this process with what it needs: no limits, no store.

    What is recorded or supplied is loaded instead.
    """
    from . import given
    from .key import Keys
    from .load import article
    from .recorded import paths
    from .stack import compute

    xp = None if backend == "numpy" else importlib.import_module(backend)
    root = Path(root)
    tree = _tree(root, slug)
    declared = Keys(tree).datasets(slug)

    def one(module: ModuleType, name: str) -> Dataset:
        if supply := declared[name].supply if name in declared else None:
            return given.load(root, given.of_supply(supply))
        if name in declared and declared[name].recorded:
            return given.load(root, given.of_recordings(paths(tree, slug, name)))
        function = getattr(module, name)
        spec = spec_of(function)
        if spec is None:
            raise TypeError(f"{name} is not marked @dataset")
        inputs: Mapping[str, Dataset] = {
            other: one(module, other)
            for other in inspect.signature(function).parameters
            if other not in spec.sweep and other in declared
        }
        return compute(function, spec, inputs, xp=xp)

    if name in declared and declared[name].supply:
        return one(ModuleType("data"), name)
    with article(root, slug) as module:
        return one(module, name)


def _tree(root: Path, slug: str) -> Tree:
    """Return the files of an article and of the site's kernels."""
    files = {}
    for folder in (folder_of(slug), KERNELS):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file():
                name = path.relative_to(root).as_posix()
                files[name] = Source(name, hashlib.sha256(path.read_bytes()).hexdigest())
    return Tree(root, files, root)
