"""Where a reader may go from an article: its series, what comes next, what is related."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from ..catalogue import Module, Place, tag_slug
from ..model import Outline, Site
from .entry import Heads
from .fill import fill


def tag_links(tags: Iterable[str]) -> list[dict[str, str]]:
    """Return the tags of an article, each with its page."""
    return [{"name": tag, "url": quote(tag_address(tag), safe="/+")} for tag in dict.fromkeys(tags)]


def tag_address(tag: str) -> str:
    """Return the address of a tag's page from the site's root."""
    return f"tags/{tag_slug(tag)}/"


def neighbours(slug: str, site: Site) -> tuple[str, ...]:
    """Return the pages that an article names at its end, in the order it names them."""
    found: dict[str, None] = {}
    for place in site.places.get(slug, ()):
        found[place.series] = None
        modules = modules_of(place.series, site)
        for index in (place.index - 1, place.index + 1):
            if 0 <= index < len(modules) and modules[index].slug in site.pages:
                found[modules[index].slug] = None
    return (*found, *(other for other in site.related.get(slug, ()) if other not in found))


def modules_of(series: str, site: Site) -> tuple[Module, ...]:
    """Return the parts of a series."""
    found = site.pages[series].series
    return found.modules if found else ()


def title(slug: str, site: Site, heads: Heads) -> Markup:
    """Return the title of a page."""
    return fill(site.pages[slug].title, heads(slug), "")


def onward(outline: Outline, site: Site, heads: Heads, root: str) -> dict[str, Any]:
    """Return the places of an article in its series, and what is related to it."""
    return {
        "series": [_place(place, site, heads) for place in site.places.get(outline.slug, ())],
        "related": [
            {
                "title": title(slug, site, heads),
                "url": f"{slug}/",
                "summary": fill(site.pages[slug].summary, heads(slug), root),
            }
            for slug in site.related.get(outline.slug, ())
        ],
    }


def _place(place: Place, site: Site, heads: Heads) -> dict[str, Any]:
    modules = modules_of(place.series, site)

    def step(index: int) -> dict[str, Any] | None:
        if not 0 <= index < len(modules):
            return None
        module = modules[index]
        known = module.slug in site.pages
        return {
            "title": title(module.slug, site, heads) if known else module.title,
            "url": f"{module.slug}/" if known else "",
        }

    return {
        "title": title(place.series, site, heads),
        "url": f"{place.series}/",
        "number": place.index + 1,
        "count": len(modules),
        "previous": step(place.index - 1),
        "next": step(place.index + 1),
    }
