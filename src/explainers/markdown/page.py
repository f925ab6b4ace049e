"""What is known of a page while it is parsed: problems, holes, anchors, numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markdown_it.token import Token

from ..errors import Problem, Span
from ..highlight import Colour, highlight
from ..model import Definition, Heading, Hole, Link, Move, Part
from .place import Field, Place

MARK = "\0"
"""Stands around a hole's number in HTML; no text can hold it, parse refuses it."""

RESERVED = frozenset({"colophon", "contents", "footnotes", "main", "opening", "sources", "top"})
"""Ids that pages use themselves."""

PREFIXES = ("fn-", "fnref-", "cite-", "source-", "data-", "props-", "number-", "gloss-")


class Page:
    """One file on its way to HTML; the rules of the grammar share it as `env["page"]`."""

    def __init__(self, path: str, lines: Sequence[str], first: int = 1) -> None:
        """Begin a page whose body starts at line number `first` of the file."""
        self.path, self.lines, self.first = path, lines, first
        self.html = False
        self.curly = True
        self.colour: Colour = highlight
        self.problems: list[Problem] = []
        self.holes: list[Hole] = []
        self.anchors: dict[str, str] = {}
        self.labels: dict[str, Span] = {}
        self.headings: list[Heading] = []
        self.glossary: list[Definition] = []
        self.figures: dict[str, Mapping[str, Any]] = {}
        self.wanted: set[str] = set()
        self.blocks: set[str] = set()
        self.kinds: dict[str, None] = {}
        self.datasets: dict[tuple[str, Span], None] = {}
        self.listings: dict[str, None] = {}
        self.links: list[Link] = []
        self.citations: list[str] = []
        self.terms: dict[tuple[str, Span], None] = {}
        self.moves: list[Move] = []
        self.names: dict[str, Span] = {}
        self.counts: dict[str, int] = {}
        self.colons: list[int] = []
        self.words = 0
        self.place: Place | Field = Place(path, "", first, [""])
        self.source = ""

    # ---- problems and places --------------------------------------------------------------------

    def problem(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        """Keep a mistake."""
        self.problems.append(Problem(code, message, span, hint))

    def row(self, line: int, column: int = 0, width: int = 0) -> Span:
        """Return a place by the body's line and column, from 0; no width: to the line's end."""
        number = self.first + line
        text = self.lines[number - 1] if number <= len(self.lines) else ""
        return Span(self.path, number, column + 1, max(1, width or len(text.rstrip()) - column))

    def stand(self, token: Token, after: int = -1) -> None:
        """Say which inline text is being read now."""
        begin, end = token.map or (0, 1)
        begin += self.first - 1
        rows = self.lines[begin : max(begin + 1, end + self.first - 1)]
        self.source = token.content
        self.place = Place(self.path, token.content, begin + 1, rows, after)

    def span(self, source: str, start: int, end: int) -> Span:
        """Return the place of a part of the inline text that is being read.

        `source` may be a part of that text, as an image's description is.
        """
        if source != self.source:
            moved = max(0, self.source.find(source))
            start, end = start + moved, end + moved
        return self.place.span(start, end)

    # ---- holes ----------------------------------------------------------------------------------

    def hole(self, hole: Hole) -> str:
        """Keep a hole and return what stands for it in HTML."""
        self.holes.append(hole)
        if isinstance(hole, Link) and hole.use not in ("size", "words", "users"):
            self.links.append(hole)
        return f"{MARK}{len(self.holes) - 1}{MARK}"

    def parts(self, html: str) -> tuple[Part, ...]:
        """Return HTML cut at its holes."""
        pieces: list[Part] = []
        for index, piece in enumerate(html.split(MARK)):
            if index % 2:
                pieces.append(self.holes[int(piece)])
            elif piece:
                pieces.append(piece)
        return tuple(pieces)

    # ---- names ----------------------------------------------------------------------------------

    def count(self, what: str) -> int:
        """Return the next number of this series, from 1."""
        self.counts[what] = self.counts.get(what, 0) + 1
        return self.counts[what]

    def label(self, name: str, words: str, span: Span) -> bool:
        """Take a name for a place on the page; False when it is taken."""
        if name in self.labels:
            hint = f"it is also at {self.labels[name]}"
            self.problem("duplicate-label", f'two places are named "{name}"', span, hint)
            return False
        if name in RESERVED or name.startswith(PREFIXES):
            message = f'"{name}" is a name the page itself uses'
            self.problem("reserved-label", message, span, "choose another name")
        self.labels[name] = span
        self.anchors[name] = words
        return True


def page_of(env: Any) -> Page:
    """Return the page the rules work on."""
    page: Page = env["page"]
    return page
