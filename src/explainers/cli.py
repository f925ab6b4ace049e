"""The commands. Each reads its options, calls the module that does the work, says what came of it.

Modules are imported by the command that needs them: help and mistakes cost no start-up time.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import explainers

from . import cli_data
from .arguments import UsageError, address, clean, epoch_date, positive
from .errors import BuildError, Problem, as_data, show

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


def parser() -> argparse.ArgumentParser:
    """Describe every command and option."""
    top = argparse.ArgumentParser(
        prog="explainers",
        description="Build interactive explainer articles from the kernels they explain.",
    )
    top.add_argument("--version", action="version", version=f"explainers {explainers.__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    whole = argparse.ArgumentParser(add_help=False)
    whole.add_argument(
        "--date",
        type=dt.date.fromisoformat,
        metavar="YYYY-MM-DD",
        help="the day the build takes for today (default: SOURCE_DATE_EPOCH, else today)",
    )
    whole.add_argument(
        "--workers", type=positive, metavar="N", help="processes that compute datasets"
    )
    whole.add_argument("--verbose", action="store_true", help="say what each step does")
    site = argparse.ArgumentParser(add_help=False, parents=[whole])
    site.add_argument("slug", nargs="?", metavar="SLUG", help="only this article")

    build = commands.add_parser("build", parents=[site], help="build the site into _site/")
    build.add_argument("--output", type=Path, metavar="FOLDER", help="instead of _site/")
    build.add_argument(
        "--base-url",
        metavar="URL",
        help="where the site will live (default: EXPLAINERS_BASE_URL, else the site's settings)",
    )
    build.add_argument(
        "--device",
        choices=("cpu", "cuda"),
        default="cpu",
        help="where datasets are computed; cuda takes CuPy (%(default)s)",
    )
    build.add_argument("--quiet", action="store_true", help="print problems only")
    build.add_argument("--json", action="store_true", help="print problems as JSON")
    build.set_defaults(run=run_build)

    serve = commands.add_parser(
        "serve", parents=[site], help="serve the site on this machine and rebuild it at every save"
    )
    serve.add_argument("--port", type=int, default=8000, help="or the next free one (%(default)s)")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    serve.set_defaults(run=run_serve)

    check = commands.add_parser(
        "check", parents=[site], help="build into memory, and look for what a build lets pass"
    )
    check.add_argument("--json", action="store_true", help="print what is found as JSON")
    cli_data.add_recompute(check)
    check.set_defaults(run=run_check)

    cli_data.add_data(commands)
    cli_data.add_record(commands)
    for name, run in (("data", cli_data.run_data), ("record", cli_data.run_record)):
        commands.choices[name].set_defaults(run=run_about_data, about_data=run)

    schema = commands.add_parser("schema", help="print the JSON Schema of what authors write")
    schema.add_argument("name", choices=("front-matter", "series", "site"), help="which one")
    schema.set_defaults(run=run_schema)

    prune = commands.add_parser(
        "prune", parents=[whole], help="remove from .cache/ what the site does not use"
    )
    prune.set_defaults(run=run_prune)
    commands.add_parser("clean", help="remove _site/ and .cache/").set_defaults(run=run_clean)
    return top


def run_build(asked: argparse.Namespace) -> int:
    """Build the site once."""
    root = site_root()
    from .pipeline import build

    try:
        report = build(options(asked, root, asked.output, asked.base_url), teller(asked))
    except BuildError as error:
        if asked.json:
            print(listed(error.problems))
        else:
            print(problems(error, root), file=sys.stderr)
        return PROBLEMS
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
    with Builder(options(asked, root, base_url=server.url), teller(asked)) as builder:
        serve(
            server,
            builder,
            [root / folder for folder in FOLDERS],
            say=print,
            explain=lambda error: problems(error, root),
            closing=lambda report: closing(report, "shown here only"),
        )
    return BUILT


def run_check(asked: argparse.Namespace) -> int:
    """Build into memory and say what is odd, or make every dataset again."""
    if asked.recompute:
        asked.about_data = cli_data.run_recompute
        return run_about_data(asked)
    root = site_root()
    from .check import check

    found = check(options(asked, root), teller(asked))
    if asked.json:
        print(listed(found.problems, found.notes))
    else:
        texts = [show(problem, reader(root)) for problem in found.problems]
        texts += [show(note, reader(root), "note") for note in found.notes]
        number = f"{count(len(found.problems), 'problem')}, {count(len(found.notes), 'note')}."
        print("\n\n".join([*texts, number] if texts else ["Nothing to note."]))
    return PROBLEMS if found.problems or found.notes else BUILT


def run_about_data(asked: argparse.Namespace) -> int:
    """Run a command about data."""
    root = site_root()
    return int(asked.about_data(asked, root, lambda error: problems(error, root)))


def run_schema(asked: argparse.Namespace) -> int:
    """Print a schema, for an editor."""
    from .schema import schemas, text

    print(text(schemas()[asked.name]), end="")
    return BUILT


def run_prune(asked: argparse.Namespace) -> int:
    """Remove from the cache what the site does not use."""
    root = site_root()
    from .prune import prune

    try:
        files, size = prune(options(asked, root), teller(asked))
    except BuildError as error:
        print(problems(error, root), file=sys.stderr)
        return PROBLEMS
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
    parts += [f"{name} {held}: {reason}" for name, reason in report.held_back]
    return f"{'; '.join(parts)}; {report.seconds:.2f} s"


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is one."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def teller(asked: argparse.Namespace) -> Callable[[str], None]:
    """Return what is done with a step's words: they are shown to those who asked."""
    if asked.verbose:
        return lambda text: print(text, file=sys.stderr, flush=True)
    return lambda _: None
