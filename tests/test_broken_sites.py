"""Each broken site prints exactly its text, and the site of the last good build stays.

A case is a folder of tests/errors/ with the content of a site and what the build says of it; in
tests/notes/ are sites that can be built, and what `check` says of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Site, cases

FOLDER = Path(__file__).parent / "errors"
NOTES = Path(__file__).parent / "notes"


@pytest.mark.parametrize("folder", cases(FOLDER), ids=lambda path: path.name)
def test_a_broken_site_says_what_is_wrong_and_where(
    folder: Path, case: Callable[[Path], Site], golden: Callable[[Path, str], None]
) -> None:
    site = case(folder)
    site.write("_site/.explainers", "")
    site.write("_site/index.html", "the last good page")
    built = site.build()
    assert built.code == 1
    assert built.out == ""
    assert site.output() == {"index.html": b"the last good page"}
    golden(folder / "expected.txt", built.err)
    places = re.findall(r"^(\S+?):(\d+):(\d+): error\[", built.err, re.MULTILINE)
    assert places, "a problem without a place helps nobody"


@pytest.mark.parametrize("folder", cases(NOTES), ids=lambda path: path.name)
def test_a_doubtful_site_is_built_and_says_what_to_look_at(
    folder: Path, case: Callable[[Path], Site], golden: Callable[[Path, str], None]
) -> None:
    found = case(folder).run("check")
    assert found.code == 1
    assert found.err == ""
    golden(folder / "expected.txt", found.out)


def test_every_case_is_named_for_the_code_it_shows() -> None:
    for folder in (*cases(FOLDER), *cases(NOTES)):
        text = (folder / "expected.txt").read_text(encoding="utf-8")
        assert re.findall(r"(?:error|note)\[(.*?)\]", text)[0] == folder.name, folder.name
