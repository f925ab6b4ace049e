"""After any edits a build makes what a clean one makes, and rewrites nothing else."""

from __future__ import annotations

import datetime as dt
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from explainers.errors import BuildError
from explainers.pipeline import Builder, Options
from explainers.write import Memory

from .conftest import DATE, SETTINGS, Site

ROOT = Path(__file__).parents[1]
ARTICLES = 50
TURNS = 24
FIXED = 5
"""The first articles are linked to by the others: they are edited, never renamed or deleted."""

NEAR = "from .deep import g\n\n\ndef near(x, *, xp=None):\n    return g(x) + {n}  # step: near\n"
DEEP = "def g(x):\n    return x * {n}\n"
HELPER = "def helped(x):\n    return x + {n}\n"
DATA = """import csv
from pathlib import Path

from explainers import dataset
from kernels import near

from .helper import helped


@dataset(sweep={{"k": [1, 2, 3]}}, units={{"value": "1"}})
def swept(k: int):
    return {{"value": near.near(k) + {n}}}


@dataset(units={{"total": "1", "rows": "1"}})
def table(swept):
    with Path("rows.csv").open() as file:
        rows = list(csv.reader(file))
    return {{"total": helped(sum(int(row[0]) for row in rows)), "rows": swept.at(k=2).value}}
"""
FIGURE = """import {{ figure, html, slider }} from "explainers"
export default figure({{
  controls: {{ k: slider({{ min: 1, max: 3, label: "k" }}) }},
  draw: ({{ data, state }}) =>
    html`<svg viewBox="0 0 {n} 9"><text>${{data.at({{ k: state.k }}).value}}</text></svg>`,
  describe: ({{ state }}) => `k is ${{state.k}} of {n}.`,
}})
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n} 9"><path d="M0 0H{n}"/></svg>'
BIB = """@article{{key,
  author = {{Author, Ann}},
  title = {{Title number {n}}},
  journal = {{Journal}},
  year = {{2020}},
  doi = {{10.1000/{n}}},
}}
"""
WORDS = """---
title: Glossary
summary: The words of a site of fifty articles, in at least one hundred and twenty characters, so \
that lists and feeds have something to say.
date: 2026-08-01
kind: note
---
Fixed
: It stays, $x^{{2}}$.

Moved
: Edit number {n}, $x^{{{n}}}$, see [the first](articles/a00/index.md).
"""
SERIES = """---
title: "A series, number {n}"
promise: Some of the articles in their order, so that the site has a series whose page and whose \
places change with the titles of its modules, and nothing else of them.
subtitle: Of five
order: 1
modules: [a00, a01, a02, a03, a04]
---
Its 5 modules are read in order, and this is text number {n}.
"""


class Random:
    """A site of fifty articles, and edits that draw what they change."""

    def __init__(self, site: Site, seed: int) -> None:
        self.site, self.draw = site, random.Random(seed)
        self.count = 0
        self.slugs: list[str] = []
        self.settings(0)
        for name, text in (("near", NEAR), ("deep", DEEP)):
            site.write(f"content/kernels/{name}.py", text.format(n=1))
        site.write("content/references.bib", BIB.format(n=1))
        site.write("content/glossary.md", WORDS.format(n=1))
        site.write("content/series/one.md", SERIES.format(n=1))
        site.write("static/js/figures/shared-kind.js", FIGURE.format(n=7))
        for number in range(ARTICLES):
            self.add(f"a{number:02}", number)

    def number(self) -> int:
        self.count += 1
        return 100 + self.count

    def add(self, slug: str, number: int, **front: str) -> None:
        """Write an article; what it shows goes by its number."""
        self.slugs.append(slug)
        to = f"a{number % FIXED:02}"
        parts = [
            f"Text number {number}, see [another](../{to}/index.md#part) and $x^{{{number}}}$."
        ]
        data = ""
        if number % 3 == 0:
            data = DATA.format(n=number)
            self.site.write(f"content/articles/{slug}/helper.py", HELPER.format(n=number))
            self.site.write(f"content/articles/{slug}/rows.csv", f"{number}\n2\n")
            parts.append("The total is {value}`table.total`, {value}`table.rows`.")
            parts.append(":::{claim} swept.at(k=3).value > swept.at(k=1).value\nMore is more.\n:::")
            kind = "own-kind" if number % 2 else "shared-kind"
            if kind == "own-kind":
                self.site.write(f"content/articles/{slug}/own-kind.js", FIGURE.format(n=number))
            parts.append(f":::{{figure}} {kind}\n:label: fig\n:data: swept\nMove it.\n:::")
            parts.append(":::{listing} kernels/near.py#near\nWhat ran.\n:::")
        if number % 4 == 0:
            parts.append("It is known {cite}`key`.")
        if number % 6 == 1:
            parts.append("A word that {gloss}`moves <moved>`, and one that is {gloss}`fixed`.")
        if number % 5 == 0:
            self.site.write(f"content/articles/{slug}/picture.svg", SVG.format(n=number + 1))
            parts.append("![A line](picture.svg)")
        parts.append("## Part\n\nIts text.")
        fields = {
            "tags": f"[tag {number % 4}, all]",
            "date": f"2026-08-{1 + number % 28:02}",
            "aliases": f"[old-{slug}]",
            **front,
        }
        self.site.article(slug, "\n\n".join(parts) + "\n", data, **fields)

    def settings(self, number: int) -> None:
        more = "macros:\n  \\half: \\tfrac12\nmenus:\n  All: all/\n  First: a00/\n"
        home = ("featured", "list", "series")[number % 3]
        self.site.write(
            "content/site.yaml", f"{SETTINGS}tagline: Number {number}\nhome: {home}\n{more}"
        )

    def edit(self) -> str:
        """Make one edit and return what it was."""
        kind = self.draw.choice(sorted(EDITS))
        EDITS[kind](self)
        return kind

    def any(self, *, suffix: str = "index.md", loose: bool = False) -> Path:
        """Return a file of an article."""
        slugs = self.slugs[FIXED:] if loose else self.slugs
        found = [self.site.root / f"content/articles/{slug}/{suffix}" for slug in slugs]
        return self.draw.choice([path for path in found if path.exists()])

    def replaced(self, path: Path, before: str, after: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert before in text, (path, before)
        path.write_text(text.replace(before, after, 1), encoding="utf-8")

    def lend(self, path: str, addition: str) -> None:
        """Make a file of the tool the site's own, and add to it."""
        own = self.site.root / path
        if not own.exists():
            own.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, own)
        own.write_text(own.read_text(encoding="utf-8") + addition, encoding="utf-8")

    def rename(self) -> None:
        folder = self.any(loose=True).parent
        new = f"renamed-{self.number()}"
        folder.rename(folder.with_name(new))
        self.slugs[self.slugs.index(folder.name)] = new

    def delete(self) -> None:
        folder = self.any(loose=True).parent
        shutil.rmtree(folder)
        self.slugs.remove(folder.name)

    def front(self, key: str, value: str, *, loose: bool = False) -> None:
        path = self.any(loose=loose)
        lines = path.read_text(encoding="utf-8").split("\n")
        lines = [line for line in lines if not line.startswith(f"{key}: ")]
        path.write_text("\n".join([lines[0], f"{key}: {value}", *lines[1:]]), encoding="utf-8")


EDITS: dict[str, Callable[[Random], object]] = {
    "text": lambda r: r.replaced(r.any(), "Its text.", f"Its text. More, {r.number()}."),
    "title": lambda r: r.front("title", f'"Title {r.number()}, $y^2$"'),
    "tags": lambda r: r.front("tags", f"[tag {r.draw.randrange(6)}, new {r.draw.randrange(3)}]"),
    "date": lambda r: r.front("date", f"2026-07-{r.draw.randrange(1, 29):02}"),
    "held back": lambda r: r.front("date", "2026-10-01", loose=True),
    "draft": lambda r: r.front("draft", r.draw.choice(["true", "false"]), loose=True),
    "featured": lambda r: r.front("featured", r.draw.choice(["true", "false"])),
    "alias": lambda r: r.front("aliases", f"[alias-{r.number()}]"),
    "language": lambda r: r.front("lang", r.draw.choice(["de", "en", "fr"])),
    "new article": lambda r: r.add(f"new-{r.number()}", r.count),
    "rename": Random.rename,
    "delete": Random.delete,
    "template": lambda r: r.lend("templates/article.html", f"<!-- {r.number()} -->"),
    "base": lambda r: r.lend("templates/base.html", f"<!-- {r.number()} -->"),
    "partial": lambda r: r.lend("templates/parts/opening.html", f"<!-- {r.number()} -->"),
    "style": lambda r: r.lend("static/css/prose.css", f"\n.x{r.number()} {{ color: red }}\n"),
    "list style": lambda r: r.lend("static/css/lists.css", f"\n.y{r.number()} {{ top: 0 }}\n"),
    "script": lambda r: r.lend("static/js/site.js", f"\nwindow.x{r.number()} = 1\n"),
    "own figure": lambda r: r.any(suffix="own-kind.js").write_text(FIGURE.format(n=r.number())),
    "shared figure": lambda r: r.site.write(
        "static/js/figures/shared-kind.js", FIGURE.format(n=r.number())
    ),
    "kernel": lambda r: r.site.write("content/kernels/near.py", NEAR.format(n=r.number())),
    "deep kernel": lambda r: r.site.write("content/kernels/deep.py", DEEP.format(n=r.number())),
    "remark in a kernel": lambda r: r.replaced(
        r.site.root / "content/kernels/near.py", "    return", f"    # {r.number()}\n    return"
    ),
    "helper": lambda r: r.any(suffix="helper.py").write_text(HELPER.format(n=r.number())),
    "data": lambda r: r.any(suffix="data.py").write_text(DATA.format(n=r.number())),
    "csv": lambda r: r.any(suffix="rows.csv").write_text(f"{r.number()}\n{r.draw.random():.0f}\n"),
    "picture": lambda r: r.any(suffix="picture.svg").write_text(SVG.format(n=r.number())),
    "bibliography": lambda r: r.site.write("content/references.bib", BIB.format(n=r.number())),
    "glossary": lambda r: r.site.write("content/glossary.md", WORDS.format(n=r.number())),
    "settings": lambda r: r.settings(r.number()),
    "series": lambda r: r.site.write("content/series/one.md", SERIES.format(n=r.number())),
    "touch": lambda r: r.any().touch(),
}


def marks(site: Site) -> dict[str, tuple[int, int]]:
    folder = site.root / "_site"
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.stat().st_ino)
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".explainers"
    }


def clean(site: Site) -> tuple[int, dict[str, bytes], str]:
    """Return what a build of the same sources makes in a folder of its own, from nothing."""
    other = Site(site.root.with_name("clean"))
    shutil.rmtree(other.root, ignore_errors=True)
    other.root.mkdir()
    for name in ("content", "templates", "static"):
        if (site.root / name).is_dir():
            shutil.copytree(site.root / name, other.root / name)
    built = other.build()
    return built.code, other.output() if built.code == 0 else {}, built.err


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_after_random_edits_a_build_equals_a_clean_one_byte_for_byte(site: Site, seed: int) -> None:
    edited = Random(site, seed)
    built = site.build()
    assert built.code == 0, built.err
    seen: set[str] = set()
    done: list[str] = []
    warm = Memory()
    day = dt.date.fromisoformat(DATE)
    with Builder(Options(site.root, today=day)) as builder:
        builder.build(warm)
        for turn in range(TURNS):
            done = [edited.edit() for _ in range(edited.draw.choice([1, 1, 1, 2, 4]))]
            seen.update(done)
            before, when = site.output(), marks(site)
            built = site.build()
            code, expected, err = clean(site)
            assert (built.code, built.err) == (code, err), (turn, done)
            after, now = site.output(), marks(site)
            try:
                builder.build(warm)
            except BuildError:
                assert code == 1, (turn, done)
            if code:
                assert (after, now) == (before, when), (turn, done)
                continue
            assert after.keys() == expected.keys(), (turn, done)
            wrong = [path for path in expected if after[path] != expected[path]]
            assert wrong == [], (turn, done)
            assert warm.files == expected, (turn, done)
            for path, data in after.items():
                if before.get(path) == data:
                    assert now[path] == when[path], f"{path} was rewritten: {done}"
    assert len(seen) > len(EDITS) // 2
