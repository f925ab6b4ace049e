"""Turn tokens into HTML, with marks where holes are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..catalogue import GLOSSARY
from ..model import Formula, Heading, Opening
from . import boxes, code, figure, glossary, links, numbers, question, raw_html, references
from .content import Content
from .directives import DIRECTIVES
from .notes import Notes, closed
from .outline import plain
from .page import Page

_INNER_LINKS = re.compile(r"<a [^>]*>|</a>|<sup class=\"footnote-ref\">.*?</sup>| id=\"[^\"]*\"")
_DIRECTIVES: Mapping[str, Callable[[Content], str]] = {
    "figure": figure.figure,
    "listing": figure.listing,
    "claim": boxes.claim,
    "derivation": boxes.derivation,
    "example": boxes.example,
    "numbers": numbers.numbers,
    "predict": question.predict,
    "self-check": question.question,
    "probe": question.question,
    **dict.fromkeys(("note", "aside", "warning", "mental-model"), boxes.box),
}


class Renderer:
    """Renders the tokens of one page; `blocks` may be called for any balanced run of them."""

    def __init__(self, md: MarkdownIt, page: Page) -> None:
        """Render with the parser's own rules where this class has none."""
        self.page = page
        self._own: Any = md.renderer
        self._options = md.options
        self._notes = Notes()

    def blocks(self, tokens: Sequence[Token]) -> str:
        """Return the HTML of block tokens."""
        out: list[str] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "inline":
                out.append(self.inline(token.children or []))
            elif token.type in self._WHOLE:
                end = closed(tokens, index)
                out.append(self._WHOLE[token.type](self, tokens[index : end + 1]))
                index = end
            elif token.type in self._BLOCK:
                out.append(self._BLOCK[token.type](self, token))
            elif token.type != "label":
                out.append(self._own.renderToken(tokens, index, self._options, {}))
            index += 1
        return "".join(out)

    def inline(self, tokens: Sequence[Token]) -> str:
        """Return the HTML of inline tokens."""
        out: list[str] = []
        closing: list[str] = []
        for index, token in enumerate(tokens):
            kind = token.type
            if kind in ("text", "text_special"):
                out.append(escape(token.content, quote=False))
            elif kind == "role_open":
                before, after = references.tags(token.meta["role"], self.page)
                self._nested(token, closing, before)
                out.append(before)
                closing.append(after)
            elif kind == "role_close":
                out.append(closing.pop())
            elif kind == "formula":
                out.append(self._formula(token))
            elif kind == "code_inline":
                out.append(f"<code>{escape(token.content, quote=False)}</code>")
            elif kind == "softbreak":
                out.append("\n")
            elif kind == "hardbreak":
                out.append("<br>\n")
            elif kind == "link_open":
                self._nested(token, closing, "<a")
                out.append(links.opening(token, self.page))
                closing.append("</a>")
            elif kind == "link_close":
                out.append(closing.pop())
            elif kind == "image":
                out.append(links.picture(token, self.page, plain(token.children)))
            elif kind == "footnote_ref":
                self._nested(token, closing, "<a")
                out.append(self._notes.mark(token))
            elif kind == "html_inline":
                out.append(self._html(token))
            else:
                out.append(self._own.renderToken(tokens, index, self._options, {}))
        return "".join(out)

    def _nested(self, token: Token, closing: Sequence[str], before: str) -> None:
        """Refuse a link inside a link, which browsers tear apart."""
        if "<a" in before and "</a>" in closing:
            span = token.meta["role"].span if "role" in token.meta else token.meta.get("span")
            message = "a link, note or citation cannot stand inside a link"
            self.page.problem("nested-link", message, span or self.page.row(0), "move it out")

    # ---- inline ---------------------------------------------------------------------------------

    def _formula(self, token: Token) -> str:
        display: bool = token.meta["display"]
        span, shifts = token.meta["span"], token.meta["shifts"]
        hole = self.page.hole(Formula(token.content, display, span, shifts=shifts))
        return f'<span class="formula">{hole}</span>' if display else hole

    def _html(self, token: Token) -> str:
        found = raw_html.refused(token.content)
        if found:
            line = (token.map or token.meta.get("map") or [0])[0]
            span = token.meta.get("span") or self.page.row(line)
            hint = "scripts, styles, embedded pages and event attributes never reach a page"
            self.page.problem("unsafe-html", f"{found} is not allowed", span, hint)
            return ""
        return token.content

    # ---- blocks of one token --------------------------------------------------------------------

    def _fence(self, token: Token) -> str:
        return code.fence(token, self.page) + "\n"

    def _equation(self, token: Token) -> str:
        label, number = token.meta["label"], token.meta["number"]
        hole = self.page.hole(Formula(token.content, True, token.meta["span"], label, number))
        tail = f'<span class="eqno">({number})</span>' if number else ""
        name = f' id="{escape(label)}"' if label else ""
        return f'<div class="formula"{name}>{hole}{tail}</div>\n'

    def _item(self, token: Token) -> str:
        if "checked" not in token.meta:
            return "<li>"
        state = ' aria-label="done" checked' if token.meta["checked"] else ' aria-label="to do"'
        return f'<li class="task"><input type="checkbox" disabled{state}> '

    def _list(self, token: Token) -> str:
        start = token.attrs.get("start")
        start_at = f' start="{start}"' if start is not None else ""
        tasks = ' class="tasks"' if "task" in str(token.attrs.get("class", "")) else ""
        return f"<{token.tag}{start_at}{tasks}>\n"

    def _cell(self, token: Token) -> str:
        style = str(token.attrs.get("style", ""))
        align = f' class="{style.removeprefix("text-align:")}"' if style else ""
        scope = ' scope="col"' if token.tag == "th" else ""
        return f"<{token.tag}{scope}{align}>"

    # ---- runs of tokens -------------------------------------------------------------------------

    def _heading(self, run: Sequence[Token]) -> str:
        meta = run[0].meta
        inner = self.inline(run[1].children or [])
        name, number = meta["id"], meta["number"]
        if not run[0].level:
            bare = self.page.parts(_INNER_LINKS.sub("", inner))
            self.page.headings.append(Heading(meta["level"], name, bare, number, meta["span"]))
        mark = f'<span class="secno">{number}</span> ' if number else ""
        anchor = f'<a class="anchor" href="#{escape(name)}" aria-label="Link to this section">#</a>'
        tag = f"h{meta['level']}"
        return f'<{tag} id="{escape(name)}">{mark}{inner}{anchor}</{tag}>\n'

    def opening(self) -> str:
        """Return the hole where the page says for whom it is, and note that it is placed."""
        self.page.count("opening")
        return self.page.hole(Opening())

    def _table(self, run: Sequence[Token]) -> str:
        meta = run[0].meta
        heads = (
            plain(run[n + 1].children)
            for n, token in enumerate(run)
            if token.tag == "th" and token.nesting == 1
        )
        words = self._unique(f"Table: {', '.join(heads)}")
        name, caption = "", ""
        if meta["id"]:
            name = f' id="{escape(meta["id"])}"'
            caption = f'<caption><span class="label">Table {meta["number"]}</span></caption>\n'
        inner = self.blocks(run[1:-1])
        return (
            f'<section class="table"{name} tabindex="0" aria-label="{escape(words)}">'
            f"<table>\n{caption}{inner}</table></section>\n"
        )

    def _unique(self, words: str) -> str:
        """Return the name of a region, numbered when the page has one of that name."""
        turn = self.page.count(f"region {words}")
        return words if turn == 1 else f"{words} ({turn})"

    def _picture(self, run: Sequence[Token]) -> str:
        meta = run[0].meta
        image: Token = meta["image"]
        tag = links.picture(image, self.page, plain(image.children))
        title = self.inline(image.meta["title"])
        label = f'<span class="label">Figure {meta["number"]}</span>'
        name = escape(meta["id"])
        return (
            f'<figure class="figure image" id="{name}">{tag}'
            f"<figcaption>{label} {title}</figcaption></figure>\n"
        )

    def _directive(self, run: Sequence[Token]) -> str:
        block = run[0].meta["block"]
        inner = list(run[1:-1])
        if block.name not in _DIRECTIVES:
            return self.blocks([token for token in inner if token.type != "directive_answer"])
        heading: Sequence[Token] = ()
        if inner and inner[0].type == "directive_title_open":
            heading, inner = inner[1:2], inner[3:]
        level = run[0].level + 1
        cut = [
            n
            for n, token in enumerate(inner)
            if token.type == "directive_answer" and token.level == level
        ]
        answer = inner[cut[0] + 1 :] if cut else None
        inner = inner[: cut[0]] if cut else inner
        meta = run[0].meta
        if DIRECTIVES[block.name].body and not inner and block.name != "numbers":
            hint = DIRECTIVES[block.name].help
            self.page.problem("empty-directive", f"this {block.name} is empty", block.span, hint)
        content = Content(
            block, meta["id"], meta["number"], heading, inner, answer, self.page, self.blocks
        )
        html = _DIRECTIVES[block.name](content)
        first = block.name == "figure" and not run[0].level and not self.page.counts.get("opening")
        return html + self.opening() if first and not self.page.headings else html

    def _definitions(self, run: Sequence[Token]) -> str:
        if self.page.path == GLOSSARY and not run[0].level:
            return glossary.definitions(run, self.page, self.inline, self.blocks)
        return f"<dl>\n{self.blocks(run[1:-1])}</dl>\n"

    def _notes_section(self, run: Sequence[Token]) -> str:
        return self._notes.section(run, self.blocks)

    _BLOCK: Mapping[str, Callable[[Renderer, Token], str]] = {
        "fence": _fence,
        "code_block": _fence,
        "formula_block": _equation,
        "html_block": _html,
        "list_item_open": _item,
        "bullet_list_open": _list,
        "ordered_list_open": _list,
        "th_open": _cell,
        "td_open": _cell,
    }
    _WHOLE: Mapping[str, Callable[[Renderer, Sequence[Token]], str]] = {
        "heading_open": _heading,
        "table_open": _table,
        "picture_open": _picture,
        "directive_open": _directive,
        "dl_open": _definitions,
        "footnotes_open": _notes_section,
    }
