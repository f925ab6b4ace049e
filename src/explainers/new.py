"""Begin an article, a module, a figure or a kernel: files that build at once."""

from __future__ import annotations

import datetime as dt
import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .link import RESERVED

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_SUMMARY = (
    "In one or two sentences, what a reader will understand. Lists, feeds and search results show "
    "this text, so begin with the thing itself. It has 120 to 320 characters."
)

_ARTICLE = """---
title: "{title}"
summary: "{summary}"
date: {date}
draft: true
kind: {kind}
audience: who this is for, and what they have done before
predict:
  - how high a ball flies, from the speed at which it is thrown
---
Thrown up at 8 m/s, a ball rises {value}`throws.at(speed=8).height | fixed(1)` m.

:::{figure} chart
:label: heights
:data: throws
:state: {speed: 8}
:options: {x: speed, y: [height], label: {x: m/s, y: height in m}}
Choose a speed. Twice the speed is four times the height. *Computed*.
:::

:::{claim} close(throws.at(speed=12).height, 4 * throws.at(speed=6).height)
Twice the speed makes it four times as high.
:::

:::{predict}
:answer: 2
The ball is thrown at 12 m/s in place of 6. What does its height do?

- It doubles.
- It grows fourfold.

---

It grows fourfold: the height goes with the square of the speed.
:::
"""

_QUESTIONS = """
:::{self-check}
:answer: throws.at(speed=4).height | fixed(2)
:tolerance: 0.05
How high does it fly at 4 m/s, in metres?

---

{value}`throws.at(speed=4).height | fixed(2)` m.
:::

:::{probe}
On the Moon gravity is a sixth. How high does the same ball fly?

---

Six times as high: the height is the square of the speed over twice the gravity.
:::
"""

_BLOCKS = """
:::{mental-model}
One picture that the reader keeps: gravity takes the same speed away in every second.
:::

:::{numbers}
| name | what | value | unit | source |
|---|---|---|---|---|
| at_ten | height at 10 m/s | {value}`throws.at(speed=10).height \\| fixed(1)` | m | |
:::
"""

_DATA = '''"""The numbers of this article. Each dataset is a function; its name is the dataset's."""

from explainers import dataset


@dataset(sweep={"speed": range(2, 13)}, units={"height": "m"})
def throws(speed: int) -> dict[str, float]:
    """How high a ball flies that is thrown up at some speed, in m/s, without air."""
    return {"height": speed**2 / (2 * 9.81)}
'''

_FIGURE = """import { figure, fixed, html, scale, slider } from "explainers"

const WIDTH = 480
const place = scale([0, 10], [20, WIDTH - 20])

export default figure({
  controls: {
    value: slider({ label: "the value", min: 0, max: 10, value: 4 }),
  },

  draw({ state }) {
    const x = place(state.value)
    return html`<svg viewBox="0 0 480 80">
      <path d=${`M20 50H${WIDTH - 20}`} style="stroke: var(--ink); stroke-width: 1" />
      <circle cx=${x} cy="50" r="8" style="fill: var(--hue-1)" />
      <text class="num" x=${x} y="30" text-anchor="middle">${fixed(state.value)}</text>
    </svg>`
  },

  describe({ state }) {
    return `The value is ${fixed(state.value)} of 10.`
  },
})
"""

_KERNEL = '''"""Running means, by definition and in one pass. T values, one after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def {name}_direct(values: Array, *, xp: Any = np) -> Array:
    """Add up all values so far, and divide by their number: the formula, as written.

    Args:
        values: (T,) in any unit.

    Returns:
        (T,) in the unit of the values.

    Oracle:
        fractions.Fraction, exactly; relative 1e-12.
    """
    return xp.cumsum(values) / xp.arange(1, len(values) + 1)  # (T,)


def {name}_online(values: Array, *, xp: Any = np) -> Array:
    """Keep one number, and move it towards each value as it comes.

    Args:
        values: (T,) in any unit.

    Returns:
        (T,) equals {name}_direct to 1e-12.

    Oracle:
        fractions.Fraction, exactly; relative 1e-12.
    """
    mean = 0.0 * values[0]
    means = []
    for n, value in enumerate(values, start=1):
        mean = mean + (value - mean) / n  # step: move
        means.append(mean)
    return xp.stack(means)  # (T,)
'''

_KERNEL_TEST = '''"""The running means of {name}, against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from kernels.{name} import {name}_direct, {name}_online


@pytest.mark.parametrize("T", [1, 7, 63, 500])
@pytest.mark.parametrize("kernel", [{name}_direct, {name}_online])
def test_it_is_the_mean_of_what_came(kernel, T):
    values = np.random.default_rng(T).normal(size=T)
    exact = [float(sum(map(Fraction, values[:n])) / n) for n in range(1, T + 1)]
    np.testing.assert_allclose(kernel(values), exact, rtol=1e-12, atol=1e-12)
'''


class NotBegunError(Exception):
    """The name cannot be, or something has it already; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What was made: the files, from the site's root, and what to do next."""

    paths: tuple[str, ...]
    words: str


def new(root: Path, what: str, name: str, today: dt.date) -> Begun:
    """Make the files of something new in a site.

    Args:
        root: the site's folder.
        what: article, module, figure or kernel.
        name: its slug; a figure beside an article is ARTICLE/NAME.
        today: the date of an article.

    Raises:
        NotBegunError: the name cannot be, or something has it already.
    """
    files, words = _MAKERS[what](root, name, today)
    taken = [path for path in files if (root / path).exists()]
    if taken:
        raise NotBegunError(f"there is {taken[0]} already; choose another name")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return Begun(tuple(files), words)


Made = tuple[Mapping[str, str], str]


def _article(root: Path, slug: str, today: dt.date, kind: str = "article") -> Made:
    _check_slug(slug)
    folder = f"content/articles/{slug}"
    if (root / folder).exists():
        raise NotBegunError(f"there is {folder}/ already; choose another name")
    text = _ARTICLE.replace("{title}", slug.replace("-", " ").capitalize())
    text = text.replace("{date}", today.isoformat()).replace("{kind}", kind)
    text = text.replace("{summary}", _SUMMARY)
    more = (_BLOCKS if kind == "module" else "") + _QUESTIONS
    words = (
        f"See it change while you write:  python build.py serve\n"
        f"then open /{slug}/. It is a draft: take the line `draft: true` away to publish it."
    )
    if kind == "module":
        words += f"\nIts place in a series is a line of content/series/NAME.md: slug: {slug}"
    return {f"{folder}/index.md": text + more, f"{folder}/data.py": _DATA}, words


def _module(root: Path, slug: str, today: dt.date) -> Made:
    return _article(root, slug, today, "module")


def _figure(root: Path, name: str, _today: dt.date) -> Made:
    article, _, kind = name.rpartition("/")
    _check_slug(kind)
    folder = "static/js/figures"
    if article:
        folder = f"content/articles/{article}"
        if not (root / folder / "index.md").is_file():
            message = f'no article named "{article}"; make it first: new article {article}'
            raise NotBegunError(message)
    words = (
        "Put it into a page:\n\n"
        f":::{{figure}} {kind}\n:label: {kind}\nMove the point. Say here what to notice.\n:::\n\n"
        "The guide's page “Make a figure” says how it gets data."
    )
    return {f"{folder}/{kind}.js": _FIGURE}, words


def _kernel(_root: Path, name: str, _today: dt.date) -> Made:
    module = name.replace("-", "_")
    if not module.isidentifier() or keyword.iskeyword(module) or not module.islower():
        hint = "use small letters, digits and _, as in running_mean"
        raise NotBegunError(f'"{name}" cannot be the name of a module of Python; {hint}')
    words = (
        f"Use it in a data.py:  from kernels.{module} import {module}_online\n"
        f"Show it on a page:    :::{{listing}} kernels/{module}.py#{module}_online\n"
        f"Test it with pytest:  content/test_{module}.py"
    )
    files = {f"content/kernels/{module}.py": _KERNEL, f"content/test_{module}.py": _KERNEL_TEST}
    return {path: text.replace("{name}", module) for path, text in files.items()}, words


_MAKERS: Mapping[str, Callable[[Path, str, dt.date], Made]] = {
    "article": _article,
    "module": _module,
    "figure": _figure,
    "kernel": _kernel,
}
KINDS = tuple(_MAKERS)
"""What can be begun."""


def _check_slug(slug: str) -> None:
    if not _SLUG.fullmatch(slug):
        plain = re.sub(r"[^a-z0-9]+", "-", slug.lower()).strip("-")
        hint = f'how about "{plain}"?' if plain else "use small letters, digits and dashes"
        raise NotBegunError(f'"{slug}" cannot stand in an address; {hint}')
    if slug in RESERVED:
        raise NotBegunError(f'"{slug}" is an address the site itself uses; choose another name')
