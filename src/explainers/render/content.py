"""An article for readers elsewhere: no script, no style of ours, whole addresses."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace

from ..model import Drawing, Figure, Output, Part
from .entry import Page
from .fill import fill
from .still import table

_MATHML = re.compile(r"<math.*?</math>", re.DOTALL)
_HERE = re.compile(r'(<[^<>]*?\s(?:href|src)=")#')


def content(page: Page, base: str, pictures: Mapping[Figure, Output]) -> str:
    """Return a page's text as HTML: formulas as MathML, figures as pictures at rest.

    A figure without a picture is told in words and numbers; each leads to its place on the page.
    """
    url = f"{base}{page.outline.slug}/"
    answers = replace(
        page.answers,
        formulas={tex: _mathml(text) for tex, text in page.answers.formulas.items()},
        opening="",
    )
    parts: list[Part] = [
        _still(part, page.answers.drawings[part], url, base, pictures.get(part))
        if isinstance(part, Figure)
        else part
        for part in page.body.parts
    ]
    # A plain string: Markup would escape what is put in.
    text = str(fill(parts, answers, base)) + str(page.sources)
    return _HERE.sub(rf"\g<1>{html.escape(url)}#", text)


def _mathml(text: str) -> str:
    found = _MATHML.search(text)
    return found[0] if found else text


def _still(figure: Figure, drawing: Drawing, url: str, base: str, picture: Output | None) -> str:
    where = html.escape(f"{url}#{figure.label}")
    words = html.escape(drawing.describe)
    if picture is None:
        return f'<p><em>{words}</em> <a href="{where}">The figure, alive</a></p>{table(drawing)}'
    address = html.escape(base + picture.path)
    return f'<a href="{where}"><img src="{address}" alt="{words}"></a>'
