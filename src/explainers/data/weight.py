"""How much data a page asks a reader to load, and what to do where it is too much."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import Problem, Span

FIGURE = 60_000
"""Bytes, compressed, of the datasets of one figure."""

ARTICLE = 200_000
"""Bytes, compressed, of the datasets of all figures of an article."""

_WHOLE = ("u8", "i8", "u16", "i16", "u32", "i32")
_BYTES = {"f64": 8, "f32": 4, "i32": 4, "u32": 4, "i16": 2, "u16": 2, "i8": 1, "u8": 1}


def size(wire: str) -> int:
    """Return the bytes of a dataset on its way to the browser, compressed as servers do."""
    return len(gzip.compress(wire.encode(), 6))


def heavy(
    figures: Iterable[tuple[Span, Iterable[str]]],
    wires: Mapping[str, str],
    sizes: Mapping[str, int],
) -> Iterator[Problem]:
    """Yield a problem for each figure of an article that loads too much, and for the article.

    Args:
        figures: where each stands, and the names of its datasets.
        wires: the JSON of each dataset.
        sizes: its compressed size.
    """
    for span, names in figures:
        used = sorted(set(names), key=lambda name: -sizes[name])
        total = sum(sizes[name] for name in used)
        if total > FIGURE:
            yield _problem("this figure loads", total, FIGURE, span, used[0], wires)
    total = sum(sizes.values())
    if total > ARTICLE:
        largest = max(sizes, key=lambda name: sizes[name])
        (span, _), *_ = figures
        yield _problem("the figures of this page load", total, ARTICLE, span, largest, wires)


def _problem(
    who: str, total: int, limit: int, span: Span, name: str, wires: Mapping[str, str]
) -> Problem:
    message = f"{who} {total / 1000:.0f} kB of data, compressed; {limit // 1000} kB are allowed"
    narrower = ", ".join(f'"{field}": "{kind}"' for field, kind in proposal(wires[name]).items())
    ways = f"wire={{{narrower}}} narrows {name}" if narrower else f"{name} is the largest"
    return Problem("data-budget", message, span, f"{ways}; or sweep fewer values")


def proposal(wire: str) -> dict[str, str]:
    """Return narrower types that the fields of a dataset would fit, the largest field first."""
    fields: Mapping[str, Any] = json.loads(wire)["fields"]
    found = {}
    for name, field in sorted(fields.items(), key=lambda item: -len(item[1].get("base64", ""))):
        kind = field["dtype"]
        narrower = _narrower(kind, field["base64"]) if kind in _BYTES else kind
        if _BYTES.get(narrower, 9) < _BYTES.get(kind, 0):
            found[name] = narrower
    return found


def _narrower(kind: str, text: str) -> str:
    import numpy as np

    code = f"<{kind[0]}{int(kind[1:]) // 8}"
    array = np.frombuffer(base64.b64decode(text), code)
    if array.size and np.all(np.isfinite(array)) and np.all(array == np.round(array)):
        for whole in _WHOLE:
            limits = np.iinfo(f"{whole[0]}{int(whole[1:]) // 8}")
            if limits.min <= array.min() and array.max() <= limits.max:
                return whole
    if kind == "f64":
        largest = np.max(np.abs(array[np.isfinite(array)]), initial=0)
        return "f32" if largest <= np.finfo("f4").max else kind
    return kind
