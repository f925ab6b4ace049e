"""Keys of datasets: the code each reaches, what it is given, and the libraries it uses.

The site's own code is no part of a key: SCHEMA stands for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..digest import canonical, digest
from ..errors import BuildError, Problem, Span
from ..model import Tree
from ..store import Store
from . import source
from .closure import ARTICLE, Closure, Code, version
from .source import Definition, Facts

SCHEMA = "1"
"""Raised when the same code would leave another result: a new store form, another trace."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A function of data.py; `needs` are the other datasets among its parameters."""

    name: str
    span: Span
    parameters: tuple[str, ...]
    needs: tuple[str, ...] = ()
    summary: str = ""
    swept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reach:
    """The code a function reaches: names in data.py, files beyond it, libraries with versions.

    `files` maps a module ("explainers.kernels.softmax") to its path, from the site's root where
    it lies below it.
    """

    names: tuple[str, ...]
    files: Mapping[str, str]
    libraries: tuple[tuple[str, str], ...]


def declared(path: str, text: str) -> Mapping[str, Declaration]:
    """Return the datasets that a data.py declares.

    Raises:
        BuildError: the text is no Python.
    """
    return _declarations(path, source.facts(path, text), is_dataset=True)


def dataset_key(tree: Tree, slug: str, name: str, backend: str = "numpy") -> str:
    """Return the key of one dataset; many are cheaper with one `Keys`."""
    return Keys(tree).key(slug, name, backend)


class Keys:
    """The keys of a tree's datasets; each file is read once, and not at all if the store knows."""

    def __init__(self, tree: Tree, store: Store | None = None) -> None:
        """Take the files as they are in the tree."""
        self.code = Code(tree, store)
        self._keys: dict[tuple[str, str, str], str] = {}
        self._declared_in: dict[tuple[str, bool], Mapping[str, Declaration]] = {}
        self._reached: dict[tuple[str, str], Closure] = {}

    def datasets(self, slug: str) -> Mapping[str, Declaration]:
        """Return an article's datasets by name.

        Raises:
            BuildError: its data.py is no Python.
        """
        return self._declared(slug, is_dataset=True)

    def functions(self, slug: str) -> Mapping[str, Declaration]:
        """Return the functions of an article's data.py that are no datasets."""
        return self._declared(slug, is_dataset=False)

    def key(self, slug: str, name: str, backend: str = "numpy") -> str:
        """Return the key of a dataset, or of another function of data.py."""
        known = (slug, name, backend)
        if known not in self._keys:
            self._keys[known] = self._key(slug, name, backend, ())
        return self._keys[known]

    def with_reads(self, key: str, reads: Iterable[str]) -> str:
        """Return the key that also holds the files that a run was seen to read."""
        state = [(path, self.code.state(path)) for path in sorted(set(reads))]
        return digest("reads", key, canonical(state))

    def reach(self, slug: str, name: str) -> Reach:
        """Return the code that a dataset reaches, for the page that says how it was made."""
        closure = self._closure(slug, name)
        files = {
            module: path
            for module in closure.files
            if (path := self.path(slug, module.removeprefix(f"{ARTICLE}.")))
        }
        return Reach(tuple(closure.names), files, closure.libraries)

    def path(self, slug: str, module: str) -> str | None:
        """Return the path of a module as a trace names it, or None if there is no such file."""
        own = module.split(".")[0] in ("kernels", "explainers")
        return self.code.find(slug, module if own else f"{ARTICLE}.{module}")

    def text(self, slug: str, module: str) -> str | None:
        """Return the source of a module as a trace names it."""
        path = self.path(slug, module)
        return self.code.tree.read(path).decode() if path else None

    def waves(self, wanted: Iterable[tuple[str, str]]) -> list[list[tuple[str, str]]]:
        """Return what to run, in order: each wave needs only earlier ones.

        Datasets that others take as parameters are added.

        Raises:
            BuildError: datasets that need each other.
        """
        depth: dict[tuple[str, str], int] = {}

        def visit(slug: str, name: str, above: tuple[str, ...]) -> int:
            if (slug, name) not in depth:
                self._refuse_circle(slug, name, above)
                needs = self._declaration(slug, name).needs
                below = [visit(slug, need, (*above, name)) for need in needs]
                depth[slug, name] = max(below, default=-1) + 1
            return depth[slug, name]

        for slug, name in wanted:
            visit(slug, name, ())
        count = max(depth.values(), default=-1) + 1
        return [[call for call, at in depth.items() if at == wave] for wave in range(count)]

    # ---- one dataset ---------------------------------------------------------------------------

    def _key(self, slug: str, name: str, backend: str, above: tuple[str, ...]) -> str:
        self._refuse_circle(slug, name, above)
        closure = self._closure(slug, name)
        needs = self._declaration(slug, name).needs
        libraries = dict(closure.libraries)
        if backend != "numpy":
            libraries[backend] = version(backend)
        return digest(
            "dataset",
            SCHEMA,
            backend,
            canonical(
                {
                    "name": name,
                    "names": closure.names,
                    "files": closure.files,
                    "libraries": libraries,
                    "needs": {n: self._key(slug, n, backend, (*above, name)) for n in needs},
                }
            ),
        )

    def _closure(self, slug: str, name: str) -> Closure:
        if (slug, name) not in self._reached:
            self._reached[slug, name] = self.code.follow(slug, name)
        return self._reached[slug, name]

    def _refuse_circle(self, slug: str, name: str, above: tuple[str, ...]) -> None:
        if name in above:
            circle = " -> ".join((*above[above.index(name) :], name))
            span = self._declaration(slug, name).span
            raise BuildError(
                [Problem("dataset-circle", f"datasets need each other: {circle}", span)]
            )

    def _declaration(self, slug: str, name: str) -> Declaration:
        return self.datasets(slug).get(name) or self.functions(slug)[name]

    def _declared(self, slug: str, *, is_dataset: bool) -> Mapping[str, Declaration]:
        known = (slug, is_dataset)
        if known not in self._declared_in:
            path = self.code.find(slug, f"{ARTICLE}.data")
            found = _declarations(path, self.code.read(path), is_dataset=is_dataset) if path else {}
            self._declared_in[known] = found
        return self._declared_in[known]


def _declarations(path: str, facts: Facts, *, is_dataset: bool) -> Mapping[str, Declaration]:
    known = {name for name, definition in facts.functions.items() if definition.is_dataset}

    def declaration(name: str, found: Definition) -> Declaration:
        needs = [p for p in found.parameters if p in known - {*found.swept}]
        span = Span(path, found.line, found.column, len(name))
        return Declaration(name, span, found.parameters, tuple(needs), found.summary, found.swept)

    by_line = sorted(facts.functions.items(), key=lambda item: item[1].line)
    return {
        name: declaration(name, found) for name, found in by_line if found.is_dataset == is_dataset
    }
