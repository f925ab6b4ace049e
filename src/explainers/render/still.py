"""A figure's first frame as a picture that lives anywhere: its colours and type inside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from ..model import Drawing, Output

SHEETS = ("tokens", "figure")
"""The style sheets that a picture needs."""

_BASE = "svg{background:var(--paper);color:var(--ink);font:12.5px var(--sans)}"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def paper_style(css: str) -> str:
    """Return the styles of a picture on paper: no other mode, no other medium."""
    css = _COMMENT.sub("", css)
    kept: list[str] = []
    position = 0
    while (start := css.find("@", position)) >= 0:
        kept.append(css[position:start])
        position = _end(css, css.index("{", start))
    kept.append(css[position:])
    return re.sub(r"\s+", " ", "".join(kept)) + _BASE


def sheets() -> Iterator[str]:
    """Yield the paths of the style sheets that a picture needs."""
    yield from (f"static/css/{name}.css" for name in SHEETS)


def still(name: str, drawing: Drawing, style: str) -> Output | None:
    """Return the picture as an SVG file, or None when it is not one SVG alone."""
    start, end = drawing.picture.find("<svg"), drawing.picture.rfind("</svg>")
    if start < 0 or drawing.picture.count("<svg") != 1:
        return None
    svg = drawing.picture[start : end + len("</svg>")]
    size = re.search(r'viewBox="\s*\S+\s+\S+\s+([\d.]+)\s+([\d.]+)', svg)
    if size is None:
        return None
    kind = re.search(r'\sclass="([^"]*)"', svg[: svg.index(">")])
    names = f"picture {kind[1]}" if kind else "picture"
    rest = re.sub(r'\s(?:class|width|height)="[^"]*"', "", svg[: svg.index(">")])
    text = (
        f'{rest} class="{names}" xmlns="http://www.w3.org/2000/svg"'
        f' width="{size[1]}" height="{size[2]}"><style>{escape(style)}</style>'
        f"{svg[svg.index('>') + 1 :]}\n"
    )
    try:
        ET.fromstring(text)
    except ET.ParseError:
        return None  # what HTML forgives, a file of its own may not hold
    data = text.encode()
    return Output(f"_/{name}.{hashlib.sha256(data).hexdigest()[:10]}.svg", data)


def _end(css: str, opening: int) -> int:
    """Return where the block that opens here is closed."""
    depth = 0
    for found in re.compile(r"[{}]").finditer(css, opening):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return found.end()
    return len(css)
