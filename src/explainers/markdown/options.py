"""Read the `:key: value` lines of a directive."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import Span
from ..nearest import listed, nearest
from ..yaml_nodes import YamlError, value
from .directives import ALIASES, Directive, Option
from .page import Page

LINE = re.compile(r":([A-Za-z][\w-]*):(?:[ \t]+(.*?))?[ \t]*$")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
NAME = re.compile(r"[A-Za-z][\w-]*")
_LINES = re.compile(r"\d+(-\d+)?(\s*,\s*\d+(-\d+)?)*")


@dataclass(frozen=True, slots=True)
class Given:
    """An option as it was given: its checked value, and where the value stands."""

    value: Any
    span: Span


def read(
    name: str, directive: Directive, page: Page, rows: list[tuple[int, int, str]]
) -> dict[str, Given]:
    """Return the options of a directive; mistakes become problems.

    Args:
        name: the directive's name.
        directive: its entry in the table.
        page: where problems go.
        rows: line and column of the body, from 0, and the text of each option line.
    """
    given: dict[str, Given] = {}
    for line, column, text in rows:
        match = LINE.match(text)
        if not match:
            continue
        typed, raw = match[1], match[2] or ""
        key = ALIASES.get(typed, typed)
        where = page.row(line, column + 1, len(typed))
        option = directive.options.get(key)
        if option is None:
            known = listed(f":{option}:" for option in directive.options)
            hint = nearest(typed, directive.options, f"options of {name}: {known}")
            page.problem("unknown-option", f'{name} has no option "{typed}"', where, hint)
        elif key in given:
            page.problem("duplicate-option", f'the option "{typed}" is given twice', where)
        else:
            start = match.start(2) if match[2] else 0
            span = page.row(line, column + start, len(raw) if raw else len(text.rstrip()))
            found = _value(option, typed, raw, span, page)
            if found is not None:
                given[key] = Given(found, span)
    return given


def _value(option: Option, key: str, raw: str, span: Span, page: Page) -> Any:
    """Return one value as its type asks, or None and a problem."""

    def wrong(want: str, hint: str | None = None, at: Span = span) -> None:
        page.problem("bad-option", f'"{key}" must be {want}', at, hint)

    if not raw and option.type != "flag":
        wrong("given a value", option.help)
        return None
    if option.type == "expression":
        return raw
    if option.type in ("label", "target"):
        if NAME.fullmatch(raw):
            return raw
        wrong("one word of letters, digits, - and _", f":{key}: one-sweep")
        return None
    if option.type == "lines":
        if _LINES.fullmatch(raw):
            return raw
        wrong("lines and ranges", f":{key}: 1, 3-5")
        return None
    if "|" in option.type:
        words = option.type.split("|")
        if raw in words:
            return raw
        wrong(f"one of {listed(words)}", nearest(raw, words))
        return None
    try:
        found = value(raw) if raw else True
    except YamlError as error:
        at = Span(span.path, span.line, span.column + min(error.column, len(raw) - 1))
        wrong("YAML", f'texts with a colon or comma go in quotes: :{key}: {{a: "b, c"}}', at)
        return None
    if not _is_finite(found):
        numbers = (n for n in _NUMBER.finditer(raw) if not math.isfinite(float(n[0])))
        large = next(numbers, None)
        start, width = (large.start(), len(large[0])) if large else (0, len(raw))
        at = Span(span.path, span.line, span.column + start, width)
        wrong("made of finite numbers", "no number of a page is larger than 1.79e308", at)
        return None
    return _typed(option.type, key, found, raw, wrong)


def _typed(kind: str, key: str, found: Any, raw: str, wrong: Any) -> Any:
    if kind == "text":
        return str(found) if isinstance(found, (str, int, float)) else raw
    if kind == "flag":
        if isinstance(found, bool):
            return found
        wrong("true or false")
    elif kind == "datasets":
        if isinstance(found, str) and NAME.fullmatch(found):
            return {"data": found}
        if (
            isinstance(found, dict)
            and found
            and all(_word(k) and _word(v) for k, v in found.items())
        ):
            return found
        wrong("a dataset, or names with datasets", f":{key}: {{trace: a, baseline: b}}")
    elif isinstance(found, dict):
        return found
    else:
        wrong("a map", f":{key}: {{step: 3}}")
    return None


def _is_finite(item: Any) -> bool:
    if isinstance(item, dict):
        return all(map(_is_finite, item.values()))
    if isinstance(item, list):
        return all(map(_is_finite, item))
    return not isinstance(item, float) or math.isfinite(item)


def _word(item: object) -> bool:
    return isinstance(item, str) and NAME.fullmatch(item) is not None


def as_json(found: Mapping[str, Any]) -> str:
    """Return JSON that is the same for the same values."""
    return json.dumps(
        found, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
