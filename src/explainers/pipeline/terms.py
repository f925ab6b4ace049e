r"""Terms: one name for a word, a formula's term, a variable of a listing and a part of a figure.

All carry `data-term`, which gives them one colour and lights them up together. In a formula it is
written `\term{m}{…}`; a listing's variables and a figure's parts have their own names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import Problem, refuse
from ..model import Drawing, Figure, Formula, Hole, Listing, Parsed
from ..nearest import nearest

if TYPE_CHECKING:
    from ..scripts import Scripts

_TERM = re.compile(r"\\(?:term|htmlData)\{(?:term=)?([\w-]+)\}")
_MARKED = re.compile(r"""data-term=["'`]?([\w-]+)""")
_VARIABLE = re.compile(r'<span class="(n|bp|nb)">([\w-]+)</span>')


def share(
    parsed: Mapping[str, Parsed],
    holes: Mapping[str, Sequence[Hole]],
    listings: Mapping[Listing, str],
    drawings: Mapping[tuple[str, Figure], Drawing],
    loaded: Scripts | None,
) -> tuple[dict[str, dict[Listing, str]], dict[str, dict[Figure, Drawing]]]:
    """Return the listings and figures of each page, the variables that are terms tagged.

    Raises:
        BuildError: a word that names a term which nothing else on its page has.
    """
    code: dict[str, dict[Listing, str]] = {}
    figures: dict[str, dict[Figure, Drawing]] = {}
    problems: list[Problem] = []
    for slug, item in parsed.items():
        names = named(item, holes[slug])
        code[slug] = {h: tagged(listings[h], names) for h in holes[slug] if isinstance(h, Listing)}
        figures[slug] = {}
        texts = list(code[slug].values())
        for hole in holes[slug]:
            if isinstance(hole, Figure):
                drawn = drawings[slug, hole]
                drawn = figures[slug][hole] = replace(drawn, html=tagged(drawn.html, names))
                texts.append(drawn.html)
                if loaded:
                    texts.append(loaded.figures[slug, hole.kind].data.decode())
        problems += orphans(item, holes[slug], texts)
    refuse(problems)
    return code, figures


def named(item: Parsed, holes: Iterable[Hole]) -> frozenset[str]:
    """Return the terms of a page that its words or its formulas name."""
    return frozenset(name for name, _ in item.body.terms) | _set(holes)


def tagged(html: str, names: Collection[str]) -> str:
    """Return highlighted code in which the variables of these names are tagged."""
    if not names:
        return html
    return _VARIABLE.sub(
        lambda found: (
            f'<span class="{found[1]}" data-term="{found[2]}">{found[2]}</span>'
            if found[2] in names
            else found[0]
        ),
        html,
    )


def orphans(item: Parsed, holes: Iterable[Hole], shown: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem for each word that names a term which nothing else on its page has.

    Args:
        item: the page.
        holes: its holes, for the formulas.
        shown: its listings, tagged, and its figures: their first frames and their modules, since
            a part may be drawn in a later state only.
    """
    if not item.body.terms:
        return
    known = _set(holes) | {name for text in shown for name in _MARKED.findall(text)}
    for name, span in item.body.terms:
        if name not in known:
            hint = f"write \\term{{{name}}}{{…}} in a formula, or name a listing's variable"
            message = f'no formula, listing or figure of this page has the term "{name}"'
            yield Problem("unknown-term", message, span, nearest(name, known, hint))


def _set(holes: Iterable[Hole]) -> frozenset[str]:
    return frozenset(
        name for hole in holes if isinstance(hole, Formula) for name in _TERM.findall(hole.tex)
    )
