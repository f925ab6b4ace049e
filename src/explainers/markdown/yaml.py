"""Read YAML from untrusted hands: nodes with places, bounded depth, one exception."""

from __future__ import annotations

import re
from typing import Any

import yaml

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
QUOTE = 'a value that holds a colon, comma, backtick or # goes in quotes: title: "A: B"'
MOST_OPENINGS = 1000
"""Brackets and list dashes allowed in one text: the C loader recurses on its own stack."""

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
    """Return the plain value of a text: mapping, list, text, number, bool or None."""
    node = compose(text)
    if node is None:
        return None
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_document(node)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlError(0, 0) from error
    finally:
        loader.dispose()
