"""Make tests/js/vectors/softmax.json: what the kernel does, for its JavaScript twin to repeat.

    python tests/golden/make_softmax_vectors.py

Each case is a row, a block size, the softmax, and for every named step of the traced kernel its
name, the statement's ordinal and the locals it left, in the order of `columns`; -inf is written
"-inf", a local not yet set null.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from explainers import trace
from explainers.data.steps import steps
from explainers.kernels import softmax

TARGET = Path(__file__).parents[1] / "js" / "vectors" / "softmax.json"
CASES = 512
WATCH = ("i", "m", "m_new", "scale", "l")

FIXED = [
    [1, 3, 2, 5, 4, 0.5, 6, 2.5],
    [0.0],
    [2.0, 2.0],
    [2.0] * 8,
    [-math.inf],
    [-math.inf] * 5,
    [-math.inf, -math.inf, 3, 1, -math.inf, 5, 2, 4],
    [3, 1, -math.inf],
    [1e4, -1e4, 0, 9999.5],
    [-1e4, 0, 1e4],
    [0.0, -0.0],
]
"""The article's row and the traps; the rest are random."""


def rows() -> Iterator[tuple[list[float], int]]:
    """Yield rows of 1 to 16 scores, each with a block size."""
    rng = np.random.default_rng(2018)
    for case in range(CASES):
        if case < len(FIXED):
            yield [float(x) for x in FIXED[case]], 1
            continue
        n = int(rng.integers(1, 17))
        kind = case % 4
        if kind == 0:  # what a reader can drag: halves between 0 and 8, so with many ties
            x = rng.integers(0, 17, n) / 2
        elif kind == 1:
            x = rng.normal(0, 3, n)
        elif kind == 2:
            x = np.round(rng.normal(0, 100, n), 3)
        else:  # masked here and there, often at the front
            x = np.round(rng.normal(0, 3, n), 2)
            x[rng.random(n) < 0.3] = -np.inf
            x[: rng.integers(0, 3)] = -np.inf
        yield x.tolist(), 1 if case % 3 else int(rng.integers(1, n + 2))


def plain(value: float) -> float | int | str | None:
    """Return a number as JSON can hold it."""
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def case(x: list[float], block: int, names: list[str]) -> dict[str, Any]:
    """Return one case: the trace of the kernel over this row."""
    swept = trace(softmax.softmax_online, np.array(x), block, watch=WATCH)
    assert isinstance(swept.result, np.ndarray)
    return {
        "x": [plain(value) for value in x],
        "block": block,
        "steps": [
            [names[at], at, *(plain(float(swept[field][step])) for field in WATCH)]
            for step, at in enumerate(swept.at.tolist())
            if names[at]
        ],
        "y": [plain(value) for value in swept.result.tolist()],
    }


def text() -> str:
    """Return the file's text; a test holds the committed file to it."""
    names = [step.name for step in steps(inspect.getsource(softmax), "softmax_online")]
    head = json.dumps({"function": "softmax_online", "columns": ["name", "at", *WATCH]})
    cases = [json.dumps(case(x, block, names), separators=(",", ":")) for x, block in rows()]
    return head[:-1] + ', "cases": [\n' + ",\n".join(cases) + "\n]}\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text())
