"""Measure builds of a site of many articles against the budgets.

    python build.py bench                                100 and 1,000 articles, each step 3 times
    python build.py bench --articles 100 --repeat 1      a quick look
    python build.py bench --check                        exit 1 at twice a budget
    python build.py bench --drag                         every part of every figure, dragged
    python build.py bench --peers                        beside other generators, installed apart

Each step starts a new interpreter, in a folder of its own outside the checkout. Times are medians;
under other load compare the CPU seconds, which are those of all the processes of a build.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from against import compare
from corpus import Corpus, write
from figures import kernel
from measure import Measurement, compiled, measure
from serving import serving
from starts import rows as starts
from table import CORES, TOLERANCE, Row, growth, shown, summary
from workers import rows as workers

ROOT = Path(__file__).resolve().parents[1]
BUILD = (sys.executable, "-m", "explainers", "build")
SERVE = (sys.executable, "-m", "explainers", "serve")
TEMPLATE = "templates/base.html"
MIB = 1024 * 1024


class BuildFailedError(Exception):
    """A build that was to be measured failed, or did not do what it was to do."""


class Bench:
    """Measures the steps of one site."""

    def __init__(self, folder: Path, corpus: Corpus, repeat: int, rebuilds: int = 0) -> None:
        """Write the site, with a template of its own, which can be edited."""
        self._folder, self._corpus, self._repeat = folder, corpus, repeat
        self._rebuilds = rebuilds
        write(folder, corpus)
        (folder / TEMPLATE).parent.mkdir()
        shutil.copyfile(ROOT / TEMPLATE, folder / TEMPLATE)
        self._article = folder / f"content/articles/{corpus.slug(corpus.articles // 2)}/index.md"
        self._edits = 0
        self._compiled = compiled(folder.parent)

    def rows(self) -> Iterator[Row]:
        """Measure every step, and yield what each took."""
        name = "cold, distinct formulas" if self._corpus.distinct_formulas else "cold"
        cold = [self._cold() for _ in range(self._repeat)]
        yield self._row(name, cold)
        yield self._row("no-op", self._times(self._nothing))
        yield self._row("one edit", self._times(self._one_edit))
        yield self._row("template edit", self._times(self._template_edit))
        if self._corpus.figures:
            yield self._row("kernel edit", self._times(self._kernel_edit))
        yield from self._served()
        count = self._corpus.articles
        yield Row("peak memory", count, max(m.memory for m in cold) / MIB, "MiB")
        files = [path for path in (self._folder / "_site").rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / MIB
        yield Row("output", count, size, "MiB", note=f"{len(files)} files")
        page = self._page().read_bytes()
        yield Row("article, gzipped", count, len(gzip.compress(page, 9)) / 1000, "kB", note="HTML")

    def _times(self, step: Callable[[], Measurement]) -> list[Measurement]:
        return [step() for _ in range(self._repeat)]

    def _row(self, name: str, found: Sequence[Measurement]) -> Row:
        wall = statistics.median(m.wall for m in found)
        cpu = statistics.median(m.cpu for m in found)
        # The processes a build starts share the cores; its own work is done one thing at a time.
        idle = statistics.median(m.own + (m.cpu - m.own) / CORES for m in found)
        note = f"{idle:.2f} s on {CORES} idle cores, by CPU" if idle < cpu * 0.9 else ""
        return Row(name, self._corpus.articles, wall, "s", cpu, note, idle)

    def _cold(self) -> Measurement:
        for name in ("_site", ".cache"):
            shutil.rmtree(self._folder / name, ignore_errors=True)
        found = self._build(memory=True)
        pages = len(list((self._folder / "_site").glob("*/index.html")))
        self._expect(pages >= self._corpus.articles, f"only {pages} pages were written")
        return found

    def _nothing(self) -> Measurement:
        before = self._marks()
        found = self._build()
        self._expect(before == self._marks(), "a build with nothing to do rewrote files")
        return found

    def _one_edit(self) -> Measurement:
        before = self._marks()
        word = self._edited(self._article, "\n\nAn edit, number {}.\n")
        found = self._build()
        after = self._marks()
        changed = [path for path, mark in after.items() if before.get(path) != mark]
        self._expect(word in self._page().read_text(), "the edit is not on its page")
        # The page, and what lists or indexes it.
        self._expect(len(changed) <= 20, f"one edit rewrote {len(changed)} files")
        return found

    def _template_edit(self) -> Measurement:
        word = self._edited(self._folder / TEMPLATE, "<!-- {} -->")
        found = self._build()
        self._expect(word in self._page().read_text(), "the new template is not on the pages")
        return found

    def _kernel_edit(self) -> Measurement:
        """Change the numbers of the article's kernel, which others run too."""
        file = self._folder / kernel(self._corpus.articles // 2)
        before = self._page().read_text()
        self._edits += 1
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(") % 16", f" + {self._edits}) % 16"), encoding="utf-8")
        found = self._build()
        self._expect(before != self._page().read_text(), "the new numbers are not on their page")
        return found

    def _served(self) -> Iterator[Row]:
        found = serving(
            SERVE,
            self._folder,
            self._compiled,
            f"/{self._article.parent.name}/",
            lambda: self._edited(self._article, "\n\nA save, number {}.\n"),
            lambda: self._edited(self._folder / TEMPLATE, "<!-- {} -->"),
            self._rebuilds,
        )
        count, slowest = self._corpus.articles, f"slowest {max(found.saves):.2f} s"
        yield Row("first page in serve", count, found.first, "s", found.first_cpu)
        yield Row("save in serve", count, found.save, "s", found.cpu, slowest)
        yield Row("template in serve", count, found.template, "s", note="the page that is open")
        if self._rebuilds:
            note = f"memory, {self._rebuilds} saves over a tenth"
            yield Row("growth in serve", count, found.growth, "times", note=note)

    def _edited(self, file: Path, addition: str) -> str:
        """Add a text that was not there before, and return it."""
        self._edits += 1
        text = addition.format(self._edits)
        with file.open("a", encoding="utf-8") as stream:
            stream.write(text)
        return text.strip()

    def _page(self) -> Path:
        return self._folder / "_site" / self._article.parent.name / "index.html"

    def _marks(self) -> dict[Path, tuple[int, int]]:
        return {
            path: (path.stat().st_mtime_ns, path.stat().st_ino)
            for path in (self._folder / "_site").rglob("*")
            if path.is_file()
        }

    def _build(self, *, memory: bool = False) -> Measurement:
        found = measure(BUILD, self._folder, self._compiled, memory=memory)
        self._expect(found.code == 0, found.output)
        return found

    @staticmethod
    def _expect(right: bool, words: str) -> None:
        if not right:
            raise BuildFailedError(words)


def machine() -> str:
    """Return what the numbers were measured on."""
    names = [line for line in _read("/proc/cpuinfo").splitlines() if line.startswith("model name")]
    name = names[0].partition(":")[2].strip() if names else platform.machine()
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    python = platform.python_version()
    return f"Python {python}, {cores} cores, {name}, {platform.system()}; load {load:.1f} before"


def bench(
    sizes: Sequence[int], repeat: int, *, distinct: bool, figures: bool, rebuilds: int = 0
) -> Iterator[Row]:
    """Measure sites of these sizes, and yield every row as it is found."""
    with tempfile.TemporaryDirectory(prefix="explainers-bench-") as name:
        top = Path(name)
        # Compiles the modules and brings files into memory, which no measured build is to pay.
        list(Bench(top / "warm", Corpus(12), 1).rows())
        rows = []
        for size in sizes:
            corpus = Corpus(size, distinct_formulas=distinct, figures=figures)
            folder = top / str(size)
            for row in Bench(folder, corpus, repeat, rebuilds).rows():
                rows.append(row)
                yield row
            shutil.rmtree(folder)
        yield from growth(rows)
        try:
            yield from starts(ROOT, compiled(top))
            yield from workers(BUILD, top / "workers", compiled(top), repeat)
        except ValueError as error:
            raise BuildFailedError(str(error)) from error


def dragged() -> Iterator[Row]:
    """Drag every part of every figure of the real site, and of a large matrix."""
    from drag import build, drags, large  # only here is a browser needed

    with tempfile.TemporaryDirectory(prefix="explainers-drag-") as name:
        for make in (large, build):
            folder = Path(name) / make.__name__
            make(folder)
            for found in drags(folder):
                half = statistics.median(found.moves)
                note = f"{found.figure}: {found.part}; half within {half:.1f} ms"
                yield Row("drag", None, found.slow, "ms", note=note)


def main() -> int:
    """Measure what the command line asks for, and print the table."""
    asked = arguments()
    print(machine())
    if asked.peers:
        corpora = [Corpus(size, 0, asked.distinct_formulas) for size in asked.articles]
        ahead, found = compare(corpora, asked.repeat)
        kept(asked.json, {"peers": found})
        return 1 if asked.check and not ahead else 0
    print(f"{'':25}{'N':>6}  {'':12}  {'CPU s':>7}  {'budget':>9}")
    rows = []
    try:
        kinds = {"distinct": asked.distinct_formulas, "figures": asked.figures}
        sites = bench(asked.articles, asked.repeat, **kinds, rebuilds=asked.rebuilds)
        for row in dragged() if asked.drag else sites:
            rows.append(row)
            print(shown(row), flush=True)
    except BuildFailedError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    kept(asked.json, {"rows": [{**asdict(row), "budget": row.budget} for row in rows]})
    failed = [row for row in rows if row.over]
    print(summary(rows))
    return 1 if asked.check and failed else 0


def kept(file: Path | None, found: dict[str, Any]) -> None:
    """Write numbers to a file, when one is asked for, with the machine that they are of."""
    if file:
        text = json.dumps({"machine": machine(), **found}, indent=1)
        file.write_text(f"{text}\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="build.py bench", description="Measure builds against the budgets."
    )
    parser.add_argument(
        "--articles",
        type=lambda text: [int(part) for part in text.split(",")],
        default=[100, 1000],
        metavar="N,…",
        help="the sizes of the sites (100,1000)",
    )
    parser.add_argument("--repeat", type=int, default=3, help="times of each step (%(default)s)")
    parser.add_argument("--distinct-formulas", action="store_true", help="no formula twice")
    parser.add_argument("--figures", action="store_true", help="two figures an article")
    parser.add_argument(
        "--rebuilds", type=int, default=0, metavar="N", help="saves that measure serve's memory"
    )
    parser.add_argument("--peers", action="store_true", help="only beside other generators")
    parser.add_argument("--drag", action="store_true", help="only the drags of figures")
    parser.add_argument(
        "--check",
        action="store_true",
        help=f"exit 1 over {TOLERANCE} times a budget, or behind a peer",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    return parser.parse_args()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
