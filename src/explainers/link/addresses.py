"""Give every page, tag and alias an address; two that differ only in case are one too many."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from ..catalogue import GLOSSARY, Tag
from ..errors import Problem, Span
from ..model import Outline

RESERVED = frozenset(
    {
        *("_", "404.html", "about", "all", "embed", "feed.json", "feed.xml", "glossary", "guide"),
        *("index.html", ".explainers"),
        *("how-it-is-made", "llms.txt", "robots.txt", "search", "series", "sitemap.xml", "tags"),
    }
)
"""First segments of addresses that the site itself uses."""

LONGEST = 200
"""Bytes of a name in an address: every file system takes so many."""

_SLUG = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_ALIAS = re.compile(r"[^\\?#%<>\"\s\x00-\x1f\x7f-\x9f]+")


def reserved(outlines: Iterable[Outline]) -> Iterator[Problem]:
    """Yield a problem for each page whose slug is no address, or one the site uses itself."""
    for outline in outlines:
        for name in outline.slug.split("/"):
            if not _SLUG.fullmatch(name):
                message = f'"{name}" cannot be a part of an address: it is small letters, digits, -'
                better = _slugged(name)
                hint = f"rename it to {better}" if better else "rename it: what-it-is-about"
                yield Problem("bad-slug", message, Span(outline.path), hint)
        if outline.section == "articles" and outline.slug in RESERVED:
            message = f'"{outline.slug}" is an address the site itself uses'
            yield Problem("reserved-slug", message, Span(outline.path), "rename the folder")
        elif outline.slug == "glossary" and outline.path != GLOSSARY:
            message = '"glossary" is the address of the glossary'
            yield Problem("reserved-slug", message, Span(outline.path), f"name it {GLOSSARY}")


def file_of(alias: str) -> str:
    """Return the file that answers at an alias."""
    bare = alias.strip("/")
    return bare if bare.endswith(".html") else f"{bare}/index.html"


class Addresses:
    """The files of the finished site by their names in small letters, and who owns each."""

    def __init__(self) -> None:
        """Take what the site itself uses."""
        self.problems: list[Problem] = []
        own = [
            *(name for name in RESERVED if "." in name),
            *(f"{name}/index.html" for name in ("all", "how-it-is-made", "search", "series")),
        ]
        self._taken: dict[str, Outline | None] = dict.fromkeys(own)
        self._folders: dict[str, str] = {
            folder.lower(): path for path in self._taken for folder in _folders(path)
        }

    def pages(self, outlines: Iterable[Outline]) -> None:
        """Take the address of each page and of its twin for machines."""
        for outline in outlines:
            words = f"/{outline.slug}/", "rename one of the folders"
            for path in (f"{outline.slug}/index.html", f"{outline.slug}.md"):
                if not self._take(path, outline, "same-address", *words):
                    break

    def tags(self, tags: Mapping[str, Tag], pages: Mapping[str, Outline]) -> None:
        """Take the address of each tag's page."""
        for tag in tags.values():
            first = pages[tag.articles[0]]
            span = first.spans[f"tags.{first.meta.tags.index(tag.name)}"]
            self._take(f"tags/{tag.slug}/index.html", first, "same-address", span=span)

    def aliases(self, outlines: Iterable[Outline]) -> dict[str, str]:
        """Take the aliases, which never stand before a page; return the slug behind each file."""
        found: dict[str, str] = {}
        for outline in outlines:
            for index, alias in enumerate(outline.meta.aliases):
                path, span = file_of(alias), outline.spans[f"aliases.{index}"]
                if not _is_path(alias):
                    message = f'"{alias}" is no address on this site'
                    hint = "aliases: [old-name] or [2024/old-name.html]"
                    self._add("bad-alias", message, span, hint)
                elif path.split("/")[0] in ("_", "embed") or alias.strip("/").lower() in RESERVED:
                    message = f'"{alias}" is an address the site itself uses'
                    self._add("alias-clash", message, span, "choose another alias")
                elif self._take(path, outline, "alias-clash", alias, "remove the alias", span):
                    found[path] = outline.slug
        return found

    def _add(self, code: str, message: str, span: Span, hint: str | None) -> None:
        self.problems.append(Problem(code, message, span, hint))

    def _take(
        self,
        path: str,
        outline: Outline,
        code: str,
        shown: str = "",
        hint: str | None = None,
        span: Span | None = None,
    ) -> bool:
        """Take a file's name; it may not be taken, be a folder, or lie in a file."""
        key = path.lower()
        above = [folder.lower() for folder in _folders(path)]
        other = next(
            (name for name in (key, *above) if name in self._taken), self._folders.get(key)
        )
        if other is not None:
            first = self._taken[other]
            owner = f"the address of {first.path}" if first else "an address the site itself uses"
            message = f"{shown or '/' + path} is also {owner}"
            self._add(code, message, span or Span(outline.path), hint)
            return False
        self._taken[key] = outline
        for folder in above:
            self._folders.setdefault(folder, key)
        return True


def _slugged(name: str) -> str:
    """Return the nearest name that can be a part of an address, or nothing."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_.]+", "-", plain).strip("-_.")


def _folders(path: str) -> Iterator[str]:
    """Yield the folders a file lies in."""
    while path := posixpath.dirname(path):
        yield path


def _is_path(alias: str) -> bool:
    segments = alias.strip("/").split("/")
    short = all(len(segment.encode()) <= LONGEST for segment in segments)
    return bool(_ALIAS.fullmatch(alias)) and short and not {"", ".", ".."} & set(segments)
