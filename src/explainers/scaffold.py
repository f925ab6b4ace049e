"""What a new file says, until its author says something else: words in braces are filled in."""

from __future__ import annotations

SUMMARY = (
    "In one or two sentences, what a reader will understand. Lists, feeds and search results show "
    "this text, so begin with the thing itself. It has 120 to 320 characters."
)

ARTICLE = """---
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

QUESTIONS = """
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

BLOCKS = """
:::{mental-model}
One picture that the reader keeps: gravity takes the same speed away in every second.
:::

:::{numbers}
| name | what | value | unit | source |
|---|---|---|---|---|
| at_ten | height at 10 m/s | {value}`throws.at(speed=10).height \\| fixed(1)` | m | |
:::
"""

DATA = '''"""The numbers of this article. Each dataset is a function; its name is the dataset's."""

from explainers import dataset


@dataset(sweep={"speed": range(2, 13)}, units={"height": "m"})
def throws(speed: int) -> dict[str, float]:
    """How high a ball flies that is thrown up at some speed, in m/s, without air."""
    return {"height": speed**2 / (2 * 9.81)}
'''

FIGURE = """import { figure, fixed, html, scale, slider } from "explainers"

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

KERNEL = '''"""Running means, by definition and in one pass. T values, one after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def {name}_direct(values: Array, *, xp: Any = np) -> Array:
    """Add up all values so far, and divide by their number: the formula, as written.

    Args:
        values: (T,) in any unit.
        xp: NumPy, or a module with its functions.

    Returns:
        (T,) in the unit of the values.

    Oracle:
        fractions.Fraction, exactly; relative 1e-12.
    """
    means: Array = xp.cumsum(values) / xp.arange(1, len(values) + 1)  # (T,)
    return means


def {name}_online(values: Array, *, xp: Any = np) -> Array:
    """Keep one number, and move it towards each value as it comes.

    Args:
        values: (T,) in any unit.
        xp: NumPy, or a module with its functions.

    Returns:
        (T,) equals {name}_direct to 1e-12.

    Oracle:
        fractions.Fraction, exactly; relative 1e-12.
    """
    mean = 0.0 * values[0]
    each = []
    for n, value in enumerate(values, start=1):
        mean = mean + (value - mean) / n  # step: move
        each.append(mean)
    means: Array = xp.stack(each)  # (T,)
    return means
'''

KERNEL_TEST = '''"""The running means of {name}, against exact fractions."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from kernels.{name} import {name}_direct, {name}_online


@pytest.mark.parametrize("T", [1, 7, 63, 500])
@pytest.mark.parametrize("kernel", [{name}_direct, {name}_online])
def test_it_is_the_mean_of_what_came(kernel: Callable[..., Any], T: int) -> None:
    """Hold for odd lengths too."""
    values = np.random.default_rng(T).normal(size=T)
    exact = [float(sum(map(Fraction, values[:n])) / n) for n in range(1, T + 1)]
    np.testing.assert_allclose(kernel(values), exact, rtol=1e-12, atol=1e-12)
'''
