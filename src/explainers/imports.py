"""The imports of a figure's module: what they name, and where they stand in its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import Problem, Span


@dataclass(frozen=True, slots=True)
class Import:
    """An import in a module: the name, and the place of it in the text."""

    name: str | None
    start: int
    end: int
    dynamic: bool


def found(answer: Mapping[str, Any], text: str) -> list[Import]:
    """Return the imports that Node found in a text."""
    return [
        Import(i["name"], _index(text, i["from"]), _index(text, i["to"]), i["dynamic"])
        for i in answer["imports"]
    ]


def place(path: str, text: str, item: Import) -> Span:
    """Return where an import stands."""
    line = text.count("\n", 0, item.start) + 1
    column = item.start - text.rfind("\n", 0, item.start)
    return Span(path, line, column, max(1, item.end - item.start))


def syntax(source: str, error: Mapping[str, Any]) -> Problem:
    """Return a problem at the first place that the parser complains of."""
    if not error["places"]:
        return Problem("figure-syntax", str(error["message"]), Span(source))
    where = error["places"][0]
    span = Span(source, where["line"], where["column"] + 1, max(1, where["length"]))
    return Problem("figure-syntax", str(where["text"]), span)


def _index(text: str, units: int) -> int:
    """Return the place in a text that is so many UTF-16 units in, as JavaScript counts."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))
