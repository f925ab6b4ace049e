"""What pages tell of their datasets: how each was made, where its numbers are from."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .. import origins
from ..compute import Computer, Pair
from ..data.key import Keys
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
        for name in origins.named(computer.keys, outline):
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
        files = self._computer.keys.reach(slug, name).files.values()
        known = self._tree.files
        return digest(*(path + known[path].digest for path in files if path in known))

    def census(self, pages: Iterable[Outline]) -> list[tuple[str, list[dict[str, str]]]]:
        """Return, for each page that has any, what is known of its datasets; nothing is run."""
        keys = self._computer.keys
        found = []
        for outline in pages:
            slug = outline.slug
            rows = [self._row(keys, slug, name) for name in origins.named(keys, outline)]
            if rows:
                found.append((slug, rows))
        return found

    def _row(self, keys: Keys, slug: str, name: str) -> dict[str, str]:
        declared, origin = keys.datasets(slug)[name], origins.origin(keys, slug, name)
        said: list[str] = []
        if origin not in ("computed", "modelled"):
            said = origins.notes(origins.ground(keys, slug, name), origin)
        return {
            "name": name,
            "origin": origin,
            "summary": declared.summary,
            "note": " ".join(said),
        }
