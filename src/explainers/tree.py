"""The files of a site, as discover found them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """One file of the site: its path from the root, and the SHA-256 of its bytes."""

    path: str
    digest: str


@dataclass(frozen=True, slots=True)
class Tree:
    """Every file the build may read, by path from the site's root.

    What the site itself lacks of templates, styles, scripts and kernels is the tool's own, from
    `home`; `lent` holds the paths of those.
    """

    root: Path
    files: Mapping[str, Source]
    home: Path
    lent: frozenset[str] = frozenset()

    def place(self, path: str) -> Path:
        """Return where a file is on this machine."""
        return (self.home if path in self.lent else self.root) / path

    def read(self, path: str) -> bytes:
        """Return a file's bytes."""
        return self.place(path).read_bytes()

    def under(self, folder: str) -> Iterator[Source]:
        """Yield the files below a folder, in the order of their paths."""
        prefix = folder.rstrip("/") + "/"
        return (source for path, source in self.files.items() if path.startswith(prefix))


def folder_of(slug: str) -> str:
    """Return the folder of a page and its data, from the site's root: its slug is its address."""
    return f"content/{slug}" if slug.startswith("guide/") else f"content/articles/{slug}"
