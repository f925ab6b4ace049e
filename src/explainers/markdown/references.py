"""The HTML of roles: values, citations, references, words tied to figures."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import parse_qsl

from ..catalogue import GLOSSARY
from ..errors import Span
from ..model import Expression, Link, Move
from ..nearest import nearest
from ..yaml_nodes import YamlError, value
from .expression import note
from .options import as_json
from .page import Page
from .role import Written

Tags = tuple[str, str]
"""What opens a role and what closes it; the words between are rendered on their own."""

_KEY = re.compile(r"[^\s,<>\"'{}]+")
_WORD = re.compile(r"[A-Za-z][\w-]*")


def tags(written: Written, page: Page) -> Tags:
    """Return the HTML before and after a role's words."""
    return _ROLES[written.name](written, page)


def _value(written: Written, page: Page) -> Tags:
    return page.hole(note(Expression(written.words, "value", written.at), page)), ""


def _cite(written: Written, page: Page) -> Tags:
    """Return links to sources, numbered by their first citation."""
    keys = [key.strip() for key in written.target.split(",")]
    made = []
    for key in keys:
        if not _KEY.fullmatch(key):
            message = "a citation names keys of the bibliography, with commas between"
            page.problem("bad-role", message, written.at, "{cite}`milakov2018online`")
            continue
        span = _within(key, written.at, page)
        page.citations.append(key)
        number = list(dict.fromkeys(page.citations)).index(key) + 1
        turn = page.citations.count(key)
        href = page.hole(Link(key, "cite", span))
        made.append(f'<a class="cite" id="cite-{escape(key)}-{turn}" href="{href}">[{number}]</a>')
    words = f"{escape(written.words)} " if written.words else ""
    return words + " ".join(made), ""


def _within(word: str, span: Span, page: Page) -> Span:
    row = page.lines[span.line - 1] if span.line <= len(page.lines) else ""
    found = row.find(word, span.column - 1, span.column - 1 + span.width)
    return Span(span.path, span.line, found + 1, len(word)) if found >= 0 else span


def _ref(written: Written, page: Page) -> Tags:
    """Return a link to a figure, a section, an equation, or to one on another page."""
    path, _, anchor = written.target.rpartition("#")
    if written.target.endswith(".md"):
        path, anchor = written.target, ""
    use = "eq" if written.name == "eq" else "ref"
    if path:
        target = f"{path}#{anchor}" if anchor else path
        href = page.hole(Link(target, use, written.at))
        words = escape(written.words) or page.hole(Link(target, "words", written.at))
        return f'<a class="ref" href="{href}">{words}</a>', ""
    known = page.anchors
    if use == "eq":
        known = {name: words for name, words in known.items() if words.startswith("(")}
    if anchor not in known:
        what = "equation" if use == "eq" else "place"
        message = f'no {what} named "{anchor}" on this page'
        otherwise = (
            "name it: $$ … $$ (label)" if use == "eq" else "name it with :label: or (label)="
        )
        page.problem("unknown-label", message, written.at, nearest(anchor, known, otherwise))
        return escape(written.words or anchor), ""
    href = page.hole(Link(f"#{anchor}", use, written.at))
    return f'<a class="ref" href="{href}">{escape(written.words or known[anchor])}</a>', ""


def _term(written: Written, page: Page) -> Tags:
    if not _WORD.fullmatch(written.target):
        message = "a term is one word of letters, digits, - and _"
        page.problem("bad-role", message, written.at, "{term}`running maximum <m>`")
    page.terms.setdefault((written.target, written.at))
    return f'<span class="term" data-term="{escape(written.target)}">', "</span>"


def _trigger(written: Written, page: Page) -> Tags:
    """Return a link that plays a figure to a step."""
    label, _, query = written.target.partition("?")
    _figure(label, written, page)
    said = parse_qsl(query, keep_blank_values=True)
    state = {key: _plain(text) for key, text in said}
    page.moves.append(Move(label, tuple(said), written.at))
    if not state:
        message = "a trigger says which state it leads to"
        page.problem(
            "bad-role", message, written.at, "{trigger}`shrink the sum <one-sweep?step=5>`"
        )
    href = escape(f"#{label}?{query}")
    data = escape(as_json(state))
    figure = escape(label)
    return (
        f'<a class="trigger" href="{href}" data-figure="{figure}" data-state="{data}">',
        "</a>",
    )


def _plain(text: str) -> object:
    """Return the number or bool that a text is, else the text."""
    try:
        found = value(text)
    except YamlError:
        return text
    is_number = isinstance(found, (bool, int, float)) and math.isfinite(found)
    return found if is_number else text


def _scrub(written: Written, page: Page) -> Tags:
    """Return a number of a figure's state, to be dragged."""
    label, dot, key = written.target.rpartition(".")
    if not dot:
        message = "a scrub names a figure and a part of its state"
        page.problem("bad-role", message, written.at, "{scrub}`one-sweep.shift`")
        return escape(written.words or written.target), ""
    state = _figure(label, written, page)
    page.moves.append(Move(label, ((key, None),), written.at))
    words = written.words
    if not words and state is not None:
        if key in state:
            words = str(state[key])
        else:
            hint = nearest(key, state, f"give the figure :state: {{{key}: …}}, or {{scrub}}`4 <…>`")
            message = f'the state of "{label}" has no "{key}"'
            page.problem("unknown-state", message, written.at, hint)
    return (
        f'<span class="scrub" data-figure="{escape(label)}" data-key="{escape(key)}">'
        f"{escape(words)}",
        "</span>",
    )


def _figure(label: str, written: Written, page: Page) -> Mapping[str, object] | None:
    """Return the state of a figure of this page; None, and a problem, when there is none."""
    if label in page.figures:
        return page.figures[label]
    hint = nearest(label, page.figures, "it must be the label of a figure of this page")
    page.problem("unknown-label", f'no figure "{label}" on this page', written.at, hint)
    return None


def _given(written: Written, page: Page) -> Tags:
    return '<span class="given">', "</span>"


def _hand(written: Written, page: Page) -> Tags:
    return '<span class="hand">', "</span>"


def _gloss(written: Written, page: Page) -> Tags:
    href = page.hole(Link(written.target, "gloss", written.at))
    # On the glossary itself the entry is near: no card of it.
    kind = "ref" if page.path == GLOSSARY else "gloss"
    return f'<a class="{kind}" href="{href}">', "</a>"


_ROLES: Mapping[str, Callable[[Written, Page], Tags]] = {
    "value": _value,
    "cite": _cite,
    "ref": _ref,
    "eq": _ref,
    "term": _term,
    "trigger": _trigger,
    "scrub": _scrub,
    "given": _given,
    "hand": _hand,
    "gloss": _gloss,
}
