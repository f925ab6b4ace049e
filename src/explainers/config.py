"""A site's settings, read from content/site.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import yaml

from .errors import BuildError, Problem, Span, refuse
from .nearest import listed, nearest
from .yaml_nodes import QUOTE, YamlError, compose

PATH = "content/site.yaml"
HOMES = ("featured", "list", "series")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a site; addresses end in a slash."""

    title: str
    tagline: str = ""
    base_url: str = ""
    time_zone: str = "UTC"
    lang: str = "en"
    authors: tuple[str, ...] = ()
    menus: Mapping[str, str] = field(default_factory=dict)
    home: str = "featured"
    repository: str = ""
    macros: Mapping[str, str] = field(default_factory=dict)


_REQUIRED = ("title",)
_MAPS = ("menus", "macros")


def load(text: str, path: str = PATH) -> Config:
    """Return the settings, or raise BuildError with every mistake and its place."""
    try:
        node = compose(text)
    except YamlError as error:
        span = Span(path, error.line + 1, error.column + 1)
        raise BuildError([Problem("bad-yaml", "YAML cannot read this", span, QUOTE)]) from error
    if not isinstance(node, yaml.MappingNode):
        message = "the site's settings are a list of `key: value` lines"
        raise BuildError([Problem("bad-settings", message, Span(path), "at least title: …")])
    problems: list[Problem] = []
    values: dict[str, object] = {}
    known = [f.name for f in fields(Config)]
    for key_node, value_node in node.value:
        key = str(key_node.value)
        span = _span(path, key_node, len(key))
        if key not in known:
            hint = nearest(key, known, f"known: {listed(known)}")
            problems.append(Problem("unknown-key", f'no setting named "{key}"', span, hint))
        elif key in values:
            problems.append(Problem("duplicate-key", f'"{key}" is set twice', span))
        else:
            values[key] = _value(key, value_node, path, problems)
    problems += [
        Problem("missing-key", f'the setting "{key}" is missing', Span(path), f"{key}: …")
        for key in _REQUIRED
        if key not in values
    ]
    refuse(problems)
    return Config(**values)  # type: ignore[arg-type]  # each value was checked by _value


def _span(path: str, node: yaml.Node, width: int = 1) -> Span:
    return Span(path, node.start_mark.line + 1, node.start_mark.column + 1, width)


def entry(text: str, key: str, name: str) -> Span:
    """Return the place of a name in one of the settings that are `name: text` lines."""
    node = compose(text)
    for key_node, value_node in node.value if isinstance(node, yaml.MappingNode) else ():
        if key_node.value == key and isinstance(value_node, yaml.MappingNode):
            for name_node, text_node in value_node.value:
                if name_node.value == name:
                    return _span(PATH, text_node, max(1, len(str(text_node.value))))
    return Span(PATH)


def _value(key: str, node: yaml.Node, path: str, problems: list[Problem]) -> object:
    """Return one checked value; a wrong one becomes a problem at its place."""

    def wrong(want: str, hint: str | None = None) -> None:
        width = max(1, len(node.value)) if isinstance(node, yaml.ScalarNode) else 1
        message = f'"{key}" must be {want}'
        problems.append(Problem("wrong-type", message, _span(path, node, width), hint))

    if key in _MAPS:
        if not isinstance(node, yaml.MappingNode):
            wrong("`name: text` lines")
            return {}
        found: dict[str, str] = {}
        for name_node, text_node in node.value:
            name = str(name_node.value)
            if not isinstance(text_node, yaml.ScalarNode):
                node = text_node
                wrong("`name: text` lines")
            elif name in found:
                message = f'"{name}" stands twice in "{key}"'
                problems.append(
                    Problem("duplicate-key", message, _span(path, name_node, len(name)))
                )
            else:
                found[name] = str(text_node.value)
        return found
    if key == "authors":
        if not isinstance(node, yaml.SequenceNode):
            wrong("a list of names", "authors: [A, B]")
            return ()
        if not all(isinstance(item, yaml.ScalarNode) for item in node.value):
            wrong("a list of names", "authors: [A, B]")
        return tuple(str(item.value) for item in node.value)
    if not isinstance(node, yaml.ScalarNode):
        wrong("one line of text")
        return ""
    text = str(node.value)
    if key in _REQUIRED and not text.strip():
        wrong("given a text", f"{key}: …")
    elif key == "home" and text not in HOMES:
        wrong("one of " + ", ".join(HOMES))
    elif key == "base_url":
        if not is_base(text):
            wrong("an address with https://", "base_url: https://example.org/")
        return text if text.endswith("/") else text + "/"
    elif key == "repository":
        if not text.startswith("https://"):
            wrong("an address with https://", "repository: https://github.com/you/site")
        return text.rstrip("/")
    elif key == "time_zone":
        try:
            ZoneInfo(text)
        except (ZoneInfoNotFoundError, ValueError):
            wrong("a time zone", "time_zone: Europe/Berlin, or UTC")
    return text


def is_base(text: str) -> bool:
    """Return whether a text is an address that a site can live at: a host, and perhaps a path."""
    return re.fullmatch(r"https?://[\w.-]+(:\d+)?(/[\w.~%-]+)*/?", text) is not None
