"""Read what an article says of itself: the YAML between the two `---` lines at its top."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import yaml

from .catalogue import Series, tag_slug
from .errors import Problem, Span
from .model import Erratum, FrontMatter
from .nearest import listed, nearest
from .yaml_nodes import QUOTE, YamlError, compose

FENCE = "---"
KINDS = ("article", "module", "analysis", "note")
SHORTEST, LONGEST = 120, 320
"""Characters of a summary: enough for a search result, short enough for a card."""

REQUIRED = ("title", "summary", "date")
TAUGHT = ("audience", "predict")
"""Keys that are also required in the kinds that teach."""

TEACHING = ("article", "module")
KEYS = tuple(item.name for item in fields(FrontMatter))
LONGEST_TAG = 200
"""Bytes of a tag in an address: every file system takes so many."""

_TAG = "tag:yaml.org,2002:"
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Header:
    """What was read: None when it is wrong, and why; the number of the body's first line.

    `places` has the first and last line of each value, items as "predict.0"; `spans` its place.
    """

    meta: FrontMatter | None
    line: int
    problems: tuple[Problem, ...]
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    series: Series | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)


def clean(text: str) -> str:
    """Return the text without byte-order mark, and with plain line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read(path: str, text: str, kind: type[Reader] | None = None) -> Header:
    """Read a page's front matter; mistakes are returned, not raised."""
    lines = clean(text).split("\n")
    if lines[0].rstrip() != FENCE:
        hint = "start the file with --- and title, summary and date, one a line"
        message = "there is no front matter"
        return Header(None, 1, (Problem("missing-front-matter", message, Span(path), hint),))
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), 0)
    if not end:
        message = "the front matter is not closed"
        span = Span(path, 1, 1, len(FENCE))
        hint = "put --- on a line of its own after the last key"
        return Header(
            None, len(lines) + 1, (Problem("unclosed-front-matter", message, span, hint),)
        )
    reader = (kind or Reader)(path, lines)
    meta = reader.read("\n".join(lines[1:end]))
    found = (tuple(reader.problems), reader.places, reader.series, reader.spans)
    return Header(meta, end + 2, *found)


class Reader:
    """Turns YAML nodes into the fields of FrontMatter, and mistakes into problems."""

    keys: ClassVar[tuple[str, ...]] = KEYS
    required: ClassVar[tuple[str, ...]] = REQUIRED
    readers: ClassVar[Mapping[str, Callable[[Any, str, yaml.Node], Any]]]

    def __init__(self, path: str, lines: list[str]) -> None:
        self.path, self.lines = path, lines
        self.problems: list[Problem] = []
        self.places: dict[str, tuple[int, int]] = {}
        self.spans: dict[str, Span] = {}
        self.series: Series | None = None

    def read(self, text: str) -> FrontMatter | None:
        """Return the fields, or None when there are mistakes."""
        try:
            node = compose(text)
        except YamlError as error:
            line = min(error.line + 2, len(self.lines))
            width = max(1, len(self.lines[line - 1].rstrip()) - error.column)
            span = Span(self.path, line, error.column + 1, width)
            self.problems.append(Problem("bad-yaml", "YAML cannot read this", span, QUOTE))
            return None
        if node is None:
            node = yaml.MappingNode(_TAG + "map", [])
        if not isinstance(node, yaml.MappingNode):
            self.wrong(node, "the front matter must be lines of `key: value`")
            return None
        values = self.values(node)
        self.require(values)
        return None if self.problems else self.made(values)

    def made(self, values: dict[str, Any]) -> FrontMatter:
        """Return what was read without mistakes."""
        return FrontMatter(**values)

    def values(self, node: yaml.MappingNode) -> dict[str, Any]:
        """Return the value of each key, those that are wrong left out."""
        values: dict[str, Any] = {}
        seen: set[str] = set()
        for key_node, value_node in node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else ""
            if key not in self.keys:
                hint = nearest(key, self.keys, f"known keys: {listed(self.keys)}")
                self.add("unknown-key", f'no key "{key}" in front matter', key_node, hint)
            elif key in seen:
                self.add("duplicate-key", f'"{key}" is given twice', key_node)
            else:
                seen.add(key)
                self.place(key, value_node)
                values[key] = self.readers[key](self, key, value_node)
        values = {key: value for key, value in values.items() if value is not None}
        date, updated = values.get("date"), values.get("updated")
        if date and updated and updated < date:
            span = self.span(next(v for k, v in node.value if k.value == "updated"))
            message = f'"updated" is before "date", which is {date}'
            self.problems.append(Problem("bad-value", message, span))
        return values

    def require(self, values: dict[str, Any]) -> None:
        """Say which keys are missing."""
        span = Span(self.path, 1, 1, len(FENCE))
        wrong = self.places.keys() - values.keys()
        for key in self.required:
            if key not in values and key not in wrong:
                message = f'the key "{key}" is missing'
                self.problems.append(Problem("missing-key", message, span, f"add a line {key}: …"))
        kind = values.get("kind", "article")
        if kind in TEACHING and "kind" not in wrong:
            for key in TAUGHT:
                if not values.get(key) and key not in wrong:
                    message = f'the key "{key}" is missing: kind {kind} needs it'
                    hint = _HINTS[key]
                    self.problems.append(Problem("missing-key", message, span, hint))

    def span(self, node: yaml.Node) -> Span:
        """Return the place of a value."""
        start, end = node.start_mark, node.end_mark
        line = start.line + 2
        row = self.lines[line - 1] if line <= len(self.lines) else ""
        last = end.column if end.line == start.line else len(row.rstrip())
        return Span(self.path, line, start.column + 1, max(1, last - start.column))

    def add(self, code: str, message: str, node: yaml.Node, hint: str | None = None) -> None:
        """Keep a mistake."""
        self.problems.append(Problem(code, message, self.span(node), hint))

    def wrong(self, node: yaml.Node, message: str, hint: str | None = None) -> None:
        """Keep a value of the wrong type."""
        self.add("wrong-type", message, node, hint)

    def place(self, name: str, node: yaml.Node) -> None:
        """Remember the lines of a value."""
        last = node.end_mark.line + (2 if node.end_mark.column else 1)
        self.spans[name] = self.span(node)
        self.places[name] = (node.start_mark.line + 2, max(last, node.start_mark.line + 2))

    # One method for each type of value; None when it is wrong.

    def text(self, key: str, node: yaml.Node) -> str | None:
        """Read one text."""
        if isinstance(node, yaml.ScalarNode) and node.tag == _TAG + "str" and node.value.strip():
            return " ".join(node.value.split())
        if isinstance(node, yaml.ScalarNode) and node.value.strip() and node.tag != _TAG + "null":
            hint = f'YAML reads it as something else; put it in quotes: "{node.value}"'
            self.wrong(node, f'"{key}" must be text', hint)
        elif isinstance(node, yaml.ScalarNode):
            self.wrong(node, f'"{key}" is empty', "give it a text or leave the line out")
        else:
            self.wrong(node, f'"{key}" must be one text', QUOTE)
        return None

    def summary(self, key: str, node: yaml.Node) -> str | None:
        """Read the summary, neither too short nor too long."""
        text = self.text(key, node)
        if text is not None and not SHORTEST <= len(text) <= LONGEST:
            message = f'"{key}" has {len(text)} characters'
            hint = (
                f"it needs {SHORTEST} to {LONGEST}: what the reader will understand, in a sentence"
            )
            self.add("summary-length", message, node, hint)
        return text

    def date(self, key: str, node: yaml.Node) -> dt.date | None:
        """Read a calendar date."""
        if isinstance(node, yaml.ScalarNode) and _DATE.fullmatch(node.value):
            try:
                return dt.date.fromisoformat(node.value)
            except ValueError:
                self.wrong(node, f'"{key}" is a day that does not exist')
                return None
        self.wrong(node, f'"{key}" must be a calendar date', f"{key}: 2026-09-21")
        return None

    def flag(self, key: str, node: yaml.Node) -> bool | None:
        """Read true or false."""
        if isinstance(node, yaml.ScalarNode) and node.tag == _TAG + "bool":
            return str(node.value).lower() in ("true", "yes", "on")
        self.wrong(node, f'"{key}" must be true or false')
        return None

    def kind(self, key: str, node: yaml.Node) -> str | None:
        """Read the kind of an article."""
        text = self.text(key, node)
        if text is None or text in KINDS:
            return text
        hint = nearest(text, KINDS, f"kinds: {listed(KINDS)}")
        self.add("bad-value", f'"{key}" cannot be "{text}"', node, hint)
        return None

    def lang(self, key: str, node: yaml.Node) -> str | None:
        """Read the code of a language."""
        return self.shaped(key, node, self.text(key, node), LANGUAGE, "a language", "lang: en")

    def tags(self, key: str, node: yaml.Node) -> tuple[str, ...] | None:
        """Read tags, each the name of a page."""
        found = self.texts(key, node)
        for item in node.value if found is not None else ():
            if not tag_slug(item.value) or len(tag_slug(item.value).encode()) > LONGEST_TAG:
                hint = "a tag needs a letter or a digit: it is the name of a page"
                self.add("bad-value", f'"{item.value}" cannot be the name of a tag', item, hint)
                return None
        return found

    def shaped(
        self, key: str, node: yaml.Node, text: str | None, shape: re.Pattern[str], *want: str
    ) -> str | None:
        """Return the text when it has this shape."""
        if text is None or shape.fullmatch(text):
            return text
        self.add("bad-value", f'"{key}" must be {want[0]}', node, want[1])
        return None

    def texts(self, key: str, node: yaml.Node) -> tuple[str, ...] | None:
        """Read a list of texts."""
        if not isinstance(node, yaml.SequenceNode):
            shown = node.value if isinstance(node, yaml.ScalarNode) else "…"
            self.wrong(node, f'"{key}" must be a list', f"{key}: [{shown}]")
            return None
        for index, item in enumerate(node.value):
            self.place(f"{key}.{index}", item)
        found = [self.text(key, item) for item in node.value]
        kept = tuple(item for item in found if item is not None)
        return kept if len(kept) == len(found) else None

    def errata(self, key: str, node: yaml.Node) -> tuple[Erratum, ...] | None:
        """Read what was corrected, and when."""
        shape = "errata: [{date: 2026-09-21, text: …}]"
        if not isinstance(node, yaml.SequenceNode):
            self.wrong(node, f'"{key}" must be a list', shape)
            return None
        found = []
        for index, item in enumerate(node.value):
            known = (
                {k.value: v for k, v in item.value} if isinstance(item, yaml.MappingNode) else {}
            )
            if set(known) != {"date", "text"} or len(item.value) != len(known):
                self.wrong(item, f'each item of "{key}" has a date and a text', shape)
                continue
            self.place(f"{key}.{index}", known["text"])
            date, text = self.date("date", known["date"]), self.text("text", known["text"])
            if date and text:
                found.append(Erratum(date, text))
        return tuple(found)


_HINTS = {
    "audience": "say for whom it is: audience: knows C, has launched a kernel",
    "predict": "say what a reader can predict afterwards: predict: [the …, when …]",
}
Reader.readers = {
    **dict.fromkeys(("title", "audience", "license"), Reader.text),
    **dict.fromkeys(("date", "updated"), Reader.date),
    **dict.fromkeys(("featured", "draft", "html"), Reader.flag),
    **dict.fromkeys(("prerequisites", "predict", "aliases", "authors"), Reader.texts),
    "summary": Reader.summary,
    "lang": Reader.lang,
    "tags": Reader.tags,
    "kind": Reader.kind,
    "errata": Reader.errata,
}
