"""Resolve every link, and report all that lead nowhere; hold back what is not due."""

from __future__ import annotations

import datetime as dt
import functools
import posixpath
from collections.abc import Container, Iterator, Mapping, Sequence

from ..catalogue import GLOSSARY
from ..errors import Problem, refuse
from ..model import Link, Outline, Site
from ..nearest import nearest
from .addresses import Addresses, reserved
from .glossary import cards, missing
from .joins import placed, related, tagged, told

FILE = "file:"
"""Marks an address that is a file of the source tree, published under a name of its own."""


def link(
    outlines: Sequence[Outline],
    files: Container[str],
    today: dt.date,
    *,
    sources: Container[str] = (),
    drafts: bool = False,
    only: str | None = None,
) -> Site:
    """Return the site these pages make, or raise BuildError with every dangling reference.

    Args:
        outlines: every page that could be parsed.
        files: paths of the source tree, for images and downloads.
        today: pages dated later are held back.
        sources: keys of the bibliography.
        drafts: show drafts and future pages too (in `serve`); the site still names them.
        only: resolve the links of this page alone.
    """
    addresses = Addresses()
    addresses.pages(outlines)
    early = {o.slug: r for o in outlines if (r := _reason(o, today))}
    held = {} if drafts else early
    pages = {o.slug: o for o in outlines if o.slug not in held}
    problems = list(reserved(pages.values()))
    by_path = {o.path: o for o in outlines}
    links: dict[tuple[str, str], str] = {}
    for outline in _alone(pages[only], pages) if only in pages else pages.values():
        for item in outline.links:
            if item.use == "cite":
                if item.target not in sources:
                    problems.append(_unknown_source(item, sources))
                continue
            if item.use == "gloss":
                if problem := missing(item, by_path.get(GLOSSARY), held):
                    problems.append(problem)
                continue
            found = _resolve(item, outline, by_path, files)
            if isinstance(found, Problem):
                problems.append(found)
            elif held and (other := by_path.get(_page_of(item, outline))) and other.slug in held:
                hint = "it is published with a later date; name it without a link until then"
                message = f'"{item.target}" leads to a page that is held back: {held[other.slug]}'
                problems.append(Problem("held-back-link", message, item.span, hint))
            else:
                links[outline.path, item.target] = found
    articles = [slug for slug, page in pages.items() if page.section == "articles"]
    newest = sorted(articles, key=lambda slug: (-pages[slug].meta.date.toordinal(), slug))
    series = sorted(
        (page for page in pages.values() if page.series),
        key=lambda page: (page.series.order if page.series else 0, page.slug),
    )
    pages |= {page.slug: page for page in (told(page, outlines) for page in series)}
    tags = tagged(newest, pages, problems)
    places = placed(series, {o.slug: o for o in outlines}, problems)
    addresses.tags(tags, pages)
    aliases = addresses.aliases(pages.values())
    refuse([*problems, *addresses.problems])
    return Site(
        pages,
        tuple(newest),
        tuple(sorted(early.items())) if only is None else (),
        links,
        series=tuple(page.slug for page in series),
        tags=tags,
        places={slug: found for slug, found in places.items() if slug in pages},
        related=related(newest, tags, places),
        aliases=aliases,
    )


def _alone(outline: Outline, pages: Mapping[str, Outline]) -> list[Outline]:
    """Return a page that is built alone, and the glossary when it shows some of it."""
    return [outline, *([pages["glossary"]] if cards(outline, pages) else [])]


def _reason(outline: Outline, today: dt.date) -> str | None:
    if outline.meta.draft:
        return "draft"
    if outline.meta.date > today:
        return f"dated {outline.meta.date.isoformat()}"
    return None


def _unknown_source(item: Link, sources: Container[str]) -> Problem:
    message = f'no source "{item.target}" in the bibliography'
    return Problem("unknown-source", message, item.span, _close(item.target, sources))


def _page_of(item: Link, outline: Outline) -> str:
    """Return the path of the page a link names: its own when it names none."""
    target = item.target.partition("#")[0]
    if not target or (item.use in ("ref", "eq") and not target.endswith(".md")):
        return outline.path
    return _place(outline.path, target)


@functools.lru_cache(maxsize=1 << 16)
def _place(path: str, target: str) -> str:
    """Return a path that is written from the folder of a page; `serve` asks at every save."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _resolve(
    item: Link, outline: Outline, by_path: Mapping[str, Outline], files: Container[str]
) -> str | Problem:
    """Return where a link leads, from the site's root, or what is wrong with it."""
    path, _, anchor = item.target.partition("#")
    if item.use in ("ref", "eq") and not path.endswith(".md"):
        path, anchor = "", item.target.removeprefix("#")
    place = _page_of(item, outline)
    if path and not path.endswith(".md"):
        if place in files:
            return FILE + place
        known = list(_beside(outline, files))
        hint = _close(posixpath.basename(path), known)
        return Problem("missing-file", f'no file "{path}" beside this page', item.span, hint)
    page = by_path.get(place)
    if page is None:
        near = {posixpath.relpath(p, posixpath.dirname(outline.path)) for p in by_path}
        return Problem("broken-link", f'no page at "{path}"', item.span, _close(path, near))
    if anchor and anchor not in page.anchors:
        where = "on this page" if page is outline else f"on {page.path}"
        message = f'nothing named "{anchor}" {where}'
        return Problem("broken-anchor", message, item.span, _close(anchor, page.anchors))
    local = f"#{anchor}" if anchor else ""
    return f"{page.slug}/{local}"


def _beside(outline: Outline, files: Container[str]) -> Iterator[str]:
    folder = posixpath.dirname(outline.path) + "/"
    if isinstance(files, Mapping):
        yield from (path.removeprefix(folder) for path in files if path.startswith(folder))


def _close(word: str, known: Container[str]) -> str | None:
    candidates = list(known) if isinstance(known, (set, list, Mapping)) else []
    return nearest(word, candidates)
