"""The bibliography of a site, read once for each change of it."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..digest import digest
from ..model import Tree
from ..store import Store

if TYPE_CHECKING:
    from ..bibliography import Entry

PATH = "content/references.bib"


class Library:
    """Reads the bibliography when somebody cites, and remembers it by the digest of its text."""

    def __init__(self, tree: Tree, store: Store, engine: str) -> None:
        """Read nothing yet."""
        self._tree, self._store, self._engine = tree, store, engine
        self._entries: Mapping[str, Entry] | None = None

    def entries(self) -> Mapping[str, Entry]:
        """Return the sources by key; none when the site has no bibliography."""
        if self._entries is None:
            self._entries = self._read() if PATH in self._tree.files else {}
        return self._entries

    def _read(self) -> Mapping[str, Entry]:
        memo = digest("bibliography", self._engine, self._tree.files[PATH].digest)
        stored = self._store.get(memo)
        if stored is not None:
            found: Mapping[str, Entry] = pickle.loads(stored)
            return found
        from ..bibliography import load

        entries = load(self._tree.read(PATH).decode("utf-8", "replace"), PATH)
        self._store.put(memo, pickle.dumps(dict(entries)))
        return entries
