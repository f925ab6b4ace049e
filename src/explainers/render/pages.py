"""The pages of a site: what each template is given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from ..config import Config
from ..fonts import maths_preload
from ..model import Body, Expression, Figure, Outline, Output, Site, Tree
from .fill import Answers, caption, data_blocks, fill, picture, place, plate
from .policy import policy
from .templates import Templates

WORDS_A_MINUTE = 200
BOOTSTRAP = "templates/parts/bootstrap.js"


@dataclass(frozen=True, slots=True)
class Shared:
    """Addresses, from the site's root, of what all pages load."""

    style: str
    maths_style: str
    icon: str
    script: str
    preload: tuple[str, ...]
    maths_faces: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Page:
    """An article ready to be laid out; `scripts` come in the order they load."""

    outline: Outline
    body: Body
    answers: Answers
    scripts: tuple[str, ...] = ()
    colophon: tuple[Mapping[str, Any], ...] = ()
    sources: str = ""

    @property
    def maths(self) -> bool:
        """Return whether any formula stands on the page."""
        return bool(self.answers.formulas)

    @property
    def plate(self) -> Figure | None:
        """Return the first figure."""
        return next((hole for hole in self.body.holes() if isinstance(hole, Figure)), None)


class Renderer:
    """Lays out pages with the templates of one site."""

    def __init__(
        self,
        tree: Tree,
        templates: Templates,
        config: Config,
        site: Site,
        shared: Shared,
        version: str,
    ) -> None:
        """Keep what all pages are told."""
        self._templates = templates
        self._config, self._site, self._shared, self._version = config, site, shared, version
        bootstrap = tree.read(BOOTSTRAP).decode().strip() if BOOTSTRAP in tree.files else ""
        self._bootstrap = Markup(bootstrap)

    def article(self, page: Page) -> Output:
        """Return an article's page."""
        outline, meta, root = page.outline, page.outline.meta, page.outline.root
        answers = self._with_opening(page, root)
        body = fill(page.body.parts, answers, root) + Markup(page.sources)
        drawings = list(answers.drawings.values())
        context = {
            **_identity(outline, answers, root),
            "url": f"{outline.slug}/",
            "lang": meta.lang,
            "maths": page.maths,
            "figures": bool(drawings),
            "updated": meta.updated,
            "words": outline.words,
            "tags": meta.tags,
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
            "source_url": "",
            "report_url": "",
        }
        return self._page(
            "article.html", f"{outline.slug}/index.html", root, context, page, colophon=colophon
        )

    def home(self, latest: Page | None, featured: Sequence[Page], count: int) -> Output:
        """Return the home page: the latest article's plate alive, the others' first frames."""
        config = self._config
        context = {
            "title_text": config.title,
            "summary_text": config.tagline,
            "url": "",
            "lang": "",
            "maths": any(page.maths for page in (latest, *featured) if page),
            "figures": latest is not None and latest.plate is not None,
        }
        return self._page(
            "home.html",
            "index.html",
            "",
            context,
            latest,
            latest=self._latest(latest) if latest else None,
            featured=[self._entry(page) for page in featured],
            count=count,
        )

    def missing(self) -> Output:
        """Return the page for addresses that lead nowhere; it is served at any depth."""
        root = urlsplit(self._config.base_url).path or "/"
        context = {
            "title_text": "Not found",
            "summary_text": "",
            "url": "404.html",
            "lang": "",
            "maths": False,
            "figures": False,
        }
        return self._page("404.html", "404.html", root, context, None)

    def _entry(self, page: Page) -> dict[str, Any]:
        """Return what the home page tells of an article, with its picture at rest."""
        drawing = page.answers.drawings.get(page.plate) if page.plate else None
        entry = _identity(page.outline, page.answers, "")
        return {
            **entry,
            "url": f"{page.outline.slug}/",
            "figure": picture(drawing, page.outline.slug) if drawing else "",
        }

    def _latest(self, page: Page) -> dict[str, Any]:
        entry = {**_identity(page.outline, page.answers, ""), "url": f"{page.outline.slug}/"}
        figure = page.plate
        if figure is None:
            return {**entry, "figure": "", "caption": ""}
        live = [page.answers.drawings[figure]]
        return {
            **entry,
            "figure": Markup(plate(figure, page.answers, "", f"{page.outline.slug}/"))
            + data_blocks(live, page.answers, ""),
            "caption": fill(
                caption(page.body.parts, figure), page.answers, f"{page.outline.slug}/"
            ),
        }

    def _with_opening(self, page: Page, root: str) -> Answers:
        """Return the answers with the block that says for whom the page is."""
        body, answers = page.body, page.answers
        opening = {
            "audience": fill(body.audience, answers, root),
            "prerequisites": [fill(parts, answers, root) for parts in body.prerequisites],
            "predict": [fill(parts, answers, root) for parts in body.predict],
        }
        text = self._templates.apply("parts/opening.html", {"opening": opening, "root": root})
        return replace(answers, opening=text)

    def _page(
        self,
        template: str,
        path: str,
        root: str,
        context: Mapping[str, Any],
        page: Page | None,
        **more: Any,
    ) -> Output:
        shared, config = self._shared, self._config
        scripts = page.scripts if page and context["figures"] else ()
        html = "".join(map(str, (context.get("body", ""), *more.values())))
        styles = [shared.style, *([shared.maths_style] if context["maths"] else [])]
        text = self._templates.apply(
            template,
            {
                "site": {
                    "title": config.title,
                    "tagline": config.tagline,
                    "lang": config.lang,
                    "url": config.base_url,
                    "menu": [{"title": t, "url": u} for t, u in config.menus.items()],
                },
                "root": root,
                "page": context,
                "assets": {
                    "styles": styles,
                    "icon": shared.icon,
                    "script": shared.script,
                    "scripts": scripts[:1],
                    "modulepreload": scripts,
                    "preload": [
                        *shared.preload,
                        # Formulas whose fonts come late would move the words around them.
                        *(shared.maths_faces[name] for name in maths_preload(html)),
                    ],
                    "bootstrap": self._bootstrap,
                    "csp": policy(self._bootstrap),
                },
                **more,
            },
        )
        return Output(path, text.encode())


def _identity(outline: Outline, answers: Answers, root: str) -> dict[str, Any]:
    return {
        "title": fill(outline.title, answers, root),
        "title_text": outline.title_text,
        "summary": fill(outline.summary, answers, root),
        "summary_text": outline.summary_text,
        "date": outline.meta.date,
        "minutes": max(1, math.ceil(outline.words / WORDS_A_MINUTE)),
    }


def _claims(page: Page, answers: Answers, root: str) -> Sequence[dict[str, Any]]:
    """Return the statements that were checked: the sentence each stands in, and its expression."""
    claims = []
    for index, part in enumerate(page.body.parts):
        if isinstance(part, Expression) and part.use == "claim":
            sentence = _until(page.body.parts[index + 1 :], "</div>")
            claims.append(
                {
                    "html": fill(sentence, answers, root),
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
