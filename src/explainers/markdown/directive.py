"""The block rule of `:::{name} argument`: its grammar, not what each directive means."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from ..errors import Span
from ..nearest import listed, nearest
from .directives import ALIASES, ANSWERED, DIRECTIVES, SHOWN, Directive
from .options import LINE, Given, read
from .page import Page, page_of

OPENING = re.compile(r"(:{3,})[ \t]*\{([^}\s]*)\}[ \t]*(.*?)[ \t]*$")
COLONS = re.compile(r":{3,}")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)$")
NEVER = 1_000
"""More colons than a line has: nothing inside a block of so many is nested wrongly."""

_ALT = ["paragraph", "reference", "blockquote", "list"]


@dataclass(frozen=True, slots=True)
class Block:
    """A directive as it was written: `span` is its name, `at` its argument.

    `source` is its body where that is shown.
    """

    name: str
    argument: str
    span: Span
    at: Span
    options: dict[str, Given] = field(default_factory=dict)
    source: str = ""

    def text(self, key: str, otherwise: str = "") -> str:
        """Return an option's value."""
        given = self.options.get(key)
        return given.value if given else otherwise

    def where(self, key: str) -> Span:
        """Return where an option's value stands, the directive's name when it is not given."""
        given = self.options.get(key)
        return given.span if given else self.span


def install(md: MarkdownIt) -> None:
    """Add the rule."""
    md.block.ruler.before("fence", "directive", _rule, {"alt": _ALT})


def _rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not state.src.startswith(":::", state.bMarks[start] + state.tShift[start]):
        return False
    if state.is_code_block(start):
        return False
    text = _line(state, start)
    colons = COLONS.match(text)
    if not colons:
        return False
    if silent:
        return True
    page = page_of(state.env)
    length = len(colons[0])
    opening = OPENING.match(text)
    column = _column(state, start)
    if opening is None:
        _stray(page, page.row(start, column), text[length:].strip(), length)
        state.line = start + 1
        return True
    if page.colons and page.colons[-1] <= length:
        hint = f"give the outer block more colons: {':' * (length + 1)}{{…}}"
        message = "a block inside another needs fewer colons than the one around it"
        page.problem("nested-directive", message, page.row(start, column, length), hint)
    body = start + 1
    rows = []
    while body < end and state.sCount[body] >= state.blkIndent and LINE.match(_line(state, body)):
        rows.append((body, _column(state, body), _line(state, body)))
        body += 1
    close, cut, late = _close(state, body, end, length, opening[2])
    for number in late:
        hint = "put it right after the opening line, with no blank line between"
        place = page.row(number, _column(state, number))
        page.problem("late-option", "this option stands in the body", place, hint)
    closed = close >= 0
    if not closed:
        span = page.row(start, column, len(text.rstrip()))
        hint = f"end it with a line {':' * length}"
        message = f"this {opening[2] or 'block'} is never closed"
        page.problem("unclosed-directive", message, span, hint)
        close = _outdent(state, body, end)
    block = _block(page, start, column, opening, rows)
    if block.name in SHOWN:
        block = replace(block, source=state.getLines(body, close, state.blkIndent, False))
    lines = (start, body, cut if 0 <= cut < close else close, close)
    # What an unclosed block swallows is no mistake of its own.
    page.colons.append(length if closed else NEVER)
    _emit(state, block, lines, close + closed)
    page.colons.pop()
    return True


def _block(
    page: Page, line: int, column: int, opening: re.Match[str], rows: list[tuple[int, int, str]]
) -> Block:
    """Check the opening line and the options against the table."""
    name, argument = opening[2], opening[3]
    span = page.row(line, column + opening.start(2), len(name))
    at = page.row(line, column + opening.start(3), len(argument)) if argument else span
    directive = DIRECTIVES.get(name)
    if directive is None:
        hint = nearest(name, DIRECTIVES, f"directives: {listed(DIRECTIVES)}")
        page.problem("unknown-directive", f'no directive "{name}"', span, hint)
        return Block(name, argument, span, at)
    _argument(page, name, directive, argument, span, at)
    return Block(name, argument, span, at, read(name, directive, page, rows))


def _argument(
    page: Page, name: str, directive: Directive, argument: str, span: Span, at: Span
) -> None:
    if directive.argument in ("", "title"):
        if argument and not directive.argument:
            message = f"{name} takes nothing after its name"
            page.problem("unexpected-argument", message, at, "its text goes on the next line")
    elif not argument:
        hint = f":::{{{name}}} {directive.argument.upper()}"
        page.problem("missing-argument", f"{name} needs its {directive.argument}", span, hint)


def _emit(state: StateBlock, block: Block, lines: tuple[int, int, int, int], after: int) -> None:
    """Push the directive's tokens: title, body, answer."""
    start, body, cut, close = lines
    token = state.push("directive_open", "", 1)
    token.map, token.block, token.info, token.meta = (
        [start, after],
        True,
        block.name,
        {"block": block},
    )
    directive = DIRECTIVES.get(block.name)
    if block.argument and directive and directive.argument == "title":
        state.push("directive_title_open", "", 1)
        title = state.push("inline", "", 0)
        title.content, title.map, title.children = block.argument, [start, start + 1], []
        state.push("directive_title_close", "", -1)
    parent, last = state.parentType, state.lineMax
    state.parentType = "directive"
    state.lineMax = cut
    state.md.block.tokenize(state, body, cut)
    if cut < close:
        state.push("directive_answer", "", 0)
        state.lineMax = close
        state.md.block.tokenize(state, cut + 1, close)
    state.parentType, state.lineMax = parent, last
    state.push("directive_close", "", -1).info = block.name
    state.line = after


def _close(
    state: StateBlock, line: int, end: int, length: int, name: str
) -> tuple[int, int, list[int]]:
    """Return the closing line and the line `---`, -1 for what is not there, and late options.

    Blocks of as many colons inside this one are a mistake that the inner one reports; counting
    them keeps the mistake from spreading.
    """
    depth, cut, fence = 0, -1, ""
    inner: list[int] = []
    late: list[int] = []
    options = DIRECTIVES[name].options.keys() | ALIASES if name in DIRECTIVES else ()
    for number in range(line, _outdent(state, line, end)):
        text = _line(state, number).rstrip()
        if fence:
            if len(text) >= len(fence) and not text.strip(fence[0]):
                fence = ""
            continue
        if found := _FENCE.match(text):
            if not (found[1][0] == "`" and "`" in found[2]):
                fence = found[1]
        elif text == "---" and name in ANSWERED and cut < 0 and not depth and not inner:
            cut = number
        elif not depth and not inner and (option := LINE.match(text)) and option[1] in options:
            late.append(number)
        elif colons := COLONS.match(text):
            count = len(colons[0])
            if OPENING.match(text):
                if count < length:
                    inner.append(count)
                else:
                    depth += 1
            elif count == len(text) and inner and count in inner:
                del inner[inner.index(count) :]
            elif count == len(text) and count == length:
                if not depth:
                    return number, cut, late
                depth -= 1
    return -1, -1, []


def _outdent(state: StateBlock, line: int, end: int) -> int:
    """Return the first line that is no longer inside the block around this one."""
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    return line


def _stray(page: Page, span: Span, rest: str, length: int) -> None:
    word = re.match(r"[\w-]+", rest)
    if not rest:
        message, hint = "there is no block here to close", "an outer block has more colons"
        page.problem("stray-directive", f"{message} with {length} colons", span, hint)
    elif word and word[0] in DIRECTIVES:
        hint = f"write {':' * length}{{{word[0]}}}{rest[word.end() :]}"
        page.problem("bad-directive", "a directive's name stands in braces", span, hint)
    else:
        hint = "a block opens as :::{name} and closes as :::"
        page.problem("bad-directive", "a line of colons that opens and closes nothing", span, hint)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _column(state: StateBlock, line: int) -> int:
    """Return the column, from 0, at which a line's text begins in the file."""
    offset = state.bMarks[line] + state.tShift[line]
    return offset - state.src.rfind("\n", 0, offset) - 1
