"""Files that an author supplies as datasets, each with what is known of where it is from.

`prices.csv` is a dataset where `prices.yaml` lies beside it. Needs no NumPy; `tables` reads the
numbers.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..digest import canonical, digest
from ..errors import BuildError, Problem, Span
from ..model import Tree, folder_of
from ..store import Store

SCHEMA = "1"
"""Raised when the same file would be read as another dataset."""

KINDS = (".csv", ".json", ".npz")
STATUSES = ("real", "sample")
REQUIRED = ("source", "licence", "as of")
_TEXTS = (*REQUIRED, "status", "summary", "url", "sha256", "axis")
_TABLES = ("units", "dims", "columns")

SAMPLE = "sample data, made up to show the form; no conclusion can be drawn from it"
"""What is said of a file whose status is sample."""


@dataclass(frozen=True, slots=True)
class Supply:
    """A supplied file: where it lies, where it is from, as of when, what its fields mean."""

    name: str
    path: str
    about: str
    source: str
    licence: str
    as_of: str
    status: str = "real"
    summary: str = ""
    url: str = ""
    sha256: str = ""
    axis: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    dims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """Return what the dataset says of where its numbers come from."""
        return "sample" if self.status == "sample" else "cited"

    def json(self) -> str:
        """Return it as the one text that stands for it."""
        return canonical(asdict(self))

    @classmethod
    def of(cls, text: str) -> Supply:
        """Return what `json` gave."""
        kept = json.loads(text)
        dims = {name: tuple(axes) for name, axes in kept.pop("dims").items()}
        return cls(**kept, dims=dims)


class Supplies:
    """The supplied files of a tree's articles, found once."""

    def __init__(self, tree: Tree, store: Store | None = None) -> None:
        """Read nothing yet."""
        self._tree, self._store = tree, store
        self._pairs: dict[str, dict[str, tuple[str, str]]] | None = None

    def of(self, slug: str) -> Mapping[str, Supply]:
        """Return an article's supplied datasets by name.

        Raises:
            BuildError: what is said of a file is not what must be said.
        """
        if self._pairs is None:
            self._pairs = _pairs(self._tree)
        pairs = self._pairs.get(folder_of(slug), {})
        return {name: self._read(name, *pair) for name, pair in pairs.items()}

    def _read(self, name: str, path: str, about: str) -> Supply:
        key = digest("supply", SCHEMA, path, self._tree.files[about].digest)
        kept = self._store.get(key) if self._store else None
        if kept is None:
            supply = read(name, path, about, self._tree.read(about).decode("utf-8", "replace"))
            if self._store:
                self._store.put(key, supply.json().encode())
        else:
            supply = Supply.of(kept.decode())
        if supply.sha256 and supply.sha256 != self._tree.files[path].digest:
            message = f"{posixpath.basename(path)} is not the file that {name}.yaml tells of"
            hint = f"its SHA-256 is {self._tree.files[path].digest}"
            raise BuildError([Problem("supplied-data", message, Span(about), hint)])
        return supply


def _pairs(tree: Tree) -> dict[str, dict[str, tuple[str, str]]]:
    """Return, for each folder, the files that have a provenance file beside them."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for about in tree.files:
        if not (about.startswith("content/") and about.endswith(".yaml")):
            continue
        stem = about.removesuffix(".yaml")
        for path in (stem + kind for kind in KINDS):
            if path in tree.files:
                folder, _, name = stem.rpartition("/")
                found.setdefault(folder, {})[name] = (path, about)
                break
    return found


def read(name: str, path: str, about: str, text: str) -> Supply:
    """Return what the text of a provenance file says.

    Raises:
        BuildError: with every mistake in it.
    """
    from .. import yaml_nodes as yaml

    try:
        root = yaml.compose(text)
        said = yaml.value(text)
    except yaml.YamlError as error:
        problem = _problem("this is no YAML", Span(about, error.line + 1, error.column + 1))
        raise BuildError([problem]) from error
    lines = {
        str(key.value): key.start_mark.line + 1
        for key, _ in (root.value if isinstance(said, dict) and root else ())
    }
    problems = list(_mistakes(name, about, said, lambda key: Span(about, lines.get(key, 1))))
    if problems:
        raise BuildError(problems)
    dims = {
        key: (axes,) if isinstance(axes, str) else tuple(axes)
        for key, axes in said.get("dims", {}).items()
    }
    return Supply(
        name,
        path,
        about,
        **{key.replace(" ", "_"): str(said[key]).strip() for key in _TEXTS if key in said},
        units={key: str(unit) for key, unit in said.get("units", {}).items()},
        dims=dims,
        columns={key: str(column) for key, column in said.get("columns", {}).items()},
    )


def _mistakes(name: str, about: str, said: Any, place: Callable[[str], Span]) -> Iterator[Problem]:
    if not name.isidentifier():
        hint = "a dataset has a Python name: rename both files"
        yield _problem(f'"{name}" is no name for a dataset', Span(about), hint)
    if not isinstance(said, dict):
        yield _problem("this says nothing of the file", Span(about), _example())
        return
    for key in said:
        if key not in (*_TEXTS, *_TABLES):
            known = ", ".join((*_TEXTS, *_TABLES))
            yield _problem(f'nothing is called "{key}" here', place(key), f"there are {known}")
    for key in REQUIRED:
        if not str(said.get(key) or "").strip():
            yield _problem(f'this does not say "{key}"', Span(about), _example())
    for key in _TABLES:
        if not isinstance(said.get(key, {}), dict):
            yield _problem(f'"{key}" is no table', place(key), f"{key}: {{close: …}}")
    if said.get("status", "real") not in STATUSES:
        hint = "real, or sample for made-up numbers"
        yield _problem(f'no status "{said["status"]}"', place("status"), hint)


def _example() -> str:
    return "source: who made it; licence: CC BY 4.0; as of: 2026-05-01; units: {close: USD}"


def _problem(message: str, span: Span, hint: str | None = None) -> Problem:
    return Problem("supplied-data", message, span, hint)
