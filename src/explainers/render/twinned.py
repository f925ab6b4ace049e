"""The Markdown twin of a page: values filled in, a figure as its caption, its sentence, a link."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from ..config import Config
from ..listing import language_of
from ..model import Expression, Figure, Formula, Link, Listing, Opening, Outline, Output, Part
from ..twin import INSET, Inset, fenced, markdown
from .entry import Page
from .fill import relative
from .layout import absolute


class _Text:
    """Turns texts of one page into Markdown."""

    def __init__(self, page: Page, config: Config) -> None:
        self._page = page
        self._base = config.base_url or "../" * page.outline.slug.count("/")
        self._url = absolute(config, f"{page.outline.slug}/") or f"{page.outline.slug}/"

    def of(self, parts: Iterable[Part], more: str = "") -> str:
        insets: list[Inset] = []
        texts: list[str] = []
        for part in parts:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, Link):
                texts.append(self._link(part))
            else:
                texts.append(f"{INSET}{len(insets)}{INSET}")
                insets.append(self._inset(part))
        # In text the quote would be escaped: these are attributes.
        whole = "".join(texts) + str(more)
        return markdown(whole.replace(' href="#', f' href="{html.escape(self._url)}#'), insets)

    def line(self, parts: Iterable[Part]) -> str:
        return " ".join(self.of(parts).split())

    def _link(self, hole: Link) -> str:
        found = self._page.answers.links[hole]
        if hole.use == "size":
            return found
        return html.escape(found if hole.use == "words" else relative(found, self._base))

    def _inset(self, hole: Formula | Expression | Figure | Listing | Opening) -> Inset:
        answers = self._page.answers
        match hole:
            case Formula():
                # Terms are a macro of ours; the group they name is TeX everywhere.
                tex = re.sub(r"\\term\{[\w-]+\}", "", hole.tex).strip()
                return Inset(f"$$\n{tex}\n$$", True) if hole.display else Inset(f"${tex}$")
            case Expression():
                shown = hole.use not in ("claim", "define")
                return Inset(answers.values[hole].text if shown else "")
            case Figure():
                told = answers.drawings[hole].describe
                return Inset(f"{told} [The figure, alive]({self._url}#{hole.label})", True)
            case Listing():
                code = re.sub(r"<p .*?</p>|<[^>]+>", "", answers.listings[hole])
                return Inset(
                    fenced(html.unescape(code).strip("\n"), language_of(hole.target)), True
                )
            case Opening():
                return Inset(self._opening(), True)

    def _opening(self) -> str:
        body = self._page.body
        lines = []
        if body.audience:
            lines.append(f"**For whom:** {self.line(body.audience)}")
        if body.prerequisites:
            known = "; ".join(self.line(parts) for parts in body.prerequisites)
            lines.append(f"**What to know before:** {known}")
        if body.predict:
            points = "\n".join(f"- {self.line(parts)}" for parts in body.predict)
            lines.append(f"**What you will predict:**\n\n{points}")
        return "\n\n".join(lines)


def headline(outline: Outline) -> str:
    """Return the title of a page that is named in a twin."""
    formulas = [part for part in outline.title if isinstance(part, Formula)]
    index = iter(range(len(formulas)))
    texts = [
        part if isinstance(part, str) else f"{INSET}{next(index)}{INSET}"
        for part in outline.title
        if isinstance(part, str | Formula)
    ]
    return markdown("".join(texts), [Inset(f"${formula.tex}$") for formula in formulas]).strip()


def twin(page: Page, config: Config, modules: Iterable[tuple[str, str, str]] = ()) -> Output:
    """Return the twin of a page; `modules` are title, address and promise of a series' parts."""
    outline, meta = page.outline, page.outline.meta
    text = _Text(page, config)
    url = absolute(config, f"{outline.slug}/")
    head = [f"# {text.line(outline.title)}", text.line(outline.summary)]
    if outline.section == "articles":
        names = ", ".join(meta.authors or config.authors)
        day = f"{meta.date.day} {meta.date:%B} {meta.date.year}"
        updated = f", updated {meta.updated.isoformat()}" if meta.updated else ""
        head.append(f"{names + ', ' if names else ''}{day}{updated}. {url}".rstrip())
    parts = [
        f"{number}. {f'[{title}]({address})' if address else f'{title} (planned): {promise}'}"
        for number, (title, address, promise) in enumerate(modules, 1)
    ]
    body = text.of(page.body.parts, page.sources)
    blocks = [*head, *(["\n".join(parts)] if parts else []), body.strip()]
    errata = [
        f"- {erratum.date.isoformat()}: {text.line(told)}"
        for erratum, told in zip(meta.errata, page.body.errata, strict=True)
    ]
    if errata:
        blocks += ["## Corrected", "\n".join(errata)]
    return Output(f"{outline.slug}.md", ("\n\n".join(filter(None, blocks)) + "\n").encode())
