"""How much sooner two workers are done than one, on datasets that only compute."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from measure import Measurement, measure
from table import Row

SECONDS = 0.6
"""What one dataset takes on an idle core of this machine."""

DATASETS = 8

_LOOP = """
def total(n):
    found = 0
    for k in range(n):
        found += k * k % 7
    return found
"""
_DATASET = """
@dataset(units={{"total": "1"}})
def d{number}():
    return {{"total": total({rounds}) + {number}}}
"""
_PAGE = """---
title: "Workers"
summary: One article whose datasets do nothing but compute, each for more than half a second, so \
that the time of a build is theirs and the number of processes that share them counts.
date: 2026-01-01
kind: note
---
The totals are {values}.
"""


def rounds(seconds: float) -> int:
    """Return how often the loop runs in so many seconds here."""
    scope: dict[str, object] = {}
    exec(_LOOP, scope)  # what the datasets run, word for word
    count = 100_000
    while True:
        began = time.process_time()
        scope["total"](count)  # type: ignore[operator]
        took = time.process_time() - began
        if took > 0.1:
            return int(count * seconds / took)
        count *= 4


def write(folder: Path, count: int = DATASETS) -> None:
    """Write the site."""
    each = rounds(SECONDS)
    article = folder / "content/articles/workers"
    article.mkdir(parents=True)
    (folder / "content/site.yaml").write_text("title: Workers\n", encoding="utf-8")
    values = ", ".join(f"{{value}}`d{number}.total`" for number in range(count))
    (article / "index.md").write_text(_PAGE.format(values=values), encoding="utf-8")
    made = "".join(_DATASET.format(number=number, rounds=each) for number in range(count))
    text = f"from explainers import dataset\n\n{_LOOP}\n{made}"
    (article / "data.py").write_text(text, encoding="utf-8")


def rows(
    build: Sequence[str], folder: Path, variables: Mapping[str, str], repeat: int
) -> Iterator[Row]:
    """Build the site cold with one worker and with two, in turn; yield the ratio of the medians.

    Raises:
        ValueError: a build failed, or did not run all datasets.
    """
    write(folder)
    found: dict[int, list[Measurement]] = {1: [], 2: []}
    for _ in range(repeat):
        for count, taken in found.items():
            shutil.rmtree(folder / ".cache", ignore_errors=True)
            built = measure([*build, "--workers", str(count)], folder, variables)
            if built.code or f"{DATASETS} datasets run" not in built.output:
                raise ValueError(built.output)
            taken.append(built)
    one, two = (statistics.median(m.wall for m in found[count]) for count in (1, 2))
    # On idle cores the workers would share what is not the build's own.
    alone = statistics.median(m.cpu for m in found[1])
    shared = statistics.median(m.own + (m.cpu - m.own) / 2 for m in found[2])
    note = f"{two:.1f} s to {one:.1f} s, {DATASETS} datasets of {SECONDS} s"
    yield Row("two workers to one", None, two / one, "×", note=note, idle=shared / alone)
