"""Find the files of the site and the hash of each.

A file's size, time and inode stand for its hash while they do not change, as in git's index.
That is a shortcut on this machine only: no key is ever made of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from .model import Source, Tree
from .store import whole

HOME = Path(__file__).parents[2]
"""Where the tool's own templates, styles, scripts and kernels are."""

FOLDERS = ("content", "templates", "static", "src/explainers")
FILES = ("package-lock.json", "node_modules/.package-lock.json", "requirements.txt")
LENT = ("templates", "static", "src/explainers")
"""What a site has of its own where it wants to, and else of the tool."""

# A file written within this time of being hashed may be written again without its time moving.
_SETTLED_NS = 50_000_000

Entries = dict[str, list[int | str]]
"""Size, time, inode and hash of each file."""

_IGNORED = frozenset({"__pycache__", ".git", ".cache", "_site", "node_modules"})


class Index:
    """The hashes of the files, remembered in a file from one build to the next."""

    def __init__(self, path: Path) -> None:
        """Read what is remembered."""
        self._path = path
        self.entries = self._saved = _load(path)

    def save(self) -> None:
        """Remember what is known now."""
        if self.entries != self._saved:
            _save(self._path, self.entries)
            self._saved = self.entries


def discover(root: Path, index: Path, home: Path = HOME) -> Tree:
    """Return the site's files; `index` is where the hashes are remembered."""
    known = Index(index)
    tree = look(root, known, home)
    known.save()
    return tree


def look(root: Path, index: Index, home: Path = HOME) -> Tree:
    """Return the site's files, and leave their hashes in the index."""
    fresh: Entries = {}
    own = _hashed(root, FOLDERS, "", index.entries, fresh)
    lent: dict[str, Source] = {}
    if root.resolve() != home.resolve():
        found = _hashed(home, LENT, "home:", index.entries, fresh)
        lent = {path: source for path, source in found.items() if path not in own}
    index.entries = fresh
    return Tree(root, dict(sorted({**own, **lent}.items())), home, frozenset(lent))


def relook(tree: Tree, index: Index, changed: Iterable[Path]) -> Tree | None:
    """Return the files as they are when no others than these were written since `tree` was found.

    None when that cannot be told without a look at all: a file or folder came, went or was lent.
    """
    files = dict(tree.files)
    for place in changed:
        try:
            path = place.relative_to(tree.root).as_posix()
        except ValueError:
            return None
        known = path in files and path not in tree.lent
        if not known and (place.exists() or any(p.startswith(path) for p in files)):
            return None
        if known:
            try:
                index.entries, files[path] = _renewed(place, path, index.entries)
            except OSError:
                return None
    return Tree(tree.root, files, tree.home, tree.lent)


def _renewed(place: Path, path: str, entries: Entries) -> tuple[Entries, Source]:
    now, status = time.time_ns(), place.stat()
    digest = hashlib.sha256(place.read_bytes()).hexdigest()
    settled = now - status.st_mtime_ns >= _SETTLED_NS
    mark = [status.st_size, status.st_mtime_ns, status.st_ino] if settled else [-1, -1, -1]
    return {**entries, path: [*mark, digest]}, Source(path, digest)


def _hashed(
    root: Path, folders: Iterable[str], prefix: str, known: Entries, fresh: Entries
) -> dict[str, Source]:
    """Return the files below some folders; what was learnt of them goes to `fresh`."""
    files: dict[str, Source] = {}
    for path, status in sorted(_walk(root, folders)):
        mark = [status.st_size, status.st_mtime_ns, status.st_ino]
        entry = known.get(prefix + path)
        if entry is not None and entry[:3] == mark:
            fresh[prefix + path] = entry
            files[path] = Source(path, str(entry[3]))
        else:
            now = time.time_ns()
            try:
                digest = hashlib.sha256((root / path).read_bytes()).hexdigest()
            except FileNotFoundError:
                continue  # it vanished between the listing and the reading: it is not there
            if now - status.st_mtime_ns < _SETTLED_NS:
                mark = [-1, -1, -1]
            fresh[prefix + path] = [*mark, digest]
            files[path] = Source(path, digest)
    return files


def _walk(root: Path, folders: Iterable[str]) -> Iterator[tuple[str, os.stat_result]]:
    for name in FILES:
        try:
            yield name, (root / name).stat()
        except OSError:
            continue
    stack = [folder for folder in folders if (root / folder).is_dir()]
    top = str(root)
    while stack:
        folder = stack.pop()
        # Joined as text: paths as objects would cost as much as the look at the disk.
        with os.scandir(f"{top}{os.sep}{folder}") as entries:
            for entry in entries:
                if entry.name in _IGNORED or entry.name.startswith(".") or entry.name[-1] == "~":
                    continue
                path = f"{folder}/{entry.name}"
                if entry.is_symlink() and not _stays(entry.path, top):
                    continue
                # A linked folder may be its own parent, so folders are never followed by link.
                if entry.is_dir(follow_symlinks=False):
                    stack.append(path)
                elif entry.is_file():
                    yield path, entry.stat()


def _stays(link: str, root: str) -> bool:
    """Say whether a link leads to something inside the site: what lies elsewhere is not shown."""
    try:
        return Path(link).resolve(strict=True).is_relative_to(Path(root).resolve())
    except (OSError, RuntimeError):  # it leads nowhere, or to itself
        return False


def _load(index: Path) -> Entries:
    try:
        found = json.loads(index.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _save(index: Path, entries: Entries) -> None:
    with contextlib.suppress(OSError):  # without it, files are hashed again
        whole(index, json.dumps(entries, separators=(",", ":")).encode())
