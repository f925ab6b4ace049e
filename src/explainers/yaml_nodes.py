"""Read YAML from untrusted hands: nodes with places, bounded depth, one exception."""

from __future__ import annotations

import re
from typing import Any

import yaml

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
QUOTE = 'a value that holds a colon, comma, backtick or # goes in quotes: title: "A: B"'
MOST_OPENINGS = 1000
"""Brackets and list dashes allowed in one text: the C loader recurses on its own stack."""

DEEPEST = 20
LONGEST_NUMBER = 20
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9]\d*)")
_FLOAT = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?")
_OPENING = re.compile(r"[\[{]|[-?:] ")


class YamlError(Exception):
    """A text is not YAML; line and column are counted from 0."""

    def __init__(self, line: int, column: int) -> None:
        """Keep the place."""
        super().__init__(f"{line}:{column}")
        self.line, self.column = line, column


def compose(text: str) -> yaml.Node | None:
    """Return the text's node, which knows its place, or None when there is nothing."""
    if len(_OPENING.findall(text)) > MOST_OPENINGS:
        raise YamlError(0, 0)
    try:
        return yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        raise YamlError(line, column) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError(0, 0) from error


def value(text: str) -> Any:
    """Return the plain value of a text: mapping, list, text, number, bool or None.

    Only what JSON knows is told apart: `on`, `no`, `1:30` and dates stay the texts they look like.
    """
    node = compose(text)
    return None if node is None else _plain(node, 0)


def _plain(node: yaml.Node, depth: int) -> Any:
    if depth > DEEPEST:
        raise YamlError(node.start_mark.line, node.start_mark.column)
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): _plain(item, depth + 1) for key, item in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, depth + 1) for item in node.value]
    text = str(node.value)
    if not isinstance(node, yaml.ScalarNode) or node.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) < LONGEST_NUMBER:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text
