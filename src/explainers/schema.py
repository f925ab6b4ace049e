"""JSON Schemas of what authors write in YAML, made from the types that read it.

Editors that know them complete keys and underline mistakes while they are typed.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from .config import HOMES, Config
from .front_matter import KINDS, LANGUAGE, LONGEST, REQUIRED, SHORTEST, TAUGHT, TEACHING
from .model import Erratum, FrontMatter
from .series import KEYS as SERIES_KEYS
from .series import LONGEST as LONGEST_PROMISE
from .series import SHORTEST as SHORTEST_PROMISE
from .series import SeriesReader

DIALECT = "https://json-schema.org/draft/2020-12/schema"

FRONT_MATTER: Mapping[str, str] = {
    "title": "The article's title; Markdown and formulas are allowed.",
    "summary": "What the reader will understand, for lists, search results and feeds.",
    "date": "The day of publication; a later one holds the article back until then.",
    "updated": "The day of the last change that readers should know of.",
    "kind": "article and module teach and are held to more; analysis and note are free.",
    "tags": "What it is about, in any script; each tag has a page.",
    "audience": "For whom it is: what they know already.",
    "prerequisites": "What to read or know before.",
    "predict": "What a reader can predict afterwards.",
    "featured": "Show it on the home page.",
    "draft": "Parse and check it, publish it in `serve` only.",
    "html": "Allow raw HTML in the text; scripts and styles stay refused.",
    "aliases": "Former addresses, which lead here.",
    "authors": "Who wrote it, where that is not the site's authors.",
    "lang": "The language of the text, where it is not the site's.",
    "license": "The licence of the text, where it is not the site's.",
    "errata": "Mistakes that were corrected after publication.",
}
SITE: Mapping[str, str] = {
    "title": "The site's name.",
    "tagline": "One line below the name.",
    "base_url": "Where the site lives; feeds and the sitemap need it.",
    "time_zone": "Where a date begins: Europe/Berlin, UTC.",
    "lang": "The language of the site.",
    "authors": "Who writes, where an article does not say.",
    "menus": "The entries of the menu, and where each leads.",
    "home": "What the home page shows.",
    "repository": "Where the site's sources are kept: mistakes are reported there.",
    "macros": "TeX macros for all formulas, as R: \\mathbb{R} with its backslash.",
}
ERRATUM: Mapping[str, str] = {
    "date": "The day of the correction.",
    "text": "What was wrong, and what is right.",
}
_NAME = r"[\p{L}\p{N}\p{So}]"
SERIES: Mapping[str, dict[str, Any]] = {
    "title": {"description": "The name of the series."},
    "subtitle": {"description": "What it is about, in one line."},
    "promise": {
        "description": "What the whole series lets a reader do.",
        "minLength": SHORTEST_PROMISE,
        "maxLength": LONGEST_PROMISE,
    },
    "modules": {
        "description": "Its parts in order: slugs of articles, or titles and promises.",
        "type": "array",
        "minItems": 1,
        "items": {
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "properties": {
                        "slug": {"type": "string"},
                        "title": {"type": "string"},
                        "promise": {"type": "string"},
                    },
                    "dependentRequired": {"title": ["promise"], "promise": ["title"]},
                    "minProperties": 1,
                    "additionalProperties": False,
                },
            ]
        },
    },
    "order": {"description": "Its place among the series.", "type": "integer"},
    "lang": {"description": "The language of the text, where it is not the site's."},
}
_MORE: Mapping[str, Mapping[str, Any]] = {
    "summary": {"minLength": SHORTEST, "maxLength": LONGEST},
    "kind": {"enum": list(KINDS)},
    "lang": {"pattern": f"^{LANGUAGE.pattern}$"},
    "home": {"enum": list(HOMES)},
    "base_url": {"pattern": "^https?://"},
    "repository": {"pattern": "^https://"},
}


def schemas() -> Mapping[str, dict[str, Any]]:
    """Return the schemas by their names."""
    front = _object(FrontMatter, FRONT_MATTER)
    front["properties"]["tags"]["items"]["pattern"] = _NAME
    free = [kind for kind in KINDS if kind not in TEACHING]
    front["required"] = list(REQUIRED)
    front["if"] = {"properties": {"kind": {"enum": free}}, "required": ["kind"]}
    front["else"] = {"required": list(TAUGHT)}
    site = _object(Config, SITE)
    return {
        "front-matter": {"$schema": DIALECT, "title": "Front matter of an article", **front},
        "series": {"$schema": DIALECT, "title": "Front matter of a series", **_series()},
        "site": {"$schema": DIALECT, "title": "Settings of a site", **site},
    }


def _series() -> dict[str, Any]:
    """Return the schema of a series, which has a reader and no type of its own."""
    return {
        "type": "object",
        "properties": {key: {"type": "string", **SERIES[key]} for key in SERIES_KEYS},
        "required": list(SeriesReader.required),
        "additionalProperties": False,
    }


def text(schema: Mapping[str, Any]) -> str:
    """Return a schema as the text of its file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _object(kind: type[Any], about: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of a frozen type: its fields are the keys."""
    hints = get_type_hints(kind)
    needed = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING]
    return {
        "type": "object",
        "properties": {
            f.name: {"description": about[f.name], **_type(hints[f.name]), **_MORE.get(f.name, {})}
            for f in fields(kind)
        },
        "required": needed,
        "additionalProperties": False,
    }


def _type(hint: Any) -> dict[str, Any]:
    """Return the schema of a field's type."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is bool:
        return {"type": "boolean"}
    if hint is dt.date or dt.date in inner:
        return {"type": "string", "format": "date"}
    if origin is tuple:
        return {"type": "array", "items": _type(inner[0])}
    if hint is not str and origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type(inner[1])}
    if is_dataclass(hint):
        return _object(Erratum, ERRATUM)
    return {"type": "string"}
