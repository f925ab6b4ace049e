"""`check` builds without writing, and says what a person should look at."""

from __future__ import annotations

import json

import pytest

from explainers.weight import too_heavy, unclear

from .conftest import Built, Site

DATA = """from explainers import dataset


@dataset(units={"value": "1"})
def base() -> dict:
    return {"value": 1.0}


@dataset(units={"value": "1"})
def shown(base) -> dict:
    return {"value": base.value + 1}


@dataset(units={"value": "1"})
def idle() -> dict:
    return {"value": 3.0}
"""
BODY = """The kernel takes 3 ms.

{value}`shown.value | fixed(1)` TODO

#### Too deep

![](a.svg)
"""


def run(site: Site, *arguments: str, command: str = "check") -> Built:
    return site.run(command, *arguments)


def doubtful(site: Site) -> None:
    teaching = {"kind": "article", "audience": "all", "predict": "[what comes]"}
    site.article("a", BODY, DATA, **teaching)
    site.write(
        "content/articles/a/a.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    )


def test_notes_have_places_and_nothing_is_written(site: Site) -> None:
    doubtful(site)
    found = run(site)
    assert found.code == 1
    assert not (site.root / "_site").exists()
    heads = [line.split(":", 3) for line in found.out.splitlines() if "note[" in line]
    assert [
        (path.rsplit("/")[-1], int(line), head.split("]")[0]) for path, line, _, head in heads
    ] == [
        ("data.py", 15, " note[unused-dataset"),
        ("index.md", 1, " note[few-questions"),
        ("index.md", 9, " note[typed-measurement"),
        ("index.md", 11, " note[leftover-note"),
        ("index.md", 13, " note[heading-jump"),
        ("index.md", 15, " note[missing-alt"),
    ]
    assert found.out.endswith("0 problems, 6 notes.\n")


def test_what_is_found_can_be_read_by_programs(site: Site) -> None:
    doubtful(site)
    found = json.loads(run(site, "--json").out)
    assert found[2] == {
        "code": "typed-measurement",
        "message": 'the measurement "3 ms" is typed by hand',
        "path": "content/articles/a/index.md",
        "line": 9,
        "column": 18,
        "width": 4,
        "hint": "take it from a dataset ({value}), a numbers row, or mark it {given}",
        "severity": "note",
    }


def test_problems_come_first_and_leave_the_notes_of_other_pages(site: Site) -> None:
    doubtful(site)
    site.article("b", ":::{nothing}\n:::\n")
    found = json.loads(run(site, "--json").out)
    assert [(item["severity"], item["code"]) for item in found][:2] == [
        ("error", "unknown-directive"),
        ("note", "unused-dataset"),
    ]


def test_a_clean_page_is_said_to_be_clean(site: Site) -> None:
    site.article("a", "Words.\n")
    assert run(site, "a") == Built(0, "Nothing to note.\n", "")


def test_one_article_is_checked_alone_and_a_draft_when_it_is_named(site: Site) -> None:
    doubtful(site)
    site.article("b", "TODO\n", draft="true")
    assert "content/articles/b" not in run(site).out
    assert run(site, "b").out.count("note[") == 1


@pytest.mark.parametrize("body", ["Words.\n", ":::{nothing}\n:::\n"])
def test_a_build_says_its_problems_as_json(site: Site, body: str) -> None:
    site.article("a", body)
    built = run(site, "--json", command="build")
    codes = [item["code"] for item in json.loads(built.out)]
    assert (built.code, codes) == ((1, ["unknown-directive"]) if ":" in body else (0, []))
    assert built.err == ""


# ---- figures and budgets -----------------------------------------------------------------------


def plate(controls: str, readout: str = "It moves.") -> str:
    return (
        f'<div class="plate" data-figure="f" data-kind="k" data-module="../_/k.js">{controls}'
        f'<p class="readout" id="f-readout">{readout}</p></div>'
    )


def control(kind: str, count: int = 1) -> str:
    return f'<div class="control {kind}"></div>' * count


def test_a_figure_has_few_parameters_beside_player_and_switch() -> None:
    few = control("slider", 3) + control("player") + control("toggle")
    assert list(unclear(plate(few))) == []
    assert [r.code for r in unclear(plate(control("slider", 4)))] == ["many-parameters"]
    assert list(unclear(plate(control("text", 4)))) == []
    assert [r.code for r in unclear(plate(control("text", 5)))] == ["many-parameters"]
    mixed = control("text", 3) + control("slider", 1)
    assert [r.code for r in unclear(plate(mixed))] == ["many-parameters"]


def test_a_figure_says_in_words_what_it_shows() -> None:
    assert [(r.label, r.code) for r in unclear(plate("", " "))] == [("f", "no-description")]


def test_scripts_over_budget_are_noted() -> None:
    noise = bytes(i * i * 2654435761 >> 13 & 255 for i in range(50_000)).hex()
    page = '<script type="module" src="../_/r.js"></script>' + plate("")
    files = {"_/k.js": b'import "./r.js"', "_/r.js": noise.encode()}
    assert [r.code for r in too_heavy(page, files)] == ["heavy-script"]
    assert list(too_heavy(page, dict.fromkeys(files, b""))) == []
    assert list(too_heavy(page, files, {"r"})) == []
