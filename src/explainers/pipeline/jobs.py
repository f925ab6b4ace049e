"""The pages a site has: the key of each, the articles it draws on, and how it is made."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..catalogue import Tag
from ..config import Config
from ..digest import canonical
from ..model import Output, Site
from ..render import Heads, Lists, Renderer, neighbours, twin
from .heads import HeadLines
from .keys import PageKeys
from .outlines import Outlines
from .pages import Pages

FEATURED = 8
"""Articles the home page shows with a figure; the list of all pages has every one."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be there at the end: its path, the key of its inputs, the articles it draws on.

    `make` returns that file, and after it those that stand beside it and share its key. `article`
    is the slug of the article whose page it is, where it is one.
    """

    path: str
    key: str
    slugs: tuple[str, ...]
    make: Callable[[], tuple[Output, ...]]
    article: str = ""


class Jobs:
    """Lists the pages of one build."""

    def __init__(
        self,
        site: Site,
        found: Outlines,
        keys: PageKeys,
        pages: Pages,
        renderer: Renderer,
        lists: Lists,
        headlines: HeadLines,
        settings: Config,
    ) -> None:
        """Keep what the pages are made of."""
        self._site, self._found, self._keys, self._pages = site, found, keys, pages
        self._renderer, self._lists, self._headlines = renderer, lists, headlines
        self._config = settings
        self.made: dict[str, str] = {}

    def of(self, slug: str) -> Iterator[Job]:
        """Yield the page of one article."""
        yield self._article(slug)

    def all(self) -> Iterator[Job]:
        """Yield every page of the site, and remember the keys of those that were written."""
        site, keys, lists = self._site, self._keys, self._lists
        for slug, outline in site.pages.items():
            job = self._series(slug) if outline.series else self._article(slug)
            self.made[slug] = job.key
            yield job
        yield self._home()
        newest, series = site.newest, site.series
        yield self._list("all/index.html", "all", (*newest, *series), lists.everything)
        for tag in site.tags.values():
            yield self._tag(tag)
        if series:
            yield self._list("series/index.html", "series", series, lists.series_index)
        for path, slug in site.aliases.items():
            key = keys.index("redirect", (slug, site.pages[slug].title_text))
            yield Job(path, key, (), functools.partial(self._redirect, path, slug))
        yield self._census()
        yield Job("404.html", keys.index("missing", []), (), lambda: (self._renderer.missing(),))

    def _article(self, slug: str) -> Job:
        outline = self._site.pages[slug]
        beside = neighbours(slug, self._site)

        def make() -> tuple[Output, ...]:
            heads, mark = self._headlines.of(beside), self._keys.mark(outline)
            page = self._pages.get(slug)
            return self._renderer.article(page, heads, mark), twin(page, self._config)

        key = self._keys.article(outline, self._found.keys[slug], self._site)
        slugs = (slug, *self._headlines.whole(beside))
        return Job(f"{slug}/index.html", key, slugs, make, slug)

    def _series(self, slug: str) -> Job:
        outline = self._site.pages[slug]
        modules = outline.series.modules if outline.series else ()
        shown = [m.slug for m in modules if m.slug in self._site.pages]

        def make() -> tuple[Output, ...]:
            heads = self._headlines.of([slug, *shown])
            page = self._pages.get(slug)
            return self._lists.series(page, heads), self._lists.series_twin(page)

        own = self._keys.article(outline, self._found.keys[slug], self._site)
        key = self._keys.index("series", [own, *self._heads([slug, *shown])])
        return Job(f"{slug}/index.html", key, (slug, *self._headlines.whole(shown)), make)

    def _tag(self, tag: Tag) -> Job:
        places = (self._site.places.get(slug, ()) for slug in tag.articles)
        series = dict.fromkeys(place.series for found in places for place in found)
        make = functools.partial(self._lists.tag, tag)
        return self._list(f"tags/{tag.slug}/index.html", tag.name, (*tag.articles, *series), make)

    def _list(
        self, path: str, name: str, slugs: Iterable[str], make: Callable[[Heads], Output]
    ) -> Job:
        """Return the job of a page that names others, and shows nothing else of them."""
        shown = tuple(slugs)
        key = self._keys.index(f"list {name}", self._heads(shown), len(shown))
        needed = self._headlines.whole(shown)
        return Job(path, key, needed, lambda: (make(self._headlines.of(shown)),))

    def _heads(self, slugs: Iterable[str]) -> list[str]:
        return [self._keys.head(slug, self._site) for slug in slugs]

    def _home(self) -> Job:
        site = self._site
        if self._config.home == "list":
            slugs = (*site.newest, *site.series)
            return self._list("index.html", "home", slugs, self._lists.home_list)
        if self._config.home == "series":
            return self._list("index.html", "home", site.series, self._lists.home_series)
        latest = site.newest[:1]
        featured = [s for s in site.newest[1:] if site.pages[s].meta.featured][:FEATURED]
        shown = (*latest, *featured)

        def make() -> tuple[Output, ...]:
            first = self._pages.get(latest[0]) if latest else None
            others = [self._pages.get(slug) for slug in featured]
            return (self._renderer.home(first, others, len(site.newest)),)

        key = self._keys.index("home", [self.made[slug] for slug in shown], len(site.newest))
        return Job("index.html", key, shown, make)

    def _census(self) -> Job:
        """Return the job of the page that lists every dataset of the site."""
        site = self._site
        pages = [site.pages[slug] for slug in dict.fromkeys((*site.newest, *site.pages))]
        rows = self._pages.told.census(pages)
        slugs = tuple(slug for slug, _ in rows)

        def make() -> tuple[Output, ...]:
            return (self._lists.how_it_is_made(rows, self._headlines.of(slugs)),)

        key = self._keys.index("how it is made", [*self._heads(slugs), canonical(rows)])
        return Job("how-it-is-made/index.html", key, self._headlines.whole(slugs), make)

    def _redirect(self, path: str, slug: str) -> tuple[Output, ...]:
        return (self._lists.redirect(path, slug),)
