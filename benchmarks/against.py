"""Measure builds of one corpus by explainers and its peers, in turn, and show them side by side.

Every repetition asks each generator in turn, so that what else the machine does falls on all.
Pages are looked at before they count: a generator that leaves out pages, formulas, code, tables,
notes, links or pictures, or an edit, is told of, and has no numbers.
"""

from __future__ import annotations

import re
import shutil
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corpus import DISPLAY_FORMULAS, INLINE_FORMULAS, SECTIONS, Corpus
from measure import Measurement, compiled, measure
from peers import OURS, PEERS, NotInstalledError, Peer, install, lay_out

STEPS = ("cold", "no-op", "one edit")
FORMULAS = DISPLAY_FORMULAS + INLINE_FORMULAS
MIB = 1024 * 1024

_LISTING = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
_TEX_OF_BUILT = re.compile(r"<annotation\b.*?</annotation>", re.DOTALL)
_RAW_FORMULA = re.compile(r"\\[(\[]")
_LINK = re.compile(r'href="[^"]*?([\w-]+)/(?:index\.html)?#([^"]+)"')
_SOURCE_LINK = re.compile(r"\.\./([\w-]+)/index\.md#([^)]+)\)")


class NotDoneError(Exception):
    """A build that was to be measured failed, or left something out; the text says what."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the page of an article holds; `links` are slugs and anchors, `left` is unread source."""

    built: int
    raw: int
    listings: int
    coloured: int
    tables: int
    pictures: int
    links: frozenset[tuple[str, str]]
    left: tuple[str, ...]

    @property
    def lacks(self) -> str:
        """Say what an article of the corpus should have and this has not; "" is nothing."""
        formulas = max(self.built, self.raw)
        if formulas < FORMULAS:
            return f"{formulas} of {FORMULAS} formulas"
        if self.listings < SECTIONS or self.coloured < SECTIONS - 1:  # one may be plain text
            return f"{self.listings} listings, {self.coloured} of them coloured"
        if self.tables < 2 or self.pictures < 1:
            return f"{self.tables} tables, {self.pictures} pictures"
        return f"{self.left[0]} as it stands in the source" if self.left else ""


def look(html: str) -> Found:
    """Look at a page: a formula that is built has MathML, one for the browser is TeX still."""
    listings = _LISTING.findall(html)
    rest = _TEX_OF_BUILT.sub("", _LISTING.sub("", html))
    return Found(
        built=html.count("<math"),
        raw=len(_RAW_FORMULA.findall(rest)),
        listings=len(listings),
        coloured=sum("<span class=" in listing for listing in listings),
        tables=rest.count("<table"),
        pictures=len(re.findall(r'<img\b[^>]*?src="[^"]*plot[^"]*\.svg"', rest)),
        links=frozenset(_LINK.findall(rest)),
        left=tuple(mark for mark in ("[^", ":::", "$$", "```", "](") if mark in rest),
    )


@dataclass(slots=True)
class Runner:
    """Builds one site with one generator; `problem` says why it was given up."""

    peer: Peer
    site: Path
    corpus: Corpus
    environment: Path = field(default_factory=Path)
    variables: Mapping[str, str] = field(default_factory=dict)
    times: dict[str, list[Measurement]] = field(default_factory=lambda: {s: [] for s in STEPS})
    maths: str = ""
    problem: str = ""

    def ready(self) -> None:
        """Install the generator, and write its site."""
        try:
            self.environment = install(self.peer)
        except NotInstalledError as error:
            self.problem = f"cannot be installed here: {error}"
            return
        lay_out(self.peer, self.environment, self.site, self.corpus)

    def step(self, name: str) -> None:
        """Measure a step once more, unless something went wrong before."""
        steps: dict[str, Callable[[], Measurement]] = {
            "cold": self._cold,
            "no-op": self._nothing,
            "one edit": self._one_edit,
        }
        if self.problem:
            return
        try:
            self.times[name].append(steps[name]())
        except NotDoneError as error:
            self.problem = f"{name} build: {error}"

    def median(self, step: str, what: str = "wall") -> float:
        """Return the median of a step's seconds, by the clock (wall) or of CPU (cpu)."""
        return float(statistics.median(getattr(found, what) for found in self.times[step]))

    @property
    def memory(self) -> float:
        """Return the most memory of all cold builds, in MiB."""
        return max(found.memory for found in self.times["cold"]) / MIB

    def page(self, slug: str) -> str:
        """Return the page of an article.

        Raises:
            NotDoneError: there is none.
        """
        try:
            path = self.site / self.peer.pages / slug / "index.html"
            return path.read_text(encoding="utf-8")
        except OSError as error:
            raise NotDoneError(f"no page of {slug}") from error

    def look_at_all(self) -> str:
        """Look at every page, and return where formulas are drawn.

        Raises:
            NotDoneError: something is missing.
        """
        where = set()
        for path, text in self.corpus.files():
            if path.endswith("index.md"):
                slug = path.split("/")[-2]
                found = look(self.page(slug))
                if found.lacks:
                    raise NotDoneError(f"{slug} has {found.lacks}")
                for link in set(_SOURCE_LINK.findall(text)):
                    if link not in found.links or f'id="{link[1]}"' not in self.page(link[0]):
                        raise NotDoneError(f"{slug} has no link to {'#'.join(link)}")
                where.add("at build" if found.built else "in the browser")
        return ", ".join(where)

    def _cold(self) -> Measurement:
        for name in self.peer.made:
            shutil.rmtree(self.site / name, ignore_errors=True)
        found = self._build(memory=True)
        self.maths = self.maths or self.look_at_all()
        for index in range(self.corpus.articles):
            self.page(self.corpus.slug(index))
        return found

    def _nothing(self) -> Measurement:
        found = self._build()
        self.page(self._middle)
        return found

    def _one_edit(self) -> Measurement:
        words = f"An edit, number {len(self.times['one edit']) + 1}."
        source = self.site / f"content/articles/{self._middle}/index.md"
        with source.open("a", encoding="utf-8") as stream:
            stream.write(f"\n\n{words}\n")
        found = self._build()
        if words not in self.page(self._middle):
            raise NotDoneError("the edit is not on its page")
        return found

    @property
    def _middle(self) -> str:
        return self.corpus.slug(self.corpus.articles // 2)

    def _build(self, *, memory: bool = False) -> Measurement:
        words = self.peer.words(self.environment, self.site)
        found = measure(words, self.site, self.variables, memory=memory)
        if found.code:
            raise NotDoneError(f"exit {found.code}: {found.output[-300:]}")
        return found


def race(folder: Path, corpus: Corpus, repeat: int, variables: Mapping[str, str]) -> list[Runner]:
    """Measure every step of every generator, and return what each took, ours first."""
    runners = []
    for peer in (OURS, *PEERS):
        # Compiles modules and brings files into memory, which no measured build is to pay.
        warm = Runner(peer, folder / "warm" / peer.key, Corpus(4), variables=variables)
        warm.ready()
        warm.step("cold")
        runner = Runner(peer, folder / peer.key, corpus, warm.environment, variables)
        runner.problem = warm.problem
        if not runner.problem:
            lay_out(peer, runner.environment, runner.site, corpus)
        runners.append(runner)
    for step in STEPS:
        for _ in range(repeat):
            for runner in runners:
                runner.step(step)
    return runners


def table(runners: Sequence[Runner]) -> str:
    """Return a line of seconds by the clock, and one of CPU, for each; the first is ours."""
    ours = runners[0]
    head = "".join(f"{name:>16}" for name in (*STEPS, "peak memory"))
    lines = [f"{'':18}{head}  maths"]
    for runner in runners:
        if runner.problem:
            lines.append(f"{runner.peer.title:18}  NOT MEASURED: {runner.problem}")
            continue
        for what, title in (("wall", runner.peer.title), ("cpu", "  of CPU")):
            values = [(runner.median(s, what), _of(ours, s, what), "s") for s in STEPS]
            if what == "wall":
                values.append((runner.memory, 0 if ours.problem else ours.memory, "MiB"))
            tail = f"  {runner.maths:16}{runner.peer.beside}" if what == "wall" else ""
            lines.append(f"{title:18}{''.join(_cell(*value) for value in values)}{tail}".rstrip())
    return "\n".join(lines)


def verdict(runners: Sequence[Runner]) -> list[str]:
    """Say which peers are ahead of ours in which step, and which could not be measured."""
    ours, *others = runners
    if ours.problem:
        return [f"explainers itself was not measured: {ours.problem}"]
    said = [f"{it.peer.title} was not measured" for it in others if it.problem]
    for it in others:
        ahead = [s for s in STEPS if not it.problem and it.median(s) < ours.median(s)]
        name = f"{it.peer.title}, its maths {it.maths},"
        said += [f"{name} is ahead of explainers: {', '.join(ahead)}"] if ahead else []
    return said


def numbers(runner: Runner) -> dict[str, object]:
    """Return what a file of numbers holds of a generator."""
    about: dict[str, object] = {"generator": runner.peer.title, "pins": runner.peer.pins}
    if runner.problem:
        return {**about, "problem": runner.problem}
    steps = {s: {what: runner.median(s, what) for what in ("wall", "cpu")} for s in STEPS}
    return {**about, "maths": runner.maths, "memory": runner.memory, "steps": steps}


def compare(corpora: Sequence[Corpus], repeat: int) -> tuple[bool, list[dict[str, object]]]:
    """Race on each corpus, print a table of each, and return whether ours won all, and the numbers.

    A peer that could not be measured has not been beaten.
    """
    found, said = [], []
    for corpus in corpora:
        with tempfile.TemporaryDirectory(prefix="explainers-peers-") as name:
            runners = race(Path(name), corpus, repeat, compiled(Path(name)))
        print(f"\n{corpus.articles:,} articles, medians of {repeat}\n{table(runners)}", flush=True)
        found += [{"articles": corpus.articles, **numbers(runner)} for runner in runners]
        said += [f"{line}, {corpus.articles:,} articles" for line in verdict(runners)]
    print("\n".join(["", *(said or ["explainers is ahead of every peer in every step"])]))
    return not said, found


def _of(runner: Runner, step: str, what: str) -> float:
    return 0 if runner.problem else runner.median(step, what)


def _cell(value: float, ours: float, unit: str) -> str:
    """Return a number and how many times ours it is."""
    number = f"{value:.2f} s" if unit == "s" else f"{value:.0f} {unit}"
    times = f"{value / ours:.1f}×" if ours else ""
    return f"{number:>9}{times:>7}"
