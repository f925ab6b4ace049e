"""A figure's first frame as a picture that lives anywhere: its colours and type inside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from ..model import Drawing, Output

ROUND = 10
"""Units of space around a picture."""

SHEETS = ("tokens", "figure")
"""The style sheets that a picture needs."""

_BASE = "svg{background:var(--paper);color:var(--ink);font:12.5px var(--sans)}"
_TAG = re.compile(r'<[a-zA-Z](?:[^"<>]|"[^"]*")*>')
_ATTRIBUTE = re.compile(r'(\s[\w:-]+)(="[^"]*")?')
_TABLE = re.compile(r'<section class="table"[^>]*>(<table>.*?</table>)</section>', re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def paper_style(css: str) -> str:
    """Return the styles of any picture on paper: no other mode, no other medium."""
    return on_paper(css) + _BASE


def on_paper(css: str) -> str:
    """Return the rules of a style sheet that hold on paper."""
    css = _COMMENT.sub("", css)
    kept: list[str] = []
    position = 0
    while (start := css.find("@", position)) >= 0:
        kept.append(css[position:start])
        position = _end(css, css.index("{", start))
    kept.append(css[position:])
    return re.sub(r"\s+", " ", "".join(kept))


def sheets() -> Iterator[str]:
    """Yield the paths of the style sheets that a picture needs."""
    yield from (f"static/css/{name}.css" for name in SHEETS)


def still(name: str, drawing: Drawing, style: str) -> Output | None:
    """Return the picture as an SVG file, or None when it is not one SVG alone."""
    found = re.fullmatch(
        r'<div class="picture"[^>]*>\s*(<svg\b.*</svg>)\s*</div>', drawing.picture, re.DOTALL
    )
    if found is None:
        return None
    svg = _TAG.sub(_valued, found[1])
    size = re.search(r'viewBox="\s*(\S+)\s+(\S+)\s+([\d.]+)\s+([\d.]+)\s*"', svg)
    if size is None:
        return None
    x, y, width, height = (float(number) for number in size.groups())
    # On a page a picture may reach a little beyond its frame; a file shows its frame alone.
    frame = [x - ROUND, y - ROUND, width + 2 * ROUND, height + 2 * ROUND]
    kind = re.search(r'\sclass="([^"]*)"', svg[: svg.index(">")])
    view = " ".join(f"{number:g}" for number in frame)
    names = f"picture {kind[1]}" if kind else "picture"
    rest = re.sub(r'\s(?:class|width|height|viewBox)="[^"]*"', "", svg[: svg.index(">")])
    text = (
        f'{rest} class="{names}" xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="{view}" width="{frame[2]:g}" height="{frame[3]:g}">'
        f"<style>{escape(style)}</style>"
        f"{svg[svg.index('>') + 1 :]}\n"
    )
    try:
        ET.fromstring(text)
    except ET.ParseError:
        return None  # what HTML forgives, a file of its own may not hold
    data = text.encode()
    return Output(f"_/{name}.{hashlib.sha256(data).hexdigest()[:10]}.svg", data)


def table(drawing: Drawing, most: int = 40) -> str:
    """Return the numbers of a first frame as a table of plain HTML, or "" if there are too many."""
    found = _TABLE.search(drawing.html)
    return found[1] if found and found[1].count("<tr>") <= most else ""


def _valued(tag: re.Match[str]) -> str:
    """Return a tag with a value for each attribute: HTML can do without, a file of its own not."""
    return _ATTRIBUTE.sub(lambda found: found[0] if found[2] else f'{found[1]}=""', tag[0])


def _end(css: str, opening: int) -> int:
    """Return where the block that opens here is closed."""
    depth = 0
    for found in re.compile(r"[{}]").finditer(css, opening):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return found.end()
    return len(css)
