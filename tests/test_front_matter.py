"""Front matter is checked key by key; what is wrong is said where it stands."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from explainers.errors import BuildError, show
from explainers.front_matter import KEYS, Header, read
from explainers.model import Erratum

SUMMARY = "x" * 120
GOOD = f"""---
title: "A title: with a colon"
summary: {SUMMARY}
date: 2026-09-21
audience: knows C
predict: [one, two]
---
Body
"""


def header(text: str) -> Header:
    return read("a.md", text)


def said(text: str) -> str:
    found = BuildError(header(text).problems).problems
    shown = "\n".join(show(problem, lambda _: text) for problem in found)
    return re.sub(r"summary: x+…", "summary: x…", shown)


def test_what_an_article_says_of_itself() -> None:
    found = header(GOOD)
    assert found.problems == ()
    assert found.line == 8
    assert found.meta is not None
    assert found.meta.title == "A title: with a colon"
    assert found.meta.date == dt.date(2026, 9, 21)
    assert found.meta.predict == ("one", "two")
    assert found.meta.kind == "article"
    assert found.places["predict.1"] == (6, 6)


def test_every_key() -> None:
    text = f"""---
title: T
summary: >
  {SUMMARY[:60]}
  {SUMMARY[:60]}
date: 2026-09-21
updated: "2026-10-01"
kind: note
tags: [a, b]
audience: A
prerequisites: [p]
predict: [q]
featured: true
draft: false
html: yes
aliases: [old]
authors: [A B]
lang: en
license: CC-BY-4.0
errata:
  - {{date: 2026-10-02, text: "It was $x$."}}
---
"""
    meta = header(text).meta
    assert meta is not None
    assert (meta.updated, meta.featured, meta.draft, meta.html) == (
        dt.date(2026, 10, 1),
        True,
        False,
        True,
    )
    assert meta.errata == (Erratum(dt.date(2026, 10, 2), "It was $x$."),)
    assert meta.license == "CC-BY-4.0"
    assert all(f"\n{key}:" in text for key in KEYS)


def test_a_note_needs_neither_audience_nor_predict() -> None:
    text = f"---\ntitle: T\nsummary: {SUMMARY}\ndate: 2026-09-21\nkind: note\n---\n"
    assert header(text).problems == ()


@pytest.mark.parametrize(
    "text", ["\ufeff" + GOOD, GOOD.replace("\n", "\r\n"), GOOD.replace("\n", "\r")]
)
def test_marks_and_line_ends_make_no_difference(text: str) -> None:
    assert header(text) == header(GOOD)


def line(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


CASES = {
    "no header": (
        "Text.\n",
        "a.md:1:1: error[missing-front-matter]: there is no front matter\n"
        "   1 | Text.\n"
        "     | ^\n"
        "hint: start the file with --- and title, summary and date, one a line",
    ),
    "an empty file": (
        "",
        "a.md:1:1: error[missing-front-matter]: there is no front matter\n"
        "hint: start the file with --- and title, summary and date, one a line",
    ),
    "not closed": (
        "---\ntitle: T\n",
        "a.md:1:1: error[unclosed-front-matter]: the front matter is not closed\n"
        "   1 | ---\n"
        "     | ^^^\n"
        "hint: put --- on a line of its own after the last key",
    ),
    "an unknown key": (
        line("audience:", "audiense:"),
        'a.md:1:1: error[missing-key]: the key "audience" is missing: kind article needs it\n'
        "   1 | ---\n"
        "     | ^^^\n"
        "hint: say for whom it is: audience: knows C, has launched a kernel\n"
        'a.md:5:1: error[unknown-key]: no key "audiense" in front matter\n'
        "   4 | date: 2026-09-21\n"
        "   5 | audiense: knows C\n"
        "     | ^^^^^^^^\n"
        'hint: did you mean "audience"?',
    ),
    "a key of nobody": (
        line("audience: knows C", "audience: knows C\nxyz: 1"),
        'a.md:6:1: error[unknown-key]: no key "xyz" in front matter\n'
        "   5 | audience: knows C\n"
        "   6 | xyz: 1\n"
        "     | ^^^\n"
        f"hint: known keys: {', '.join(KEYS)}",
    ),
    "a key given twice": (
        line("audience: knows C", "audience: knows C\naudience: knows D"),
        'a.md:6:1: error[duplicate-key]: "audience" is given twice\n'
        "   5 | audience: knows C\n"
        "   6 | audience: knows D\n"
        "     | ^^^^^^^^",
    ),
    "a missing key": (
        line("date: 2026-09-21\n", ""),
        'a.md:1:1: error[missing-key]: the key "date" is missing\n'
        "   1 | ---\n"
        "     | ^^^\n"
        "hint: add a line date: …",
    ),
    "a colon": (
        line('"A title: with a colon"', "A title: with a colon"),
        "a.md:2:15: error[bad-yaml]: YAML cannot read this\n"
        "   1 | ---\n"
        "   2 | title: A title: with a colon\n"
        "     |               ^^^^^^^^^^^^^^\n"
        'hint: a value that holds a colon, comma, backtick or # goes in quotes: title: "A: B"',
    ),
    "a backtick": (
        line('"A title: with a colon"', "`exp` overflows"),
        "a.md:2:8: error[bad-yaml]: YAML cannot read this\n"
        "   1 | ---\n"
        "   2 | title: `exp` overflows\n"
        "     |        ^^^^^^^^^^^^^^^\n"
        'hint: a value that holds a colon, comma, backtick or # goes in quotes: title: "A: B"',
    ),
    "a colon in a list": (
        line("[one, two]", "[one: two]"),
        'a.md:6:11: error[wrong-type]: "predict" must be one text\n'
        "   5 | audience: knows C\n"
        "   6 | predict: [one: two]\n"
        "     |           ^^^^^^^^\n"
        'hint: a value that holds a colon, comma, backtick or # goes in quotes: title: "A: B"',
    ),
    "a number for a text": (
        line('"A title: with a colon"', "2026"),
        'a.md:2:8: error[wrong-type]: "title" must be text\n'
        "   1 | ---\n"
        "   2 | title: 2026\n"
        "     |        ^^^^\n"
        'hint: YAML reads it as something else; put it in quotes: "2026"',
    ),
    "nothing for a text": (
        line("knows C", ""),
        'a.md:5:10: error[wrong-type]: "audience" is empty\n'
        "   4 | date: 2026-09-21\n"
        "   5 | audience:\n"
        "     |          ^\n"
        "hint: give it a text or leave the line out",
    ),
    "a text for a list": (
        line("[one, two]", "one"),
        'a.md:6:10: error[wrong-type]: "predict" must be a list\n'
        "   5 | audience: knows C\n"
        "   6 | predict: one\n"
        "     |          ^^^\n"
        "hint: predict: [one]",
    ),
    "no date": (
        line("2026-09-21", "21.9.2026"),
        'a.md:4:7: error[wrong-type]: "date" must be a calendar date\n'
        "   3 | summary: x…\n"
        "   4 | date: 21.9.2026\n"
        "     |       ^^^^^^^^^\n"
        "hint: date: 2026-09-21",
    ),
    "a day that is none": (
        line("2026-09-21", "2026-02-30"),
        'a.md:4:7: error[wrong-type]: "date" is a day that does not exist\n'
        "   3 | summary: x…\n"
        "   4 | date: 2026-02-30\n"
        "     |       ^^^^^^^^^^",
    ),
    "a kind of nobody": (
        line("audience:", "kind: modul\naudience:"),
        'a.md:5:7: error[bad-value]: "kind" cannot be "modul"\n'
        "   4 | date: 2026-09-21\n"
        "   5 | kind: modul\n"
        "     |       ^^^^^\n"
        'hint: did you mean "module"?',
    ),
    "a tag that is no address": (
        line("audience:", 'tags: [gpu, "?!"]\naudience:'),
        'a.md:5:13: error[bad-value]: "?!" cannot be the name of a tag\n'
        "   4 | date: 2026-09-21\n"
        '   5 | tags: [gpu, "?!"]\n'
        "     |             ^^^^\n"
        "hint: a tag needs a letter or a digit: it is the name of a page",
    ),
    "a language that is none": (
        line("audience:", "lang: English\naudience:"),
        'a.md:5:7: error[bad-value]: "lang" must be a language\n'
        "   4 | date: 2026-09-21\n"
        "   5 | lang: English\n"
        "     |       ^^^^^^^\n"
        "hint: lang: en",
    ),
    "a flag that is none": (
        line("audience:", "draft: 1\naudience:"),
        'a.md:5:8: error[wrong-type]: "draft" must be true or false\n'
        "   4 | date: 2026-09-21\n"
        "   5 | draft: 1\n"
        "     |        ^",
    ),
    "updated before written": (
        line("audience:", "updated: 2026-09-20\naudience:"),
        'a.md:5:10: error[bad-value]: "updated" is before "date", which is 2026-09-21\n'
        "   4 | date: 2026-09-21\n"
        "   5 | updated: 2026-09-20\n"
        "     |          ^^^^^^^^^^",
    ),
    "errata of another shape": (
        line("audience:", "errata: [late]\naudience:"),
        'a.md:5:10: error[wrong-type]: each item of "errata" has a date and a text\n'
        "   4 | date: 2026-09-21\n"
        "   5 | errata: [late]\n"
        "     |          ^^^^\n"
        "hint: errata: [{date: 2026-09-21, text: …}]",
    ),
    "a list for a header": (
        "---\n- a\n---\n",
        "a.md:2:1: error[wrong-type]: the front matter must be lines of `key: value`\n"
        "   1 | ---\n"
        "   2 | - a\n"
        "     | ^^^",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_said_with_place_and_way_out(name: str) -> None:
    text, expected = CASES[name]
    assert said(text) == expected


@pytest.mark.parametrize("length", [119, 321])
def test_a_summary_is_neither_too_short_nor_too_long(length: int) -> None:
    (problem,) = header(line(SUMMARY, "x" * length)).problems
    assert problem.code == "summary-length"
    assert problem.message == f'"summary" has {length} characters'


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "- " * 100_000, "a: &a [*a]", "{a: " * 400, "\ud800", "? - x", "<<: 1", "\t"],
)
def test_yaml_of_any_shape_is_a_problem_and_no_crash(text: str) -> None:
    found = header(f"---\n{text}\n---\n")
    assert found.meta is None
    assert all(problem.span for problem in found.problems)
