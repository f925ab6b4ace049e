"""What pages tell of their datasets: how each was made, where its numbers are from."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .. import origins
from ..compute import Computer, Pair
from ..digest import digest
from ..model import Figure, Outline, Output, Tree
from ..provenance import made
from ..store import Store
from .beside import downloads
from .memo import remembered


class Told:
    """Tells of datasets; what is costly to tell is kept."""

    def __init__(self, store: Store, tree: Tree, computer: Computer, engine: str) -> None:
        """Keep what is asked; nothing is read yet."""
        self._store, self._tree, self._computer, self._engine = store, tree, computer, engine

    def made(
        self, slug: str, outline: Outline, data: Mapping[Pair, bytes], uses: dict[str, Output]
    ) -> Iterator[dict[str, Any]]:
        """Yield how each dataset of a page was made, in the order the page names them.

        What they were made from comes after them; the files to take away are added to `uses`.
        """
        computer = self._computer
        declared = computer.keys.datasets(slug) if outline.datasets else {}
        functions = computer.keys.functions(slug) if outline.datasets else {}
        names = [name for name, _ in outline.datasets]
        for name in names:  # which grows
            found = declared.get(name) or functions.get(name)
            names += [need for need in (found.needs if found else ()) if need not in names]
        for name in dict.fromkeys(name for name in names if name in declared):
            yield {
                **self.one(slug, name, data[slug, name]),
                "downloads": downloads(
                    name, computer.downloads(slug, name, data[slug, name]), uses
                ),
            }

    def one(self, slug: str, name: str, data: bytes) -> dict[str, Any]:
        """Return how one dataset was made."""
        computer = self._computer
        header, key = computer.header(slug, name, data), computer.key(slug, name)
        return remembered(
            self._store,
            digest("made", self._engine, slug, name, key, self.shown(slug, name)),
            functools.partial(made, self._tree, computer.keys, slug, name, key, header),
        )

    def notes(self, slug: str, data: Mapping[Pair, bytes]) -> Callable[[Figure], list[str]]:
        """Return what says where the data of a figure is from, where that is no plain run."""

        def notes(figure: Figure) -> list[str]:
            said: dict[str, None] = {}
            for _, name, _ in figure.data:
                origin = self._computer.header(slug, name, data[slug, name])["origin"]
                if origin not in ("computed", "modelled"):
                    found = origins.ground(self._computer.keys, slug, name)
                    said |= dict.fromkeys(origins.notes(found, origin))
            return list(said)

        return notes

    def shown(self, slug: str, name: str) -> str:
        """Return the digest of the sources that made a dataset, comments and all."""
        files = self._computer.keys.reach(slug, name).files
        known = self._tree.files
        return digest(*(path + known[path].digest for path in files if path in known))
