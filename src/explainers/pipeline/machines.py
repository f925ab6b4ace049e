"""The files of a site that machines read: feeds, sitemap, robots.txt, llms.txt."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .. import feeds
from ..config import Config
from ..data.supplied import Supplies
from ..digest import canonical
from ..feeds import Item
from ..model import Figure, Output, Site, Tree
from ..render import (
    Heads,
    absolute,
    content,
    fill,
    on_paper,
    paper_style,
    sheets,
    still,
    tag_address,
)
from ..store import Store
from .heads import HeadLines
from .jobs import Job
from .keys import PageKeys
from .pages import Pages

NEWEST = 20
"""Articles of a feed, each whole."""


class Machines:
    """Lists the files for machines; without a base URL a site has none but robots.txt."""

    def __init__(
        self,
        tree: Tree,
        store: Store,
        site: Site,
        settings: Config,
        keys: PageKeys,
        pages: Pages,
        headlines: HeadLines,
    ) -> None:
        """Keep what the files are made of."""
        self._tree, self._site, self._config = tree, site, settings
        self._keys, self._pages, self._headlines = keys, pages, headlines
        self._supplies = Supplies(tree, store)

    def jobs(self, made: Mapping[str, str]) -> Iterator[Job]:
        """Yield the files; `made` are the keys of the pages that they are drawn from."""
        keys, site = self._keys, self._site
        yield Job("robots.txt", keys.index("robots", []), (), lambda: (feeds.robots(self._config),))
        if not self._config.base_url:
            return
        addresses = list(self._addresses())
        told = canonical([[address, str(day)] for address, day in addresses])
        yield Job(
            "sitemap.xml", keys.index("sitemap", [told]), (), lambda: (feeds.sitemap(addresses),)
        )
        shown = (*site.newest, *site.series, *self._plain())
        heads = [keys.head(slug, site) for slug in shown]
        whole = self._headlines.whole(shown)
        yield Job("llms.txt", keys.index("llms", heads), whole, self._llms)
        newest = tuple(slug for slug in site.newest if not self._is_sample(slug))[:NEWEST]
        key = keys.index("feeds", [made[slug] for slug in newest])
        yield Job("feed.xml", key, newest, lambda: self._feeds(newest))

    def _plain(self) -> list[str]:
        """Return the slugs of plain pages, of the guide and of the glossary."""
        pages = self._site.pages.items()
        return [slug for slug, page in pages if page.section in ("pages", "guide", "glossary")]

    def _is_sample(self, slug: str) -> bool:
        """Return whether a page shows data that was made up to show the form."""
        named = {name for name, _ in self._site.pages[slug].datasets}
        supplies = self._supplies.of(slug) if named else {}
        return any(supplies[name].status == "sample" for name in named & supplies.keys())

    def _addresses(self) -> Iterator[tuple[str, dt.date | None]]:
        """Yield the address of each page that is to be found, home first."""
        site = self._site
        for address in ("", "all/", "how-it-is-made/", *(["series/"] if site.series else [])):
            yield absolute(self._config, address), None
        for slug, page in site.pages.items():
            day = page.meta.updated or page.meta.date
            yield absolute(self._config, f"{slug}/"), None if page.series else day
        for tag in site.tags.values():
            yield absolute(self._config, tag_address(tag.name)), None

    def _feeds(self, slugs: Iterable[str]) -> tuple[Output, ...]:
        style = paper_style("".join(self._tree.read(path).decode() for path in sheets()))
        pictures: dict[str, Output] = {}
        items = []
        for slug in slugs:
            page = self._pages.get(slug)
            own: dict[Figure, Output] = {
                figure: picture
                for figure, drawing in page.answers.drawings.items()
                if (
                    picture := still(
                        f"{slug}-{figure.label}", drawing, style + self._own(figure, slug)
                    )
                )
            }
            pictures |= {picture.path: picture for picture in own.values()}
            text = content(page, self._config.base_url, own)
            items.append(self._item(slug, self._headlines.of([slug]), text))
        return (
            feeds.atom(self._config, items),
            feeds.json_feed(self._config, items),
            *pictures.values(),
        )

    def _own(self, figure: Figure, slug: str) -> str:
        """Return the style that a kind of figure brings itself, on paper."""
        beside = posixpath.dirname(self._site.pages[slug].path)
        for folder in (beside, "static/js/figures"):
            path = f"{folder}/{figure.kind}.css"
            if path in self._tree.files:
                return on_paper(self._tree.read(path).decode())
        return ""

    def _llms(self) -> tuple[Output, ...]:
        site = self._site
        sections: list[tuple[str, Sequence[str]]] = [
            ("Articles", site.newest),
            ("Series", site.series),
            ("About this site", self._plain()),
        ]
        heads = self._headlines.of([slug for _, slugs in sections for slug in slugs])
        told = [(name, [self._item(slug, heads) for slug in slugs]) for name, slugs in sections]
        return (feeds.llms(self._config, told),)

    def _item(self, slug: str, heads: Heads, text: str = "") -> Item:
        outline = self._site.pages[slug]
        meta, answers = outline.meta, heads(slug)
        title, summary = outline.title_text, outline.summary_text
        if answers.values:
            # A number of the page's own data stands in it.
            title = fill(outline.title, answers, "").striptags()
            summary = fill(outline.summary, answers, "").striptags()
        return Item(
            title=title,
            url=absolute(self._config, f"{slug}/"),
            date=meta.date,
            updated=meta.updated,
            summary=summary,
            twin=absolute(self._config, f"{slug}.md"),
            content=text,
            authors=meta.authors,
            tags=meta.tags,
            lang=meta.lang,
        )
