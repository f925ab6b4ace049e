"""The command line: what is asked reaches the build, and what came of it is said."""

from __future__ import annotations

import datetime as dt
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from explainers import __version__, cli, pipeline
from explainers.cli import closing, main
from explainers.errors import BuildError, Problem, Span
from explainers.model import Report
from explainers.pipeline import Options
from explainers.store import Store

from .conftest import SETTINGS
from .conftest import Site as TinySite

REPORT = Report(3, 4, 0, 1, 0, (("drafty", "a draft"),), 1.234)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with content, which is the present one."""
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "page.md").write_text("first\nsecond\n")
    monkeypatch.chdir(tmp_path)
    for name in ("SOURCE_DATE_EPOCH", "EXPLAINERS_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def tiny(tmp_path: Path) -> TinySite:
    """A site that can be built."""
    made = TinySite(tmp_path / "tiny")
    made.write("content/site.yaml", SETTINGS)
    return made


@pytest.fixture
def asked(site: Path, monkeypatch: pytest.MonkeyPatch) -> list[Options]:
    """What builds were asked for, by a build that does nothing."""
    asked: list[Options] = []

    def build(options: Options, _: object) -> Report:
        asked.append(options)
        return REPORT

    monkeypatch.setattr(pipeline, "build", build)
    return asked


# --- Usage --------------------------------------------------------------------------------------


def usage(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert usage("--help") == 0
    text = capsys.readouterr().out
    assert all(name in text for name in ("build", "serve", "clean"))


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert usage("--version") == 0
    assert capsys.readouterr().out == f"explainers {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["biuld"],
        ["build", "--date", "tomorrow"],
        *(["build", "--workers", text] for text in ("many", "-3", "0", "1.5")),
        ["data", "some-slug", "--workers", "-3"],
    ],
)
def test_a_mistake_in_the_command_is_a_usage_error(arguments: list[str]) -> None:
    assert usage(*arguments) == 2


@pytest.mark.parametrize("command", ["build", "serve", "clean"])
def test_a_folder_that_is_no_site_is_a_usage_error(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([command]) == 2
    assert "there is no content/ folder here" in capsys.readouterr().err


def test_help_loads_no_library() -> None:
    program = (
        "import sys\n"
        "from explainers.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(any(n in sys.modules for n in ('numpy', 'jinja2', 'yaml', 'http.server')))\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


# --- build --------------------------------------------------------------------------------------


def test_a_plain_build_asks_for_the_whole_site(asked: list[Options], site: Path) -> None:
    assert main(["build"]) == 0
    assert asked == [Options(root=site)]


def test_every_option_reaches_the_build(asked: list[Options], site: Path) -> None:
    words = "build some-slug --output out --base-url https://example.org/x/ --date 2026-09-21"
    assert main([*words.split(), "--workers", "2"]) == 0
    assert asked == [
        Options(
            root=site,
            output=Path("out"),
            base_url="https://example.org/x/",
            today=dt.date(2026, 9, 21),
            workers=2,
            only="some-slug",
        )
    ]


def test_the_environment_gives_the_day_and_the_address(
    asked: list[Options], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1789948800")
    monkeypatch.setenv("EXPLAINERS_BASE_URL", "https://example.org/")
    main(["build"])
    assert (asked[0].today, asked[0].base_url) == (dt.date(2026, 9, 21), "https://example.org/")
    main(["build", "--date", "2026-01-02", "--base-url", "https://example.com/"])
    assert (asked[1].today, asked[1].base_url) == (dt.date(2026, 1, 2), "https://example.com/")


def test_an_address_gets_its_slash_and_must_be_one(
    asked: list[Options], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "--base-url", "https://example.org/x"]) == 0
    assert asked[0].base_url == "https://example.org/x/"
    assert main(["build", "--base-url", "example.org"]) == 2
    assert 'not be "example.org"' in capsys.readouterr().err


@pytest.mark.parametrize("epoch", ["yesterday", "1e9", "99999999999999999999"])
def test_an_epoch_that_is_no_time_is_a_usage_error(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], epoch: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert main(["build"]) == 2
    assert f'not "{epoch}"' in capsys.readouterr().err


def test_a_build_ends_with_one_line_unless_it_is_quiet(
    asked: list[Options], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["build"])
    captured = capsys.readouterr()
    assert captured.out == closing(REPORT) + "\n"
    assert captured.err == ""
    main(["build", "--quiet"])
    assert capsys.readouterr().out == ""


def test_the_line_says_written_kept_run_held_back_and_seconds() -> None:
    line = "3 files written, 4 kept; 1 dataset run, 0 kept; drafty held back: a draft; 1.23 s"
    assert closing(REPORT) == line


def test_problems_are_shown_with_their_place_and_counted(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(*_: object) -> Report:
        place = Span("content/page.md", 2, 1, 6)
        gone = Span("content/gone.md", 1, 1)
        raise BuildError([Problem("bad", "wrong", place, "right"), Problem("lost", "gone", gone)])

    monkeypatch.setattr(pipeline, "build", build)
    assert main(["build"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "content/gone.md:1:1: error[lost]: gone\n"
        "\n"
        "content/page.md:2:1: error[bad]: wrong\n"
        "   1 | first\n"
        "   2 | second\n"
        "     | ^^^^^^\n"
        "hint: right\n"
        "\n"
        "Not built: 2 problems.\n"
    )


def test_what_a_step_does_is_said_to_those_who_ask(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(_: Options, say: object) -> Report:
        assert callable(say)
        say("drawing 4 figures")
        return REPORT

    monkeypatch.setattr(pipeline, "build", build)
    main(["build"])
    assert capsys.readouterr().err == ""
    main(["build", "--verbose"])
    assert capsys.readouterr().err == "drawing 4 figures\n"


def test_ctrl_c_ends_a_build_without_a_traceback(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(*_: object) -> Report:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "build", build)
    assert main(["build"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_ctrl_c_while_modules_load_ends_without_a_traceback(site: Path) -> None:
    held = functools.partial(signal.pthread_sigmask, signal.SIG_BLOCK, {signal.SIGINT})
    process = subprocess.Popen(
        [sys.executable, "-m", "explainers", "build"], stderr=subprocess.PIPE, preexec_fn=held
    )
    process.send_signal(signal.SIGINT)  # as early as can be: the door holds it back
    _, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (130, b"Stopped.\n")


# --- prune --------------------------------------------------------------------------------------


def test_prune_keeps_what_the_site_uses_and_nothing_else(tiny: TinySite) -> None:
    data = (
        "from explainers import dataset\n@dataset(units={'a': '1'})\ndef n():\n    return {'a': %d}"
    )
    text = "It is {value}`n.a`.\n"
    tiny.article("a", text, data % 1)
    tiny.article("later", text, data % 2, draft="true")
    assert tiny.build().code == 0
    tiny.article("a", text, data % 3)
    assert tiny.build().code == 0
    store = Store(tiny.root / ".cache/store")
    before = set(store.keys())
    pruned = tiny.run("prune")
    assert pruned.code == 0 and re.fullmatch(r"Removed \d+ files, 0\.\d MB\.\n", pruned.out)
    assert set(store.keys()) < before | set(store.keys()) and before - set(store.keys())
    shutil.rmtree(tiny.root / "_site")
    assert "0 datasets run, 1 kept" in tiny.build().out
    tiny.article("a", text, data % 1)
    assert "1 dataset run, 0 kept" in tiny.build().out, "what no page uses any more was removed"
    tiny.article("later", "{nope}`x`", data % 2, draft="true")
    assert tiny.run("prune").code == 0, "a draft that cannot be built is no reason to keep all"
    tiny.article("a", "{nope}`x`", data % 1)
    refused = tiny.run("prune")
    assert refused.code == 1 and "Not built: 1 problem." in refused.err


# --- clean --------------------------------------------------------------------------------------


def test_clean_removes_what_builds_have_made(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "_site" / "page").mkdir(parents=True)
    (site / "_site" / ".explainers").write_text("")
    (site / ".cache").mkdir()
    assert main(["clean"]) == 0
    assert [path.name for path in site.iterdir()] == ["content"]
    assert main(["clean"]) == 0
    assert capsys.readouterr().out == "Removed _site/ and .cache/.\nNothing to remove.\n"


# --- serve --------------------------------------------------------------------------------------


def test_an_address_that_cannot_be_served_is_a_usage_error(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--host", "203.0.113.1"]) == 2
    assert "cannot listen on 203.0.113.1, port 8000" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["99999", "-1"])
@pytest.mark.usefixtures("site")
def test_a_port_that_is_none_is_a_usage_error(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", port]) == 2
    assert f"a port is a number from 0 to 65535, not {port}" in capsys.readouterr().err


def test_serve_builds_drafts_for_its_own_address(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Options] = []

    class Builder:
        def __init__(self, options: Options, _: object) -> None:
            served.append(options)

        def __enter__(self) -> Builder:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    def serve(server: object, *_: object, **__: object) -> None:
        server.server_close()  # type: ignore[attr-defined]  # it is a Server

    monkeypatch.setattr(pipeline, "Builder", Builder)
    monkeypatch.setattr("explainers.serve.serve", serve)
    assert main(["serve", "some-slug", "--port", "0"]) == 0
    assert served[0].drafts
    assert served[0].only == "some-slug"
    assert (served[0].base_url or "").startswith("http://127.0.0.1:")


def test_ctrl_c_ends_serve_without_a_traceback(site: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "explainers", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Serving at http://127.0.0.1:")
    process.stdout.readline()  # the first build has ended, well or not
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=10)
    assert process.returncode == 130
    assert error == "Stopped.\n"


def test_exit_codes_are_the_documented_ones() -> None:
    assert (cli.BUILT, cli.PROBLEMS, cli.USAGE, cli.INTERRUPTED) == (0, 1, 2, 130)


def test_the_version_is_the_same_wherever_it_stands() -> None:
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    changes = re.search(r"^## \[(.+?)\]", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert changes is not None
    assert __version__ == project["version"] == changes[1]


def test_clean_leaves_a_folder_that_no_build_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "_site").mkdir()
    (tmp_path / "_site" / "thesis.tex").write_text("years of work")
    monkeypatch.chdir(tmp_path)
    assert main(["clean"]) == 2
    assert "was not made by a build" in capsys.readouterr().err
    assert (tmp_path / "_site" / "thesis.tex").exists()
