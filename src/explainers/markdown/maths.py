r"""Formulas between dollars, by pandoc's rules, so that prices stay prices.

The opening dollar has no space after it; the closing one has none before it and no digit after
it; the first dollar that is not escaped, not in a code span and not in `\text{…}` decides.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ..errors import Span
from .options import NAME
from .page import Page, page_of
from .role import closing

_STOP = re.compile(r"[$\\`]")
_TEXT = re.compile(r"\\(?:text|textrm|textbf|textit|mbox)\s*\{")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_TICKS = re.compile(r"`+")
_CLOSE = re.compile(r"(?<!\\)\$\$[ \t]*(?:\(([^()]*)\))?[ \t]*$")
LONGEST_TEXT = 1000
"""Characters that one `\\text{…}` may hold; without a bound, many open ones cost a square."""

_ALT = ["paragraph", "reference", "blockquote", "list"]


def install(md: MarkdownIt) -> None:
    """Add the rules."""
    md.block.ruler.before("fence", "formula", _block, {"alt": _ALT})
    md.inline.ruler.before("escape", "maths", _inline)


def _inline(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if state.src[start] != "$":
        return False
    display = state.src.startswith("$$", start)
    begin = start + (2 if display else 1)
    end = _end(state, begin, "$$" if display else "$")
    if end < 0:
        # Both dollars are text, or the second would open a formula of its own.
        if not silent:
            state.append_pending(state.src[start:begin])
        state.pos = begin
        return True
    after = end + begin - start
    if not silent:
        token = state.push("formula", "", 0)
        token.content = state.src[begin:end].strip()
        shift = len(state.src[begin:end]) - len(state.src[begin:end].lstrip())
        page, first = page_of(state.env), begin + shift
        rows = [first + found.end() for found in re.finditer("\n", token.content)]
        # Marks of quotes and lists are no part of the text, but of the file's lines.
        shifts = tuple(page.span(state.src, row, row + 1).column - 1 for row in rows)
        span = page.span(state.src, first, end)
        token.meta = {"span": span, "display": display, "shifts": shifts}
    state.pos = after
    return True


def _end(state: StateInline, begin: int, mark: str) -> int:
    """Return where the closing dollars stand, -1 when this is no formula."""
    src, last = state.src, state.posMax
    if begin >= last or (mark == "$" and src[begin].isspace()):
        return -1
    position = begin
    while found := _STOP.search(src, position, last):
        position = found.start()
        if src[position] == "`":
            ticks = _TICKS.match(src, position, last)
            length = ticks.end() - position if ticks else 1
            close = closing(state, position + length, length)
            position = close + length if close >= 0 else position + length
        elif src[position] == "\\":
            text = _TEXT.match(src, position, last)
            position = _balanced(src, text.end(), last) if text else position + 2
        elif mark == "$$":
            if src.startswith(mark, position):
                return position if src[begin:position].strip() else -1
            position += 1
        else:
            price = position + 1 < last and src[position + 1].isdigit()
            wrong = position == begin or src[position - 1].isspace() or price
            return -1 if wrong else position
    return -1


def _balanced(src: str, begin: int, last: int) -> int:
    """Return the place after the brace that closes, or `begin` when none does."""
    depth = 1
    for found in _BRACE.finditer(src, begin, min(last, begin + LONGEST_TEXT)):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return begin


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", begin) or state.is_code_block(start):
        return False
    first = state.src[begin + 2 : state.eMarks[start]]
    close = _CLOSE.search(first)
    if close is None and "$$" in first:
        return False  # text goes on after the formula: it is a part of a paragraph
    if silent:
        return True
    line, offset, rows = start, begin + 2, [first]
    while close is None:
        line += 1
        if line >= end or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            break
        # The indent stays: the typesetter's errors are counted from the line's start.
        offset = state.bMarks[line]
        rows.append(state.src[offset : state.eMarks[line]])
        close = _CLOSE.search(rows[-1])
    opening = _span(state, start, begin, 2)
    state.line = min(line + 1, end) if close else line
    if close is None:
        hint = "end it with $$; a formula holds no blank line"
        message = "this formula is never closed"
        page_of(state.env).problem("unclosed-formula", message, opening, hint)
        return True
    rows[-1] = rows[-1][: close.start()]
    tex = "\n".join(rows)
    if not tex.strip():
        page_of(state.env).problem("empty-formula", "this formula is empty", opening)
        return True
    blank = tex[: len(tex) - len(tex.lstrip())]
    at = start + blank.count("\n")
    indent = len(blank) - blank.rfind("\n") - 1
    where = (state.bMarks[at] if at > start else begin + 2) + indent
    token = state.push("formula_block", "", 0)
    token.block, token.map, token.content = True, [start, state.line], tex.strip()
    token.meta = {
        "span": _span(state, at, where, len(token.content.split("\n")[0])),
        "label": "",
        "label_span": _span(state, line, offset + max(0, close.start(1)), len(close[1] or "")),
    }
    _label(token, close[1], page_of(state.env))
    return True


def _label(token: Token, typed: str | None, page: Page) -> None:
    """Keep the name a formula is given in parentheses."""
    name = (typed or "").strip()
    if NAME.fullmatch(name):
        token.meta["label"] = name
    elif typed is not None:
        message = "an equation's label is one word of letters, digits, - and _"
        page.problem("bad-label", message, token.meta["label_span"], "$$ … $$ (merge-rule)")


def _span(state: StateBlock, line: int, offset: int, width: int) -> Span:
    """Return the place of a part of the body, by its offset in the parser's text."""
    column = offset - state.src.rfind("\n", 0, offset) - 1
    return page_of(state.env).row(line, column, max(1, width))
