"""Say of a dataset where its numbers come from, behind all that was computed from them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .data import recorded
from .data.dataset import origin_of
from .data.key import Keys
from .data.supplied import SAMPLE, Supply
from .model import Outline

_ABOUT = ("device", "card", "driver", "cuda", "python")


@dataclass(frozen=True, slots=True)
class Ground:
    """What a dataset rests on beside code: files that were supplied, recordings that were made."""

    supplies: tuple[Supply, ...] = ()
    made: tuple[Mapping[str, Any], ...] = field(default=())


def ground(keys: Keys, slug: str, name: str) -> Ground:
    """Return what a dataset rests on, its inputs' grounds included, each once."""
    declared = keys.datasets(slug)[name]
    if declared.supply:
        return Ground((declared.supply,))
    if declared.recorded:
        tree = keys.code.tree
        paths = recorded.paths(tree, slug, name)
        return Ground(made=tuple(recorded.read(tree, path).made for path in paths))
    below = [ground(keys, slug, need) for need in declared.needs]
    supplies = dict.fromkeys(s.name for one in below for s in one.supplies)
    by_name = {s.name: s for one in below for s in one.supplies}
    made = tuple(m for one in below for m in one.made)
    return Ground(tuple(by_name[name] for name in supplies), made)


def origin(keys: Keys, slug: str, name: str) -> str:
    """Return where a dataset's numbers come from, by what its source says: nothing is run."""
    declared = keys.datasets(slug)[name]
    if declared.supply:
        return declared.supply.origin
    below = [origin(keys, slug, need) for need in declared.needs]
    return origin_of(declared.recorded, declared.origin, below)


def named(keys: Keys, outline: Outline) -> list[str]:
    """Return the datasets of a page: those it names, then what they were made from."""
    declared = keys.datasets(outline.slug) if outline.datasets else {}
    functions = keys.functions(outline.slug) if outline.datasets else {}
    names = [name for name, _ in outline.datasets]
    for name in names:  # which grows
        found = declared.get(name) or functions.get(name)
        names += [need for need in (found.needs if found else ()) if need not in names]
    return list(dict.fromkeys(name for name in names if name in declared))


def notes(found: Ground, where: str) -> list[str]:
    """Return what the caption of a figure says of its data: sentences, in plain text."""
    said = []
    if where == "measured" and found.made:
        devices = " and ".join(dict.fromkeys(str(made["device"]) for made in found.made))
        dates = " and ".join(dict.fromkeys(day(str(made["date"])) for made in found.made))
        said.append(f"Measured on {devices}, {dates}.")
    for supply in found.supplies:
        said.append(f"Data: {supply.source}, as of {day(supply.as_of)}.")
        if supply.status == "sample":
            said.append(f"{SAMPLE[0].upper()}{SAMPLE[1:]}.")
    return said


def facts(found: Ground) -> Iterator[tuple[str, str]]:
    """Yield what the colophon says of what a dataset rests on: labels and texts."""
    for supply in found.supplies:
        yield "source", supply.source
        yield "licence", supply.licence
        yield "as of", day(supply.as_of)
        if supply.url:
            yield "address", supply.url
        if supply.status == "sample":
            yield "status", SAMPLE
    for number, made in enumerate(found.made, 1):
        which = f" {number}" if len(found.made) > 1 else ""
        parts = [day(str(made["date"])), *_told(made)]
        yield f"recording{which}", "; ".join(part for part in parts if part)


def _told(made: Mapping[str, Any]) -> Iterator[str]:
    yield str(made.get("device", ""))
    for name in _ABOUT[1:]:
        if made.get(name):
            yield f"{'CUDA' if name == 'cuda' else name} {made[name]}"
    yield from (f"{library} {version}" for library, version in made.get("versions", {}).items())
    for what, (low, middle, high) in made.get("during", {}).items():
        yield f"{what} {low:g} to {high:g}, median {middle:g}"


def day(text: str) -> str:
    """Return a date as a page writes it; what is no date stays as it is."""
    try:
        date = dt.date.fromisoformat(text)
    except ValueError:
        return text
    return f"{date.day} {date:%B %Y}"
