"""One pass over the stages: what changed is made again, the rest is kept."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from .. import __version__, config
from ..assets import Assets
from ..compute import Computer, Pair
from ..errors import BuildError, Problem, Span, refuse
from ..link import link
from ..model import Outline, Report, Site, Tree
from ..nearest import nearest
from ..render import Layout, Lists, Renderer, Shared, menu
from ..write import Last, Sink
from .builder import Builder, Options, engine_key
from .heads import HeadLines
from .jobs import Job, Jobs
from .keys import PageKeys
from .library import Library
from .machines import Machines
from .outlines import Outlines
from .pages import Pages

if TYPE_CHECKING:
    from ..config import Config

BATCH = 50
"""Pages made at a time: bounds the memory of a cold build."""


class Pass:
    """One build of one tree."""

    def __init__(self, builder: Builder, tree: Tree, options: Options, sink: Sink) -> None:
        """Read the settings."""
        self._builder, self._tree, self._options, self._sink = builder, tree, options, sink
        self._engine = engine_key(tree)

    def run(self, whole: str) -> Report:
        """Run the stages, publish, and say what was done."""
        options, tree, builder = self._options, self._tree, self._builder
        settings = self._settings()
        now = dt.datetime.now(ZoneInfo(settings.time_zone))
        today = options.today or now.date()
        parser = builder.parser(self._engine)
        found = parser.outlines(tree, options.only, settings.macros)
        if options.only and options.only not in found.outlines:
            raise BuildError([_no_article(options.only, found)])
        outlines = list(found.outlines.values())
        drafts = options.drafts or bool(options.only)
        library = Library(tree, builder.store, self._engine)
        cited = any(outline.citations for outline in outlines)
        site = link(
            outlines,
            tree.files,
            today,
            sources=library.entries() if cited else {},
            drafts=drafts,
            only=options.only,
        )
        held = (*site.held_back, *sorted(found.broken_drafts.items()))
        computer = Computer(
            tree,
            builder.store,
            self._engine,
            workers=options.workers,
            say=builder.say,
            backend="cupy" if options.device == "cuda" else "numpy",
        )
        assets = builder.assets(tree, self._engine)
        keys = PageKeys(tree, self._engine, settings, assets, computer, menu(settings, site))
        pages = Pages(builder, tree, settings, site, found, parser, computer, library, self._engine)
        shared = Shared(
            assets.style,
            assets.maths_style,
            assets.lists_style,
            assets.icon,
            assets.script,
            assets.preload,
            assets.maths_faces,
        )
        layout = Layout(tree, builder.templates(tree), settings, site, shared)
        renderer, lists = Renderer(layout, __version__), Lists(layout)
        headlines = HeadLines(builder, settings, site, pages)
        self._share(assets)
        jobs = Jobs(site, found, keys, pages, renderer, lists, headlines, settings)
        if options.only:
            self._make([*jobs.of(options.only)], pages)
        else:
            machines = Machines(tree, builder.store, site, settings, keys, pages, headlines)
            every = [*jobs.all(), *machines.jobs(jobs.made)]
            refuse(_strays(settings, [job.path for job in every]))
            self._make(every, pages)
        last = None
        datasets = self._datasets(site, computer)
        if not options.only:
            window = _window(site, outlines, today, settings, options)
            last = Last(whole, 0, len(datasets | computer.ran), held, *window)
        written, kept, removed = self._sink.finish(last)
        ran = computer.ran
        return Report(written, kept, removed, len(ran), len(datasets - ran), held, 0.0)

    def _settings(self) -> Config:
        if config.PATH not in self._tree.files:
            message = "the site has no settings"
            raise BuildError(
                [Problem("bad-settings", message, Span(config.PATH), "at least title: …")]
            )
        settings = config.load(self._tree.read(config.PATH).decode("utf-8", "replace"))
        if self._options.base_url:
            settings = replace(settings, base_url=self._options.base_url.rstrip("/") + "/")
        return settings

    def _make(self, jobs: Sequence[Job], pages: Pages) -> None:
        """Make the pages whose inputs changed, some at a time; report the problems of all."""
        stale = []
        for job in jobs:
            if self._sink.has(job.path, job.key):
                self._sink.keep(job.path)
            else:
                stale.append(job)
        # The page an author opens comes first.
        stale.sort(key=lambda job: job.path != "index.html")
        problems: list[Problem] = []
        for first in range(0, len(stale), BATCH):
            batch = stale[first : first + BATCH]
            try:
                pages.prepare(list(dict.fromkeys(s for job in batch for s in job.slugs)))
                for job in batch:
                    output, *beside = job.make()
                    uses = pages.uses(job.slugs)
                    for used in uses.values():
                        self._sink.put(used, used.path)
                    for other in beside:
                        self._sink.put(other, job.key)
                    self._sink.put(output, job.key, [*uses, *(other.path for other in beside)])
                if first == 0 and len(stale) > BATCH:
                    self._sink.glimpse()
            except BuildError as error:
                problems += error.problems
        refuse(problems)

    def _share(self, assets: Assets) -> None:
        for output in assets.outputs:
            if self._sink.has(output.path, output.path):
                self._sink.keep(output.path)
            else:
                self._sink.put(output, output.path)

    def _datasets(self, site: Site, computer: Computer) -> set[Pair]:
        """Return the datasets that the pages of this build name."""
        return {
            (slug, name)
            for slug in ([self._options.only] if self._options.only else site.pages)
            for name, _ in site.pages[slug].datasets
            if name in computer.keys.datasets(slug)
        }


def _no_article(slug: str, found: Outlines) -> Problem:
    hint = nearest(slug, found.outlines)
    return Problem("unknown-article", f'no article named "{slug}"', None, hint)


def _strays(settings: Config, paths: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each entry of the menu that leads to no page."""
    addresses = [path.removesuffix("index.html") for path in paths]
    for title, url in settings.menus.items():
        if unquote(url.partition("#")[0]) not in addresses:
            message = f'the entry "{title}" of the menu leads to "{url}", where no page is'
            hint = nearest(url, addresses, "an address from the site's root, as all/ or about/")
            yield Problem("broken-menu", message, Span(config.PATH), hint)


def _window(
    site: Site, outlines: Sequence[Outline], today: dt.date, settings: Config, options: Options
) -> tuple[float, float]:
    """Return the times between which the same pages are held back for their date."""
    if options.today:
        return -math.inf, math.inf
    zone = ZoneInfo(settings.time_zone)
    held = dict(site.held_back)
    future = [o.meta.date for o in outlines if o.slug in held and not o.meta.draft]
    start = dt.datetime.combine(today, dt.time(), zone).timestamp()
    until = dt.datetime.combine(min(future), dt.time(), zone).timestamp() if future else math.inf
    return start, until
