"""Drafts that cannot be built while nobody looks at them: `serve` leaves them out, and goes on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from ..digest import digest
from ..errors import Problem
from ..model import Tree

_ARTICLE = re.compile(r"content/articles/([^/]+)/")
_SHARED = ("content/kernels/", "src/explainers/kernels/", "templates/", "static/")
"""What an article can be broken by, its own folder apart."""


class Drafts:
    """Remembers which drafts are left out, for as long as nothing that could mend them changes."""

    def __init__(self) -> None:
        """Leave out none."""
        self._left: dict[str, tuple[str, str]] = {}

    def left_out(self, tree: Tree, looked_at: Collection[str]) -> dict[str, str]:
        """Return the drafts that are still broken and looked at by nobody, with the reason."""
        return {
            slug: reason
            for slug, (key, reason) in self._left.items()
            if slug not in looked_at and key == _key(tree, slug)
        }

    def leave_out(
        self, problems: Iterable[Problem], tree: Tree, looked_at: Collection[str]
    ) -> bool:
        """Leave out the drafts that these problems are of; False when any is of something else."""
        numbers: Counter[str] = Counter()
        for problem in problems:
            found = _ARTICLE.match(problem.span.path) if problem.span else None
            if found is None or found[1] in looked_at:
                return False
            numbers[found[1]] += 1
        known = self.left_out(tree, looked_at)
        if any(slug in known or not _is_draft(tree, slug) for slug in numbers):
            return False
        for slug, number in numbers.items():
            noun = "problem" if number == 1 else "problems"
            self._left[slug] = _key(tree, slug), f"draft, with {number} {noun}"
        return True


def _key(tree: Tree, slug: str) -> str:
    folders = (f"content/articles/{slug}/", *_SHARED)
    return digest(*(s.path + s.digest for p, s in tree.files.items() if p.startswith(folders)))


def _is_draft(tree: Tree, slug: str) -> bool:
    path = f"content/articles/{slug}/index.md"
    if path not in tree.files:
        return False
    from ..front_matter import read  # a build with nothing to do imports no YAML

    meta = read(path, tree.read(path).decode("utf-8", "replace")).meta
    return meta is not None and meta.draft
