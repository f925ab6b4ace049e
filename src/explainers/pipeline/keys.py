"""The key of each page: the digest of everything its bytes depend on."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from ..assets import Assets
from ..catalogue import GLOSSARY
from ..compute import Computer
from ..config import Config
from ..digest import canonical, digest
from ..link import FILE, cards, users
from ..listing import NotFoundError, locate
from ..model import Link, Outline, Site, Tree
from ..render import WORDS_A_MINUTE, neighbours
from .builder import part_key
from .library import PATH as BIBLIOGRAPHY

SHARED_KINDS = "static/js/figures"
SHARED_SCRIPTS = tuple(
    f"static/js/{folder}" for folder in ("runtime", "marks", "kernels", "parts", "later")
)


class PageKeys:
    """Makes the keys of one build's pages; no page is read for it."""

    def __init__(
        self,
        tree: Tree,
        engine: str,
        settings: Config,
        assets: Assets,
        computer: Computer,
        menu: Iterable[tuple[str, str]],
    ) -> None:
        """Digest what all pages share."""
        self._tree, self._computer = tree, computer
        shared = asdict(assets.shared)
        self._shared = digest(
            engine, part_key(tree, ["templates"]), canonical([asdict(settings), shared, list(menu)])
        )
        self._scripts = part_key(tree, SHARED_SCRIPTS)
        self._shared_kinds = part_key(tree, [SHARED_KINDS])
        self._own_scripts: dict[str, list[str]] = {}
        for source in tree.under("content"):
            if source.path.endswith((".js", ".css")):
                self._own_scripts.setdefault(posixpath.dirname(source.path), []).append(source.path)
        self._heads: dict[str, str] = {}

    def article(self, outline: Outline, parsed: str, site: Site) -> str:
        """Return the key of an article's page; `parsed` is the key of its text."""
        path = outline.path
        links = [*self._leads(path, outline.links, site), *self._glossary(outline, site)]
        parts = [parsed, *self._listings(outline)]
        if outline.datasets or outline.kinds:
            parts += [*self._data(outline), *self._figures(outline)]
        if outline.citations:
            parts.append(self._file(BIBLIOGRAPHY))
        places = site.places.get(outline.slug, ())
        beside = [self.head(slug, site) for slug in neighbours(outline.slug, site)]
        beside += [self.head(place.series, site) + str(place.index) for place in places]
        return digest("page", self._shared, repr(links), *parts, *beside)

    def mark(self, outline: Outline) -> str:
        """Return the version of what a page says: its text and its data, on any machine."""
        return digest("mark", self._file(outline.path), *self._data(outline))[:12]

    def head(self, slug: str, site: Site) -> str:
        """Return the key of what lists tell of a page."""
        if slug not in self._heads:
            page, meta = site.pages[slug], site.pages[slug].meta
            told = (
                page.title,
                page.summary,
                -(-page.words // WORDS_A_MINUTE),
                meta.date,
                meta.kind,
                meta.tags,
            )
            names = [site.pages[place.series].title for place in site.places.get(slug, ())]
            modules = page.series.modules if page.series else ()
            published = [module.slug for module in modules if module.slug in site.pages]
            known = (*told, site.places.get(slug, ()), names, page.series, published)
            self._heads[slug] = digest("head", slug, repr(known))
        return self._heads[slug]

    def index(self, name: str, keys: Iterable[str], count: int = 0) -> str:
        """Return the key of a page that draws on pages with these keys."""
        return digest(name, self._shared, str(count), *keys)

    def _leads(self, path: str, links: Iterable[Link], site: Site) -> Iterator[object]:
        """Yield where each link of a text leads, and what shows of that."""
        for target in sorted({link.target for link in links}):
            if (address := site.links.get((path, target))) is not None:
                yield target, address, self._behind(address, site)

    def _glossary(self, outline: Outline, site: Site) -> Iterator[object]:
        """Yield what a page shows of the glossary; what the glossary shows of its users."""
        for entry in cards(outline, site.pages):
            yield entry.id, entry.mark, [*self._leads(GLOSSARY, entry.links, site)]
        if outline.glossary:
            for name, slugs in users(site.pages).items():
                yield name, [(slug, site.pages[slug].title_text) for slug in slugs]

    def _behind(self, address: str, site: Site) -> str:
        """Return what of a link's target shows on the page that links to it."""
        if address.startswith(FILE):
            return self._file(address.removeprefix(FILE))
        slug, _, anchor = address.partition("#")
        page = site.pages.get(slug.rstrip("/"))
        return page.anchors.get(anchor, page.title_text) if page else ""

    def _data(self, outline: Outline) -> Iterator[str]:
        keys = self._computer.keys
        names = sorted({name for name, _ in outline.datasets})
        known = keys.datasets(outline.slug) if names else {}
        functions = keys.functions(outline.slug) if names else {}
        for name in names:
            if name in known or name in functions:
                # A page shows the source itself, so comments count here as they do not for results.
                yield from map(self._file, keys.reach(outline.slug, name).files.values())
            if name in known:
                yield name + self._computer.key(outline.slug, name)
            elif name in functions:
                yield name + keys.key(outline.slug, name)
                for need in functions[name].needs:
                    yield need + self._computer.key(outline.slug, need)

    def _figures(self, outline: Outline) -> Iterator[str]:
        """Yield what the page's scripts may hang on: a figure imports files beside it by name."""
        if not outline.kinds:
            return
        yield self._scripts
        folder = posixpath.dirname(outline.path)
        beside = self._own_scripts.get(folder, ())
        yield from (path + self._file(path) for path in beside)
        if any(f"{folder}/{kind}.js" not in beside for kind in outline.kinds):
            yield self._shared_kinds

    def _listings(self, outline: Outline) -> Iterator[str]:
        folder = posixpath.dirname(outline.path)
        for target in outline.listings:
            try:
                yield self._file(locate(target, folder, self._tree)[0])
            except NotFoundError:
                yield ""

    def _file(self, path: str) -> str:
        source = self._tree.files.get(path)
        return source.digest if source else ""
