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
from . import recorded, source
from .closure import ARTICLE, Closure, Code, version
from .source import Definition, Facts
from .supplied import Supplies, Supply

_ANY = "any"
"""Stands for every array library, of every version."""

MEANING = "1"
"""Raised when the same code would be told apart in another way: recordings are stale then."""

SCHEMA = "2"
"""Raised when the same code would leave another result: a new store form, another trace."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A dataset or another function of data.py; `needs` are the datasets among its parameters.

    `recorded` is what a plain build lacks to run it, `origin` what its mark says, `env` are the
    environment variables it reads; `supply` tells of a file that was supplied where there is no
    function.
    """

    name: str
    span: Span
    parameters: tuple[str, ...]
    needs: tuple[str, ...] = ()
    summary: str = ""
    swept: tuple[str, ...] = ()
    recorded: str = ""
    origin: str = ""
    env: tuple[str, ...] = ()
    supply: Supply | None = None


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

    def __init__(self, tree: Tree, store: Store | None = None, backend: str = "numpy") -> None:
        """Take the files as they are in the tree; `backend` is the array library of the runs."""
        self.code = Code(tree, store)
        self.backend = backend
        self._supplies = Supplies(tree, store)
        self._keys: dict[tuple[str, str, str], str] = {}
        self._declared_in: dict[tuple[str, bool], Mapping[str, Declaration]] = {}
        self._reached: dict[tuple[str, str], Closure] = {}

    def datasets(self, slug: str) -> Mapping[str, Declaration]:
        """Return an article's datasets by name, supplied files among them.

        Raises:
            BuildError: its data.py is no Python, or what is said of a file is wrong.
        """
        return self._declared(slug, is_dataset=True)

    def functions(self, slug: str) -> Mapping[str, Declaration]:
        """Return the functions of an article's data.py that are no datasets."""
        return self._declared(slug, is_dataset=False)

    def key(self, slug: str, name: str, backend: str = "") -> str:
        """Return the key of a dataset, or of another function of data.py."""
        known = (slug, name, backend or self.backend)
        if known not in self._keys:
            self._keys[known] = self._key(slug, name, known[2], ())
        return self._keys[known]

    def meaning(self, slug: str, name: str) -> str:
        """Return the key of what a dataset's code means, on any machine, whatever the libraries."""
        return self._key(slug, name, _ANY, ())

    def recordings(self, slug: str, name: str) -> list[recorded.Recording]:
        """Return the recordings of a dataset that a plain build cannot make.

        Raises:
            BuildError: there is none, or the code has changed since.
        """
        declared = self.datasets(slug)[name]
        tree = self.code.tree
        found = [recorded.read(tree, path) for path in recorded.paths(tree, slug, name)]
        if not found:
            raise BuildError([recorded.missing(slug, name, declared.recorded, declared.span)])
        for one in found:
            if not self.is_fresh(slug, name, one):
                problem = recorded.stale(slug, name, declared.recorded, one, declared.span)
                raise BuildError([problem])
        return found

    def is_fresh(self, slug: str, name: str, recording: recorded.Recording) -> bool:
        """Say whether the code that made a recording means the same now."""
        return recording.key == self.meaning(slug, name) and all(
            self.code.meaning(path) == state for path, state in recording.reads.items()
        )

    def with_reads(self, key: str, reads: Iterable[str]) -> str:
        """Return the key that also holds what a run was seen to read: files, and "$VARIABLES"."""
        state = [(path, self.code.state(path)) for path in sorted(set(reads))]
        return digest("reads", key, canonical(state))

    def reach(self, slug: str, name: str) -> Reach:
        """Return the code that a dataset reaches, for the page that says how it was made."""
        if self._declaration(slug, name).supply:
            return Reach((), {}, ())
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
        declared = self._declaration(slug, name)
        if declared.supply:
            state = self.code.state(declared.supply.path)
            schema = MEANING if backend == _ANY else SCHEMA
            return digest("supplied", schema, declared.supply.json(), state)
        if declared.recorded and backend != _ANY:
            return self._recorded_key(slug, name)
        closure = self._closure(slug, name)
        needs = declared.needs
        libraries = dict(closure.libraries) if backend != _ANY else {}
        if backend not in ("numpy", _ANY):
            libraries[backend] = version(backend)
        return digest(
            "dataset",
            MEANING if backend == _ANY else SCHEMA,
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

    def _recorded_key(self, slug: str, name: str) -> str:
        """Return the key of recordings: their files, and what their code and its files mean now."""
        tree = self.code.tree
        found = [recorded.read(tree, path) for path in recorded.paths(tree, slug, name)]
        states = [(one.path, self.code.state(one.path)) for one in found]
        reads = {path: self.code.meaning(path) for one in found for path in one.reads}
        meaning = self.meaning(slug, name)
        return digest("recorded", SCHEMA, meaning, canonical([states, reads]))

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
            supplies = self._supplies.of(slug)
            found = {
                name: Declaration(name, Span(s.about), (), summary=s.summary, supply=s)
                for name, s in (supplies.items() if is_dataset else ())
            }
            if path:
                facts = self.code.read(path)
                made = _declarations(path, facts, is_dataset=is_dataset, supplied=supplies)
                if twice := sorted(made.keys() & supplies.keys()):
                    raise BuildError([_twice(made[twice[0]], supplies[twice[0]])])
                found |= made
            self._declared_in[known] = found
        return self._declared_in[known]


def _twice(declared: Declaration, supply: Supply) -> Problem:
    message = f'"{declared.name}" is both a function and the supplied file {supply.path}'
    return Problem("supplied-data", message, declared.span, "rename one of them")


def _declarations(
    path: str, facts: Facts, *, is_dataset: bool, supplied: Iterable[str] = ()
) -> dict[str, Declaration]:
    known = {name for name, definition in facts.functions.items() if definition.is_dataset}
    known.update(supplied)

    def declaration(name: str, found: Definition) -> Declaration:
        needs = [p for p in found.parameters if p in known - {*found.swept}]
        span = Span(path, found.line, found.column, len(name))
        return Declaration(
            name,
            span,
            found.parameters,
            tuple(needs),
            found.summary,
            found.swept,
            found.recorded,
            found.origin,
            found.env,
        )

    by_line = sorted(facts.functions.items(), key=lambda item: item[1].line)
    return {
        name: declaration(name, found) for name, found in by_line if found.is_dataset == is_dataset
    }
