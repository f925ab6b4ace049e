"""new: what it makes builds at once, says what comes next, and takes nothing from anybody."""

from __future__ import annotations

import datetime as dt
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explainers import cli
from explainers.new import KINDS, NotBegunError, new

from .conftest import Site

DAY = dt.date(2026, 8, 1)
ROOT = Path(__file__).parents[1]


@pytest.fixture
def begin(site: Site, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    monkeypatch.chdir(site.root)
    return lambda *words: cli.main(["new", *words])


@pytest.mark.parametrize("what", ["article", "module"])
def test_a_new_text_builds_as_it_is_and_once_it_is_no_draft(
    site: Site, begin: Callable[..., int], capsys: pytest.CaptureFixture[str], what: str
) -> None:
    assert begin(what, "high-tides") == 0
    said = capsys.readouterr().out
    assert "content/articles/high-tides/index.md" in said
    assert "python build.py serve" in said
    built = site.build("high-tides")
    assert built.code == 0, built.err
    assert "3.3</data> m" in site.page("high-tides")
    file = site.root / "content/articles/high-tides/index.md"
    text = file.read_text(encoding="utf-8")
    assert 'title: "High tides"' in text
    file.write_text(text.replace("draft: true\n", ""), encoding="utf-8")
    built = site.run("build", "--date", "2126-01-01")
    assert built.code == 0, built.err
    checked = site.run("check", "--date", "2126-01-01")
    assert (checked.code, checked.out) == (0, "Nothing to note.\n")


def test_a_new_figure_beside_an_article_is_drawn(site: Site, begin: Callable[..., int]) -> None:
    assert begin("article", "tides") == 0
    assert begin("figure", "tides/moon") == 0
    page = site.root / "content/articles/tides/index.md"
    with page.open("a", encoding="utf-8") as file:
        file.write("\n" + new_words(site, "tides/sun") + "\n")
    built = site.build("tides")
    assert built.code == 0, built.err
    assert "The value is 4 of 10." in site.page("tides")


def test_a_new_figure_of_the_whole_site_is_drawn(site: Site, begin: Callable[..., int]) -> None:
    site.article("a", new_words(site, "gauge"))
    built = site.build()
    assert built.code == 0, built.err
    assert "The value is 4 of 10." in site.page("a")


def new_words(site: Site, name: str) -> str:
    """Return the Markdown that is printed for a new figure."""
    words = new(site.root, "figure", name, DAY).words
    return words[words.index(":::{figure}") : words.index("\n\nThe guide")]


def test_a_new_kernel_runs_is_shown_and_passes_its_test(
    site: Site, begin: Callable[..., int]
) -> None:
    assert begin("kernel", "running-mean") == 0
    site.article(
        "a",
        "{value}`means.mean[-1] | fixed(1)`\n\n"
        ":::{listing} kernels/running_mean.py#running_mean_online\nIt ran.\n:::\n",
        "import numpy as np\n\nfrom explainers import dataset, trace\n"
        "from kernels.running_mean import running_mean_online\n\n\n@dataset()\ndef means():\n"
        '    """Means."""\n'
        "    return trace(running_mean_online, np.array([4.0, 8.0]), watch=('mean',))\n",
    )
    built = site.build()
    assert built.code == 0, built.err
    assert ">6.0</data>" in site.page("a")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "content"],
        cwd=site.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert "8 passed" in ran.stdout


def test_what_is_made_passes_the_gates_own_checks(site: Site, begin: Callable[..., int]) -> None:
    for words in (["module", "tides"], ["figure", "tides/moon"], ["kernel", "mean"]):
        assert begin(*words) == 0
    tools = Path(sys.executable).parent
    settings = ["--config", str(ROOT / "pyproject.toml")]
    biome = str(ROOT / "node_modules/.bin/biome")
    moved = ROOT / "content"
    for path in (site.root / "content").rglob("*.*"):
        name = str(moved / path.relative_to(site.root / "content"))
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            for check in (["check"], ["format", "--check"]):
                words = [str(tools / "ruff"), *check, *settings, "--stdin-filename", name, "-"]
                ran = given(words, text)
                assert ran.returncode == 0, ran.stdout
            types = [str(tools / "mypy"), "--strict", "--cache-dir", str(site.root / "types")]
            lone = [*types, "--follow-imports=silent", "--ignore-missing-imports", str(path)]
            if "kernels" in path.parts or path.name == "data.py":
                ran = given(lone)
                assert ran.returncode == 0, ran.stdout
        elif path.suffix == ".js":
            assert given([biome, "format", f"--stdin-file-path={name}"], text).stdout == text
            shutil.copy(ROOT / "biome.json", site.root)
            ran = given([biome, "lint", "--error-on-warnings", "content"], folder=site.root)
            assert ran.returncode == 0, ran.stderr
            assert "Checked 1 file" in ran.stderr + ran.stdout


@pytest.mark.parametrize(
    ("what", "name", "words"),
    [
        ("article", "taken", "there is content/articles/taken/ already"),
        ("module", "taken", "there is content/articles/taken/ already"),
        ("article", "High Tides!", 'how about "high-tides"?'),
        ("article", "../up", 'how about "up"?'),
        ("article", "潮", "use small letters, digits and dashes"),
        ("article", "guide", "is an address the site itself uses"),
        ("figure", "taken/moon", "there is content/articles/taken/moon.js already"),
        ("figure", "nobody/moon", "make it first: new article nobody"),
        ("figure", "Moon", 'how about "moon"?'),
        ("kernel", "class", "cannot be the name of a module of Python"),
        ("kernel", "2nd", "cannot be the name of a module of Python"),
        ("kernel", "mean", "there is content/kernels/mean.py already"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_touched(
    site: Site,
    begin: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    what: str,
    name: str,
    words: str,
) -> None:
    site.article("taken", "Mine.\n")
    site.write("content/articles/taken/moon.js", "mine")
    site.write("content/kernels/mean.py", "mine")
    before = contents(site.root)
    assert begin(what, name) == 2
    assert words in capsys.readouterr().err
    assert contents(site.root) == before


def given(
    words: list[str], text: str = "", folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a tool of the gate, by default from where its settings are."""
    return subprocess.run(
        words, input=text, capture_output=True, text=True, check=False, cwd=folder
    )


def contents(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_every_kind_that_can_be_begun_can_be_asked_for(site: Site) -> None:
    for what in KINDS:
        assert cli.parser().parse_args(["new", what, "x"]).what == what
    with pytest.raises(NotBegunError):
        new(site.root, "article", "", DAY)
