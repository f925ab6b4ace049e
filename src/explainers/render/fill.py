"""Fill the holes of a text with what the other stages made for them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from ..data.claims import Evaluated
from ..errors import Span
from ..model import Drawing, Expression, Figure, Formula, Hole, Link, Listing, Opening, Part

_CLOSING = re.compile(r"[.,;:!?)\]’”]+")
_COMMA = re.compile(r"(?<=\d),(?=\d)")

HELD = 24
"""Characters of TeX up to which a formula is held on one line with what closes it."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What fills the holes of one page.

    `links` gives each link's address from the site's root, or the words it shows; `datasets` the
    JSON of each dataset that a figure needs, `side_files` the address of those too large for that.
    """

    formulas: Mapping[tuple[str, bool], str]
    values: Mapping[Expression, Evaluated]
    drawings: Mapping[Figure, Drawing]
    listings: Mapping[Listing, str]
    links: Mapping[Link, str]
    datasets: Mapping[str, str]
    side_files: Mapping[str, str] = field(default_factory=dict)
    opening: str = ""


def fill(parts: Iterable[Part], answers: Answers, root: str) -> Markup:
    """Return the HTML of a text; `root` leads from its page to the site's root."""
    texts: list[str] = []
    held = False
    for part in parts:
        if not isinstance(part, str):
            texts.append(_filled(part, answers, root))
        elif held and (close := _CLOSING.match(part)):
            # A line may break beside a formula, but not between it and the mark that closes it.
            texts[-1] = f'<span class="nowrap">{texts[-1]}{close[0]}</span>'
            texts.append(part[close.end() :])
        else:
            texts.append(part)
        held = isinstance(part, Formula) and not part.display and len(part.tex) <= HELD
    return Markup("".join(texts))


def _filled(hole: Hole, answers: Answers, root: str) -> str:
    match hole:
        case Formula():
            return answers.formulas[hole.tex, hole.display]
        case Expression():
            return _value(hole, answers.values[hole])
        case Figure():
            return plate(hole, answers, root)
        case Listing():
            return answers.listings[hole]
        case Link():
            return _link(hole, answers.links[hole], root)
        case Opening():
            return answers.opening


def _link(hole: Link, found: str, root: str) -> str:
    if hole.use == "size":
        return found
    return html.escape(found if hole.use == "words" else relative(found, root))


def relative(address: str, root: str) -> str:
    """Return an address as this page writes it: outside addresses and fragments as they are."""
    if address.startswith(("#", "mailto:")) or "://" in address:
        return address
    return root + address or "./"


def _value(hole: Expression, result: Evaluated) -> str:
    if hole.use in ("claim", "define"):
        return ""
    text = html.escape(result.text)
    if hole.use == "answer":
        return text
    note = f' title="{html.escape(result.note)}"' if result.note else ""
    raw = html.escape(result.raw)
    # A comma as wide as a digit would fall out of its number.
    text = _COMMA.sub('<span class="comma">,</span>', text)
    return f'<data class="num {result.origin}" value="{raw}"{note}>{text}</data>'


def plate(figure: Figure, answers: Answers, root: str, colophon: str = "") -> str:
    """Return a figure's first frame and what brings it alive.

    `colophon` leads to the page that says how its data was made, when that is not this page.
    """
    drawing = answers.drawings[figure]
    if colophon:
        props = drawing.props.replace('"#made-', f'"{colophon}#made-')
        frame = drawing.html.replace('href="#made-', f'href="{html.escape(colophon)}#made-')
        drawing = replace(drawing, html=frame, props=props)
    label = html.escape(figure.label)
    return (
        f'<div class="plate" data-figure="{label}" data-kind="{html.escape(figure.kind)}"'
        f' data-module="{html.escape(root + drawing.module)}">{drawing.html}</div>'
        + block(f"props-{figure.label}", drawing.props)
    )


def picture(drawing: Drawing, slug: str) -> Markup:
    """Return a first frame as a picture at rest: nothing in it takes focus, its ids are its own."""
    still = re.sub(r' (?:tabindex|role|aria-[a-z]+)="[^"]*"', "", drawing.picture)
    return Markup(re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{slug}-", still))


def data_blocks(drawings: Iterable[Drawing], answers: Answers, root: str) -> Markup:
    """Return the datasets of a page's figures, each once: their JSON, or where it is."""
    names = dict.fromkeys(name for drawing in drawings for name in drawing.datasets)
    blocks = []
    for name in names:
        if address := answers.side_files.get(name):
            source = f' data-src="{html.escape(root + address)}"'
            blocks.append(block(f"data-{name}", "", source))
        else:
            blocks.append(block(f"data-{name}", answers.datasets[name]))
    return Markup("".join(blocks))


def block(name: str, text: str, attributes: str = "") -> str:
    """Return a block of JSON that no text in it can end."""
    safe = text.replace("<", "\\u003c")
    name = html.escape(name)
    return f'<script type="application/json" id="{name}"{attributes}>{safe}</script>'


def caption(parts: Iterable[Part], figure: Figure) -> tuple[Part, ...]:
    """Return the caption of a figure, without its number, from the text it stands in."""
    found: list[Part] = []
    state = "before"
    for part in parts:
        if part == figure:
            state = "after"
        elif state == "after" and isinstance(part, str):
            start = part.find("<figcaption>")
            if start >= 0:
                state, part = "inside", part[start + len("<figcaption>") :]
        if state == "inside":
            if isinstance(part, str) and (end := part.find("</figcaption>")) >= 0:
                return (*found, part[:end])
            found.append(part)
    return ()


def noted(parts: Iterable[Part], notes: Callable[[Figure], list[str]]) -> tuple[Part, ...]:
    """Return a text whose captions also say where the data of their figures is from."""
    found: list[Part] = []
    said: list[str] = []
    for part in parts:
        if isinstance(part, Figure):
            said = notes(part)
        elif said and isinstance(part, str) and (end := part.find("</figcaption>")) >= 0:
            note = html.escape(" ".join(said), quote=False)
            part = f'{part[:end]} <span class="origin">{note}</span>{part[end:]}'
            said = []
        found.append(part)
    return tuple(found)


def place(span: Span) -> str:
    """Return a place as a reader of the source would look for it."""
    return f"{span.path.removeprefix('content/articles/')}:{span.line}"
