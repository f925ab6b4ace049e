"""Turn one article's text into its outline and its body."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import BuildError, Problem, Span, refuse
from .front_matter import Header, clean, read
from .highlight import Colour, highlight
from .markdown.directives import DIRECTIVES, MODULE
from .markdown.grammar import body, field
from .markdown.lint import lint as doubts
from .markdown.page import Page
from .model import Body, FrontMatter, Outline, Parsed, Part

SERIES = "content/series/"

_LISTS = ("aliases.", "tags.")
"""Items of the front matter that other pages may contradict."""

_BAD = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)

_ESCAPED = 0xDC00
"""What Python adds to a byte that is not UTF-8, to keep it in a text."""


def parse(path: str, slug: str, text: str, colour: Colour = highlight) -> Parsed:
    """Return what an article says, or raise BuildError with all its mistakes.

    Args:
        path: the file's path from the site's root, for messages.
        slug: the article's name in addresses.
        text: the file's text.
        colour: colours code, as `highlight` does, which it may remember.
    """
    text = clean(text)
    refuse(_characters(path, text))
    header = _header(path, text)
    lines = text.split("\n")
    page = Page(path, lines, header.line)
    page.problems += header.problems
    page.colour = colour
    meta = header.meta
    page.html = bool(meta and meta.html)
    page.curly = not (meta and meta.lang) or meta.lang.split("-")[0] == "en"
    fields = _Fields(page, header)
    title, title_text = fields.read("title", meta.title if meta else "")
    summary, summary_text = fields.read("summary", meta.summary if meta else "")
    audience, _ = fields.read("audience", meta.audience if meta else "")
    lists = {key: fields.each(key, meta) for key in ("prerequisites", "predict", "errata")}
    parts = body(page, "\n".join(lines[header.line - 1 :]))
    if meta and meta.kind == "module":
        for name in (name for name in MODULE if name not in page.blocks):
            hint = f":::{{{name}}}: {DIRECTIVES[name].help}"
            page.problem("missing-block", f"a module needs a {name}", Span(path, 1, 1, 3), hint)
    refuse(page.problems)
    if meta is None:
        raise AssertionError("front matter without problems has fields")
    outline = Outline(
        slug=slug,
        path=path,
        meta=meta,
        title=title,
        summary=summary,
        title_text=title_text,
        summary_text=summary_text,
        headings=tuple(page.headings),
        anchors=page.anchors,
        links=tuple(page.links),
        kinds=tuple(page.kinds),
        datasets=tuple(page.datasets),
        listings=tuple(page.listings),
        citations=tuple(page.citations),
        words=page.words,
        questions=page.counts.get("question", 0),
        series=header.series,
        glossary=tuple(page.glossary),
        spans={name: span for name, span in header.spans.items() if name.startswith(_LISTS)},
    )
    return Parsed(
        outline, Body(parts, audience, **lists, terms=tuple(page.terms), moves=tuple(page.moves))
    )


def lint(path: str, text: str) -> tuple[Problem, ...]:
    """Return what is doubtful in an article that can be parsed."""
    text = clean(text)
    header = _header(path, text)
    lines = text.split("\n")
    page = Page(path, lines, header.line)
    page.html = bool(header.meta and header.meta.html)
    doubts(page, "\n".join(lines[header.line - 1 :]))
    return BuildError(page.problems).problems


def _header(path: str, text: str) -> Header:
    """Return what a page says of itself; a series says other things than an article."""
    if not path.startswith(SERIES):
        return read(path, text)
    from .series import read_series

    return read_series(path, text)


class _Fields:
    """Reads the texts of the front matter, which are Markdown too."""

    def __init__(self, page: Page, header: Header) -> None:
        self.page, self.places = page, header.places

    def read(self, key: str, text: str) -> tuple[tuple[Part, ...], str]:
        return field(self.page, text, self.places.get(key, (1, 1))) if text else ((), "")

    def each(self, key: str, meta: FrontMatter | None) -> tuple[tuple[Part, ...], ...]:
        values: Mapping[str, list[str]] = (
            {
                "prerequisites": list(meta.prerequisites),
                "predict": list(meta.predict),
                "errata": [item.text for item in meta.errata],
            }
            if meta
            else {}
        )
        return tuple(
            self.read(f"{key}.{index}", text)[0] for index, text in enumerate(values.get(key, ()))
        )


def _characters(path: str, text: str) -> list[Problem]:
    """Return a problem for each character that no page can show."""
    problems = []
    for found in _BAD.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        code = ord(found[0])
        message = f"the character U+{code:04X} cannot stand in a page"
        hint = "it is invisible; delete it"
        if _ESCAPED <= code < _ESCAPED + 0x100:
            message = f"the byte 0x{code - _ESCAPED:02X} is not UTF-8"
            hint = "save the file as UTF-8"
        problems.append(Problem("bad-character", message, Span(path, line, column), hint))
        if len(problems) == 20:
            break
    return problems
