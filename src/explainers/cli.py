"""The commands. Each reads its options, calls the module that does the work, says what came of it.

Modules are imported by the command that needs them: help and mistakes cost no start-up time.
"""

from __future__ import annotations

import argparse
import datetime as dt
import functools
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import cli_data, commands
from .arguments import Parser, UsageError, address, clean, epoch_date
from .errors import BuildError, Problem, as_data, show
from .terminal import Teller, coloured

if TYPE_CHECKING:
    from .model import Report
    from .pipeline import Options

BUILT, PROBLEMS, USAGE, INTERRUPTED = 0, 1, 2, 130
OUTPUT, CACHE = "_site", ".cache"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    try:
        asked = parser().parse_args(arguments)
        return int(asked.run(asked))
    except UsageError as error:
        print(f"explainers: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED


def parser() -> Parser:
    """Describe every command and option, with what each runs."""
    return commands.parser(
        {
            "build": run_build,
            "serve": run_serve,
            "check": run_check,
            "new": run_new,
            "data": functools.partial(run_about_data, cli_data.run_data),
            "record": functools.partial(run_about_data, cli_data.run_record),
            "schema": run_schema,
            "prune": run_prune,
            "clean": run_clean,
        }
    )


def run_build(asked: argparse.Namespace) -> int:
    """Build the site once."""
    root, tell = site_root(), teller(asked)
    from .pipeline import build

    try:
        report = build(options(asked, root, asked.output, asked.base_url), tell)
    except BuildError as error:
        tell.clear()
        if asked.json:
            print(listed(error.problems))
        else:
            print(coloured(problems(error, root), sys.stderr), file=sys.stderr)
        return PROBLEMS
    tell.clear()
    if asked.json:
        print(listed())
    elif not asked.quiet:
        print(closing(report))
    return BUILT


def run_serve(asked: argparse.Namespace) -> int:
    """Serve the site until Ctrl-C."""
    root = site_root()
    from .discover import FOLDERS
    from .pipeline import Builder
    from .serve import serve
    from .server import listen

    if not 0 <= asked.port <= 65535:
        raise UsageError(f"a port is a number from 0 to 65535, not {asked.port}")
    try:
        server = listen(asked.host, asked.port)
    except OSError as error:
        raise UsageError(f"cannot listen on {asked.host}, port {asked.port}: {error}") from None
    tell = teller(asked)

    def step(text: str) -> None:
        tell(text)
        server.live.tell(text)

    with Builder(options(asked, root, base_url=server.url), step) as builder:
        serve(
            server,
            builder,
            [root / folder for folder in FOLDERS],
            say=tell.before(lambda text: print(coloured(text, sys.stdout), flush=True)),
            explain=lambda error: problems(error, root),
            closing=lambda report: "" if asked.quiet else closing(report, "shown here only"),
        )
    return BUILT


def run_check(asked: argparse.Namespace) -> int:
    """Build into memory and say what is odd, or make every dataset again."""
    if asked.recompute:
        return run_about_data(cli_data.run_recompute, asked)
    root, tell = site_root(), teller(asked)
    from .check import check

    found = check(options(asked, root), tell)
    tell.clear()
    if asked.json:
        print(listed(found.problems, found.notes))
    else:
        texts = [show(problem, reader(root)) for problem in found.problems]
        texts += [show(note, reader(root), "note") for note in found.notes]
        number = f"{count(len(found.problems), 'problem')}, {count(len(found.notes), 'note')}."
        if texts or not asked.quiet:
            text = "\n\n".join([*texts, number] if texts else ["Nothing to note."])
            print(coloured(text, sys.stdout))
    return PROBLEMS if found.problems or found.notes else BUILT


def run_new(asked: argparse.Namespace) -> int:
    """Make the files of something new, and say what comes next."""
    root = site_root()
    from .new import NotBegunError, new

    try:
        begun = new(root, asked.what, asked.name, dt.date.today())
    except NotBegunError as error:
        raise UsageError(str(error)) from None
    print(f"Made {' and '.join(begun.paths)}.\n\n{begun.words}")
    return BUILT


def run_about_data(
    run: Callable[[argparse.Namespace, Path, cli_data.Explain], int], asked: argparse.Namespace
) -> int:
    """Run a command about data."""
    root = site_root()
    return run(asked, root, lambda error: coloured(problems(error, root), sys.stderr))


def run_schema(asked: argparse.Namespace) -> int:
    """Print a schema, or the snippets, for an editor."""
    if asked.name == "snippets":
        from . import snippets

        print(snippets.text(), end="")
    else:
        from .schema import schemas, text

        print(text(schemas()[asked.name]), end="")
    return BUILT


def run_prune(asked: argparse.Namespace) -> int:
    """Remove from the cache what the site does not use."""
    root = site_root()
    from .prune import prune

    tell = teller(asked)
    try:
        files, size = prune(options(asked, root), tell)
    except BuildError as error:
        tell.clear()
        print(coloured(problems(error, root), sys.stderr), file=sys.stderr)
        return PROBLEMS
    tell.clear()
    if not asked.quiet:
        print(f"Removed {count(files, 'file')}, {size / 1e6:.1f} MB.")
    return BUILT


def run_clean(_: argparse.Namespace) -> int:
    """Remove what builds have made."""
    root = site_root()
    from .write import MARK

    names = " and ".join(clean(root, OUTPUT, CACHE, MARK))
    print(f"Removed {names}." if names else "Nothing to remove.")
    return BUILT


def site_root() -> Path:
    """Return the folder of the site, which is where the command was called."""
    root = Path.cwd()
    if not (root / "content").is_dir():
        raise UsageError("there is no content/ folder here; run this in the folder of a site")
    return root


def options(
    asked: argparse.Namespace, root: Path, output: Path | None = None, base_url: str | None = None
) -> Options:
    """Turn what was asked for into the options of a build."""
    from .pipeline import Options

    return Options(
        root=root,
        output=output,
        base_url=address(base_url or os.environ.get("EXPLAINERS_BASE_URL")),
        today=asked.date or epoch_date(),
        workers=asked.workers,
        only=getattr(asked, "slug", None),
        drafts=asked.run is run_serve,
        device=getattr(asked, "device", "cpu"),
    )


def problems(error: BuildError, root: Path) -> str:
    """Return every problem as text, and how many there are."""
    texts = [show(problem, reader(root)) for problem in error.problems]
    return "\n\n".join([*texts, f"Not built: {count(len(texts), 'problem')}."])


def listed(errors: Sequence[Problem] = (), notes: Sequence[Problem] = ()) -> str:
    """Return what was found as JSON: a list, each with its place, hint and severity."""
    found = [as_data(problem) for problem in errors] + [as_data(note, "note") for note in notes]
    return json.dumps(found, ensure_ascii=False, indent=1)


def reader(root: Path) -> Callable[[str], str | None]:
    """Return what reads a file of the site for the lines that messages show."""

    def read(path: str) -> str | None:
        try:
            return (root / path).read_bytes().decode("utf-8", "replace")
        except OSError:
            return None

    return read


def closing(report: Report, held: str = "held back") -> str:
    """Return the line that ends every build; `held` says what became of pages not yet due."""
    parts = [
        f"{count(report.written, 'file')} written, {report.kept} kept"
        + (f", {report.removed} removed" if report.removed else ""),
        f"{count(report.datasets_run, 'dataset')} run, {report.datasets_kept} kept",
    ]
    for name, reason in report.held_back:
        broken = held != "held back" and "problem" in reason
        parts.append(f"{name} {'not shown' if broken else held}: {reason}")
    return f"{'; '.join(parts)}; {report.seconds:.2f} s"


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is one."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def teller(asked: argparse.Namespace) -> Teller:
    """Return what is done with a step's words: who waits, or asks, is told."""
    return Teller(verbose=asked.verbose, quiet=asked.quiet)
