"""The `numbers` table: named numbers, each with its source or an expression."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from markdown_it.token import Token

from ..errors import Span
from ..model import Expression
from ..nearest import listed, nearest
from .content import Content
from .expression import note
from .outline import plain
from .page import Page

COLUMNS = ("name", "what", "value", "unit", "source")
NEEDED = ("name", "value")
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"[-+−]?\d[\d,_  ]*(?:\.\d+)?(?:[eE][-+−]?\d+)?|[-+]?0x[0-9A-Fa-f]+")
_SHAPE = "| name | what | value | unit | source |"


def numbers(content: Content) -> str:
    """Return the table, and bind each row's name for the page's expressions."""
    page = content.page
    rows = _rows(content.tokens)
    if rows is None or len(rows) < 2:
        message = "the body of numbers is one table"
        page.problem("bad-numbers", message, content.block.span, f"its first line: {_SHAPE}")
        return ""
    columns = _columns(rows[0], content)
    if columns is None:
        return ""
    shown = [c for c in COLUMNS if c in columns and not (c == "name" and "what" in columns)]
    head = "".join(f'<th scope="col">{escape(c.capitalize())}</th>' for c in shown)
    body = "".join(_row(row, columns, shown, content) for row in rows[1:])
    turn = page.count("numbers")
    label = "Numbers" if turn == 1 else f"Numbers ({turn})"
    return (
        f'<section class="table"{content.id} tabindex="0" aria-label="{label}">'
        f'<table class="numbers">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>'
        "</table></section>\n"
    )


def _rows(tokens: Sequence[Token]) -> list[list[Token]] | None:
    """Return the cells of the one table, or None when the body is something else."""
    if not tokens or tokens[0].type != "table_open" or tokens[-1].type != "table_close":
        return None
    if sum(token.type == "table_open" for token in tokens) != 1:
        return None
    rows: list[list[Token]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token)
    return rows


def _columns(head: list[Token], content: Content) -> Mapping[str, int] | None:
    page = content.page
    columns: dict[str, int] = {}
    for index, token in enumerate(head):
        name = plain(token.children).lower()
        if name not in COLUMNS:
            hint = nearest(name, COLUMNS, f"columns: {listed(COLUMNS)}")
            message = f'numbers has no column "{name}"'
            page.problem("bad-numbers", message, _span(token, page), hint)
        columns[name] = index
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        message = f"numbers needs a column {listed(missing)}"
        page.problem("bad-numbers", message, content.block.span, f"its first line: {_SHAPE}")
        return None
    return columns


def _row(row: list[Token], columns: Mapping[str, int], shown: list[str], content: Content) -> str:
    page = content.page
    cells = {name: row[index] for name, index in columns.items()}
    name = plain(cells["name"].children)
    span = _span(cells["name"], page)
    if not _NAME.fullmatch(name):
        message = "a number's name is one word of letters, digits and _"
        page.problem("bad-numbers", message, span, "as expressions read it: numbers.exp_limit")
    elif name in page.names:
        hint = f"it is also at {page.names[name]}"
        page.problem("duplicate-number", f'two numbers are named "{name}"', span, hint)
    page.names.setdefault(name, span)
    title = f"<code>{escape(name)}</code>"
    made = []
    for column in shown:
        if column in ("name", "what"):
            words = content.render([cells[column]]) if column == "what" else title
            made.append(f'<th scope="row">{words or title}</th>')
        elif column == "value":
            made.append(f'<td class="value">{_value(name, cells, content)}</td>')
        else:
            made.append(f'<td class="{column}">{content.render([cells[column]])}</td>')
    return f'<tr id="number-{escape(name)}">{"".join(made)}</tr>\n'


def _value(name: str, cells: Mapping[str, Token], content: Content) -> str:
    """Return the value's HTML: a literal as typed, or a hole for what is computed."""
    page, token = content.page, cells["value"]
    children = [child for child in token.children or [] if child.content or child.type != "text"]
    span = _span(token, page)
    if len(children) == 2 and children[0].type == "role_open" and children[0].info == "value":
        written = children[0].meta["role"]
        found = Expression(written.words, "number", written.at, name=name)
        return page.hole(note(found, page))
    text = plain(children)
    if not _NUMBER.fullmatch(text):
        hint = "a literal like 88.72, or {value}`…` for one that is computed"
        page.problem("bad-numbers", f'"{text}" is not a number', span, hint)
        return escape(text)
    if "source" not in cells or not (plain(cells["source"].children) or _cites(cells["source"])):
        hint = "say where it is from, as {cite}`key`, or compute it with {value}`…`"
        page.problem("number-without-source", f'"{name}" has no source', span, hint)
    literal = re.sub(r"[,_  ]", "", text).replace("−", "-")
    hole = page.hole(Expression(literal, "define", span, name=name))
    return f'{hole}<data class="num cited" value="{escape(literal)}">{escape(text)}</data>'


def _cites(token: Token) -> bool:
    return any(child.type == "role_open" for child in token.children or [])


def _span(token: Token, page: Page) -> Span:
    place = token.meta.get("place")
    span: Span = place.span(0, len(token.content)) if place else page.row((token.map or [0])[0])
    return span
