"""Every snippet of the guide is given as it stands, and what it makes is looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from explainers import cli

from .conftest import SETTINGS, Site

GUIDE = Path(__file__).parents[1] / "content" / "guide"
PAGES = sorted(path.relative_to(GUIDE).as_posix() for path in GUIDE.rglob("*.md"))

_FENCE = re.compile(
    r"^(?P<ticks>`{3,})(?P<language>\S*)(?: title=\"(?P<title>[^\"]+)\")?[^\n]*\n"
    r"(?P<text>.*?)^(?P=ticks)$",
    re.MULTILINE | re.DOTALL,
)
_EXAMPLE = re.compile(r"^(:{4,})\{example\}\n.*?^\1$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of code of the guide: its language, the file it is, its text."""

    language: str
    title: str
    text: str


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page, those that are built where they stand apart."""
    text = _EXAMPLE.sub("", (GUIDE / page).read_text(encoding="utf-8"))
    return [
        Block(found["language"], found["title"] or "", found["text"])
        for found in _FENCE.finditer(text)
    ]


def block(page: str, title: str) -> str:
    return next(block.text for block in blocks(page) if block.title == title)


ELSEWHERE = {
    "make-data.md": "test_guide_data.py",
    "write-a-kernel.md": "test_guide_data.py",
    "record-on-a-gpu.md": "test_guide_data.py",
}
"""Pages whose files are built by another test."""

BUILT = {
    "first-article.md": 5,
    "from-a-script.md": 3,
    "series-and-modules.md": 3,
    "publish.md": 1,
    "contributing.md": 1,
    "use-a-figure.md": 1,
    "make-a-figure/index.md": 1,
    "the-language/index.md": 1,
}
"""How many blocks that are no commands this file builds, of each page."""


@pytest.mark.parametrize("page", PAGES)
def test_no_block_is_left_unbuilt(page: str) -> None:
    given = [block for block in blocks(page) if block.language not in ("sh", "text")]
    assert page in ELSEWHERE or len(given) == BUILT.get(page, 0)


# --- Commands -----------------------------------------------------------------------------------

OTHERS = (
    r"git clone REPOSITORY explainers",
    r"cd explainers",
    r"git add content/articles/SLUG/recorded",
    r"python tests/kernels/test_xp\.py",
    r"python3 -m pip --python \.venv/bin/python install matplotlib",
)
"""Commands of other programs."""


def commands() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for block in blocks(page):
            if block.language == "sh":
                yield from ((page, line) for line in block.text.splitlines())


@pytest.mark.parametrize(("page", "line"), [*commands()])
def test_every_command_can_be_given(page: str, line: str) -> None:
    if any(re.fullmatch(other, line) for other in OTHERS):
        return
    ours = re.fullmatch(r"(?:python3? build\.py|python3? -m explainers) (.*)", line)
    assert ours, f"{page} shows a command that no test knows: {line}"
    words = ours[1].split()
    if words[0] == "test":
        steps = (GUIDE.parents[1] / "tests/gate.py").read_text(encoding="utf-8")
        assert all(f'"{word}"' in steps for word in words[1:])
        return
    assert cli.parser().parse_args(words).run


# --- First article ------------------------------------------------------------------------------


def test_the_first_article_grows_step_by_step(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site.root)
    assert cli.main(["new", "article", "horizon"]) == 0
    folder = site.root / "content/articles/horizon"
    text, shown = "", []
    for step in blocks("first-article.md"):
        if step.title == "data.py":
            (folder / "data.py").write_text(step.text, encoding="utf-8")
        elif step.title == "index.md":
            text = f"{text}\n{step.text}" if text else step.text
            (folder / "index.md").write_text(text, encoding="utf-8")
            built = site.build("horizon")
            assert built.code == 0, built.err
            shown.append(site.page("horizon"))
    first, number, figure, claim = shown
    assert "the last one that you see whole?" in first
    assert "5.0</data> km far" in number
    assert 'data-kind="chart"' in figure
    assert "five times as far" in claim
    finished = text.replace("draft: true\n", "")
    (folder / "index.md").write_text(finished, encoding="utf-8")
    assert site.run("check", "--date", "2126-01-01").out == "Nothing to note.\n"
    (folder / "index.md").write_text(text.replace("horizon.at", "horizn.at"), encoding="utf-8")
    assert 'did you mean "horizon"?' in site.build("horizon").err


def test_no_more_than_five_words_are_new_before_the_first_figure() -> None:
    text = (GUIDE / "first-article.md").read_text(encoding="utf-8").partition("\n---\n")[2]
    until = text[: text.index("That is your first **figure**") + 40]
    new = re.findall(r"\*\*(\w+)\*\*", until)
    assert new == ["draft", "dataset", "sweep", "figure"]
    others = "kernel|claim|trace|directive|role|hydrate|wire|front matter|colophon|recording"
    without_code = _FENCE.sub("", until)
    assert re.search(rf"\b({others})\b", without_code, re.IGNORECASE) is None


# --- From a script ------------------------------------------------------------------------------


def test_the_script_becomes_a_page_with_a_slider(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    monkeypatch.chdir(tmp_path)
    exec(compile(block("from-a-script.md", "beats.py"), "beats.py", "exec"), {})
    assert (tmp_path / "beats.png").stat().st_size > 1000
    pyplot.close("all")
    for name in ("data.py", "index.md"):
        site.write(f"content/articles/beats/{name}", block("from-a-script.md", name))
    built = site.build("beats")
    assert built.code == 0, built.err
    page = site.page("beats")
    assert 'data-kind="frames"' in page
    assert 'type="range"' in page


# --- Series, publish, contributing --------------------------------------------------------------


def test_the_series_and_its_module_are_built(site: Site) -> None:
    for name in (b for b in blocks("series-and-modules.md") if b.title):
        site.write(name.title, name.text)
    built = site.build("--date", "2126-01-01")
    assert built.code == 0, built.err
    series = (site.root / "_site/series/orchard/index.html").read_text(encoding="utf-8")
    assert 'href="../../one-tree/"' in series
    assert "planned" in series
    assert "An orchard in numbers" in site.page("one-tree")
    wrong = block("series-and-modules.md", "content/series/orchard.md").replace("Two mod", "3 mod")
    site.write("content/series/orchard.md", wrong)
    assert "module-count" in site.build("--date", "2126-01-01").err


def test_the_settings_are_those_of_a_site(site: Site) -> None:
    site.write("content/site.yaml", block("publish.md", "content/site.yaml"))
    site.article("a", "Words.\n")
    built = site.build()
    assert built.code == 0, built.err
    assert "https://orchard.example/a/" in site.page("a")
    assert "https://git.example/orchard/notes" in site.page("a")


def test_the_correction_is_shown(site: Site) -> None:
    errata = block("contributing.md", "errata").partition("errata:")[2].rstrip()
    site.article("a", "Words.\n", errata=errata)
    built = site.build("--date", "2126-01-01")
    assert built.code == 0, built.err
    assert "called kilometres" in site.page("a")


# --- Figures, language --------------------------------------------------------------------------


def test_the_figure_that_is_shown_to_be_used_is_drawn(site: Site) -> None:
    (used,) = (b.text for b in blocks("use-a-figure.md") if b.language == "markdown")
    data = (GUIDE / "figures/data.py").read_text(encoding="utf-8")
    site.article("a", used, data)
    built = site.build("a")
    assert built.code == 0, built.err
    assert 'data-kind="bars"' in site.page("a")


def test_the_figure_that_is_made_is_that_of_its_page(site: Site) -> None:
    folder = GUIDE / "make-a-figure"
    (made,) = (b.text for b in blocks("make-a-figure/index.md") if b.language == "markdown")
    site.article("a", made, (folder / "data.py").read_text(encoding="utf-8"))
    kind = "two-readings.js"
    site.write(f"content/articles/a/{kind}", (folder / kind).read_text(encoding="utf-8"))
    built = site.build("a")
    assert built.code == 0, built.err
    assert 'data-kind="two-readings"' in site.page("a")


def test_the_macros_that_are_shown_are_known(site: Site) -> None:
    (macros,) = (b.text for b in blocks("the-language/index.md") if b.language == "yaml")
    site.write("content/site.yaml", SETTINGS + macros)
    site.article("a", "All of $\\R$.\n")
    built = site.build()
    assert built.code == 0, built.err
