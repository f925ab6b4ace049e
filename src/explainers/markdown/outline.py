"""Number and name what can be referred to, before anything is rendered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ..errors import Span
from .directives import ANSWERED, DIRECTIVES, TITLES
from .page import PREFIXES, RESERVED, Page, page_of
from .roles import ROLES

_ATTRIBUTES = re.compile(r"\{\s*(?:#([\w-]+)|[.:#][^{}]*)\s*\}\s*$")
_NUMBERED = {"figure": "Figure", "listing": "Listing"}


def install(md: MarkdownIt) -> None:
    """Add the pass at the end of the chain."""
    md.core.ruler.push("outline", _rule)


def plain(tokens: Sequence[Token] | None) -> str:
    """Return inline tokens as plain text; formulas as their TeX."""
    words = []
    for token in tokens or []:
        if token.type in ("text", "text_special", "code_inline", "formula"):
            words.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            words.append(" ")
        elif token.type == "image":
            words.append(plain(token.children))
        elif token.type == "role_open" and not ROLES[token.info].words:
            written = token.meta["role"]
            words.append(written.words or written.target)
    return "".join(words).strip()


def slug(text: str) -> str:
    """Return the anchor of a heading: its letters and digits, hyphens for spaces."""
    folded = unicodedata.normalize("NFC", text).lower()
    kept = re.sub(r"[^\w\s-]", "", folded)
    name = re.sub(r"[\s-]+", "-", kept).strip("-_") or "section"
    # HTML lets an id begin with anything; selectors and some tools want a letter.
    return name if name[0].isalpha() and not name.startswith(PREFIXES) else f"section-{name}"


def _rule(state: StateCore) -> None:
    page = page_of(state.env)
    tokens = state.tokens
    _explicit(tokens, page)
    pending: Token | None = None
    for index, token in enumerate(tokens):
        if token.type == "label":
            _unused(pending, page)
            pending = token
            continue
        if token.type == "heading_open":
            _heading(tokens, index, pending, page)
        elif token.type == "table_open":
            number = page.count("Table") if pending else 0
            token.meta["number"] = number
            token.meta["id"] = _take(pending, f"Table {number}", page)
        elif token.type == "directive_open":
            _directive(tokens, index, page)
        elif token.type == "formula_block":
            _equation(token, page)
        elif token.type == "paragraph_open" and (image := lone_image(tokens[index + 1].children)):
            number = page.count("Figure")
            name = _take(pending, f"Figure {number}", page) or _free(f"figure-{number}", page)
            page.anchors.setdefault(name, f"Figure {number}")
            token.type, token.meta = "picture_open", {"number": number, "id": name, "image": image}
            pending = None
            continue
        if pending and token.type not in ("heading_open", "table_open"):
            _unused(pending, page)
        pending = None
    _unused(pending, page)


def _explicit(tokens: Sequence[Token], page: Page) -> None:
    """Keep the names authors gave, so that no heading's own name takes one."""
    page.wanted = {token.meta["name"] for token in tokens if token.type == "label"}
    for token in tokens:
        if token.type == "directive_open":
            page.wanted.add(token.meta["block"].text("label"))
        elif token.type == "formula_block":
            page.wanted.add(token.meta["label"])


def _free(name: str, page: Page) -> str:
    """Return the name, with a number when it is taken."""
    taken = page.wanted | page.anchors.keys() | RESERVED
    if name not in taken:
        return name
    number = page.counts.get(f"id {name}", 1) + 1
    while f"{name}-{number}" in taken:
        number += 1
    page.counts[f"id {name}"] = number
    return f"{name}-{number}"


def _take(label: Token | None, words: str, page: Page) -> str:
    if label is None or not page.label(label.meta["name"], words, label.meta["span"]):
        return ""
    return str(label.meta["name"])


def _unused(label: Token | None, page: Page) -> None:
    if label:
        message = "a label stands before a heading, an image with a title, or a table"
        hint = "on a directive write :label:, after a formula $$ … $$ (label)"
        page.problem("stray-label", message, label.meta["span"], hint)


def _heading(tokens: Sequence[Token], index: int, label: Token | None, page: Page) -> None:
    token, inline = tokens[index], tokens[index + 1]
    level = int(token.tag[1:])
    text = plain(inline.children)
    span = page.row((token.map or [0])[0], 0)
    if level == 1:
        message = "the title is the page's only heading of level 1"
        page.problem("heading-level", message, span, "begin sections with ##")
        level = 2
    if braces := _ATTRIBUTES.search(inline.content):
        at = inline.meta["place"].span(*braces.span())
        name = braces[1] or "label"
        hint = f"a heading's name stands on the line before it: ({name})="
        page.problem("bad-label", "braces after a heading name nothing", at, hint)
    number = ""
    if level == 2 and not token.level:
        number = str(page.count("section"))
        page.counts["subsection"] = 0
    elif level == 3 and not token.level and page.counts.get("section"):
        number = f"{page.counts['section']}.{page.count('subsection')}"
    words = f"Section {number}" if number else text
    name = _take(label, words, page) or _free(slug(text), page)
    page.anchors.setdefault(name, words)
    token.meta = {"id": name, "number": number, "level": level, "span": span}


def _directive(tokens: Sequence[Token], index: int, page: Page) -> None:
    token = tokens[index]
    block = token.meta["block"]
    if block.name not in DIRECTIVES:
        return
    page.blocks.add(block.name)
    if block.name in ANSWERED:
        page.count("question")
    title = TITLES.get(block.name, block.name)
    if tokens[index + 1].type == "directive_title_open":
        title = plain(tokens[index + 2].children)
    label, number = block.text("label"), 0
    if block.name in _NUMBERED:
        number = page.count(_NUMBERED[block.name])
        title = f"{_NUMBERED[block.name]} {number}"
        label = label or _free(f"{block.name}-{number}", page)
    if label and not (label in page.anchors and not block.text("label")):
        page.label(label, title or block.name, block.where("label"))
    token.meta["number"], token.meta["id"] = number, label
    if block.name == "figure":
        page.figures.setdefault(
            label, block.options["state"].value if "state" in block.options else {}
        )


def _equation(token: Token, page: Page) -> None:
    label: str = token.meta["label"]
    span: Span = token.meta["label_span"]
    token.meta["number"] = 0
    if label and page.label(label, f"({page.counts.get('Equation', 0) + 1})", span):
        token.meta["number"] = page.count("Equation")
    elif label:
        token.meta["label"] = ""


def lone_image(tokens: Sequence[Token] | None) -> Token | None:
    """Return the image that is all of a paragraph and has a title: a numbered figure."""
    if tokens and len(tokens) == 1 and tokens[0].type == "image" and tokens[0].attrs.get("title"):
        return tokens[0]
    return None
