"""The gate: every step runs, a failed one shows its words, and nothing is skipped."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest

from . import gate
from .gate import CannotRun, Command, Step


def python(name: str, program: str, limit: float = 60) -> Step:
    return Step(name, lambda: [Command([sys.executable, "-c", program])], limit)


def cannot() -> list[Command]:
    raise CannotRun("install this")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [
        python("good", "print('many words'); print('=== 3 passed ===')"),
        python("bad", "import sys; print('what is wrong'); sys.exit(4)"),
        Step("cannot", cannot),
        python("last", ""),
    ]
    monkeypatch.setattr(gate, "STEPS", steps)


@pytest.mark.usefixtures("steps")
def test_every_step_runs_and_the_last_line_counts_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main([]) == 1
    text = capsys.readouterr().out
    assert re.search(r"^good +ok +\d+\.\d s   3 passed$", text, re.MULTILINE)
    assert "many words" not in text
    assert re.search(r"^bad +FAILED +\d+\.\d s\n    \$ .*\n    what is wrong\n", text, re.MULTILINE)
    assert re.search(r"^cannot +FAILED +\d+\.\d s\n    install this\n", text, re.MULTILINE)
    assert re.search(r"^last +ok ", text, re.MULTILINE)
    assert text.endswith("\nfailed: bad, cannot\n2 passed, 2 failed\n")


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("....\n=== 3 passed in 1.2s ===\n", "3 passed in 1.2s"),
        ("# tests 4\n# pass 4\n# fail 0\n# duration_ms 12.5\n", "4 passed"),
        ("", ""),
    ],
)
def test_a_tools_own_summary_is_shown(output: str, words: str) -> None:
    assert gate.last_words(output) == words


@pytest.mark.usefixtures("steps")
def test_the_steps_named_run_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main(["last", "good"]) == 0
    assert capsys.readouterr().out.endswith("\n2 passed, 0 failed\n")


@pytest.mark.usefixtures("steps")
def test_an_unknown_step_is_a_usage_error_with_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        gate.main(["goood"])
    assert 'did you mean "good"?' in capsys.readouterr().err


def test_a_step_that_hangs_is_ended_with_all_it_started(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    child = f"import time; time.sleep(3); open({str(tmp_path / 'alive')!r}, 'w')"
    program = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "print('started', flush=True); time.sleep(60)"
    )
    started = time.monotonic()
    assert not gate.passes(python("hangs", program, limit=1))
    assert time.monotonic() - started < 2.9
    text = capsys.readouterr().out
    assert "    started" in text
    assert "it ran longer than its step may take" in text
    time.sleep(max(0.0, started + 4 - time.monotonic()))
    assert not (tmp_path / "alive").exists()


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def empty_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(gate, "MAC_CHROMES", ())
    return tmp_path


def test_a_chrome_is_found_by_its_name_or_by_the_variable(
    empty_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gate.find_chrome() is None
    chrome = program(empty_path, "google-chrome")
    assert gate.find_chrome() == chrome
    other = program(empty_path, "other")
    monkeypatch.setenv("CHROME_PATH", other)
    assert gate.find_chrome() == other


def test_a_variable_that_names_nothing_is_said(
    empty_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(empty_path, "chromium")
    monkeypatch.setenv("CHROME_PATH", str(empty_path / "gone"))
    assert gate.find_chrome() is None
    with pytest.raises(CannotRun, match="there is no program there"):
        gate.install_chrome()


@pytest.mark.parametrize(("debian", "user"), [(False, 0), (True, 1000)])
def test_what_cannot_be_installed_is_asked_for(
    empty_path: Path, monkeypatch: pytest.MonkeyPatch, debian: bool, user: int
) -> None:
    program(empty_path, "apt-get")
    monkeypatch.setattr(gate, "is_debian", lambda: debian)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    with pytest.raises(CannotRun, match="apt-get install chromium"):
        gate.install_chrome()


def test_root_on_debian_installs_chromium(
    empty_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []

    def run(command: Command, _: float) -> tuple[int, str]:
        calls.append([str(word) for word in command.words])
        if "install" in command.words:
            program(empty_path, "chromium")
        return 0, ""

    program(empty_path, "apt-get")
    monkeypatch.setattr(gate, "is_debian", lambda: True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(gate, "run", run)
    assert gate.install_chrome() == str(empty_path / "chromium")
    assert [call[1] for call in calls] == ["update", "install"]


def test_each_folder_of_content_is_checked_by_itself(tmp_path: Path) -> None:
    for path in ("articles/some-slug/data.py", "articles/other/data.py", "kernels/k.py"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).touch()
    names = [str(path.relative_to(tmp_path)) for path in gate.python_folders(tmp_path)]
    assert names == ["articles/other", "articles/some-slug", "kernels"]
