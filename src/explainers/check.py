"""Build into memory, then look for what a build lets pass: `explainers check`.

A problem is what a build refuses; a note is what a person should look at. Both have a place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from .compute import Computer
from .data.gaps import gaps
from .data.key import Keys
from .digest import digest
from .discover import discover
from .errors import BuildError, Problem, Span
from .model import Figure, Outline, Parsed, Report, Tree
from .parse import lint, parse
from .pipeline import Builder, Options
from .pipeline.outlines import written
from .scripts import KERNELS
from .weight import too_heavy, unclear
from .write import Memory

TEACHING = ("article", "module")
QUESTIONS = 3
"""Predictions and self-checks that an article has at least."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a build refuses, what a person should look at, and the build's report if it ended."""

    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...]
    report: Report | None


def check(options: Options, say: Callable[[str], None] = lambda _: None) -> Findings:
    """Build the site, or one article, without writing it, and return everything found."""
    sink = Memory()
    problems: tuple[Problem, ...] = ()
    report = None
    with Builder(options, say) as builder:
        try:
            report = builder.build(sink)
        except BuildError as error:
            problems = error.problems
        tree = discover(options.root, builder.cache / "index.json")
        computer = Computer(tree, builder.store, digest("check"))
        keys = computer.keys
    twins = {Path(source.path).stem for source in tree.under(KERNELS)}
    notes: list[Problem] = []
    for path, slug in _pages(tree, options):
        text = tree.read(path).decode("utf-8", "surrogateescape")
        try:
            parsed = parse(path, slug, text)
        except BuildError:
            continue  # the build has said it
        if parsed.outline.meta.draft and not options.only:
            continue
        notes += lint(path, text)
        notes += _questions(parsed.outline)
        notes += _unused(parsed.outline, keys)
        if report is not None:
            notes += _gaps(parsed.outline, computer)
        if page := sink.files.get(f"{slug}/index.html"):
            notes += _figures(parsed, page.decode(), sink.files, twins)
    return Findings(problems, BuildError(notes).problems, report)


def _pages(tree: Tree, options: Options) -> Iterator[tuple[str, str]]:
    for slug, source in written(tree).items():
        if options.only in (None, slug):
            yield source.path, slug


def _questions(outline: Outline) -> Iterator[Problem]:
    """Yield a note when an article seldom asks its reader anything."""
    if outline.meta.kind in TEACHING and outline.questions < QUESTIONS:
        message = f"{outline.questions} predictions and self-checks: {QUESTIONS} are the least"
        hint = ":::{predict}, :::{self-check} or :::{probe}, where a reader would guess wrong"
        yield Problem("few-questions", message, Span(outline.path, 1, 1, 3), hint)


def _unused(outline: Outline, keys: Keys) -> Iterator[Problem]:
    """Yield a note for each dataset that nothing on the page shows, however indirectly."""
    try:
        declared = keys.datasets(outline.slug)
        functions = keys.functions(outline.slug) if declared else {}
    except BuildError:
        return
    waiting = [name for name, _ in outline.datasets]
    used: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            about = declared.get(name) or functions.get(name)
            waiting += about.needs if about else ()
    for name, about in declared.items():
        if name not in used and about.supply is None:
            message = f'nothing shows the dataset "{name}"'
            hint = "use it in a figure, a value or a claim, or delete it: it is run for nothing"
            yield Problem("unused-dataset", message, about.span, hint)


def _gaps(outline: Outline, computer: Computer) -> Iterator[Problem]:
    """Yield a note for each published field that holds NaN or infinity without saying so."""
    declared = computer.keys.datasets(outline.slug) if outline.datasets else {}
    made = {name for name, _ in outline.datasets} & declared.keys()
    wanted = [(outline.slug, name, declared[name].span) for name in sorted(made)]
    for (_, name), data in computer.datasets(wanted).items():
        about = declared[name]
        if name in made and about.supply is None and not about.recorded:
            for field, what in gaps(data):
                message = f'the field "{field}" of the dataset "{name}" holds {what}'
                hint = f'mend it, or say that it is meant: @dataset(nonfinite=["{field}"])'
                yield Problem("nonfinite-data", message, about.span, hint)


def _figures(
    parsed: Parsed, page: str, files: dict[str, bytes], twins: Collection[str]
) -> Iterator[Problem]:
    """Yield notes on a page's figures: too many parameters, no words, too many bytes."""
    spans = {h.label: h.span for h in parsed.body.holes() if isinstance(h, Figure)}
    whole = Span(parsed.outline.path, 1, 1, 3)
    for label, code, message, hint in (*unclear(page), *too_heavy(page, files, twins)):
        yield Problem(code, message, spans.get(label, whole), hint)
