"""The code that a function of data.py reaches: read, never imported.

Inside data.py the names that the function uses are followed one by one; beyond it, whole files.
"""

from __future__ import annotations

import functools
import hashlib
import json
import posixpath
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..digest import canonical, digest, variable
from ..errors import BuildError, Problem, Span
from ..model import Tree, folder_of
from ..store import Store
from . import source
from .call import VARIABLE
from .source import Facts, Import

SITE_KERNELS = "content/kernels"
KERNELS = "src/explainers/kernels"
PACKAGE = Path(__file__).parents[1]
ARTICLE = "article"
"""The name, here, of the package that an article's files are in."""


@dataclass(frozen=True, slots=True)
class Closure:
    """Digests of the names in data.py and of the files beyond it, and the libraries' versions."""

    names: Mapping[str, str]
    files: Mapping[str, str]
    libraries: tuple[tuple[str, str], ...]


class Code:
    """The Python files that an article can reach; each is read once, or the store knows it."""

    def __init__(self, tree: Tree, store: Store | None = None) -> None:
        """Take the files as they are in the tree."""
        self.tree = tree
        self.store = store
        self._facts: dict[str, Facts] = {}
        self._digests: dict[str, str] = {}
        self._followed: dict[tuple[str, Import], tuple[dict[str, str], set[str]]] = {}
        self._package = _package(tree)

    def follow(self, slug: str, name: str) -> Closure:
        """Return the closure of a top-level function of an article's data.py."""
        path = self.find(slug, f"{ARTICLE}.data")
        bindings = self.read(path).bindings if path else {}
        names: dict[str, str] = {}
        files: dict[str, str] = {}
        libraries: set[str] = set()
        # Statements that bind nothing, and names a star brings, concern every function.
        waiting = [name, *(always for always in ("", "*") if always in bindings)]
        while waiting:
            used = waiting.pop()
            if used in names or used not in bindings:
                continue
            binding = bindings[used]
            names[used] = binding.digest
            waiting += list(bindings) if source.is_dynamic(binding) else binding.uses
            for item in binding.imports:
                beyond, more = self._beyond(slug, item)
                files |= beyond
                libraries |= more
        # What only imports says nothing that the files and libraries do not.
        code = {used: code for used, code in sorted(names.items()) if code}
        return Closure(code, dict(sorted(files.items())), _versions(libraries))

    def _beyond(self, slug: str, item: Import) -> tuple[dict[str, str], set[str]]:
        """Return the files and libraries that an import in data.py leads to."""
        # Kernels are the same for every article.
        known = (slug if item.level else "", item)
        if known not in self._followed:
            files: dict[str, str] = {}
            libraries: set[str] = set()
            self._visit(slug, f"{ARTICLE}.data", item, files, libraries)
            self._followed[known] = files, libraries
        return self._followed[known]

    def _visit(
        self, slug: str, importer: str, item: Import, files: dict[str, str], libraries: set[str]
    ) -> None:
        """Add what an import leads to: our files with all they import, or a library's name."""
        module = _absolute(importer, item, self._is_package(slug, importer))
        if module is None:
            return
        candidates = [f"{module}.{item.attribute}", module] if item.attribute else [module]
        if found := next((name for name in candidates if self.find(slug, name)), None):
            module = found
        elif module.split(".")[0] not in (ARTICLE, "explainers"):
            libraries.add(module.split(".")[0])
        parts = module.split(".")
        for end in range(len(parts), 0, -1):  # the packages above run too
            name = ".".join(parts[:end])
            path = self.find(slug, name)
            if name in files or path is None:
                continue
            facts = self.read(path)
            files[name] = facts.digest
            for inner in facts.imports:
                self._visit(slug, name, inner, files, libraries)

    def find(self, slug: str, module: str) -> str | None:
        """Return the path of a module of ours: from the root, or absolute outside of it."""
        parts = module.split(".")
        if parts[0] == ARTICLE:
            return self._file(folder_of(slug), parts[1:])
        if parts[0] == "kernels":
            return self._file(SITE_KERNELS, parts[1:])
        if parts[:2] == ["explainers", "kernels"]:
            return self._file(self._package, parts[1:])
        return None

    def _file(self, folder: str, parts: Sequence[str]) -> str | None:
        stem = posixpath.join(folder, *parts)
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            if path in self.tree.files or (Path(path).is_absolute() and Path(path).is_file()):
                return path
        return None

    def _is_package(self, slug: str, module: str) -> bool:
        return (self.find(slug, module) or "").endswith("/__init__.py")

    def read(self, path: str) -> Facts:
        """Return the facts of a file.

        Raises:
            BuildError: it is no Python.
        """
        if path not in self._facts:
            self._facts[path] = self._kept(path)
        return self._facts[path]

    def _kept(self, path: str) -> Facts:
        key = digest("facts", source.SCHEMA, self.state(path))
        kept = self.store.get(key) if self.store else None
        if kept is not None:
            return source.from_json(json.loads(kept))
        try:
            found = source.facts(path, self.tree.read(path).decode())
        except UnicodeDecodeError as error:
            problem = Problem("data-syntax", f"this is no UTF-8: {error.reason}", Span(path))
            raise BuildError([problem]) from error
        if self.store:
            self.store.put(key, canonical(source.to_json(found)).encode())
        return found

    def state(self, path: str) -> str:
        """Return the digest of a file, of a folder's names ("path/"), of a "$VARIABLE"."""
        if path.startswith(VARIABLE):
            return variable(path.removeprefix(VARIABLE))
        if path in self.tree.files:
            return self.tree.files[path].digest
        if path not in self._digests:
            place = self.tree.root / path
            if path.endswith("/"):
                names = sorted(p.name for p in place.iterdir()) if place.is_dir() else []
                self._digests[path] = digest(canonical(names))
            elif place.is_file():
                self._digests[path] = hashlib.sha256(place.read_bytes()).hexdigest()
            else:
                self._digests[path] = "absent"
        return self._digests[path]

    def meaning(self, path: str) -> str:
        """Return the state of a file, its comments and layout apart where it is C or CUDA."""
        if not path.endswith(_C_LIKE) or path not in self.tree.files:
            return self.state(path)
        return digest("meaning", _without_remarks(self.tree.read(path).decode("utf-8", "replace")))


_REMARK = re.compile(r"""//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.DOTALL)
_C_LIKE = (".cu", ".cuh", ".c", ".h", ".cc", ".cpp", ".hpp")


def _without_remarks(text: str) -> str:
    """Return C or CUDA without its comments, blank lines and indents."""
    bare = _REMARK.sub(lambda match: match[1] or " ", text)
    lines = (" ".join(line.split()) for line in bare.splitlines())
    return "\n".join(line for line in lines if line)


def _absolute(importer: str, item: Import, is_package: bool) -> str | None:
    """Return the module that an import names, or None when it leaves its package."""
    if not item.level:
        return item.module
    parts = importer.split(".")
    up = item.level - is_package
    if up >= len(parts) and up:
        return None
    base = parts[: len(parts) - up]
    return ".".join([*base, *([item.module] if item.module else [])])


def _package(tree: Tree) -> str:
    """Return the folder of the kernels' package: in the tree, else where it is installed."""
    listed = any(path.startswith(f"{KERNELS}/") for path in tree.files)
    return posixpath.dirname(KERNELS) if listed else PACKAGE.as_posix()


def _versions(libraries: Iterable[str]) -> tuple[tuple[str, str], ...]:
    outside = (name for name in libraries if name not in sys.stdlib_module_names)
    return tuple((name, version(name)) for name in sorted(outside))


@functools.cache
def version(library: str) -> str:
    """Return the version of the distribution that a top-level name comes from, or ""."""
    from importlib import metadata

    def versions() -> Iterator[str]:
        try:
            yield metadata.version(library)
        except metadata.PackageNotFoundError:
            for name in metadata.packages_distributions().get(library, []):
                yield f"{name} {metadata.version(name)}"

    return next(versions(), "")
