"""One pass over the stages: what changed is made again, the rest is kept."""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from .. import __version__, config
from ..assets import Assets
from ..compute import Computer, Pair
from ..digest import variable
from ..errors import BuildError, Problem, Span, Superseded, refuse
from ..link import link
from ..model import Output, Report, Site, Tree
from ..nearest import nearest
from ..render import Layout, Lists, Renderer, menu
from ..write import Last, Memory, Sink
from . import crew, recall
from .builder import Builder, Options, engine_key
from .heads import HeadLines
from .jobs import Job, Jobs
from .keys import PageKeys
from .lasting import variables, window
from .library import Library
from .machines import Machines
from .outlines import Outlines
from .packing import pack, unpack
from .pages import Pages

if TYPE_CHECKING:
    from ..config import Config

BATCH = 50
"""Pages made at a time: bounds the memory of a cold build."""


class Stages(NamedTuple):
    """What the stages before `render` gave: all that pages are made from."""

    settings: Config
    site: Site
    computer: Computer
    assets: Assets
    pages: Pages
    jobs: Jobs
    machines: Machines


class Pass:
    """One build of one tree."""

    def __init__(self, builder: Builder, tree: Tree, options: Options, sink: Sink) -> None:
        """Keep what is asked; nothing is read yet."""
        self._builder, self._tree, self._options, self._sink = builder, tree, options, sink
        self._engine = engine_key(tree)

    def run(self, whole: str, left_out: Mapping[str, str]) -> Report:
        """Run the stages, publish, and say what was done; broken drafts are left out."""
        options, settings = self._options, self.settings
        now = dt.datetime.now(ZoneInfo(settings.time_zone))
        today = options.today or now.date()
        parser = self._builder.parser(self._engine)
        seen = [path.removesuffix("/index.html") for path in self._sink.first()]
        found = parser.outlines(self._tree, options.only, settings.macros, looked_at=seen)
        found = found.without(left_out)
        if options.only and options.only not in found.outlines:
            raise BuildError([_no_article(options.only, found)])
        stages = self.stages(found, today)
        site, computer = stages.site, stages.computer
        self._share(stages.assets)
        problems = [] if options.only else self._early(stages)
        every = self._every(stages)
        if not options.only:
            text = self._tree.read(config.PATH).decode("utf-8", "replace")
            refuse(_strays(settings, text, [job.path for job in every]))
            problems += self._waited(every, stages)
        stale = self._apart(self._stale(every), stages, found, today)
        problems += self._make(stale, stages.pages)
        refuse(problems)
        if computer.ran:  # what they read is known only now, and is part of their pages' keys
            self._sink.rekey({job.path: job.key for job in self._every(stages)})
        held = (*site.held_back, *sorted(found.broken_drafts.items()))
        last = None
        datasets = self._datasets(site, computer)
        if not options.only:
            times = window(site, [*found.outlines.values()], today, settings, options)
            read = tuple((name, variable(name)) for name in variables(site, computer))
            last = Last(whole, 0, len(datasets | computer.ran), held, *times, read)
        written, kept, removed = self._sink.finish(last)
        ran = computer.ran
        return Report(written, kept, removed, len(ran), len(datasets - ran), held, 0.0)

    def stages(self, found: Outlines, today: dt.date) -> Stages:
        """Link the site, and make ready what pages are made from."""
        options, tree, builder = self._options, self._tree, self._builder
        settings, engine = self.settings, self._engine
        outlines = list(found.outlines.values())
        library = Library(tree, builder.store, engine)
        cited = any(outline.citations for outline in outlines)
        site = link(
            outlines,
            tree.files,
            today,
            sources=library.entries() if cited else {},
            drafts=options.drafts or bool(options.only),
            only=options.only,
        )
        computer = Computer(
            tree,
            builder.store,
            engine,
            workers=options.workers,
            say=builder.say,
            give_up=builder.give_up,
            backend="cupy" if options.device == "cuda" else "numpy",
        )
        assets, parser = builder.assets(tree, engine), builder.parser(engine)
        keys = PageKeys(tree, engine, settings, assets, computer, menu(settings, site))
        pages = Pages(builder, tree, settings, site, found, parser, computer, library, engine)
        layout = Layout(tree, builder.templates(tree), settings, site, assets.shared)
        renderer, lists = Renderer(layout, __version__), Lists(layout)
        headlines = HeadLines(builder, settings, site, pages)
        jobs = Jobs(site, found, keys, pages, renderer, lists, headlines, settings)
        machines = Machines(tree, builder.store, site, settings, keys, pages, headlines)
        return Stages(settings, site, computer, assets, pages, jobs, machines)

    @functools.cached_property
    def settings(self) -> Config:
        """The site's settings, as this build was asked to take them."""
        if config.PATH not in self._tree.files:
            message = "the site has no settings"
            raise BuildError(
                [Problem("bad-settings", message, Span(config.PATH), "at least title: …")]
            )
        settings = config.load(self._tree.read(config.PATH).decode("utf-8", "replace"))
        if self._options.base_url:
            settings = replace(settings, base_url=self._options.base_url.rstrip("/") + "/")
        return settings

    def _every(self, stages: Stages) -> list[Job]:
        jobs, only = stages.jobs, self._options.only
        return [*jobs.of(only)] if only else [*jobs.all(), *stages.machines.jobs(jobs.made)]

    def _apart(
        self, stale: list[Job], stages: Stages, found: Outlines, today: dt.date
    ) -> list[Job]:
        """Have processes make the articles that need no dataset and no figure, when they are many.

        Returns the jobs that are left: the other pages, and those a process could not do.
        """
        outlines = found.outlines
        plain = {
            job.path: job
            for job in stale
            if job.article
            and not any(outlines[slug].datasets or outlines[slug].kinds for slug in job.slugs)
        }
        if len(plain) < crew.MANY:
            return stale
        self._builder.store.shelf.flush()
        setup = pack((self._options, self._tree, found, today))
        made: set[str] = set()
        slugs = [job.article for job in plain.values()]
        for _, pages in self._builder.crew.shares(slugs, functools.partial(_made, setup)):
            self._go_on(len(made), len(stale))
            for (output, *beside), uses in pages or ():
                self._put(plain[output.path], output, beside, uses)
                made.add(output.path)
        return [job for job in stale if job.path not in made]

    def _go_on(self, made: int, count: int) -> None:
        """Say how far it is, or end here when a new save asks for another build."""
        if self._builder.give_up():
            self._sink.glimpse()
            raise Superseded
        if count > BATCH:
            self._builder.say(f"making pages: {made} of {count}")

    def _put(
        self, job: Job, output: Output, beside: Sequence[Output], uses: Mapping[str, Output]
    ) -> None:
        for used in uses.values():
            self._sink.put(used, used.path)
        for other in beside:
            self._sink.put(other, job.key)
        self._sink.put(output, job.key, [*uses, *(other.path for other in beside)])

    def _early(self, stages: Stages) -> list[Problem]:
        """Make the articles that somebody looks at, before it is known what else has changed."""
        slugs = [path.removesuffix("/index.html") for path in self._sink.first()]
        pages = stages.site.pages
        plain = [slug for slug in slugs if slug in pages and not pages[slug].series]
        return self._waited([job for slug in plain for job in stages.jobs.of(slug)], stages)

    def _waited(self, jobs: Sequence[Job], stages: Stages) -> list[Problem]:
        """Make the pages that somebody waits for, and show them."""
        first = self._sink.first()
        waited = [job for job in jobs if job.path in first]
        problems = self._make(self._stale(waited), stages.pages)
        if waited and not problems:
            self._sink.glimpse()
        return problems

    def _stale(self, jobs: Iterable[Job]) -> list[Job]:
        """Return the jobs whose inputs changed; the pages of the others are kept."""
        stale = []
        for job in jobs:
            if self._sink.has(job.path, job.key):
                self._sink.keep(job.path)
            else:
                stale.append(job)
        return stale

    def _make(self, stale: Sequence[Job], pages: Pages) -> list[Problem]:
        """Make pages, some at a time; return the problems of all."""
        problems: list[Problem] = []
        for start in range(0, len(stale), BATCH):
            self._go_on(start, len(stale))
            batch = stale[start : start + BATCH]
            try:
                pages.prepare(list(dict.fromkeys(s for job in batch for s in job.slugs)))
                for job in batch:
                    output, *beside = job.make()
                    self._put(job, output, beside, pages.uses(job.slugs))
            except BuildError as error:
                problems += error.problems
        return problems

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


Made = tuple[tuple[Output, ...], Mapping[str, Output]]
"""A page with what stands beside it, and the files it loads."""


def _made(setup: bytes, slugs: Sequence[str]) -> list[Made]:
    """Return the pages of some articles, none when one has problems; this runs in the crew."""
    stages = _stages(setup)
    jobs = [job for slug in slugs for job in stages.jobs.of(slug)]
    with contextlib.suppress(BuildError):
        stages.pages.prepare(list(dict.fromkeys(slug for job in jobs for slug in job.slugs)))
        return [(job.make(), stages.pages.uses(job.slugs)) for job in jobs]
    return []


@functools.lru_cache(maxsize=1)
def _stages(setup: bytes) -> Stages:
    """Return what a process of the crew makes its pages from."""
    recall.rest()
    options, tree, found, today = unpack(setup)
    return Pass(Builder(options), tree, options, Memory()).stages(found, today)


def _no_article(slug: str, found: Outlines) -> Problem:
    hint = nearest(slug, found.outlines)
    return Problem("unknown-article", f'no article named "{slug}"', None, hint)


def _strays(settings: Config, text: str, paths: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each entry of the menu that leads to no page."""
    addresses = [path.removesuffix("index.html") for path in paths]
    for title, url in settings.menus.items():
        if unquote(url.partition("#")[0]) not in addresses:
            message = f'the entry "{title}" of the menu leads to "{url}", where no page is'
            hint = nearest(url, addresses, "an address from the site's root, as all/ or about/")
            yield Problem("broken-menu", message, config.entry(text, "menus", title), hint)
