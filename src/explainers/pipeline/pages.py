"""Bring together what a page's holes are filled with: one batch of pages, stage by stage."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import draw, scripts
from ..assets import small
from ..compute import Computer, Pair
from ..config import Config
from ..digest import digest
from ..errors import BuildError, Problem, Span, refuse
from ..link import cards
from ..listing import NotFoundError, locate, shown, traced
from ..model import (
    Definition,
    Drawing,
    Expression,
    Figure,
    Formula,
    Hole,
    Listing,
    Output,
    Parsed,
    Part,
    Site,
    Tree,
)
from ..render import Answers, Page, noted
from .beside import carry, dress, links, load_order
from .glossary import used
from .heads import typeset
from .library import Library
from .memo import remembered
from .outlines import Outlines, Parser
from .terms import share
from .told import Told

if TYPE_CHECKING:
    from .builder import Builder


class Pages:
    """The pages of one batch, each with everything it shows."""

    def __init__(
        self,
        builder: Builder,
        tree: Tree,
        settings: Config,
        site: Site,
        found: Outlines,
        parser: Parser,
        computer: Computer,
        library: Library,
        engine: str,
    ) -> None:
        """Keep what the stages need."""
        self._builder, self._tree, self._settings = builder, tree, settings
        self._site, self._found, self._parser, self._computer = site, found, parser, computer
        self._library, self._engine = library, engine
        self.told = Told(builder.store, tree, computer, engine)
        self._pages: dict[str, Page] = {}
        self._uses: dict[str, dict[str, Output]] = {}

    def get(self, slug: str) -> Page:
        """Return a page of the batch."""
        return self._pages[slug]

    def uses(self, slugs: Iterable[str]) -> dict[str, Output]:
        """Return the files that pages drawing on these articles load, by path."""
        return {path: output for slug in slugs for path, output in self._uses[slug].items()}

    def prepare(self, slugs: Sequence[str]) -> None:
        """Run the stages for a batch; the first that finds problems raises them all."""
        fresh = [slug for slug in slugs if slug not in self._pages]
        self._pages = {slug: page for slug, page in self._pages.items() if slug in slugs}
        parsed = {
            slug: self._parser.parsed(self._tree, self._found.outlines[slug]) for slug in fresh
        }
        shown = {slug: cards(item.outline, self._site.pages) for slug, item in parsed.items()}
        holes = {slug: [*_holes(item), *_shown(shown[slug])] for slug, item in parsed.items()}
        uses: dict[str, dict[str, Output]] = {slug: {} for slug in parsed}
        filled = links(parsed, holes, self._site, self._tree, uses)
        data = self._datasets(parsed)
        values = self._values(parsed, data)
        formulas = self._formulas(holes)
        listings = self._listings(parsed)
        sources = self._sources(parsed)
        drawings, loaded = self._drawings(parsed, data)
        code, drawn = share(parsed, holes, listings, drawings, loaded)
        for slug, plain in parsed.items():
            item, leads = used(plain, self._site)
            figures = drawn[slug]
            wires = {
                name: self._computer.wire(slug, name, data[slug, name])
                for drawing in figures.values()
                for name in drawing.datasets
            }
            carried, side = carry(figures, wires, uses[slug])
            names = load_order(figures.values(), loaded)
            if loaded and names:
                wanted = {*names, *loaded.later}
                uses[slug] |= {o.path: o for o in loaded.outputs if o.path in wanted}
            styles = dress(figures, loaded, self._tree, self._small, uses[slug])
            self._uses[slug] = uses[slug]
            self._pages[slug] = Page(
                outline=item.outline,
                body=replace(item.body, parts=noted(item.body.parts, self.told.notes(slug, data))),
                answers=Answers(
                    formulas={
                        (h.tex, h.display): formulas[h.tex, h.display]
                        for h in holes[slug]
                        if isinstance(h, Formula)
                    },
                    values=values[slug],
                    drawings=figures,
                    listings=code[slug],
                    links=filled[slug] | leads,
                    datasets=carried,
                    side_files=side,
                ),
                scripts=names,
                styles=styles,
                colophon=tuple(self.told.made(slug, item.outline, data, uses[slug])),
                sources=sources.get(slug, ""),
                cards=shown[slug],
            )

    def _small(self, text: str, loader: str) -> str:
        return small(text, loader, self._builder.node(), self._builder.tool_store)

    def _datasets(self, parsed: Mapping[str, Parsed]) -> dict[Pair, bytes]:
        """Return every dataset that these pages' figures and expressions name."""
        wanted: list[tuple[str, str, Span]] = []
        for slug, item in parsed.items():
            functions = self._computer.keys.functions(slug) if item.outline.datasets else {}
            for name, span in item.outline.datasets:
                if name in functions:
                    wanted += [(slug, need, span) for need in functions[name].needs]
                else:
                    wanted.append((slug, name, span))
        return self._computer.datasets(wanted)

    def _values(
        self, parsed: Mapping[str, Parsed], data: Mapping[Pair, bytes]
    ) -> dict[str, Mapping[Expression, Any]]:
        found: dict[str, Mapping[Expression, Any]] = {}
        problems: list[Problem] = []
        for slug, item in parsed.items():
            expressions = [h for h in _holes(item) if isinstance(h, Expression)]
            try:
                found[slug] = self._computer.values(slug, expressions, data)
            except BuildError as error:
                problems += error.problems
        refuse(problems)
        return found

    def _formulas(self, holes: Mapping[str, Iterable[Hole]]) -> Mapping[tuple[str, bool], str]:
        wanted = [h for found in holes.values() for h in found if isinstance(h, Formula)]
        return typeset(wanted, self._settings, self._builder)

    def _listings(self, parsed: Mapping[str, Parsed]) -> dict[Listing, str]:
        found: dict[Listing, str] = {}
        problems: list[Problem] = []
        for item in parsed.values():
            folder = posixpath.dirname(item.outline.path)
            for hole in _holes(item):
                if isinstance(hole, Listing):
                    try:
                        source, _ = locate(hole.target, folder, self._tree)
                        found[hole] = remembered(
                            self._builder.store,
                            digest(
                                "listing",
                                self._engine,
                                hole.target,
                                hole.options,
                                self._tree.files[source].digest,
                            ),
                            functools.partial(shown, hole, folder, self._tree),
                        )
                    except NotFoundError as error:
                        problems.append(error.problem(hole.span))
        refuse(problems)
        return found

    def _sources(self, parsed: Mapping[str, Parsed]) -> dict[str, str]:
        """Return the list of sources of each page that cites."""
        citing = {slug: item.outline for slug, item in parsed.items() if item.outline.citations}
        if not citing:
            return {}
        from ..bibliography import section

        entries = self._library.entries()
        return {slug: section(outline.citations, entries) for slug, outline in citing.items()}

    def _drawings(
        self, parsed: Mapping[str, Parsed], data: Mapping[Pair, bytes]
    ) -> tuple[dict[tuple[str, Figure], Drawing], scripts.Scripts | None]:
        figures = [
            (slug, hole)
            for slug, item in parsed.items()
            for hole in _holes(item)
            if isinstance(hole, Figure)
        ]
        if not figures:
            return {}, None
        node, store = self._builder.node(), self._builder.store
        loaded = scripts.prepare(
            self._tree,
            [(slug, figure.kind, figure.span) for slug, figure in figures],
            node,
            store,
            self._builder.cache / "js",
        )
        wanted = [
            draw.Wanted(
                figure=figure,
                slug=slug,
                data={
                    role: self._computer.wire(slug, name, data[slug, name])
                    for role, name, _ in figure.data
                },
                listing=self._listing(slug, figure, data),
                made=f"#made-{figure.data[0][1]}" if figure.data else "",
                moves=tuple(m for m in parsed[slug].body.moves if m.label == figure.label),
            )
            for slug, figure in figures
        ]
        drawn = draw.figures(wanted, loaded, node, store)
        return dict(zip(figures, drawn, strict=True)), loaded

    def _listing(self, slug: str, figure: Figure, data: Mapping[Pair, bytes]) -> str:
        """Return the listing of the first traced dataset of a figure."""
        for _, name, _ in figure.data:
            header = self._computer.header(slug, name, data[slug, name])
            if header.get("function"):
                function = str(header["function"])
                return remembered(
                    self._builder.store,
                    digest("traced", self._engine, function, self.told.shown(slug, name)),
                    functools.partial(traced, function, slug, self._computer.keys),
                )
        return ""


def _shown(entries: Iterable[Definition]) -> Iterable[Hole]:
    """Yield the holes of cards."""
    for entry in entries:
        yield from (part for part in entry.parts if not isinstance(part, str))


def _holes(item: Parsed) -> Iterable[Hole]:
    """Yield the holes of a page, those of its outline first."""
    outline = item.outline
    heads: tuple[tuple[Part, ...], ...] = (outline.title, outline.summary)
    for parts in (*heads, *(heading.parts for heading in outline.headings)):
        yield from (part for part in parts if not isinstance(part, str))
    yield from item.body.holes()
