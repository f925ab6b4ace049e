"""The settings of a site are read whole, and every mistake in them has a place."""

import pytest

from explainers.config import Config, load
from explainers.errors import BuildError, Span


def test_settings_are_read() -> None:
    found = load(
        "title: Tiny Volt\nbase_url: https://a.example/sub\nauthors: [A, B]\nmacros: {\\R: x}\n"
    )
    assert found == Config(
        "Tiny Volt", base_url="https://a.example/sub/", authors=("A", "B"), macros={"\\R": "x"}
    )


@pytest.mark.parametrize(
    ("text", "code", "span"),
    [
        ("titel: x\ntitle: y\n", "unknown-key", Span("content/site.yaml", 1, 1, 5)),
        ("title: x\ntitle: y\n", "duplicate-key", Span("content/site.yaml", 2, 1, 5)),
        ("title: x\nauthors: Me\n", "wrong-type", Span("content/site.yaml", 2, 10, 2)),
        ("title: x\nhome: blog\n", "wrong-type", Span("content/site.yaml", 2, 7, 4)),
        ("title: x\ntime_zone: Mars\n", "wrong-type", Span("content/site.yaml", 2, 12, 4)),
        ("title: x\nbase_url: a.example\n", "wrong-type", Span("content/site.yaml", 2, 11, 9)),
        ("title: x\nbase_url: https://[::1/\n", "wrong-type", Span("content/site.yaml", 2, 11, 13)),
        ("title: x\nbase_url: https://a?b\n", "wrong-type", Span("content/site.yaml", 2, 11, 11)),
        ("tagline: x\n", "missing-key", Span("content/site.yaml")),
        ("title: x\nmenus: {A: [b]}\n", "wrong-type", Span("content/site.yaml", 2, 12)),
        ("title: x\nmenus: {A: b, A: c}\n", "duplicate-key", Span("content/site.yaml", 2, 15)),
        ("title: x\nauthors: [[A]]\n", "wrong-type", Span("content/site.yaml", 2, 10)),
        ("title:\n", "wrong-type", Span("content/site.yaml", 1, 7)),
        ("title: a: b\n", "bad-yaml", Span("content/site.yaml", 1, 9)),
        ("- x\n", "bad-settings", Span("content/site.yaml")),
    ],
)
def test_a_mistake_has_a_place(text: str, code: str, span: Span) -> None:
    with pytest.raises(BuildError) as caught:
        load(text)
    assert [(p.code, p.span) for p in caught.value.problems] == [(code, span)]


def test_all_mistakes_are_reported_together() -> None:
    with pytest.raises(BuildError) as caught:
        load("titel: x\nauthors: Me\n")
    assert [p.code for p in caught.value.problems] == ["missing-key", "unknown-key", "wrong-type"]
