"""The pages of a site that stand on articles: the article itself, and home."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup

from ..config import Config
from ..model import Expression, Output
from .cite import cite
from .entry import Heads, Page, cards, identity
from .fill import Answers, caption, data_blocks, fill, picture, place, plate
from .layout import Layout, absolute
from .onward import neighbours, onward, tag_links

_ID = re.compile(r' id="[^"]*"')


class Renderer:
    """Lays out articles and home with the templates of one site."""

    def __init__(self, layout: Layout, version: str) -> None:
        """Keep what all pages are told; `version` is the tool's."""
        self._layout, self._version = layout, version
        self._config, self._site = layout.config, layout.site

    def article(self, page: Page, heads: Heads, mark: str) -> Output:
        """Return an article's page; `mark` is the version of what it says."""
        outline, meta, root = page.outline, page.outline.meta, page.outline.root
        answers = self._with_opening(page, root)
        body = fill(page.body.parts, answers, root) + Markup(page.sources) + cards(page, root)
        drawings = list(answers.drawings.values())
        beside = neighbours(outline.slug, self._site)
        context = {
            **identity(outline, answers, root),
            "url": f"{outline.slug}/",
            "twin": f"{outline.slug}.md",
            "published": meta.date,
            "lang": meta.lang,
            "maths": page.maths or any(heads(slug).formulas for slug in beside),
            "figures": bool(drawings),
            "updated": meta.updated,
            "words": outline.words,
            "tags": tag_links(meta.tags),
            "authors": meta.authors or self._config.authors,
            "kind": meta.kind,
            "license": meta.license,
            "body": body + data_blocks(drawings, answers, root),
            "headings": [
                {
                    "level": heading.level,
                    "id": heading.id,
                    "html": fill(heading.parts, answers, root),
                    "number": heading.number,
                }
                for heading in outline.headings
            ],
            "errata": [
                {"date": erratum.date, "html": fill(parts, answers, root)}
                for erratum, parts in zip(meta.errata, page.body.errata, strict=True)
            ],
        }
        colophon = {
            "claims": list(_claims(page, answers, root)),
            "datasets": [
                {**made, "source_html": Markup(made["source_html"])} for made in page.colophon
            ],
            "version": f"explainers {self._version}",
            "rebuild": f"python build.py build {outline.slug}",
            "mark": mark,
            "cite": cite(outline, self._config),
            **_repository(outline.path, outline.slug, mark, self._config),
        }
        return self._layout.page(
            "article.html",
            f"{outline.slug}/index.html",
            root,
            context,
            page.scripts,
            page.styles.values(),
            colophon=colophon,
            onward=onward(outline, self._site, heads, root),
        )

    def home(self, latest: Page | None, featured: Sequence[Page], count: int) -> Output:
        """Return the home page: the latest article's plate alive, the others' first frames."""
        config = self._config
        alive = latest is not None and latest.plate is not None
        context = {
            "title_text": config.title,
            "summary_text": config.tagline,
            "url": "",
            "lang": "",
            "maths": any(page.maths for page in (latest, *featured) if page),
            "figures": alive,
        }
        return self._layout.page(
            "home.html",
            "index.html",
            "",
            context,
            latest.scripts if latest and alive else (),
            _first_styles([latest, *featured] if latest else featured),
            latest=self._latest(latest) if latest else None,
            featured=[self._entry(page) for page in featured],
            count=count,
        )

    def missing(self) -> Output:
        """Return the page for addresses that lead nowhere; it is served at any depth."""
        context = {"title_text": "Not found", "url": "404.html", "canonical": ""}
        return self._layout.page("404.html", "404.html", self._layout.base_path, context)

    def _entry(self, page: Page) -> dict[str, Any]:
        """Return what the home page tells of an article, with its picture at rest."""
        drawing = page.answers.drawings.get(page.plate) if page.plate else None
        entry = identity(page.outline, page.answers, "")
        return {
            **entry,
            "url": f"{page.outline.slug}/",
            "figure": picture(drawing, page.outline.slug) if drawing else "",
        }

    def _latest(self, page: Page) -> dict[str, Any]:
        entry = {**identity(page.outline, page.answers, ""), "url": f"{page.outline.slug}/"}
        figure = page.plate
        if figure is None:
            return {**entry, "figure": "", "caption": ""}
        live = [page.answers.drawings[figure]]
        return {
            **entry,
            "figure": Markup(plate(figure, page.answers, "", f"{page.outline.slug}/"))
            + data_blocks(live, page.answers, ""),
            "caption": fill(caption(page.body.parts, figure), page.answers, ""),
        }

    def _with_opening(self, page: Page, root: str) -> Answers:
        """Return the answers with the block that says for whom the page is."""
        body, answers = page.body, page.answers
        opening = {
            "audience": fill(body.audience, answers, root),
            "prerequisites": [fill(parts, answers, root) for parts in body.prerequisites],
            "predict": [fill(parts, answers, root) for parts in body.predict],
        }
        text = self._layout.apply("parts/opening.html", {"opening": opening, "root": root})
        return replace(answers, opening=text)


def _repository(path: str, slug: str, mark: str, config: Config) -> dict[str, str]:
    """Return where the page's source is, and where a mistake in it is told."""
    if not config.repository:
        return {"source_url": "", "report_url": ""}
    asked = {
        "template": "article-error.yml",
        "title": f"{slug}: ",
        "page": f"{absolute(config, f'{slug}/') or slug} (version {mark})",
    }
    return {
        "source_url": f"{config.repository}/blob/HEAD/{quote(path)}",
        "report_url": f"{config.repository}/issues/new?{urlencode(asked)}",
    }


def _claims(page: Page, answers: Answers, root: str) -> Sequence[dict[str, Any]]:
    """Return the statements that were checked: the sentence each stands in, and its expression."""
    claims = []
    for index, part in enumerate(page.body.parts):
        if isinstance(part, Expression) and part.use == "claim":
            sentence = _until(page.body.parts[index + 1 :], "</div>")
            claims.append(
                {
                    # A repetition: what is addressed is the sentence in the text.
                    "html": Markup(_ID.sub("", fill(sentence, answers, root))),
                    "expression": part.text,
                    "place": place(part.span),
                }
            )
    return claims


def _until(parts: Sequence[Any], end: str) -> list[Any]:
    found: list[Any] = []
    for part in parts:
        if isinstance(part, str) and (stop := part.find(end)) >= 0:
            return [*found, part[:stop]]
        found.append(part)
    return found


def _first_styles(pages: Iterable[Page]) -> Iterator[str]:
    """Yield the styles of the first figure of each page."""
    for page in pages:
        if page.plate and page.plate.kind in page.styles:
            yield page.styles[page.plate.kind]
