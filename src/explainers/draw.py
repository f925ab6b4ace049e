"""Draw what only Node can: formulas, and the first frame of every figure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .digest import canonical, digest
from .errors import BuildError, Problem, Span, refuse
from .model import Drawing, Figure, Formula, Move
from .node import Node, NodeFailed
from .scripts import Script, Scripts
from .store import Store

Name = TypeVar("Name")

SCHEMA = "2"
"""Raised when requests or answers change, so that the store's old ones are not used."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure to be drawn.

    `data` is the wire JSON of each dataset by the name the kind gives it, `listing` the JSON of
    the traced function's listing, `made` the address of how its data was made, and `moves` are
    the words of the page that lead it to another state.
    """

    figure: Figure
    slug: str
    data: Mapping[str, str]
    listing: str = ""
    made: str = ""
    moves: tuple[Move, ...] = ()


def formulas(
    wanted: Iterable[Formula], macros: Mapping[str, str], node: Node, store: Store
) -> Mapping[tuple[str, bool], str]:
    """Return the HTML and MathML of each formula, by its TeX and whether it is displayed.

    Raises:
        BuildError: TeX that KaTeX does not take, each with its place.
    """
    places: dict[tuple[str, bool], list[Formula]] = {}
    for formula in wanted:
        places.setdefault((formula.tex, formula.display), []).append(formula)
    shared = digest("formulas", SCHEMA, node.libraries, canonical(dict(macros)))
    keys = {pair: digest("formula", shared, pair[0], str(pair[1])) for pair in places}
    problems: list[Problem] = []

    def refused(pair: tuple[str, bool], error: Mapping[str, Any]) -> None:
        problems.extend(_maths(formula, error) for formula in places[pair])

    found = _answers(
        {
            pair: (keys[pair], {"op": "formula", "tex": pair[0], "display": pair[1]})
            for pair in places
        },
        {"macros": dict(macros)},
        node,
        store,
        refused,
    )
    refuse(problems)
    return {pair: str(answer["html"]) for pair, answer in found.items()}


def figures(wanted: Sequence[Wanted], scripts: Scripts, node: Node, store: Store) -> list[Drawing]:
    """Return the first frame of each figure, in order.

    Raises:
        BuildError: a figure that throws, or that is given what it does not take.
    """
    modules = {i: scripts.figures[item.slug, item.figure.kind] for i, item in enumerate(wanted)}
    orders = {i: _order(item) for i, item in enumerate(wanted)}
    problems: list[Problem] = []

    def thrown(i: int, error: Mapping[str, Any]) -> None:
        problems.append(_thrown(wanted[i], modules[i], scripts.sources, error))

    found = _answers(
        {
            i: (
                digest("drawing", SCHEMA, modules[i].node.name, scripts.runtime.node.name, order),
                {"op": "draw", "module": str(modules[i].node), "order": json.loads(order)},
            )
            for i, order in orders.items()
        },
        {"runtime": str(scripts.runtime.node)},
        node,
        store,
        thrown,
    )
    for i, answer in found.items():
        problems += [_fault(wanted[i], fault) for fault in answer.get("faults", ())]
    refuse(problems)
    return [_drawing(item, modules[i], found[i]) for i, item in enumerate(wanted)]


def _answers(
    requests: Mapping[Name, tuple[str, Mapping[str, Any]]],
    shared: Mapping[str, Any],
    node: Node,
    store: Store,
    refused: Callable[[Name, Mapping[str, Any]], None],
) -> dict[Name, dict[str, Any]]:
    """Return the answer to each request, from the store where it has been given before."""
    found: dict[Name, dict[str, Any]] = {}
    missing: list[Name] = []
    known = store.shelf.get_many(key for key, _ in requests.values())
    for name, (key, _) in requests.items():
        if key in known:
            found[name] = json.loads(known[key])
        else:
            missing.append(name)
    try:
        answers = node.stream([{**requests[name][1], **shared} for name in missing])
        for name, answer in zip(missing, answers, strict=True):
            if "error" in answer:
                refused(name, answer["error"])
                continue
            found[name] = answer
            if not answer.get("faults"):
                store.shelf.put(requests[name][0], canonical(answer).encode())
    except NodeFailed as error:
        raise BuildError([Problem("node", str(error))]) from error
    return found


def _order(item: Wanted) -> str:
    """Return what Node is told of a figure, as canonical JSON."""
    figure = item.figure
    return canonical(
        {
            "id": figure.label,
            "state": json.loads(figure.state or "{}"),
            "options": json.loads(figure.options or "{}"),
            "data": {role: json.loads(text) for role, text in item.data.items()},
            "listing": json.loads(item.listing or "{}"),
            "made": item.made or "#colophon",
            **({"moves": [move.state for move in item.moves]} if item.moves else {}),
        }
    )


def _drawing(item: Wanted, script: Script, answer: Mapping[str, Any]) -> Drawing:
    figure = item.figure
    listing = json.loads(item.listing or "{}")
    props = {
        # The lines stand in the first frame; the browser reads them there.
        **{name: value for name, value in listing.items() if name != "lines"},
        "state": json.loads(figure.state or "{}"),
        "options": json.loads(figure.options or "{}"),
        "data": {role: name for role, name, _ in figure.data},
        "made": item.made or "#colophon",
    }
    html = str(answer["html"])
    return Drawing(
        html=html,
        describe=str(answer["describe"]),
        module=script.name,
        props=canonical(props),
        datasets=tuple(dict.fromkeys(name for _, name, _ in figure.data)),
        picture=html[html.index('<div class="picture"') : html.index('<div class="says"')],
    )


def _fault(item: Wanted, fault: Mapping[str, str]) -> Problem:
    """Return a problem for what the kind was given: data of another shape, or a state."""
    figure = item.figure
    if fault["kind"] == "move":
        message = f'the figure "{figure.label}" {fault["message"]}'
        return Problem("figure-state", message, item.moves[int(fault["about"])].span)
    message = f"figure {figure.kind} {fault['message']}"
    if fault["kind"] == "data":
        spans = [span for role, _, span in figure.data if role == fault["about"]]
        return Problem("data-shape", message, spans[0] if spans else figure.span)
    return Problem("figure-state", message, figure.span)


def _thrown(
    item: Wanted, script: Script, sources: Mapping[str, str], error: Mapping[str, Any]
) -> Problem:
    """Return a problem at the line of the figure's own module that threw."""
    figure = item.figure
    message = f'figure "{figure.label}": {error["message"]}'
    if error["name"] == "NodeFailed":
        return Problem("node", message, figure.span)
    span = _part(script, error.get("part"))
    for name, line, column in re.findall(r"([\w.-]+\.mjs):(\d+)(?::(\d+))?", error["stack"]):
        if name in sources:
            span = Span(sources[name], int(line), int(column or 1))
            break
    return Problem("figure-raised", message, span, error.get("hint"))


def _part(script: Script, part: str | None) -> Span:
    """Return where a part of a figure begins: what it returned is wrong, and no line threw."""
    # Node's copy has the lines of the source; only the names it imports differ.
    lines = script.node.read_text(encoding="utf-8").splitlines() if part else []
    for number, line in enumerate(lines, 1):
        if found := re.match(rf"\s*(?:async\s+)?({re.escape(part or '')})\b", line):
            return Span(script.source, number, found.start(1) + 1, len(found[1]))
    return Span(script.source)


def _maths(formula: Formula, error: Mapping[str, Any]) -> Problem:
    """Return a problem at the part of the formula that KaTeX does not take."""
    tex, span = formula.tex, formula.span
    message = str(error["message"]).removeprefix("KaTeX parse error: ")
    message = re.sub(r" at (position \d+|end of input): .*", "", message, flags=re.DOTALL)
    start, width = error.get("position"), error.get("length")
    if error["name"] == "NodeFailed":
        return Problem("node", message, span)
    hint = None
    if refused := error.get("refused"):
        start, width = tex.find(refused), len(refused)
        hint = "commands that put links, files or styles on the page are off"
    elif match := re.search(r"control sequence: (\\\w+)", message):
        start, width = tex.find(match[1]), len(match[1])
        hint = f"KaTeX has no {match[1]}; define it under macros in content/site.yaml"
    if start is None or start < 0:
        return Problem("maths", message, span, hint)
    before = tex[:start]
    line = before.count("\n")
    column = start - before.rfind("\n") if line else span.column + start
    column += sum(formula.shifts[line - 1 : line]) if line else 0
    return Problem("maths", message, Span(span.path, span.line + line, column, width or 1), hint)
