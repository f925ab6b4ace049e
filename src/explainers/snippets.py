"""Snippets for editors: every directive, role and key of the front matter, with what it does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from .markdown.directives import DIRECTIVES, Directive
from .markdown.roles import ROLES
from .schema import schemas

SCOPE = "markdown"


def snippets() -> dict[str, dict[str, Any]]:
    """Return the snippets by their names, in the form that VS Code reads."""
    found = {"front matter": _front_matter()}
    for name, directive in DIRECTIVES.items():
        found[f"directive {name}"] = {
            "scope": SCOPE,
            "prefix": f":::{name}",
            "description": directive.help,
            "body": [*_directive(name, directive)],
        }
    for name, role in ROLES.items():
        found[f"role {name}"] = {
            "scope": SCOPE,
            "prefix": f"{{{name}}}",
            "description": role.help,
            "body": [f"{{{name}}}`{_stop(1, _plain(role.example.partition('`')[2][:-1]))}`"],
        }
    for key, about in schemas()["front-matter"]["properties"].items():
        found[f"key {key}"] = {
            "scope": SCOPE,
            "prefix": f"{key}:",
            "description": about["description"],
            "body": [f"{key}: {_value(about, 1)}"],
        }
    return found


def text() -> str:
    """Return the snippets as the text of their file."""
    return json.dumps(snippets(), ensure_ascii=False, indent=2) + "\n"


def _front_matter() -> dict[str, Any]:
    schema = schemas()["front-matter"]
    keys = [*schema["required"], "kind", *schema["else"]["required"]]
    lines = [f"{key}: {_value(schema['properties'][key], n)}" for n, key in enumerate(keys, 1)]
    return {
        "scope": SCOPE,
        "prefix": "---",
        "description": "The front matter of an article: what it says of itself.",
        "body": ["---", *lines, "---", "$0"],
    }


def _value(about: dict[str, Any], stop: int) -> str:
    """Return what stands after a key: its choices, or a place of the right form."""
    if "enum" in about:
        return _choice(stop, about["enum"])
    kind = about.get("type")
    if kind == "boolean":
        return _choice(stop, ["true", "false"])
    if kind == "array":
        return f"[{_stop(stop, 'one, another')}]"
    if about.get("format") == "date":
        today = "$CURRENT_YEAR-$CURRENT_MONTH-$CURRENT_DATE"
        return _stop(stop, today)
    return f'"{_stop(stop)}"'


def _directive(name: str, directive: Directive) -> Iterator[str]:
    stop = 1
    argument = ""
    if directive.argument and directive.argument != "title":
        argument = " " + _stop(1, directive.argument)
        stop += 1
    yield f":::{{{name}}}{argument}"
    for option, about in directive.options.items():
        if option == "label" and name != "figure":
            continue
        choices = about.type.split("|")
        value = _choice(stop, choices) if choices[1:] else _stop(stop)
        yield f":{option}: {value}"
        stop += 1
    yield "$0"
    yield ":::"


def _stop(number: int, text: str = "") -> str:
    """Return a place that the Tab key goes to, with what stands there at first."""
    return f"${{{number}:{text}}}" if text else f"${{{number}}}"


def _choice(number: int, words: Iterable[str]) -> str:
    """Return a place at which one of some words is chosen."""
    return f"${{{number}|{','.join(words)}|}}"


def _plain(text: str) -> str:
    """Return a text in which no character is one of a snippet's own."""
    return re.sub(r"([$}\\])", r"\\\1", text)
