"""Questions: self-check, probe and predict, with their answers closed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from markdown_it.token import Token

from ..model import Expression
from ..nearest import nearest
from .content import Content
from .expression import note


def question(content: Content) -> str:
    """Return a self-check or a probe."""
    block, page = content.block, content.page
    value = _value(content)
    if not value and not content.answer:
        message = f"this {block.name} has no answer"
        hint = "write it after a line ---, or give :answer: an expression"
        page.problem("missing-answer", message, block.span, hint)
    return _section(content, _typed(content), content.body(), value)


def predict(content: Content) -> str:
    """Return a question with options, one of which is right."""
    block, page = content.block, content.page
    start = _options(content.tokens)
    body = content.tokens[:start]
    items = _items(content.tokens[start:])
    if not items:
        message = "a predict needs a list of options at the end of its body"
        page.problem("missing-options", message, block.span, "- once\n      - at every element")
    reveals = block.text("reveals")
    data = f' data-reveals="{escape(reveals)}"' if reveals else ""
    if reveals and reveals not in page.figures:
        hint = nearest(reveals, page.figures, "it must be the label of a figure of this page")
        message = f'no figure "{reveals}" on this page'
        page.problem("unknown-label", message, block.where("reveals"), hint)
    answer = block.text("answer")
    value = ""
    if answer.isdecimal() and items:
        if 1 <= int(answer) <= len(items):
            data += f' data-answer="{int(answer)}"'
            right = content.render(items[int(answer) - 1])
            value = f'<div class="answer-value">{right}</div>\n'
        else:
            message = f"there are {len(items)} options; the answer is counted from 1"
            page.problem("bad-option", message, block.where("answer"))
    elif answer:
        value = _value(content)
        data += f' data-value="{_hole(content)}"'
    elif not content.answer:
        hint = ":answer: 2 (the second option), an expression, or words after a line ---"
        page.problem("missing-answer", "this predict has no answer", block.span, hint)
    rows = "".join(f"<li>{content.render(item).strip()}</li>\n" for item in items)
    options = f'<ol class="options">\n{rows}</ol>\n'
    return _section(content, data, content.render(body) + options, value)


def _section(content: Content, data: str, body: str, value: str) -> str:
    name = content.block.name
    answer = content.render(content.answer) if content.answer else ""
    closed = f'<details class="answer"><summary>Answer</summary>\n{value}{answer}</details>'
    head = f'<p class="box-title">{content.title()}</p>\n'
    return f'<section class="{name}"{content.id}{data}>{head}{body}{closed}</section>\n'


def _hole(content: Content) -> str:
    block = content.block
    text, span = block.text("answer"), block.where("answer")
    found = Expression(text, "answer", span, block.text("tolerance"))
    return content.page.hole(note(found, content.page))


def _typed(content: Content) -> str:
    """Return the answer, and how far off one may be, for a reader who types a number."""
    block = content.block
    if not block.text("answer"):
        return ""
    data = f' data-value="{_hole(content)}"'
    if tolerance := block.text("tolerance"):
        found = Expression(tolerance, "answer", block.where("tolerance"))
        data += f' data-tolerance="{content.page.hole(note(found, content.page))}"'
    return data


def _value(content: Content) -> str:
    if not content.block.text("answer"):
        return ""
    return f'<p class="answer-value">{_hole(content)}</p>\n'


def _options(tokens: Sequence[Token]) -> int:
    """Return where the list at the end of the body begins."""
    if tokens and tokens[-1].type in ("bullet_list_close", "ordered_list_close"):
        level, kind = tokens[-1].level, tokens[-1].type.replace("_close", "_open")
        for index in range(len(tokens) - 1, -1, -1):
            if tokens[index].type == kind and tokens[index].level == level:
                return index
    return len(tokens)


def _items(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    items: list[Sequence[Token]] = []
    level = tokens[0].level + 1 if tokens else 0
    start = 0
    for index, token in enumerate(tokens):
        if token.level == level and token.type == "list_item_open":
            start = index + 1
        elif token.level == level and token.type == "list_item_close":
            items.append(tokens[start:index])
    return items
