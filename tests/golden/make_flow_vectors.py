"""Make tests/js/vectors/flows.json: what the kernels do, for their JavaScript twin to repeat.

    python tests/golden/make_flow_vectors.py

A layer is (z, u, w, b, height of the bell at z, image, slope, point behind the image z); a
stack (z, layers, where z ends, sum of log-slopes); a fold
(x, u, w, b, the two turns, the three points behind x, null where there is none); an area (width,
heights, area).
"""

# ruff: noqa: N806 - K is the kernels' own letter.

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from explainers.kernels.densities import area, normal_density
from explainers.kernels.flows import (
    fold_preimages,
    fold_turns,
    planar,
    planar_inverse,
    planar_slope,
    push_through,
)

TARGET = Path(__file__).parents[1] / "js" / "vectors" / "flows.json"
LAYERS, STACKS, FOLDS, AREAS = 512, 96, 256, 24


def text() -> str:
    """Return the file's text; a test holds the committed file to it."""
    rng = np.random.default_rng(2015)
    made: dict[str, list[Any]] = {"layers": [], "stacks": [], "folds": [], "areas": []}
    for _ in range(LAYERS):
        z, b = (round(float(value), 3) for value in rng.uniform(-4, 4, 2))
        w = round(float(rng.uniform(0.2, 3) * rng.choice([-1, 1])), 3)
        u = round(float(rng.uniform(-0.95, 6)) / w, 4)
        found = [
            normal_density(z),
            planar(z, u, w, b),
            planar_slope(z, u, w, b),
            planar_inverse(np.array(z), u, w, b),
        ]
        made["layers"].append([z, u, w, b, *map(float, found)])
    for _ in range(STACKS):
        K, z = int(rng.integers(0, 9)), round(float(rng.uniform(-4, 4)), 3)
        w = rng.uniform(0.3, 3, K)
        stack = np.column_stack([rng.uniform(-0.9, 3, K) / w, w, rng.uniform(-2, 2, K)]).round(3)
        end, log_slope = push_through(np.array([z]), stack)
        made["stacks"].append([z, stack.tolist(), float(end[0]), float(log_slope[0])])
    for _ in range(FOLDS):
        x, b = round(float(rng.uniform(-3, 3)), 3), round(float(rng.uniform(-1, 1)), 3)
        w = round(float(rng.uniform(0.5, 3) * rng.choice([-1, 1])), 3)
        u = round(float(rng.uniform(-5, -1.05)) / w, 4)
        turns = fold_turns(u, w, b).tolist()
        behind = fold_preimages(np.array([x]), u, w, b)[:, 0].tolist()
        made["folds"].append([x, u, w, b, *turns, *(None if math.isnan(z) else z for z in behind)])
    for _ in range(AREAS):
        n, width = int(rng.integers(1, 12)) * 2 + 1, round(float(rng.uniform(0.1, 9)), 3)
        heights = np.round(rng.uniform(0, 2, n), 3)
        total = float(area(heights, np.linspace(0, width, n)))
        made["areas"].append([width, heights.tolist(), total])
    rows = [f'"{name}": [\n' + ",\n".join(map(json.dumps, cases)) for name, cases in made.items()]
    return "{" + "\n],\n".join(rows) + "\n]}\n"


if __name__ == "__main__":
    TARGET.write_text(text())
