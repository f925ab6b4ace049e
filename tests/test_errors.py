"""Problems are shown with their place, a caret under the mistake, and a way out."""

import pytest

from explainers.errors import BuildError, Problem, Span, refuse, show

TEXT = "one\nWatch the blocks arrive.\n:data: tracee\nlast\n"


def test_a_problem_points_at_its_mistake() -> None:
    problem = Problem(
        "unknown-dataset",
        'no dataset named "tracee"',
        Span("a.md", 3, 8, 6),
        'did you mean "trace"?',
    )
    assert show(problem, {"a.md": TEXT}.get) == (
        'a.md:3:8: error[unknown-dataset]: no dataset named "tracee"\n'
        "   2 | Watch the blocks arrive.\n"
        "   3 | :data: tracee\n"
        "     |        ^^^^^^\n"
        'hint: did you mean "trace"?'
    )


def test_the_caret_stands_under_its_character_after_tabs() -> None:
    shown = show(Problem("x", "m", Span("a", 1, 3)), {"a": "\t\tx"}.get)
    assert shown.splitlines()[-1] == "     | \t\t^"


def test_a_place_that_cannot_be_read_leaves_the_message() -> None:
    assert show(Problem("x", "gone", Span("b", 9, 9)), {}.get) == "b:9:9: error[x]: gone"
    assert show(Problem("x", "gone", Span("a", 99)), {"a": "short"}.get) == "a:99:1: error[x]: gone"
    assert show(Problem("x", "nowhere"), {}.get) == "error[x]: nowhere"


def test_problems_come_once_and_in_the_order_of_their_places() -> None:
    late, early = Problem("x", "b", Span("a", 2)), Problem("x", "a", Span("a", 1))
    nowhere = Problem("x", "c")
    assert BuildError([late, early, late, nowhere]).problems == (nowhere, early, late)


@pytest.mark.parametrize("text", ["one\u2028\x0c\x85\ntwo", "\ufeffone\r\ntwo\r\n", "one\rtwo"])
def test_only_line_ends_end_a_line(text: str) -> None:
    shown = show(Problem("x", "m", Span("a", 2, 1, 3)), {"a": text}.get)
    assert shown.endswith("\n   2 | two\n     | ^^^")


def test_no_problem_refuses_nothing() -> None:
    refuse([])


def test_of_a_long_line_the_part_with_the_mistake_is_shown() -> None:
    line = "word " * 60 + "MISTAKE" + " word" * 60
    shown = show(Problem("x", "m", Span("a", 1, 301, 7)), {"a": line}.get).splitlines()
    text, carets = shown[1], shown[2]
    assert len(text) < 110
    assert text[carets.index("^") : carets.rindex("^") + 1] == "MISTAKE"
    assert text.startswith("   1 | …")
    assert text.endswith("…")


def test_a_caret_never_leaves_its_line() -> None:
    shown = show(Problem("x", "m", Span("a", 1, 3, 50)), {"a": "abcdef"}.get)
    assert shown.splitlines()[-1] == "     |   ^^^^"
