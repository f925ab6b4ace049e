"""The commands about data: list and print datasets, record them, make them again and compare."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .arguments import UsageError, positive
from .errors import BuildError, Problem, as_data

if TYPE_CHECKING:
    from .compute import Computer
    from .data.key import Declaration
    from .data.values import Dataset
    from .model import Tree
    from .store import Store

BUILT, PROBLEMS = 0, 1
CACHE = ".cache"
SHOWN = 8
"""Numbers of a field that are printed."""

Explain = Callable[[BuildError], str]


def add_data(commands: Any) -> None:
    """Describe the command `data`."""
    data = commands.add_parser(
        "data",
        help="list an article's datasets, or run and print one",
        examples="explainers data tides\n"
        "explainers data tides/heights --set hour=3\n"
        "explainers data tides/heights --json",
    )
    data.add_argument("which", metavar="SLUG[/NAME]", help="an article, or one of its datasets")
    data.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="AXIS=VALUE",
        help="one state of its sweep; once for each axis",
    )
    data.add_argument("--json", action="store_true", help="print every number, as JSON")
    data.add_argument(
        "--workers", type=positive, metavar="N", help="processes that compute datasets"
    )


def add_record(commands: Any) -> None:
    """Describe the command `record`."""
    record = commands.add_parser(
        "record",
        help="run and keep a dataset that a build cannot make",
        examples="explainers record tides/measured    then commit the new file",
    )
    record.add_argument("which", metavar="SLUG/NAME", help="the dataset")
    record.add_argument(
        "--date", type=dt.date.fromisoformat, metavar="YYYY-MM-DD", help="instead of today"
    )


def add_recompute(check: argparse.ArgumentParser) -> None:
    """Describe what `check --recompute` takes."""
    check.add_argument(
        "--recompute",
        action="store_true",
        help="make every dataset again, and print how far each lies from what pages show",
    )
    check.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu", help="where (%(default)s)"
    )
    check.add_argument("--markdown", action="store_true", help="print a table of Markdown")


def run_data(asked: argparse.Namespace, root: Path, explain: Explain) -> int:
    """List the datasets of an article, or run and print one."""
    from .data.values import StateError

    try:
        print(_told(asked, root))
    except (BuildError, StateError) as error:
        if asked.json:
            print(json.dumps(_problems(error), ensure_ascii=False, indent=1))
        else:
            said = explain(error) if isinstance(error, BuildError) else f"explainers: {error}"
            print(said, file=sys.stderr)
        return PROBLEMS
    return BUILT


def _problems(error: BuildError | LookupError) -> list[Mapping[str, Any]]:
    """Return what is wrong as `build --json` has it."""
    if isinstance(error, BuildError):
        return [as_data(problem) for problem in error.problems]
    return [as_data(Problem("unknown-state", str(error)))]


def _told(asked: argparse.Namespace, root: Path) -> str:
    """Return the list of an article's datasets, or one of them."""
    from .compute import Computer
    from .digest import digest

    tree, store = _site(root)
    computer = Computer(tree, store, digest("data"), workers=asked.workers, say=_tell)
    slug, name = _which(asked.which, tree)
    declared = computer.keys.datasets(slug)
    if not name:
        if asked.set:
            raise BuildError([_unnamed(slug, declared, "--set is for one of them")])
        rows = [_about(computer, slug, one) for one in declared]
        if asked.json:
            return json.dumps(rows, ensure_ascii=False, indent=1)
        return "\n".join(map(_line, rows)) or "no datasets"
    if name not in declared:
        raise BuildError([_unknown(slug, name, declared)])
    made = computer.datasets([(slug, name, declared[name].span)])[slug, name]
    from .data.codec import decode
    from .data.plain import as_json

    dataset = decode(made)
    state = dict(_pair(text) for text in asked.set)
    dataset = dataset.at(**state) if state else dataset
    return as_json(dataset) if asked.json else _shown(dataset)


def run_record(asked: argparse.Namespace, root: Path, explain: Explain) -> int:
    """Record one dataset."""
    from .data.key import Keys
    from .record import record

    tree, store = _site(root)
    try:
        slug, name = _which(asked.which, tree)
        if not name:
            raise UsageError(_record_what(slug, Keys(tree).datasets(slug)))
        path = record(tree, store, slug, name, asked.date or dt.date.today(), _tell)
    except BuildError as error:
        print(explain(error), file=sys.stderr)
        return PROBLEMS
    print(f"Recorded {path.relative_to(root)}: look at it, then commit it.")
    return BUILT


def _record_what(slug: str, declared: Mapping[str, Declaration]) -> str:
    """Return what `record` wants when it is given an article alone."""
    known = [f"{slug}/{name}" for name, one in declared.items() if one.recorded]
    there = f"there are {', '.join(known)}" if known else f"{slug} has none that is recorded"
    return f"record wants one dataset, SLUG/NAME; {there}"


def run_recompute(asked: argparse.Namespace, root: Path, explain: Explain) -> int:
    """Make datasets again and compare."""
    from .device import facts
    from .recompute import recompute, table

    tree, store = _site(root)
    try:
        rows = recompute(
            tree, store, asked.device, only=asked.slug or "", workers=asked.workers, say=_tell
        )
    except BuildError as error:
        print(explain(error), file=sys.stderr)
        return PROBLEMS
    print(table(rows, markdown=asked.markdown))
    about = facts("cuda" if asked.device == "cuda" else "minutes")
    libraries = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    driver = f", driver {about['driver']}" if about.get("driver") else ""
    print(f"\n{about['device']}{driver}; Python {about['python']}, {libraries}.")
    bad = [row for row in rows if not row.good]
    if bad:
        print(f"{len(bad)} of {len(rows)} lie too far off.", file=sys.stderr)
    return PROBLEMS if bad else BUILT


def _site(root: Path) -> tuple[Tree, Store]:
    from .discover import discover
    from .store import Store

    return discover(root, root / CACHE / "index.json"), Store(root / CACHE / "store")


def _which(text: str, tree: Tree) -> tuple[str, str]:
    """Return slug and dataset of "SLUG" or "SLUG/NAME"; a guide's slug has a slash itself."""
    from .model import folder_of

    text = text.strip("/")
    above, _, name = text.rpartition("/")
    for slug, rest in ((text, ""), (above, name)):
        if slug and any(True for _ in tree.under(folder_of(slug))):
            return slug, rest
    raise BuildError([Problem("unknown-article", f'no article named "{above or text}"')])


def _unknown(slug: str, name: str, declared: Mapping[str, Any]) -> Problem:
    hint = f"there are: {', '.join(declared)}" if declared else None
    return Problem("unknown-dataset", f'no dataset named "{name}" in {slug}', None, hint)


def _unnamed(slug: str, declared: Mapping[str, Any], why: str) -> Problem:
    hint = f"SLUG/NAME: {', '.join(f'{slug}/{name}' for name in declared)}" if declared else None
    return Problem("unknown-dataset", f"{slug} is an article, and {why}", None, hint)


def _about(computer: Computer, slug: str, name: str) -> dict[str, Any]:
    """Return what the list of an article's datasets says of one."""
    declared = computer.keys.datasets(slug)[name]
    if declared.supply:
        kind = f"supplied ({declared.supply.source}, as of {declared.supply.as_of})"
    elif declared.recorded:
        kind = f"recorded, needs {declared.recorded}"
    else:
        kind = "kept" if computer.is_kept(slug, name) else "to run"
    return {
        "name": name,
        "over": list(declared.swept),
        "kind": kind,
        "summary": declared.summary,
    }


def _line(row: Mapping[str, Any]) -> str:
    swept = f" over {', '.join(row['over'])}" if row["over"] else ""
    summary = f": {row['summary']}" if row["summary"] else ""
    return f"{row['name']}{swept} [{row['kind']}]{summary}"


def _pair(text: str) -> tuple[str, Any]:
    axis, _, value = text.partition("=")
    try:
        return axis, json.loads(value)
    except ValueError:
        return axis, value


def _shown(dataset: Dataset) -> str:
    import numpy as np

    about = dataset.about
    lines = [f"{about.name}, {about.origin}"]
    lines += [f"  over {axis}: {_listed(list(values))}" for axis, values in about.sweep.items()]
    for name, field in about.fields.items():
        value = np.asarray(dataset.read(name))
        axes = " × ".join(f"{dim} {n}" for dim, n in zip(field.dims, value.shape, strict=True))
        what = ", ".join(part for part in (axes, field.unit) if part)
        lines.append(f"  {name}{f' ({what})' if what else ''}: {_listed(value.ravel().tolist())}")
    return "\n".join(lines)


def _listed(values: list[Any]) -> str:
    shown = ", ".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in values[:SHOWN])
    return shown + (f", … ({len(values)})" if len(values) > SHOWN else "")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
