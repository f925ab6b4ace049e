"""Write a site to measure builds with: as many articles as asked for, alike in size, all different.

    python benchmarks/corpus.py FOLDER --articles 1000 --seed 0

An article has about 1,200 words, 6 display and 25 inline formulas, 6 code blocks, 2 tables,
2 lists, 3 footnotes, 4 links to other articles and a picture. One seed makes one site.
With --figures it has two figures too, a dataset they draw, and a kernel that makes that.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import figures
from formulas import DISPLAY, INLINE, endless
from samples import samples
from vocabulary import ADJECTIVES, NOUNS, Voice, join, words

WORDS = 1080
SECTIONS = 6
DISPLAY_FORMULAS, INLINE_FORMULAS = 6, 25
ALL_DISPLAY, ALL_INLINE = 30, 120
"""Formulas that a site has in all, when they are not all distinct."""

FOOTNOTES, LINKS, TAGS = 3, 4, 3
LATEST = dt.date(2025, 6, 30)
FEATURED_EVERY = 40

SETTINGS = """\
title: Benchmark
tagline: A site to measure builds with
base_url: https://benchmark.example/
time_zone: UTC
lang: en
authors: [Ada Example]
"""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A site to be written."""

    articles: int
    seed: int = 0
    distinct_formulas: bool = False
    figures: bool = False

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the path and text of every file."""
        yield "content/site.yaml", SETTINGS
        display, inline = self._formulas()
        for index in range(self.articles):
            folder = f"content/articles/{self.slug(index)}"
            yield f"{folder}/index.md", self._article(index, display, inline)
            yield f"{folder}/plot.svg", plot(self._source("plot", index))
            yield from figures.files(folder, index) if self.figures else ()
        yield from figures.kernels(self.articles) if self.figures else ()

    def slug(self, index: int) -> str:
        """Return the name of an article's folder."""
        source = self._source("slug", index)
        return f"{source.choice(ADJECTIVES)}-{source.choice(NOUNS)}-{index:05d}"

    def headings(self, index: int) -> list[str]:
        """Return the headings of an article's sections, no two alike."""
        voice = Voice(self._source("headings", index))
        found: dict[str, None] = {}
        while len(found) < SECTIONS:
            found[_capital(voice.title())] = None
        return list(found)

    def _source(self, *purpose: object) -> random.Random:
        """Return random numbers of their own for each purpose, so that parts do not move others."""
        return random.Random("/".join(map(str, (self.seed, *purpose))))

    def _formulas(self) -> tuple[Iterator[str], Iterator[str]]:
        """Return the display and the inline formulas, in the order that articles take them."""
        display = endless(self._source("display"), DISPLAY)
        inline = endless(self._source("inline"), INLINE)
        if self.distinct_formulas:
            return display, inline
        source = self._source("choice")
        return (
            _drawn(source, list(islice(display, ALL_DISPLAY)), DISPLAY_FORMULAS),
            _drawn(source, list(islice(inline, ALL_INLINE)), INLINE_FORMULAS),
        )

    def _article(self, index: int, display: Iterator[str], inline: Iterator[str]) -> str:
        source = self._source("article", index)
        voice = Voice(source)
        formulas = list(islice(inline, INLINE_FORMULAS))
        notes = [f"[^{number}]" for number in range(1, FOOTNOTES + 1)]
        links = [self._link(source, index) for _ in range(LINKS)]
        special = [
            *(voice.sentence(f"${tex}$") for tex in formulas),
            *(f"{voice.sentence()}{note}" for note in notes),
            *(f"{voice.sentence()[:-1]} ({link})." for link in links),
        ]
        source.shuffle(special)
        blocks = [
            [table(source, voice)],
            [picture(voice)],
            [points(voice, "- ")],
            [table(source, voice)],
            [points(voice, "1. ")],
            [f":::{{note}}\n{voice.sentence()}\n:::"],
        ]
        code = samples(source, SECTIONS)
        parts = [self._front_matter(source, index)]
        for number, heading in enumerate(self.headings(index)):
            own = special[number::SECTIONS]
            texts = prose(source, voice, own, WORDS // SECTIONS - _count(blocks[number]))
            formula = f"$$\n{next(display)}\n$$"
            parts += [
                *([texts.pop(0)] if number == 0 else []),
                f"## {heading}",
                *chain.from_iterable(zip(texts, [formula, code[number]], strict=False)),
                *texts[2:],
                *blocks[number],
            ]
        if self.figures:
            parts += [figures.plate(number, voice.sentence()) for number in (1, 2)]
        parts += [f"{note}: {voice.sentence()}" for note in notes]
        return "\n\n".join(parts) + "\n"

    def _front_matter(self, source: random.Random, index: int) -> str:
        voice = Voice(source)
        summary = voice.sentence()
        while len(summary) < 130:
            summary = f"{summary} {voice.sentence()}".replace("*", "").replace("`", "")
        tags = source.sample(NOUNS[:24], TAGS)
        lines = [
            "---",
            f'title: "{_capital(voice.title())}"',
            f'summary: "{summary}"',
            f"date: {LATEST - dt.timedelta(days=index)}",
            f"tags: [{', '.join(tags)}]",
            f"audience: knows the {voice.word('n')} and has met a {voice.word('n')}",
            f"predict: [how the {voice.word('n')} {voice.word('v')} the {voice.word('n')}]",
            *(["featured: true"] if index % FEATURED_EVERY == 0 else []),
            "---",
        ]
        return "\n".join(lines)

    def _link(self, source: random.Random, index: int) -> str:
        """Return a link to a section of another article, its own where there is no other."""
        other = (index + source.randrange(1, max(self.articles, 2))) % self.articles
        heading = source.choice(self.headings(other))
        anchor = re.sub(r"[\s-]+", "-", heading.lower())
        return f"[{heading}](../{self.slug(other)}/index.md#{anchor})"


def prose(source: random.Random, voice: Voice, own: list[str], count: int) -> list[str]:
    """Return three paragraphs of about `count` words that hold the sentences `own`."""
    sentences = list(own)
    total = sum(map(words, sentences))
    while total < count:
        sentences.append(voice.sentence())
        total += words(sentences[-1])
    source.shuffle(sentences)
    third = -(-len(sentences) // 3)
    return [join(sentences[n : n + third]) for n in range(0, len(sentences), third)]


def table(source: random.Random, voice: Voice) -> str:
    """Return a table of three columns."""
    rows = [f"| {voice.word('n')} | {voice.word('a')} | {voice.word('n')} |", "|---|:--:|---:|"]
    rows += [
        f"| {voice.word('n')} | `{voice.word('i')}` | {source.randrange(10, 10_000)} |"
        for _ in range(5)
    ]
    return "\n".join(rows)


def points(voice: Voice, mark: str) -> str:
    """Return a list of three items."""
    return "\n".join(mark + voice.sentence() for _ in range(3))


def picture(voice: Voice) -> str:
    """Return a picture with a caption."""
    caption = voice.sentence().replace("*", "").replace("`", "")
    return f'![Three lines: {voice.word("n")}, {voice.word("n")}](plot.svg "{caption}")'


def plot(source: random.Random) -> str:
    """Return a drawing of three lines over a grid, as SVG."""
    lines = []
    for colour in ("#0a6", "#a06", "#06a"):
        y, places = 120.0, []
        for x in range(40, 620, 20):
            y = min(220.0, max(20.0, y + source.uniform(-30, 30)))
            places.append(f"{x},{y:.1f}")
        lines.append(f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}"/>')
    grid = [f'<path d="M40 {y}H620" stroke="#ccc"/>' for y in range(20, 240, 50)]
    size = 'viewBox="0 0 640 240" width="640" height="240"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(grid + lines)}</svg>\n'


def write(folder: Path, corpus: Corpus) -> None:
    """Write a site into a folder."""
    for path, text in corpus.files():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def main() -> None:
    """Write the site that the command line asks for."""
    parser = argparse.ArgumentParser(description="Write a site to measure builds with.")
    parser.add_argument("folder", type=Path, help="where content/ is written")
    parser.add_argument("--articles", type=int, default=100, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="another gives another site")
    parser.add_argument(
        "--distinct-formulas", action="store_true", help="no formula twice in the whole site"
    )
    parser.add_argument("--figures", action="store_true", help="two figures an article")
    asked = parser.parse_args()
    site = Corpus(asked.articles, asked.seed, asked.distinct_formulas, asked.figures)
    write(asked.folder, site)


def _drawn(source: random.Random, formulas: list[str], count: int) -> Iterator[str]:
    """Yield `count` different formulas of these for an article, then for the next."""
    while True:
        yield from source.sample(formulas, count)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _count(blocks: list[str]) -> int:
    return sum(map(words, blocks))


if __name__ == "__main__":
    main()
