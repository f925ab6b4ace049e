"""Pages that name other pages: all pages, tags, series, and addresses that have moved."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from ..catalogue import Tag, tag_slug
from ..data.dataset import ORIGINS
from ..model import Output
from .entry import Heads, Page, cards, identity
from .fill import fill
from .layout import Layout, absolute
from .onward import modules_of, tag_links, title
from .twinned import headline, twin


class Lists:
    """Lays out lists with the templates of one site."""

    def __init__(self, layout: Layout) -> None:
        """Keep what all pages are told."""
        self._layout, self._site, self._config = layout, layout.site, layout.config

    def everything(self, heads: Heads) -> Output:
        """Return the list of all articles, newest first."""
        return self._all("all/index.html", "../", "All pages", heads)

    def home_list(self, heads: Heads) -> Output:
        """Return a home page that is the list of all articles."""
        return self._all("index.html", "", self._config.title, heads)

    def _all(self, path: str, root: str, name: str, heads: Heads) -> Output:
        site = self._site
        entries = [self._entry(slug, heads, root) for slug in site.newest]
        kinds = Counter(entry["kind"] for entry in entries)
        used = Counter(series["url"] for entry in entries for series in entry["series"])
        return self._page(
            "all.html",
            path,
            root,
            self._context(name, path, site.newest, heads, "All articles, newest first."),
            entries=entries,
            filters={
                "tag": [(tag.slug, tag.name, len(tag.articles)) for tag in site.tags.values()],
                "kind": [(kind, kind, kinds[kind]) for kind in sorted(kinds)],
                "series": [
                    (_last(slug), title(slug, site, heads), used[f"{slug}/"])
                    for slug in site.series
                    if used[f"{slug}/"]
                ],
            },
        )

    def tag(self, tag: Tag, heads: Heads) -> Output:
        """Return the page of a tag."""
        path = f"tags/{tag.slug}/index.html"
        return self._page(
            "tag.html",
            path,
            "../../",
            self._context(
                tag.name, path, tag.articles, heads, f"All articles on {tag.name}, newest first."
            ),
            entries=[self._entry(slug, heads, "../../") for slug in tag.articles],
        )

    def series_index(self, heads: Heads) -> Output:
        """Return the list of all series."""
        return self._all_series("series/index.html", "../", "Series", heads)

    def home_series(self, heads: Heads) -> Output:
        """Return a home page that is the list of all series."""
        return self._all_series("index.html", "", self._config.title, heads)

    def _all_series(self, path: str, root: str, name: str, heads: Heads) -> Output:
        entries = [self._told(slug, heads, root) for slug in self._site.series]
        told = "Series of articles that are best read in order, and what each of them promises."
        context = self._context(name, path, self._site.series, heads, told)
        return self._page("series-index.html", path, root, context, entries=entries)

    def series(self, page: Page, heads: Heads) -> Output:
        """Return the page of a series: its promise, its modules, its prose."""
        outline = page.outline
        site, root = self._site, outline.root
        shown = [module.slug for module in modules_of(outline.slug, site)]
        context = {
            **self._context("", f"{outline.slug}/index.html", shown, heads),
            **identity(outline, page.answers, root),
            "lang": outline.meta.lang,
            "twin": f"{outline.slug}.md",
            "body": fill(page.body.parts, page.answers, root) + page.sources + cards(page, root),
        }
        context["maths"] = context["maths"] or page.maths
        return self._page(
            "series.html",
            f"{outline.slug}/index.html",
            root,
            context,
            series=self._told(outline.slug, heads, root),
            modules=[
                {
                    "title": title(module.slug, site, heads),
                    "summary": fill(site.pages[module.slug].summary, heads(module.slug), root),
                    "url": f"{module.slug}/",
                }
                if module.slug in site.pages
                else {"title": module.title, "summary": module.promise, "url": ""}
                for module in modules_of(outline.slug, site)
            ],
        )

    def how_it_is_made(
        self, made: Sequence[tuple[str, Sequence[Mapping[str, str]]]], heads: Heads
    ) -> Output:
        """Return the page that lists every dataset of the site, article by article."""
        path, slugs = "how-it-is-made/index.html", [slug for slug, _ in made]
        counts = Counter(row["origin"] for _, rows in made for row in rows)
        told = "Every dataset behind the figures, article by article: computed, measured or cited."
        return self._page(
            "how-it-is-made.html",
            path,
            "../",
            self._context("How it is made", path, slugs, heads, told),
            counts=[(origin, counts[origin]) for origin in ORIGINS if counts[origin]],
            articles=[
                {"url": f"{slug}/", "title": title(slug, self._site, heads), "datasets": rows}
                for slug, rows in made
            ],
        )

    def series_twin(self, page: Page) -> Output:
        """Return the twin of a series' page."""
        pages = self._site.pages
        modules = [
            (headline(pages[m.slug]), absolute(self._config, f"{m.slug}.md"), "")
            if m.slug in pages
            else (m.title, "", m.promise)
            for m in modules_of(page.outline.slug, self._site)
        ]
        return twin(page, self._config, modules)

    def redirect(self, path: str, slug: str) -> Output:
        """Return the page at an address that an article had before."""
        root = "../" * path.count("/")
        context = {
            "title_text": self._site.pages[slug].title_text,
            "url": f"{slug}/",
            "canonical": absolute(self._config, f"{slug}/"),
        }
        return self._layout.page("redirect.html", path, root, context)

    def _page(
        self, template: str, path: str, root: str, context: Mapping[str, Any], **more: Any
    ) -> Output:
        styles = self._layout.lists_styles
        return self._layout.page(template, path, root, context, styles=styles, **more)

    def _context(
        self, name: str, path: str, slugs: Iterable[str], heads: Heads, told: str = ""
    ) -> dict[str, Any]:
        known = (slug for slug in slugs if slug in self._site.pages)
        folder = posixpath.dirname(path)
        return {
            "title_text": name,
            "summary_text": told if folder else self._config.tagline or told,
            "url": f"{quote(folder, safe='/+')}/" if folder else "",
            "maths": any(heads(slug).formulas for slug in known),
        }

    def _entry(self, slug: str, heads: Heads, root: str) -> dict[str, Any]:
        outline = self._site.pages[slug]
        return {
            **identity(outline, heads(slug), root),
            "url": f"{slug}/",
            "kind": outline.meta.kind,
            "tags": tag_links(outline.meta.tags),
            "tag_slugs": [tag_slug(tag) for tag in outline.meta.tags],
            "series": [
                {
                    "title": title(place.series, self._site, heads),
                    "url": f"{place.series}/",
                    "slug": _last(place.series),
                    "number": place.index + 1,
                }
                for place in self._site.places.get(slug, ())
            ],
        }

    def _told(self, slug: str, heads: Heads, root: str) -> dict[str, Any]:
        outline = self._site.pages[slug]
        modules: Sequence[Any] = modules_of(slug, self._site)
        return {
            **identity(outline, heads(slug), root),
            "url": f"{slug}/",
            "subtitle": outline.series.subtitle if outline.series else "",
            "count": len(modules),
            "published": sum(module.slug in self._site.pages for module in modules),
        }


def _last(slug: str) -> str:
    return slug.rpartition("/")[2]
