"""A series is read, and the number of modules in its prose is that of its list."""

from __future__ import annotations

import pytest

from explainers.errors import BuildError
from explainers.model import Parsed
from explainers.parse import parse

PATH = "content/series/course.md"
REST = "It says what the whole of it lets a reader do, in a sentence that is long enough for all."


def course(promise: str = f"Two modules. {REST}", body: str = "", modules: str = "") -> Parsed:
    modules = modules or "  - first\n  - {title: Second, promise: What it shows.}\n"
    text = (
        f'---\ntitle: A course\nsubtitle: To somewhere\npromise: "{promise}"\n'
        f"modules:\n{modules}---\n{body}"
    )
    return parse(PATH, "series/course", text)


def problems(**changes: str) -> list[tuple[str, str, int, int]]:
    with pytest.raises(BuildError) as caught:
        course(**changes)
    found = caught.value.problems
    return [(p.code, p.message, p.span.line, p.span.column) for p in found if p.span]


def test_a_series_has_its_modules_in_order() -> None:
    outline = course().outline
    assert outline.section == "series"
    assert outline.title_text == "A course"
    assert outline.summary_text.startswith("Two modules.")
    assert outline.series is not None
    assert outline.series.subtitle == "To somewhere"
    first, second = outline.series.modules
    assert (first.slug, first.title) == ("first", "")
    assert (second.slug, second.title, second.promise) == ("", "Second", "What it shows.")


@pytest.mark.parametrize("said", ["Three modules", "3 modules", "twenty-one chapters", "1 module"])
def test_a_number_of_modules_that_is_not_theirs_is_a_problem(said: str) -> None:
    number, noun = said.split()
    assert problems(promise=f"{said}. {REST}") == [
        ("module-count", f"the series has 2 {noun}, not {number}", 4, 11)
    ]
    assert problems(body=f"\nIn {said}.\n")[0][2:] == (10, 4)


@pytest.mark.parametrize(
    "said",
    ["Two modules", "2 chapters", "the first three modules", "Module 3", "version 1.3 modules"],
)
def test_other_numbers_are_none_of_our_business(said: str) -> None:
    assert course(promise=f"{said}. {REST}").outline.series


@pytest.mark.parametrize(
    ("modules", "code"),
    [
        ("  - {title: Only a title}\n", "wrong-type"),
        ("  - {name: x, promise: y}\n", "wrong-type"),
        ("  - [a, b]\n", "wrong-type"),
        ("  - first\n  - first\n", "duplicate-module"),
        ("  {}\n", "wrong-type"),
    ],
)
def test_a_part_that_is_none_is_a_problem(modules: str, code: str) -> None:
    assert {found[0] for found in problems(promise=REST, modules=modules)} == {code}


def test_a_key_of_an_article_has_no_place_in_a_series() -> None:
    with pytest.raises(BuildError) as caught:
        parse(PATH, "series/course", "---\ntitle: A\ndate: 2026-08-01\n---\n")
    codes = [problem.code for problem in caught.value.problems]
    assert codes == ["missing-key"] * 3 + ["unknown-key"]
