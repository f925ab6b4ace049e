"""The commands: their help fits a screen and shows examples, and a mistake says what was meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from explainers import cli

from .conftest import Site

COMMANDS = ("build", "serve", "check", "new", "data", "record", "schema", "prune", "clean")
LINES, COLUMNS = 25, 80


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int | str | None, str]:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    out, err = capsys.readouterr()
    return ended.value.code, out + err


def test_the_help_fits_a_screen_and_names_all(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = said(capsys, "--help")
    assert code == 0
    assert len(text.splitlines()) <= LINES
    assert max(map(len, text.splitlines())) <= COLUMNS
    for name in COMMANDS:
        assert re.search(rf"^    {name} +\w", text, re.MULTILINE)
    assert "explainers new article tides" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_fits_a_screen(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, text = said(capsys, name, "--help")
    assert code == 0
    assert text.startswith(f"usage: explainers {name} ")
    assert len(text.splitlines()) <= 35
    assert max(map(len, text.splitlines())) <= COLUMNS


@pytest.mark.parametrize("name", ["build", "serve", "check", "new", "data", "record"])
def test_each_example_can_be_given(capsys: pytest.CaptureFixture[str], name: str) -> None:
    _, text = said(capsys, name, "--help")
    examples = text.partition("examples:\n")[2].splitlines()
    assert examples
    for line in examples:
        words = re.split(r"  +", line.strip())[0].split()
        assert words[0] == "explainers"
        assert cli.parser().parse_args(words[1:]).run


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["biuld"], 'there is no command "biuld"\nhint: did you mean "build"?'),
        (["build", "--quite"], '--quite is not known here\nhint: did you mean "--quiet"?'),
        (["new", "artcle", "x"], 'there is no choice "artcle"\nhint: did you mean "article"?'),
        (["xyzzy"], 'there is no command "xyzzy"\nhint: there are: build, serve'),
        (["build", "--verbose", "--quiet"], "not allowed with argument"),
        (["serve", "--workers", "0"], "whole number from 1"),
    ],
)
def test_a_mistake_says_what_was_meant(
    capsys: pytest.CaptureFixture[str], words: list[str], hint: str
) -> None:
    code, text = said(capsys, *words)
    assert code == 2
    assert hint in text


def test_a_slug_without_a_command_is_an_article_to_build(
    capsys: pytest.CaptureFixture[str], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.article("tides", "Words.\n")
    monkeypatch.chdir(site.root)
    assert "hint: to build that article: explainers build tides" in said(capsys, "tides")[1]


def test_who_wants_quiet_hears_of_problems_only(site: Site) -> None:
    site.article("a", "Words.\n")
    assert site.run("check", "--quiet").out == ""
    assert site.build("--quiet").out == ""
    site.article("a", "[x](nowhere.md)\n")
    assert "broken-link" in site.run("check", "--quiet").out
    assert "broken-link" in site.build("--quiet").err


def test_the_door_knows_every_command() -> None:
    door = (Path(__file__).parents[1] / "build.py").read_text(encoding="utf-8")
    known = re.search(r"^COMMANDS = \((.*?)^\)", door, re.MULTILINE | re.DOTALL)
    assert known
    assert set(COMMANDS) <= set(re.findall(r'"(\w+)"', known[1]))
