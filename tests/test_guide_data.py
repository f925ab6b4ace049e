"""The pages about data: each of their steps is an article that builds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from explainers import cli
from explainers.data.run import run_here

from .conftest import Site

GUIDE = Path(__file__).parents[1] / "content" / "guide"
PAGES = ("make-data", "write-a-kernel", "record-on-a-gpu", "the-same-on-a-gpu")
STAND_IN = Path(__file__).parent / "stand_in"

_BLOCK = re.compile(r"^(`{3,})\w+ title=\"([^\"]+)\"\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page: str) -> str:
    return (GUIDE / f"{page}.md").read_text(encoding="utf-8")


def steps(page: str) -> list[tuple[str, dict[str, str]]]:
    """Return the sections of a page that show files, each with them by name."""
    found = []
    for section in re.split(r"^## ", text_of(page), flags=re.MULTILINE)[1:]:
        blocks = {name: text for _, name, text in _BLOCK.findall(section)}
        if blocks:
            found.append((section.partition("\n")[0], blocks))
    return found


def put(site: Site, files: dict[str, str]) -> None:
    for name, text in files.items():
        if name == "index.md":
            site.article("a", text)
        elif name.startswith("kernels/"):
            site.write(f"content/{name}", text)
        else:
            site.write(f"content/articles/a/{name}", text)


LADDER = [pytest.param(files, id=title) for title, files in steps("make-data")]


def test_the_ladder_has_its_five_steps() -> None:
    assert len(LADDER) == 5


@pytest.mark.parametrize("files", LADDER)
def test_every_step_of_the_ladder_is_an_article(site: Site, files: dict[str, str]) -> None:
    put(site, files)
    built = site.build()
    assert built.code == 0, built.err
    assert "a/index.html" in site.output()


def test_the_kernel_is_shown_followed_and_tested(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {name: text for _, blocks in steps("write-a-kernel") for name, text in blocks.items()}
    test = files.pop("test_smoothing.py")
    put(site, files)
    site.write("content/references.bib", "@misc{brown1956exponential, title={T}, year=1956}\n")
    built = site.build()
    assert built.code == 0, built.err
    assert "scipy.signal.lfilter; relative 1e-12" in site.page("a")
    file = site.root / "content" / "test_smoothing.py"
    file.write_text(test, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        cwd=site.root / "content",
        env={"PYTHONPATH": str(site.root / "content"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


def test_the_recording_runs_where_cupy_is(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, files),) = steps("record-on-a-gpu")
    small = files["data.py"].replace("1 << 26, 1 << 28", "64, 268435456 // (1 << 20)")
    put(site, {**files, "data.py": small, "index.md": "Words.\n"})
    monkeypatch.syspath_prepend(STAND_IN)
    monkeypatch.setattr("explainers.recording.FLUSHED", 1 << 12)
    monkeypatch.setattr("explainers.recording.SHORT", 0.0)
    monkeypatch.setattr(
        "explainers.recording.compile",
        lambda source, *names: dict.fromkeys(names, lambda grid, block, given: _copied(*given)),
    )
    monkeypatch.chdir(site.root)
    for _ in range(2):
        assert cli.main(["record", "a/copies", "--date", "2026-11-30"]) == 0
    assert len(list((site.root / "content/articles/a/recorded").iterdir())) == 2
    found = run_here(site.root, "a", "rates")
    assert found.origin == "measured"
    assert (found.low <= found.rate).all() and (found.rate <= found.high).all()
    site.write(
        "content/articles/a/index.md",
        (site.root / "content/articles/a/index.md").read_text()
        + files["index.md"].replace("268435456", "256"),
    )
    built = site.build()
    assert built.code == 0, built.err
    assert re.search(r'<data class="num measured"', site.page("a"))
    sys.modules.pop("cupy", None)


def _copied(x: object, y: object, n4: object) -> None:
    y[...] = x  # type: ignore[index]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_page_shows_can_be_given(page: str) -> None:
    lines = [line for block in _COMMANDS.findall(text_of(page)) for line in block.splitlines()]
    given = [re.sub(r"^python (build\.py|-m explainers) ", "", line) for line in lines]
    ours = [line.split() for line, asked in zip(given, lines, strict=True) if line != asked]
    assert ours
    for arguments in ours:
        assert cli.parser().parse_args(arguments).run
