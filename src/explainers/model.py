"""The frozen types that pass from stage to stage."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .catalogue import Place, Series, Tag
from .errors import Span
from .holes import Expression as Expression
from .holes import Figure as Figure
from .holes import Formula as Formula
from .holes import Hole as Hole
from .holes import Link as Link
from .holes import Listing as Listing
from .holes import Move as Move
from .holes import Opening as Opening
from .holes import Part as Part
from .tree import Source as Source
from .tree import Tree as Tree
from .tree import folder_of as folder_of

# ---- parse -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Erratum:
    """A mistake that was corrected after publication."""

    date: dt.date
    text: str


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What an article says of itself, checked; texts are inline Markdown as typed."""

    title: str
    summary: str
    date: dt.date
    updated: dt.date | None = None
    kind: str = "article"
    tags: tuple[str, ...] = ()
    audience: str = ""
    prerequisites: tuple[str, ...] = ()
    predict: tuple[str, ...] = ()
    featured: bool = False
    draft: bool = False
    html: bool = False
    aliases: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    lang: str = ""
    license: str = ""
    errata: tuple[Erratum, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its anchor, its HTML with holes, its section number ("3.1", or none)."""

    level: int
    id: str
    parts: tuple[Part, ...]
    number: str
    span: Span


@dataclass(frozen=True, slots=True)
class Definition:
    """An entry of the glossary: its anchor, its word, what its card shows, and where it stands.

    `mark` is the digest of what the card shows, wherever in the file that stands.
    """

    id: str
    word: str
    parts: tuple[Part, ...]
    mark: str
    span: Span

    @property
    def links(self) -> tuple[Link, ...]:
        """Return the links of the card."""
        return tuple(part for part in self.parts if isinstance(part, Link))


@dataclass(frozen=True, slots=True)
class Outline:
    """What the rest of the site may know of a page. Small: link and lists read nothing else.

    `anchors` maps ids to the words a `ref` to each shows ("Figure 2"), `spans` "tags.0" to a place.
    """

    slug: str
    path: str
    meta: FrontMatter
    title: tuple[Part, ...]
    summary: tuple[Part, ...]
    title_text: str
    summary_text: str
    headings: tuple[Heading, ...]
    anchors: Mapping[str, str]
    links: tuple[Link, ...]
    kinds: tuple[str, ...]
    datasets: tuple[tuple[str, Span], ...]
    listings: tuple[str, ...]
    citations: tuple[str, ...]
    words: int
    questions: int = 0
    series: Series | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)
    glossary: tuple[Definition, ...] = ()

    @property
    def section(self) -> str:
        """Return the part of the site it belongs to: articles, series, guide, pages or glossary."""
        return self.path.split("/")[1].removesuffix(".md")

    @property
    def root(self) -> str:
        """Return what leads from the page to the site's root."""
        return "../" * (self.slug.count("/") + 1)


@dataclass(frozen=True, slots=True)
class Body:
    """A page's text: HTML with holes, once for the prose and once for each field of the opening.

    `terms` are the names that words share with formulas, listings and figures, and their places;
    `moves` the words that move a figure.
    """

    parts: tuple[Part, ...]
    audience: tuple[Part, ...] = ()
    prerequisites: tuple[tuple[Part, ...], ...] = ()
    predict: tuple[tuple[Part, ...], ...] = ()
    errata: tuple[tuple[Part, ...], ...] = ()
    terms: tuple[tuple[str, Span], ...] = ()
    moves: tuple[Move, ...] = ()

    def holes(self) -> Iterator[Hole]:
        """Yield every hole, in the order of the page."""
        fields = (self.audience, *self.prerequisites, *self.predict, *self.errata)
        for parts in (self.parts, *fields):
            yield from (part for part in parts if not isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Parsed:
    """What parse makes of one source."""

    outline: Outline
    body: Body


# ---- link --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Site:
    """All pages, how they hang together, and what was held back with the reason.

    `links` maps a page's path and a target as typed there to an address from the site's root
    ("online-softmax/#merge"), or to an address elsewhere. `series` are the slugs of series in
    their order, `tags` go by their names in addresses, `aliases` lead from a path to a slug.
    """

    pages: Mapping[str, Outline]
    newest: tuple[str, ...]
    held_back: tuple[tuple[str, str], ...]
    links: Mapping[tuple[str, str], str]
    series: tuple[str, ...] = ()
    tags: Mapping[str, Tag] = field(default_factory=dict)
    places: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)


# ---- draw --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure's first frame, its sentence, and the JSON that brings it alive.

    `module` names the figure's script among the assets; `props` is what the runtime needs beside
    the datasets, which a page carries once each. `picture` is the part of the HTML that is drawn.
    """

    html: str
    describe: str
    module: str
    props: str
    datasets: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    picture: str = ""


# ---- assets, render, write ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shared:
    """Addresses, from the site's root, of what all pages load.

    `maths_faces` are those of the fonts of formulas, by their names.
    """

    style: str
    maths_style: str
    lists_style: str
    icon: str
    script: str
    preload: tuple[str, ...]
    maths_faces: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Output:
    """One file of the finished site: its path from the output's root, and its bytes."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Report:
    """What a build did: the numbers of its closing line."""

    written: int
    kept: int
    removed: int
    datasets_run: int
    datasets_kept: int
    held_back: tuple[tuple[str, str], ...]
    seconds: float
