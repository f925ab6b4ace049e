"""The guide shows every construct, and what it shows is what is built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from explainers.data.expression import FILTERS, FUNCTIONS
from explainers.front_matter import KEYS
from explainers.markdown.code import ATTRIBUTES
from explainers.markdown.directives import DIRECTIVES
from explainers.markdown.roles import ROLES
from explainers.pipeline.outlines import PAGE

from .conftest import Site

CONTENT = Path(__file__).parents[1] / "content"
GUIDE = CONTENT / "guide"
TEXT = (GUIDE / "the-language" / "index.md").read_text(encoding="utf-8")
SHOWN = "\n".join(
    re.findall(r"^(:{4,})\{example\}\n(.*?)^\1$", TEXT, re.M | re.S)[n][1]
    for n in range(TEXT.count("{example}\n"))
)


@pytest.mark.parametrize("name", sorted(DIRECTIVES.keys() - {"example"}))
def test_every_directive_is_shown_with_what_it_becomes(name: str) -> None:
    assert re.search(rf"^:::+\{{{name}\}}", SHOWN, re.MULTILINE)


@pytest.mark.parametrize("name", sorted({o for d in DIRECTIVES.values() for o in d.options}))
def test_every_option_is_named(name: str) -> None:
    assert f":{name}:" in TEXT


@pytest.mark.parametrize("name", sorted(ROLES))
def test_every_role_is_shown_with_what_it_becomes(name: str) -> None:
    assert f"{{{name}}}`" in SHOWN


@pytest.mark.parametrize("name", KEYS)
def test_every_key_of_the_front_matter_is_explained(name: str) -> None:
    assert re.search(rf"^\|[^|]*`{name}`", TEXT, re.MULTILINE)


@pytest.mark.parametrize("name", sorted({*FUNCTIONS, *FILTERS}))
def test_every_function_and_filter_is_shown_with_its_result(name: str) -> None:
    assert re.search(rf"\{{value\}}`[^`]*\b{name}\b", SHOWN)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_every_setting_of_a_code_block_is_named(name: str) -> None:
    assert f"`{name}`" in TEXT


PAGES = sorted(
    match["guide"]
    for path in GUIDE.rglob("*.md")
    if (match := PAGE.fullmatch(path.relative_to(CONTENT.parent).as_posix()))
)


@pytest.mark.parametrize("slug", PAGES)
def test_a_page_of_the_guide_is_built_and_there_is_nothing_to_note(slug: str) -> None:
    found = Site(CONTENT.parent).run("check", slug)
    assert (found.code, found.out) == (0, "Nothing to note.\n")
