"""What an article with figures has beside its text: a dataset, the kernel it runs, a kind."""

from __future__ import annotations

KERNELS = 10
"""Kernels of a site; each is run by every tenth article."""

KERNEL = '''\
"""Heights of a wave."""

import numpy as np


def heights(stride: int, *, xp=np):
    """Return 32 heights between 0 and 15.

    Args:
        stride: how far apart the points lie, an integer.
        xp: the array library.
    """
    return (xp.arange(32) * stride + {index}) % 16
'''

DATA = '''\
from explainers import dataset
from kernels import wave_{kernel}


@dataset(sweep={{"stride": range(8)}}, dims={{"height": ("point",)}}, units={{"height": "1"}})
def wave(stride: int) -> dict:
    """Heights of points at some strides."""
    return {{"height": wave_{kernel}.heights(stride + {index})}}
'''

KIND = """\
import { figure, html, slider } from "explainers"

export default figure({
  needs: { data: ["height"] },
  controls: { stride: slider({ label: "stride", min: 0, max: 7 }) },
  draw({ data, state }) {
    const { height } = data.at({ stride: state.stride })
    const dot = (y, x) => html`<circle cx=${2 * x + 1} cy=${15 - y} r="1" />`
    return html`<svg viewBox="0 0 64 16">${Array.from(height, dot)}</svg>`
  },
  describe: ({ state }) => `Heights at a stride of ${state.stride}.`,
})
"""


def kernel(index: int) -> str:
    """Return the path of the kernel that an article runs."""
    return f"content/kernels/wave_{index % KERNELS}.py"


def files(folder: str, index: int) -> list[tuple[str, str]]:
    """Return the path and text of what stands beside an article."""
    return [
        (f"{folder}/data.py", DATA.format(kernel=index % KERNELS, index=index)),
        (f"{folder}/dots.js", KIND),
    ]


def kernels(articles: int) -> list[tuple[str, str]]:
    """Return the path and text of a site's kernels."""
    return [(kernel(n), KERNEL.format(index=n)) for n in range(min(KERNELS, articles))]


def plate(number: int, caption: str) -> str:
    """Return a figure of an article."""
    label = f":label: dots-{number}\n:data: wave\n:state: {{stride: {number}}}"
    return f":::{{figure}} dots\n{label}\n{caption}\n:::"
