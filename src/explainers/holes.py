"""The frozen types of what stands in a text until a later stage fills it in."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import Span


@dataclass(frozen=True, slots=True)
class Formula:
    """TeX to be typeset; `span` is where its first character stands.

    `shifts` are the characters that stand before each further line of it in the file alone.
    """

    tex: str
    display: bool
    span: Span
    label: str = ""
    number: int = 0
    shifts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression over the article's datasets.

    `use` is value, claim, answer, number or define. A `numbers` table binds `name` for all other
    expressions of the page: "number" shows the value, "define" is a literal shown already.
    """

    text: str
    use: str
    span: Span
    tolerance: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure asked for: its kind, its datasets by the names the kind gives them, its state.

    `data` pairs the kind's name ("data" when there is only one) with the dataset's name and the
    place where that was typed; `state` and `options` are JSON text.
    """

    kind: str
    label: str
    number: int
    data: tuple[tuple[str, str, Span], ...]
    state: str
    span: Span
    options: str = "{}"


@dataclass(frozen=True, slots=True)
class Move:
    """A word that moves a figure: what it sets of its state, as in an address; None: dragged."""

    label: str
    state: tuple[tuple[str, str | None], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Listing:
    """Source code shown as it ran: a file, and the function in it when one is named."""

    target: str
    span: Span
    label: str = ""
    options: str = "{}"


@dataclass(frozen=True, slots=True)
class Link:
    """A link, image or download that must lead somewhere.

    `use` is link, image, ref, eq, cite or gloss; "size" stands after an image's address for its
    width and height, "words" for what a reference to another page shows, "users" for the pages
    that use an entry of the glossary.
    """

    target: str
    use: str
    span: Span


@dataclass(frozen=True, slots=True)
class Opening:
    """Where the page says for whom it is and what the reader will be able to predict."""


Hole = Formula | Expression | Figure | Listing | Link | Opening
"""What a later stage fills in."""

Part = str | Hole
"""HTML, or a hole in it."""
