"""The gate: every check a change must pass, one line a step.

Run by `python build.py test`, with the environment that it readied. All steps run, so that one
mistake does not hide another; the words of a failed one are printed under its line.

    python build.py test                 every step, without the long tests
    python build.py test lint types      only the steps named
    python build.py test --slow          the long tests
"""

from __future__ import annotations

import argparse
import difflib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(sys.executable).parent
NPM_TOOLS = ROOT / "node_modules" / ".bin"
PYTEST = (sys.executable, "-m", "pytest", "-q", "--color=no")

STRICTLY = ("--formatter-enabled=false", "--error-on-warnings")

MINUTE = 60
CHROMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_CHROMES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


@dataclass(frozen=True, slots=True)
class Step:
    """A named part of the gate: commands that must all succeed, prepared when its turn comes."""

    name: str
    commands: Callable[[], list[Command]]
    limit: float = 25 * MINUTE


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments, and the environment variables it needs beside ours."""

    words: Sequence[str | Path]
    variables: dict[str, str] = field(default_factory=dict)


class CannotRun(Exception):  # noqa: N818 - it is a state of the machine, told to a person
    """A step lacks something that this script cannot bring; the text says what."""


def main(arguments: Sequence[str]) -> int:
    """Run the steps asked for, report each, and return 1 if any failed."""
    parser = argparse.ArgumentParser(prog="build.py test", description="The gate.")
    names = ", ".join(step.name for step in STEPS)
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"only these, of: {names}")
    parser.add_argument("--slow", action="store_true", help="run the long tests instead")
    asked = parser.parse_args(arguments)
    steps = SLOW_STEPS if asked.slow else STEPS
    known = {step.name: step for step in steps}
    for name in asked.steps:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f'did you mean "{near[0]}"? ' if near else ""
            parser.error(f'no step named "{name}"; {hint}The steps are {", ".join(known)}.')
    chosen = [known[name] for name in asked.steps] or steps
    # Whoever starts this in the background has it ignore Ctrl-C, and so all that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    started = time.monotonic()
    failed = [step.name for step in chosen if not passes(step)]
    print(f"\n{time.monotonic() - started:.0f} s in all")
    if failed:
        print(f"failed: {', '.join(failed)}")
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


def passes(step: Step) -> bool:
    """Run a step, print its line, and under it the words of what failed."""
    print(f"{step.name:<8}", end="", flush=True)
    started = time.monotonic()
    words: list[str] = []
    closing = ""
    try:
        for command in step.commands():
            left = step.limit - (time.monotonic() - started)
            code, output = run(command, left)
            closing = last_words(output)
            if code != 0:
                words.append(f"$ {' '.join(shown(word) for word in command.words)}\n{output}")
    except CannotRun as reason:
        words.append(str(reason))
    seconds = f"{time.monotonic() - started:6.1f} s"
    print(f"{'FAILED' if words else 'ok':<7}{seconds}   {'' if words else closing}".rstrip())
    for text in words:
        print("\n".join(f"    {line}" for line in text.rstrip().splitlines()))
    sys.stdout.flush()
    return not words


def last_words(output: str) -> str:
    """Return the line that sums up what a tool printed; Node's is not the last one."""
    passed = re.search(r"^# pass (\d+)$", output, re.MULTILINE)
    return f"{passed[1]} passed" if passed else output.rstrip().rpartition("\n")[2].strip("= ")


def shown(word: str | Path) -> str:
    """Return a path as it is seen from the root."""
    return str(word).removeprefix(f"{ROOT}{os.sep}")


def run(command: Command, limit: float) -> tuple[int, str]:
    """Run a program to its end or its limit; return its exit code and what it printed."""
    process = subprocess.Popen(
        [str(word) for word in command.words],
        cwd=ROOT,
        env={**os.environ, **command.variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,  # what it starts ends with it
    )
    try:
        output, _ = process.communicate(timeout=max(1.0, limit))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return 1, f"{output}\nended: it ran longer than its step may take"
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate()
        raise
    return process.returncode, output


# --- The steps ----------------------------------------------------------------------------------


def check_format() -> list[Command]:
    """Compare with what the formatters would write."""
    return [
        Command([TOOLS / "ruff", "format", "--check", "."]),
        Command([NPM_TOOLS / "biome", "format", "."]),
    ]


def lint() -> list[Command]:
    """Look for known mistakes."""
    return [
        Command([TOOLS / "ruff", "check", "--output-format=concise", "."]),
        Command([NPM_TOOLS / "biome", "check", *STRICTLY, "."]),
    ]


def check_types() -> list[Command]:
    """Check the types of the package, of each article's Python, of the scripts."""
    return [
        Command([TOOLS / "mypy"]),
        *(check_content(folder) for folder in python_folders(ROOT / "content")),
        Command([NPM_TOOLS / "tsc", "--project", "tsconfig.json"]),
    ]


def check_content(folder: Path) -> Command:
    """Check one folder of content, as a package with a name that Python accepts.

    A relative import is not found in a folder with dashes in its name, and two files named
    data.py are one module to mypy: each folder is linked to by another name and checked alone.
    """
    cache = ROOT / ".mypy_cache" / "content"
    link = cache / folder.name.replace("-", "_")
    cache.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(folder)
    return Command(
        [TOOLS / "mypy", "--explicit-package-bases", "--cache-dir", cache, link],
        {"MYPYPATH": os.pathsep.join(map(str, (cache, ROOT / "src", ROOT / "content")))},
    )


def python_folders(content: Path) -> Iterator[Path]:
    """List the folders of content that hold Python."""
    yield from sorted({path.parent for path in content.rglob("*.py")})


def test_python() -> list[Command]:
    """Run the Python tests, save those in a browser and the long ones."""
    return [Command([*PYTEST, "-m", "not slow", "--ignore=tests/browser"])]


def test_scripts() -> list[Command]:
    """Run the JavaScript tests."""
    tests = sorted(path for path in (ROOT / "tests" / "js").rglob("*.test.*js"))
    if not tests:
        raise CannotRun("there are no tests named *.test.js or *.test.mjs in tests/js")
    return [Command(["node", "--test", *tests])]


def build_site() -> list[Command]:
    """Build the real site."""
    return [Command([sys.executable, "-m", "explainers", "build"])]


def test_browser() -> list[Command]:
    """Run the tests that read the built site as a reader does."""
    chrome = {"CHROME_PATH": find_chrome() or install_chrome()}
    return [Command([*PYTEST, "-m", "not slow", "tests/browser"], chrome)]


def test_long() -> list[Command]:
    """Run the long tests, in a browser or not."""
    chrome = {"CHROME_PATH": find_chrome() or install_chrome()}
    return [Command([*PYTEST, "-m", "slow"], chrome)]


def measure() -> list[Command]:
    """Hold the builds of large sites to twice their budgets."""
    bench: tuple[str | Path, ...] = (sys.executable, ROOT / "benchmarks" / "bench.py")
    once = ("--check", "--repeat", "1")
    distinct = ("--articles", "1000", "--distinct-formulas")
    return [Command([*bench, *once]), Command([*bench, *once, *distinct])]


STEPS = [
    Step("format", check_format),
    Step("lint", lint),
    Step("types", check_types),
    Step("python", test_python),
    Step("js", test_scripts),
    Step("site", build_site),
    Step("browser", test_browser),
]
SLOW_STEPS = [
    Step("site", build_site),
    Step("long", test_long, 35 * MINUTE),
    Step("bench", measure, 20 * MINUTE),
]


# --- Chromium -----------------------------------------------------------------------------------


def find_chrome() -> str | None:
    """Return a Chrome or Chromium: the one CHROME_PATH names, or one in a usual place."""
    named = os.environ.get("CHROME_PATH")
    for candidate in [named] if named else [*CHROMES, *MAC_CHROMES]:
        if found := shutil.which(candidate):
            return found
    return None


def install_chrome() -> str:
    """Install Debian's Chromium where this may be done, else say what to install."""
    if named := os.environ.get("CHROME_PATH"):
        raise CannotRun(f"CHROME_PATH names {named}, and there is no program there")
    if not (is_debian() and os.geteuid() == 0 and shutil.which("apt-get")):
        raise CannotRun(
            "the browser tests need Chrome or Chromium, and the PATH has neither.\n"
            "Debian: apt-get install chromium (as root, this script does it). "
            "Elsewhere: install Google Chrome, or name one in CHROME_PATH."
        )
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]
    words = ""
    for command in (["apt-get", "update"], install):
        code, output = run(Command(command, quiet), 5 * MINUTE)
        words += output
        if code != 0:
            break
    if found := find_chrome():
        return found
    raise CannotRun(f"apt-get could not install chromium:\n{words}")


def is_debian() -> bool:
    """Tell Debian from Ubuntu, whose `chromium` is only a pointer to a snap."""
    try:
        return platform.freedesktop_os_release().get("ID") == "debian"
    except OSError:
        return False


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
