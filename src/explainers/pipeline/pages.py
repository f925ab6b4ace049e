"""Bring together what a page's holes are filled with: one batch of pages, stage by stage."""

from __future__ import annotations

import gzip
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import bibliography, draw, scripts
from ..assets import named
from ..compute import Computer, Pair
from ..config import Config
from ..errors import BuildError, Problem, Span, refuse
from ..link import FILE
from ..listing import NotFoundError, shown, traced
from ..model import (
    Drawing,
    Expression,
    Figure,
    Formula,
    Hole,
    Link,
    Listing,
    Output,
    Parsed,
    Part,
    Site,
    Tree,
)
from ..provenance import made
from ..render import Answers, Page
from .keys import BIBLIOGRAPHY
from .outlines import Outlines, Parser

if TYPE_CHECKING:
    from .builder import Builder

INLINE = 20_000
"""Bytes, compressed, of the datasets that a page carries in itself."""


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
    ) -> None:
        """Keep what the stages need."""
        self._builder, self._tree, self._settings = builder, tree, settings
        self._site, self._found, self._parser, self._computer = site, found, parser, computer
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
            slug: self._parser.parsed(self._tree, slug, self._found.keys[slug]) for slug in fresh
        }
        data = self._datasets(parsed)
        values = self._values(parsed, data)
        formulas = self._formulas(parsed)
        listings = self._listings(parsed)
        sources = self._sources(parsed)
        drawings, loaded = self._drawings(parsed, data)
        for slug, item in parsed.items():
            holes = list(_holes(item))
            uses: dict[str, Output] = {}
            figures = {h: drawings[slug, h] for h in holes if isinstance(h, Figure)}
            wires, side = self._carry(slug, figures.values(), data, uses)
            names = _load_order(figures.values(), loaded)
            uses |= {o.path: o for o in loaded.outputs if o.path in names} if loaded else {}
            self._uses[slug] = uses
            self._pages[slug] = Page(
                outline=item.outline,
                body=item.body,
                answers=Answers(
                    formulas={
                        (h.tex, h.display): formulas[h.tex, h.display]
                        for h in holes
                        if isinstance(h, Formula)
                    },
                    values=values[slug],
                    drawings=figures,
                    listings={h: listings[h] for h in holes if isinstance(h, Listing)},
                    links=self._links(item, holes, uses),
                    datasets=wires,
                    side_files=side,
                ),
                scripts=names,
                colophon=tuple(self._made(slug, item, data)),
                sources=sources.get(slug, ""),
            )

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

    def _formulas(self, parsed: Mapping[str, Parsed]) -> Mapping[tuple[str, bool], str]:
        wanted = [h for item in parsed.values() for h in _holes(item) if isinstance(h, Formula)]
        if not wanted:
            return {}
        return draw.formulas(
            wanted, self._settings.macros, self._builder.node(), self._builder.store
        )

    def _listings(self, parsed: Mapping[str, Parsed]) -> dict[Listing, str]:
        found: dict[Listing, str] = {}
        problems: list[Problem] = []
        for item in parsed.values():
            folder = posixpath.dirname(item.outline.path)
            for hole in _holes(item):
                if isinstance(hole, Listing):
                    try:
                        found[hole] = shown(hole, folder, self._tree)
                    except NotFoundError as error:
                        problems.append(error.problem(hole.span))
        refuse(problems)
        return found

    def _sources(self, parsed: Mapping[str, Parsed]) -> dict[str, str]:
        """Return the list of sources of each page that cites."""
        citing = {slug: item.outline for slug, item in parsed.items() if item.outline.citations}
        if not citing:
            return {}
        text = self._read(BIBLIOGRAPHY)
        entries = bibliography.load(text, BIBLIOGRAPHY)
        return {
            slug: bibliography.section(outline.citations, entries)
            for slug, outline in citing.items()
        }

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
                return traced(str(header["function"]), slug, self._computer.keys)
        return ""

    def _carry(
        self,
        slug: str,
        drawings: Iterable[Drawing],
        data: Mapping[Pair, bytes],
        uses: dict[str, Output],
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Split a page's datasets into those it carries and those it loads beside it.

        The smallest are carried first, so that most figures come alive without a request.
        """
        names = dict.fromkeys(name for drawing in drawings for name in drawing.datasets)
        wires = {name: self._computer.wire(slug, name, data[slug, name]) for name in names}
        sizes = {name: len(gzip.compress(text.encode(), 6)) for name, text in wires.items()}
        carried = 0
        side: dict[str, str] = {}
        for name in sorted(wires, key=lambda name: (sizes[name], name)):
            carried += sizes[name]
            if carried > INLINE:
                output = named(f"{name}.json", wires[name].encode())
                uses[output.path] = output
                side[name] = output.path
        return {name: text for name, text in wires.items() if name not in side}, side

    def _links(
        self, item: Parsed, holes: Iterable[Hole], uses: dict[str, Output]
    ) -> dict[Link, str]:
        """Return what fills each link hole; files that pages show are published by content."""
        found: dict[Link, str] = {}
        path = item.outline.path
        for hole in holes:
            if not isinstance(hole, Link):
                continue
            address = self._site.links.get((path, hole.target), "")
            if hole.use == "cite":
                found[hole] = f"#source-{hole.target}"
            elif hole.use == "words":
                found[hole] = self._words(address)
            elif address.startswith(FILE):
                source = address.removeprefix(FILE)
                output = named(posixpath.basename(source), self._tree.read(source))
                uses[output.path] = output
                found[hole] = output.path
            else:
                found[hole] = address
        return found

    def _words(self, address: str) -> str:
        slug, _, anchor = address.partition("/")
        page = self._site.pages[slug]
        return page.anchors.get(anchor.removeprefix("#"), page.title_text)

    def _made(
        self, slug: str, item: Parsed, data: Mapping[Pair, bytes]
    ) -> Iterable[dict[str, Any]]:
        """Yield how each dataset of a page was made, in the order the page names them."""
        declared = self._computer.keys.datasets(slug) if item.outline.datasets else {}
        for name in dict.fromkeys(name for name, _ in item.outline.datasets):
            if name in declared:
                header = self._computer.header(slug, name, data[slug, name])
                key = self._computer.key(slug, name)
                yield made(self._tree, self._computer.keys, slug, name, key, header)

    def _read(self, path: str) -> str:
        if path not in self._tree.files:
            message = f"the site cites sources but has no {path}"
            raise BuildError([Problem("missing-bibliography", message, Span(path))])
        return self._tree.read(path).decode("utf-8", "replace")


def _holes(item: Parsed) -> Iterable[Hole]:
    """Yield the holes of a page, those of its outline first."""
    outline = item.outline
    heads: tuple[tuple[Part, ...], ...] = (outline.title, outline.summary)
    for parts in (*heads, *(heading.parts for heading in outline.headings)):
        yield from (part for part in parts if not isinstance(part, str))
    yield from item.body.holes()


def _load_order(drawings: Iterable[Drawing], loaded: scripts.Scripts | None) -> tuple[str, ...]:
    """Return the scripts of a page's figures in the order they are needed, the runtime first."""
    if loaded is None:
        return ()
    modules = {script.name: script for script in loaded.figures.values()}
    wanted = [modules[drawing.module] for drawing in drawings]
    names = [name for script in wanted for name in (*script.requires, script.name)]
    return tuple(dict.fromkeys([loaded.runtime.name, *names])) if wanted else ()
