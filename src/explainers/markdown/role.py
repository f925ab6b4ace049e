"""The inline rule of roles, {name}`content`: their grammar and their targets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from ..errors import Span
from ..nearest import listed, nearest
from .page import page_of
from .roles import ROLES, Role

OPENING = re.compile(r"\{([A-Za-z][\w-]{0,35})\}(`+)")
TARGET = re.compile(r"(.*?)\s*<([^<>]*)>\s*$", re.DOTALL)
_TICKS = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class Written:
    """A role as it was written: `span` is the whole, `at` its target (or its content)."""

    name: str
    words: str
    target: str
    span: Span
    at: Span


def install(md: MarkdownIt) -> None:
    """Add the rule."""
    md.inline.ruler.before("escape", "role", _rule)


def closing(state: StateInline, start: int, length: int) -> int:
    """Return where the next run of exactly `length` backticks begins, -1 when there is none.

    What was looked for in vain is kept for the paragraph, so that many openings stay cheap.
    """
    if not state.backticksScanned:
        for found in _TICKS.finditer(state.src):
            state.backticks[found.end() - found.start()] = found.start()
        state.backticksScanned = True
    if state.backticks.get(length, -1) < start:
        return -1
    for found in _TICKS.finditer(state.src, start, state.posMax):
        if found.end() - found.start() == length:
            return found.start()
    return -1


def _rule(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if state.src[start] != "{":
        return False
    opening = OPENING.match(state.src, start, state.posMax)
    if not opening:
        return False
    name, ticks = opening[1], len(opening[2])
    page = page_of(state.env)
    begin = opening.end()
    end = closing(state, begin, ticks)
    if end < 0:
        if not silent:
            span = page.span(state.src, start, begin)
            way = f"end it with {opening[2]} in the same paragraph"
            page.problem("unclosed-role", f"this {name} is never closed", span, way)
            state.append_pending(state.src[start:begin])
        state.pos = begin
        return True
    if silent:
        state.pos = end + ticks
        return True
    span = page.span(state.src, start, end + ticks)
    role = ROLES.get(name)
    if role is None:
        known = listed(f"{{{other}}}" for other in ROLES)
        hint = nearest(name, ROLES, f"roles: {known}")
        at = page.span(state.src, start + 1, start + 1 + len(name))
        page.problem("unknown-role", f'no role "{name}"', at, hint)
    else:
        _push(state, name, role, span, begin, end)
    state.pos = end + ticks
    return True


def _push(state: StateInline, name: str, role: Role, span: Span, begin: int, end: int) -> None:
    """Push the role's token, with tokens for its words when they are Markdown."""
    page = page_of(state.env)
    content = state.src[begin:end]
    words, target = " ".join(content.split("\n")).strip(), ""
    at = page.span(state.src, begin, end)
    last = end
    if role.target and (match := TARGET.match(content)):
        words, target = " ".join(match[1].split("\n")).strip(), match[2].strip()
        at = page.span(state.src, begin + match.start(2), begin + max(match.end(2), 1))
        last = begin + match.end(1)
    elif role.target == "self":
        target = words
        words = words if role.words else ""
    if not (words or target) or (role.target and not target):
        message = f"{name} says nothing" if role.target != "must" else f"{name} needs a <target>"
        page.problem("bad-role", message, span, f"write it like {role.example}")
        return
    token = state.push("role_open", "", 1)
    token.info = name
    token.content = content
    token.meta = {"role": Written(name, words, target, span, at)}
    if role.words:
        old, maximum = state.pos, state.posMax
        state.pos, state.posMax = begin, last
        state.md.inline.tokenize(state)
        if state.pos > last:
            # Text runs to the next sign of the grammar: here over the spaces before the target.
            state.tokens[-1].content = state.tokens[-1].content[: last - state.pos]
        state.pos, state.posMax = old, maximum
    state.push("role_close", "", -1).info = name
