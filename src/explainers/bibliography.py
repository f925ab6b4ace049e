"""Read sources from BibTeX, and write them as a list with links to where they can be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from .errors import Problem, Span, refuse

NEEDED = ("title", "year")
MOST_AUTHORS = 6
"""Authors named before "et al."."""

_ENTRY = re.compile(r"@\s*(?P<kind>\w+)\s*[{(]\s*(?P<key>[^\s,{}()]+)")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_ARXIV = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")
_KEY = re.compile(r"key (\S+)")
_LINE = re.compile(r"line (\d+)")
_NO_ENTRIES = frozenset({"string", "preamble", "comment"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A source, in plain text."""

    key: str
    kind: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: str
    span: Span
    doi: str = ""
    arxiv: str = ""
    url: str = ""


def load(text: str, path: str) -> Mapping[str, Entry]:
    """Return the sources of a BibTeX file by their keys, or raise BuildError."""
    places, problems = _places(text, path)
    refuse(problems)
    entries: dict[str, Entry] = {}
    for key, raw in _parsed(text, path).items():
        span = places.get(key.lower(), Span(path))
        entry = _entry(key, raw, span)
        problems += _mistakes(entry, raw)
        entries[key] = entry
    refuse(problems)
    return entries


def format_entry(entry: Entry) -> str:
    """Return a source as HTML: authors, title, where and when it appeared, links."""
    parts = []
    if entry.authors:
        parts.append(escape(_joined(entry.authors), quote=False) + ".")
    parts.append(f"<cite>{escape(entry.title, quote=False)}</cite>.")
    where = ", ".join(part for part in (entry.venue, entry.year) if part)
    parts.append(f"{escape(where.removesuffix('.'), quote=False)}.")
    links = []
    if entry.doi:
        links.append(_link(f"https://doi.org/{entry.doi}", f"doi:{entry.doi}"))
    if entry.arxiv:
        links.append(_link(f"https://arxiv.org/abs/{entry.arxiv}", f"arXiv:{entry.arxiv}"))
    if entry.url and not entry.doi:
        links.append(_link(entry.url, re.sub(r"^https?://(?:www\.)?([^/]+).*", r"\1", entry.url)))
    return " ".join([*parts, *links])


def section(citations: Sequence[str], entries: Mapping[str, Entry]) -> str:
    """Return the list of sources of a page, each with links back to where it is cited.

    Args:
        citations: the key of each citation, in the order of the page, repeats and all.
        entries: the bibliography; keys it lacks are left out.
    """
    rows = []
    for key in dict.fromkeys(citations):
        if key not in entries:
            continue
        count = citations.count(key)
        backs = "".join(
            f'\u00a0<a class="cite-back" href="#cite-{escape(key)}-{turn}" '
            f'aria-label="Back to citation {turn}">↩</a>'
            for turn in range(1, count + 1)
        )
        rows.append(f'<li id="source-{escape(key)}">{format_entry(entries[key])}{backs}</li>\n')
    if not rows:
        return ""
    return (
        '<section class="sources" id="sources"><h2>Sources</h2>\n'
        f"<ol>\n{''.join(rows)}</ol>\n</section>\n"
    )


def _places(text: str, path: str) -> tuple[dict[str, Span], list[Problem]]:
    """Return where each key stands; BibTeX's keys differ by more than case."""
    places: dict[str, Span] = {}
    problems: list[Problem] = []
    for found in _ENTRY.finditer(text):
        if found["kind"].lower() in _NO_ENTRIES:
            continue
        key, start = found["key"], found.start("key")
        line = text.count("\n", 0, start) + 1
        span = Span(path, line, start - text.rfind("\n", 0, start), len(key))
        if key.lower() in places:
            hint = f"it is also at {places[key.lower()]}"
            problems.append(
                Problem("duplicate-key", f'two sources have the key "{key}"', span, hint)
            )
        places.setdefault(key.lower(), span)
    return places, problems


def _parsed(text: str, path: str) -> Mapping[str, Any]:
    """Return the library's entries; its errors become problems with a line."""
    from pybtex import errors
    from pybtex.database import parse_string
    from pybtex.exceptions import PybtexError

    found: list[Exception] = []
    with errors.capture() as captured:
        try:
            entries: Mapping[str, Any] = parse_string(text, "bibtex").entries
        except PybtexError as error:
            found.append(error)
            entries = {}
        found += captured
    refuse(_syntax(error, text, path) for error in found)
    return entries


def _syntax(error: Exception, text: str, path: str) -> Problem:
    """Return the library's error as a problem, at its line or at the entry it names."""
    message = str(error).strip().split("\n")[0]
    message = re.sub(r"^syntax error(?: in line \d+)?: |^in line \d+: ", "", message)
    named = _KEY.search(message)
    entry = re.search(rf"@\s*\w+\s*[{{(]\s*{re.escape(named[1])}\b", text) if named else None
    found = _LINE.search(str(error))
    line = getattr(error, "lineno", None) or (int(found[1]) if found else 1)
    if entry:
        line = text.count("\n", 0, entry.start()) + 1
    row = [*text.split("\n"), ""][min(line - 1, text.count("\n"))]
    span = Span(path, line, 1, max(1, len(row)))
    return Problem("bad-bibtex", message, span, "key = {value}, with braces that pair")


def _entry(key: str, raw: Any, span: Span) -> Entry:
    fields = {name.lower(): value for name, value in raw.fields.items()}

    def plain(name: str) -> str:
        return _plain(fields[name]) if name in fields else ""

    eprint = fields.get("eprint", "")
    is_arxiv = fields.get("archiveprefix", fields.get("eprinttype", "")).lower() == "arxiv"
    people = raw.persons.get("author") or raw.persons.get("editor") or ()
    return Entry(
        key=key,
        kind=raw.type,
        authors=tuple(_person(person) for person in people) or _plain_tuple(plain("organization")),
        title=plain("title"),
        venue=_VENUES.get(raw.type, _other)(plain),
        year=plain("year"),
        span=span,
        doi=re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)", "", fields.get("doi", "").strip()),
        arxiv=eprint.strip() if is_arxiv else "",
        url=fields.get("url", "").strip(),
    )


def _mistakes(entry: Entry, raw: Any) -> list[Problem]:
    """Return what a source lacks, and addresses that are none."""
    problems = []
    for name in NEEDED:
        if not getattr(entry, name):
            message = f'the source "{entry.key}" has no {name}'
            problems.append(Problem("missing-field", message, entry.span, f"{name} = {{…}}"))
    checks = (
        ("doi", entry.doi, _DOI, "doi = {10.1093/imanum/draa038}"),
        ("eprint", entry.arxiv, _ARXIV, "eprint = {1805.02867}"),
        ("url", entry.url, re.compile(r"https?://[^\s\"'<>]+"), "url = {https://…}"),
    )
    for name, value, shape, hint in checks:
        if value and not shape.fullmatch(value):
            message = f'the {name} of "{entry.key}" is not one'
            problems.append(Problem("bad-field", message, entry.span, hint))
    return problems


def _plain(text: str) -> str:
    """Return LaTeX's accents as letters, without braces, spaces joined, dashes as in print."""
    from pybtex.exceptions import PybtexError
    from pybtex.richtext import Text

    try:
        plain = str(Text.from_latex(text))
    except (PybtexError, ValueError):  # a stray brace, an accent nobody knows: as typed
        plain = text.replace("{", "").replace("}", "")
    return " ".join(plain.replace("---", "—").replace("--", "–").split())


def _plain_tuple(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _person(person: Any) -> str:
    names = (
        *person.first_names,
        *person.middle_names,
        *person.prelast_names,
        *person.last_names,
        *person.lineage_names,
    )
    return _plain(" ".join(names))


def _joined(names: Sequence[str]) -> str:
    if len(names) > MOST_AUTHORS:
        return f"{names[0]} et al"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


Plain = Callable[[str], str]


def _article(plain: Plain) -> str:
    number = f"({plain('number')})" if plain("number") else ""
    volume = f" {plain('volume')}{number}" if plain("volume") else ""
    pages = f", {plain('pages')}" if plain("pages") else ""
    return f"{plain('journal')}{volume}{pages}"


def _report(plain: Plain) -> str:
    parts = (plain("number"), plain("institution") or plain("school"))
    return ", ".join(part for part in parts if part)


def _inside(plain: Plain) -> str:
    pages = f", {plain('pages')}" if plain("pages") else ""
    return f"{plain('booktitle')}{pages}"


def _book(plain: Plain) -> str:
    edition = f"edition {plain('edition')}" if plain("edition") else ""
    return ", ".join(part for part in (edition, plain("publisher")) if part)


def _other(plain: Plain) -> str:
    return plain("publisher") or plain("howpublished") or plain("journal")


_VENUES: Mapping[str, Callable[[Plain], str]] = {
    "article": _article,
    "book": _book,
    "inproceedings": _inside,
    "incollection": _inside,
    "conference": _inside,
    "techreport": _report,
    "phdthesis": _report,
    "mastersthesis": _report,
}


def _link(url: str, words: str) -> str:
    return f'<a href="{escape(url)}" rel="external">{escape(words, quote=False)}</a>'
