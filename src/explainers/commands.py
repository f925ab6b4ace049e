"""What can be asked of the command line: every command, its options, and examples of it."""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import Path

import explainers

from . import cli_data
from .arguments import Parser, positive

Run = Callable[[argparse.Namespace], int]

EXAMPLES = """\
explainers new article tides      begin an article
explainers serve                  see it change at every save
explainers check                  look for what a build lets pass
explainers build                  the finished site, in _site/"""


def parser(runs: Mapping[str, Run]) -> Parser:
    """Describe every command; `runs` is what each does."""
    top = Parser(
        prog="explainers",
        usage="explainers COMMAND [OPTIONS]",
        description="Build interactive explainer articles from the kernels they explain.",
        examples=EXAMPLES,
    )
    version = f"explainers {explainers.__version__}"
    top.add_argument("--version", action="version", version=version)
    commands = top.add_subparsers(
        prog="explainers", required=True, title="commands", metavar="COMMAND", dest="COMMAND"
    )
    whole, site = _shared()

    build = commands.add_parser(
        "build",
        parents=[site],
        help="build the site into _site/",
        examples="explainers build\n"
        "explainers build tides             only this article, a draft too\n"
        "explainers build --output /tmp/site --base-url https://example.org/notes/",
    )
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
    build.add_argument("--json", action="store_true", help="print problems as JSON")

    serve = commands.add_parser(
        "serve",
        parents=[site],
        help="serve the site here, and show every save at once",
        examples="explainers serve\n"
        "explainers serve tides             only this article\n"
        "explainers serve --host 0.0.0.0    for a phone in the same network too",
    )
    serve.add_argument("--port", type=int, default=8000, help="or the next free one (%(default)s)")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")

    check = commands.add_parser(
        "check",
        parents=[site],
        help="look for what a build lets pass",
        examples="explainers check\n"
        "explainers check --json            for other programs\n"
        "explainers check --recompute       make every dataset again, and compare",
    )
    check.add_argument("--json", action="store_true", help="print what is found as JSON")
    cli_data.add_recompute(check)

    new = commands.add_parser(
        "new",
        help="begin an article, a module, a figure or a kernel",
        examples="explainers new article tides\n"
        "explainers new module where-time-goes\n"
        "explainers new figure tides/moon   a figure that only this article needs\n"
        "explainers new kernel running_mean",
    )
    new.add_argument("what", choices=("article", "module", "figure", "kernel"), metavar="WHAT")
    new.add_argument("name", metavar="NAME", help="its name in addresses; a kernel's in Python")

    cli_data.add_data(commands)
    cli_data.add_record(commands)
    schema = commands.add_parser("schema", help="print what editors need: schemas, snippets")
    names = ("front-matter", "series", "site", "snippets")
    schema.add_argument("name", choices=names, help="which one")
    commands.add_parser(
        "prune", parents=[whole], help="remove from .cache/ what the site does not use"
    )
    commands.add_parser("clean", help="remove _site/ and .cache/")
    for name, command in commands.choices.items():
        command.set_defaults(run=runs[name], parser=command)
    return top


def _shared() -> tuple[Parser, Parser]:
    """Return what commands about a whole site take, and those that can be about one article."""
    whole = Parser(add_help=False)
    whole.add_argument(
        "--date",
        type=dt.date.fromisoformat,
        metavar="YYYY-MM-DD",
        help="the day the build takes for today (default: SOURCE_DATE_EPOCH, else today)",
    )
    whole.add_argument(
        "--workers", type=positive, metavar="N", help="processes that compute datasets"
    )
    loud = whole.add_mutually_exclusive_group()
    loud.add_argument("--verbose", action="store_true", help="say what each step does")
    loud.add_argument("--quiet", action="store_true", help="print problems only")
    site = Parser(add_help=False, parents=[whole])
    site.add_argument("slug", nargs="?", metavar="SLUG", help="only this article")
    return whole, site
