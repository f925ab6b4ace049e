"""Titles and summaries of pages that are named by others, without the rest of those pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .. import draw
from ..config import Config
from ..model import Formula, Hole, Outline, Site
from ..render import Answers, Heads

if TYPE_CHECKING:
    from .builder import Builder
    from .pages import Pages

_BARE = Answers({}, {}, {}, {}, {}, {})
"""What fills a text without holes."""


def typeset(
    wanted: Sequence[Formula], settings: Config, builder: Builder
) -> Mapping[tuple[str, bool], str]:
    """Return the HTML of formulas; without any, Node is not asked."""
    if not wanted:
        return {}
    return draw.formulas(wanted, settings.macros, builder.node(), builder.store)


class HeadLines:
    """Fills the heads of a site's pages."""

    def __init__(self, builder: Builder, settings: Config, site: Site, pages: Pages) -> None:
        """Keep what the heads are made of."""
        self._builder, self._settings, self._site, self._pages = builder, settings, site, pages
        self._needy: dict[str, bool] = {}

    def of(self, slugs: Iterable[str]) -> Heads:
        """Return what fills the titles and summaries of these pages."""
        heads = {slug: _holes(self._site.pages[slug]) for slug in slugs}
        wanted = [h for holes in heads.values() for h in holes if isinstance(h, Formula)]
        formulas = typeset(wanted, self._settings, self._builder)

        def answers(slug: str) -> Answers:
            holes = heads[slug]
            if any(not isinstance(hole, Formula) for hole in holes):
                return self._pages.get(slug).answers
            pairs = [(h.tex, h.display) for h in holes if isinstance(h, Formula)]
            return Answers({p: formulas[p] for p in pairs}, {}, {}, {}, {}, {}) if pairs else _BARE

        return answers

    def whole(self, slugs: Iterable[str]) -> tuple[str, ...]:
        """Return those of the pages whose head needs the page's own data."""
        return tuple(slug for slug in slugs if self._needs_page(slug))

    def _needs_page(self, slug: str) -> bool:
        if slug not in self._needy:
            holes = _holes(self._site.pages[slug])
            self._needy[slug] = any(not isinstance(hole, Formula) for hole in holes)
        return self._needy[slug]


def _holes(outline: Outline) -> list[Hole]:
    return [part for part in (*outline.title, *outline.summary) if not isinstance(part, str)]
