"""Footnotes: `[^1]` with its text elsewhere, and `^[inline]`; none gets lost, none dangles."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def, footnote_ref

from .page import Page, page_of
from .role import closing

LONGEST_LABEL = 80
_reference = partial(footnote_ref, always_match=True)
_MARK = re.compile(rf"\[\^[^\s\]]{{1,{LONGEST_LABEL}}}\]")
_BRACKET = re.compile(r"\\.|`+|[\[\]]", re.DOTALL)


def install(md: MarkdownIt) -> None:
    """Add the rules; the notes go to the end of the page, in the order of their references."""
    md.block.ruler.before(
        "reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]}
    )
    md.inline.ruler.after("image", "footnote_inline", _inline)
    md.inline.ruler.after("footnote_inline", "footnote_ref", _placed)
    md.core.ruler.after("inline", "footnotes", _gather)


def _list(env: Any) -> dict[int, Any]:
    notes: dict[int, Any] = env.setdefault("footnotes", {"refs": {}, "list": {}})["list"]
    return notes


def _placed(state: StateInline, silent: bool) -> bool:
    """Read `[^x]`, and note where it stands."""
    if state.src[state.pos] != "[" or not _MARK.match(state.src, state.pos, state.posMax):
        return False
    start, count = state.pos, len(state.tokens)
    if not _reference(state, silent):
        return False
    if not silent:
        token = next(t for t in state.tokens[count:] if t.type == "footnote_ref")
        token.meta["span"] = page_of(state.env).span(state.src, start, state.pos)
    return True


def _inline(state: StateInline, silent: bool) -> bool:
    """Read `^[…]`: its words stay in place until the notes are gathered."""
    start, maximum = state.pos, state.posMax
    if not state.src.startswith("^[", start):
        return False
    end = _brackets(state).get(start + 1, -1)
    if not 0 <= end < maximum:
        return False
    if not silent:
        notes = _list(state.env)
        number = len(notes)
        notes[number] = {}
        span = page_of(state.env).span(state.src, start, end + 1)
        state.push("note_open", "", 1).meta = {"id": number, "span": span}
        state.pos, state.posMax = start + 2, end
        state.md.inline.tokenize(state)
        state.push("note_close", "", -1)
    state.pos, state.posMax = end + 1, maximum
    return True


def _brackets(state: StateInline) -> dict[int, int]:
    """Return where each bracket of the text is closed; found once, so that many stay cheap."""
    if state.env.get("brackets", ("", {}))[0] is not state.src:
        found: dict[int, int] = {}
        opened: list[int] = []
        position = 0
        while sign := _BRACKET.search(state.src, position):
            position = sign.end()
            if sign[0] == "[":
                opened.append(sign.start())
            elif sign[0] == "]" and opened:
                found[opened.pop()] = sign.start()
            elif sign[0][0] == "`":
                close = closing(state, position, len(sign[0]))
                position = close + len(sign[0]) if close >= 0 else position
        state.env["brackets"] = (state.src, found)
    pairs: dict[int, int] = state.env["brackets"][1]
    return pairs


def _gather(state: StateCore) -> None:
    """Move the notes' tokens to the end, and report notes without reference or text."""
    page = page_of(state.env)
    kept, texts, places = _definitions(state.tokens, page)
    notes = _list(state.env)
    _cut(kept, notes)
    for body in texts.values():
        _cut(body, notes)
    used: set[str] = set()
    for tokens in (kept, *texts.values()):
        for token in _references(tokens):
            label = token.meta["label"]
            used.add(label)
            if label not in texts:
                message = f'no footnote "{label}"'
                hint = f"write its text: [^{label}]: … (or put what is no footnote in backticks)"
                page.problem("unknown-footnote", message, token.meta["span"], hint)
                texts[label] = []
    for label, token in places.items():
        if label not in used:
            message = f'nothing refers to the footnote "{label}"'
            page.problem("unused-footnote", message, page.row((token.map or [0])[0]))
    if notes:
        kept.append(Token("footnotes_open", "", 1))
        for number, note in notes.items():
            kept.append(Token("footnote_open", "", 1, meta={"id": number, **_counts(note)}))
            kept += note.get("tokens") or texts.get(note.get("label", ""), [])
            kept.append(Token("footnote_close", "", -1))
        kept.append(Token("footnotes_close", "", -1))
    state.tokens = kept


def _counts(note: dict[str, Any]) -> dict[str, int]:
    return {"count": max(1, note.get("count", 1))}


def _definitions(
    tokens: list[Token], page: Page
) -> tuple[list[Token], dict[str, list[Token]], dict[str, Token]]:
    """Return the tokens outside of notes; those of each note, and its place, by its label."""
    kept: list[Token] = []
    texts: dict[str, list[Token]] = {}
    stack: list[list[Token]] = [kept]
    places: dict[str, Token] = {}
    for token in tokens:
        if token.type == "footnote_reference_open":
            label = token.meta["label"]
            if label in texts:
                message = f'the footnote "{label}" is written twice'
                page.problem("duplicate-footnote", message, page.row((token.map or [0])[0]))
            places[label] = token
            texts[label] = []
            stack.append(texts[label])
        elif token.type == "footnote_reference_close":
            stack.pop()
        else:
            stack[-1].append(token)
    return kept, texts, places


def _references(tokens: list[Token]) -> list[Token]:
    return [
        child
        for token in tokens
        for child in token.children or []
        if child.type == "footnote_ref" and "label" in child.meta
    ]


def _cut(tokens: list[Token], notes: dict[int, Any]) -> None:
    """Take the words of inline notes out of their paragraphs."""
    for token in tokens:
        if not any(child.type == "note_open" for child in token.children or []):
            continue
        stack: list[list[Token]] = [[]]
        for child in token.children or []:
            if child.type == "note_open":
                number = child.meta["id"]
                stack[-1].append(
                    Token("footnote_ref", "", 0, meta={"id": number, "span": child.meta["span"]})
                )
                words: list[Token] = []
                notes[number]["tokens"] = _paragraph(words)
                stack.append(words)
            elif child.type == "note_close":
                stack.pop()
            else:
                stack[-1].append(child)
        token.children = stack[0]


def _paragraph(words: list[Token]) -> list[Token]:
    inline = Token("inline", "", 0, children=words)
    opening = Token("paragraph_open", "p", 1, block=True)
    return [opening, inline, Token("paragraph_close", "p", -1, block=True)]
