"""Make a recorded dataset here, and write the recording beside its article."""

from __future__ import annotations

import datetime as dt
import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .compute import Computer
from .data import blame, recorded
from .data.call import Call
from .data.dataset import spec_of
from .data.key import Declaration, Keys
from .data.load import article
from .data.pool import PINNED
from .data.reads import watch, watched
from .data.worker import as_raised
from .device import Watch, facts
from .digest import digest
from .errors import BuildError, Problem
from .model import Tree, folder_of
from .store import Store

if TYPE_CHECKING:
    from .data.values import Dataset


def record(
    tree: Tree, store: Store, slug: str, name: str, today: dt.date, say: Callable[[str], None]
) -> Path:
    """Run a dataset in this process, without limits, and return the recording's path.

    A measurement is written beside its earlier recordings; those of other code are removed, as is
    the one recording of what only takes long.

    Raises:
        BuildError: there is no such dataset, or it could not be made.
    """
    declared = _declared(Keys(tree), slug, name)
    # Before NumPy is imported, as in the workers: sums must not depend on the number of cores.
    os.environ.update({k: v for k, v in PINNED.items() if k not in os.environ})
    computer = Computer(tree, store, digest("record"), say=say)
    needed = computer.datasets((slug, need, declared.span) for need in declared.needs)
    inputs = {need: needed[slug, need] for need in declared.needs}
    looking = Watch() if declared.recorded == "cuda" else nullcontext()
    with looking:
        dataset, reads = _run(tree.root, slug, declared, inputs, say)
    made: dict[str, Any] = {"date": today.isoformat(), **facts(declared.recorded)}
    if isinstance(looking, Watch):
        made["during"] = looking.seen()
    for need in declared.needs:
        reads = (*reads, *computer.reads(slug, need))
    states = {path: computer.keys.code.meaning(path) for path in sorted(set(reads))}
    text = recorded.dump(dataset, computer.keys.meaning(slug, name), states, made)
    path = _place(tree, computer.keys, slug, name, measured=dataset.origin == "measured")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _declared(keys: Keys, slug: str, name: str) -> Declaration:
    known = keys.datasets(slug)
    if name not in known:
        listed = ", ".join(known) or "none"
        message = f'no dataset named "{name}" in {slug}'
        raise BuildError([Problem("unknown-dataset", message, None, f"there are: {listed}")])
    if not known[name].recorded:
        message = f'dataset "{name}" of {slug} is made by every build'
        hint = 'only what a build cannot make is recorded: @dataset(needs="cuda")'
        raise BuildError([Problem("not-recorded", message, known[name].span, hint)])
    return known[name]


def _run(
    root: Path,
    slug: str,
    declared: Declaration,
    inputs: Mapping[str, bytes],
    say: Callable[[str], None],
) -> tuple[Dataset, tuple[str, ...]]:
    """Return the dataset, and the files that its function was seen reading.

    Raises:
        BuildError: the function raised.
    """
    sys.addaudithook(watch)
    from .data.codec import decode
    from .data.stack import compute

    at = [""]

    def entering(state: Mapping[str, Any]) -> None:
        at[0] = ", ".join(f"{axis}={value}" for axis, value in state.items())
        if state:
            say(at[0])

    watched.begin(str(root), strict=False)
    try:
        with article(root, slug) as module:
            function = getattr(module, declared.name)
            spec = spec_of(function)
            if spec is None:
                raise TypeError(f"{declared.name} is not marked @dataset")
            # A measurement brings its own arrays; what only takes long runs on NumPy.
            wants = declared.recorded == "cuda" and "xp" in inspect.signature(function).parameters
            xp = importlib.import_module("cupy") if wants else None
            given = {name: decode(data) for name, data in inputs.items()}
            dataset = compute(function, spec, given, xp=xp, entering=entering)
    except Exception as error:
        call = Call(str(root.resolve()), slug, declared.name, declared.span)
        problem = blame.of_exception(call, as_raised(error, at[0]), None)
        raise BuildError([problem]) from error
    finally:
        reads = watched.end()
    folder = f"{folder_of(slug)}/"
    return dataset, tuple(path for path in reads if path.startswith((folder, "content/kernels/")))


def _place(tree: Tree, keys: Keys, slug: str, name: str, *, measured: bool) -> Path:
    """Return where the recording goes; what it takes the place of is removed."""
    kept = []
    for path in recorded.paths(tree, slug, name):
        try:
            fresh = measured and keys.is_fresh(slug, name, recorded.read(tree, path))
        except BuildError:
            fresh = False
        if fresh:
            kept.append(int(re.findall(r"-(\d+)\.json$", path)[0]))
        else:
            (tree.root / path).unlink()
    folder = tree.root / folder_of(slug) / "recorded"
    return folder / f"{name}-{max(kept, default=0) + 1}.json"
