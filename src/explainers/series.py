"""Read a series: its title, its promise, its parts in order; count the parts its prose names."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, ClassVar

import yaml

from .catalogue import Module, Series
from .errors import Problem, Span
from .front_matter import Header, Reader, clean, read
from .model import FrontMatter

KEYS = ("title", "subtitle", "promise", "modules", "order", "lang")
SHORTEST, LONGEST = 80, 900
"""Characters of a promise."""

# fmt: off
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
NUMBERS = {
    **{word: number for number, word in enumerate(_ONES)},
    **{tens: 20 + 10 * n for n, tens in enumerate(_TENS)},
    **{
        f"{tens}-{one}": 20 + 10 * n + number
        for n, tens in enumerate(_TENS)
        for number, one in enumerate(_ONES[1:10], 1)
    },
}
"""Number words that may stand before "modules"."""

_WORDS = "|".join(sorted(NUMBERS, key=len, reverse=True))
# "The first three modules" counts a part of them.
_COUNT = re.compile(
    rf"(?:\b(?P<part>first|last|next|other|these|those|of)\s+)?"
    rf"(?<![\w.,-])(?P<number>\d+|{_WORDS})[ -](?P<noun>modules?|chapters?)\b",
    re.IGNORECASE,
)


def read_series(path: str, text: str) -> Header:
    """Read a series; mistakes are returned, not raised."""
    header = read(path, text, SeriesReader)
    if header.series is None:
        return header
    lines = clean(text).split("\n")
    wrong = _miscounted(path, lines, len(header.series.modules), header.line)
    meta = None if wrong else header.meta
    return Header(meta, header.line, wrong, header.places, header.series)


def _miscounted(path: str, lines: list[str], count: int, body: int) -> tuple[Problem, ...]:
    """Return a problem for each number of modules in the prose that is not theirs."""
    problems = []
    listed = False
    for number, line in enumerate(lines, 1):
        if number >= body or not line.startswith((" ", "-")):
            listed = number < body and line.startswith("modules:")
        if listed:
            continue
        for found in _COUNT.finditer(line):
            said = found["number"].lower()
            if found["part"] or (int(said) if said.isdigit() else NUMBERS[said]) == count:
                continue
            start = found.start("number")
            span = Span(path, number, start + 1, found.end() - start)
            message = f"the series has {count} {found['noun']}, not {found['number']}"
            hint = "the modules are those listed in its front matter"
            problems.append(Problem("module-count", message, span, hint))
    return tuple(problems)


class SeriesReader(Reader):
    """Turns YAML nodes into a series; its promise is the summary of its page."""

    keys: ClassVar[tuple[str, ...]] = KEYS
    required: ClassVar[tuple[str, ...]] = ("title", "subtitle", "promise", "modules")

    def require(self, values: dict[str, Any]) -> None:
        """Say which keys are missing; the kinds that teach are no series."""
        super().require({"kind": "series", **values})

    def made(self, values: dict[str, Any]) -> FrontMatter:
        """Return the page's fields, and keep the series."""
        self.places["summary"] = self.places["promise"]
        self.series = Series(values["subtitle"], values["modules"], values.get("order", 0))
        return FrontMatter(
            title=values["title"],
            summary=values["promise"],
            date=dt.date.min,
            kind="series",
            lang=values.get("lang", ""),
        )

    def promise(self, key: str, node: yaml.Node) -> str | None:
        """Return the promise, where it is neither too short nor too long."""
        text = self.text(key, node)
        if text is not None and not SHORTEST <= len(text) <= LONGEST:
            message = f'"{key}" has {len(text)} characters'
            hint = f"it needs {SHORTEST} to {LONGEST}: what the whole series lets a reader do"
            self.add("summary-length", message, node, hint)
        return text

    def order(self, key: str, node: yaml.Node) -> int | None:
        """Return the place of the series among the others."""
        if isinstance(node, yaml.ScalarNode) and re.fullmatch(r"-?\d{1,6}", node.value):
            return int(node.value)
        self.wrong(node, f'"{key}" must be a whole number', "order: 2")
        return None

    def modules(self, key: str, node: yaml.Node) -> tuple[Module, ...] | None:
        """Return the parts: an article's slug alone, or title and promise of a planned one."""
        shape = "modules: [slug-of-an-article, {title: …, promise: …}]"
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            self.wrong(node, f'"{key}" must be a list of parts', shape)
            return None
        found = []
        for item in node.value:
            values: dict[str, str] = {}
            if isinstance(item, yaml.ScalarNode):
                values["slug"] = self.text(key, item) or ""
            elif isinstance(item, yaml.MappingNode):
                values = {str(k.value): self.text(str(k.value), v) or "" for k, v in item.value}
            planned = values.keys() - {"slug"}
            if planned not in (set(), {"title", "promise"}) or not values:
                message = "a part is an article's slug, or a title and a promise"
                self.wrong(item, message, shape)
                continue
            found.append(
                Module(
                    values.get("slug", ""),
                    values.get("title", ""),
                    values.get("promise", ""),
                    self.span(item),
                )
            )
        slugs = [module.slug for module in found if module.slug]
        for module in found:
            if slugs.count(module.slug) > 1:
                message = f'"{module.slug}" is a part of this series twice'
                self.problems.append(Problem("duplicate-module", message, module.span))
        return tuple(found)


SeriesReader.readers = {
    **dict.fromkeys(("title", "subtitle"), Reader.text),
    "lang": Reader.lang,
    "promise": SeriesReader.promise,
    "modules": SeriesReader.modules,
    "order": SeriesReader.order,
}
