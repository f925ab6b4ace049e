"""Make tests/js/vectors/odes.json: what the kernels do, for their JavaScript twin to repeat.

    python tests/golden/make_ode_vectors.py

A velocity is (field, theta, x, y, the velocity's two numbers); a path (field, theta, x, y, time,
steps, solver, its points).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from explainers.kernels.neural_fields import WEIGHTS, linear_field, pendulum_field, tanh_field
from explainers.kernels.odes import SOLVERS, solve

TARGET = Path(__file__).parents[1] / "js" / "vectors" / "odes.json"
VELOCITIES, PATHS = 240, 96

FIELDS: dict[str, tuple[int, Callable[..., Any]]] = {
    "linear": (4, linear_field),
    "tanh": (WEIGHTS, tanh_field),
    "pendulum": (0, lambda z, theta: pendulum_field(z)),
}


def text() -> str:
    """Return the file's text; a test holds the committed file to it."""
    rng = np.random.default_rng(1806)
    made: dict[str, list[Any]] = {"velocities": [], "paths": []}
    names = list(FIELDS)
    for k in range(VELOCITIES):
        name = names[k % 3]
        count, f = FIELDS[name]
        theta, z = rng.normal(size=count).round(3), rng.uniform(-3, 3, 2).round(3)
        made["velocities"].append([name, theta.tolist(), *z.tolist(), *f(z, theta).tolist()])
    for k in range(PATHS):
        name, solver = names[k % 3], list(SOLVERS)[k // 3 % 3]
        count, f = FIELDS[name]
        theta, z = rng.normal(0, 0.5, count).round(3), rng.uniform(-2, 2, 2).round(3)
        time, n = round(float(rng.uniform(-2, 3)), 2), int(rng.integers(1, 9))
        path = solve(lambda _, z, f=f, theta=theta: f(z, theta), z, 0, time, n, SOLVERS[solver])
        made["paths"].append([name, theta.tolist(), *z.tolist(), time, n, solver, path.tolist()])
    rows = [f'"{name}": [\n' + ",\n".join(map(json.dumps, cases)) for name, cases in made.items()]
    return "{" + "\n],\n".join(rows) + "\n]}\n"


if __name__ == "__main__":
    TARGET.write_text(text())
