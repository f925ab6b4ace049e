"""Editors are given schemas that say what the build says; the copies that are kept are current."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import fields
from pathlib import Path

import pytest

from explainers.cli import main
from explainers.config import Config
from explainers.front_matter import KEYS
from explainers.schema import schemas, text

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


@pytest.mark.parametrize("name", ["front-matter", "series", "site"])
def test_the_copy_of_a_schema_is_current(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(FOLDER / f"{name}.json", text(schemas()[name]))


def test_a_schema_has_every_key() -> None:
    assert tuple(schemas()["front-matter"]["properties"]) == KEYS
    assert list(schemas()["site"]["properties"]) == [f.name for f in fields(Config)]


def test_a_schema_says_what_is_required() -> None:
    front, site = schemas()["front-matter"], schemas()["site"]
    assert front["required"] == ["title", "summary", "date"]
    assert front["if"]["properties"]["kind"]["enum"] == ["analysis", "note"]
    assert front["else"] == {"required": ["audience", "predict"]}
    assert site["required"] == ["title"]


def test_a_schema_says_the_types() -> None:
    properties = schemas()["front-matter"]["properties"]
    assert properties["summary"]["minLength"] == 120
    assert properties["updated"]["format"] == "date"
    assert properties["draft"]["type"] == "boolean"
    assert properties["tags"]["items"] == {
        "type": "string",
        "pattern": r"[\p{L}\p{N}\p{So}]",
    }
    assert properties["errata"]["items"]["required"] == ["date", "text"]
    assert schemas()["site"]["properties"]["macros"]["additionalProperties"] == {"type": "string"}


def test_the_command_prints_a_schema() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["schema", "site"]) == 0
    assert out.getvalue() == text(schemas()["site"])
