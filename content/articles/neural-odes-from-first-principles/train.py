"""Train the small network whose weights are pendulum.json, and write that file.

    python content/articles/neural-odes-from-first-principles/train.py

128 points of a damped pendulum's plane, and where each is 3 seconds later, is all that the network
is shown. Everything is seeded; it takes NumPy, and some seconds.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers.kernels.adjoint import discrete_gradient
from explainers.kernels.neural_fields import HIDDEN, pendulum_field, tanh_field, tanh_pull
from explainers.kernels.odes import RK4, solve

Array = npt.NDArray[Any]

TARGET = Path(__file__).with_name("pendulum.json")
POINTS, TIME, STEPS = 128, 3.0, 12
KEPT = (0, 25, 100, 400, 2000)
"""Updates after which the weights are kept."""


def pairs() -> tuple[Array, Array]:
    """Return the points (N, 2) at the start, and where the pendulum takes them (N, 2)."""
    starts = np.random.default_rng(0).uniform(-2.2, 2.2, (POINTS, 2))
    ends = solve(lambda _, z: pendulum_field(z), starts, 0, TIME, 300, RK4)[-1]
    return starts, ends


def first() -> Array:
    """Return the weights (82,) before the first update."""
    rng = np.random.default_rng(1)
    return np.concatenate(
        [
            rng.normal(0, 0.7, 2 * HIDDEN),
            rng.normal(0, 0.7, HIDDEN),
            rng.normal(0, 0.1, 2 * HIDDEN),
            np.zeros(2),
        ]
    )


def gradient(theta: Array, starts: Array, ends: Array) -> tuple[float, Array]:
    """Return the loss, half the mean squared distance of the ends, and its gradient (82,)."""
    through = discrete_gradient(
        lambda _, z, theta: tanh_field(z, theta),
        lambda _, z, theta, a: tanh_pull(z, theta, a),
        lambda z: (z - ends) / POINTS,
        starts,
        theta,
        0,
        TIME,
        STEPS,
        RK4,
    )
    return float(((through.z[-1] - ends) ** 2).sum() / (2 * POINTS)), through.g


def train(updates: int) -> dict[int, tuple[float, Array]]:
    """Return loss and weights after those of the updates that are kept: Adam, all points each."""
    starts, ends = pairs()
    theta = first()
    mean, square = np.zeros_like(theta), np.zeros_like(theta)
    kept = {}
    for update in range(updates + 1):
        loss, by_theta = gradient(theta, starts, ends)
        if update in KEPT:
            kept[update] = loss, theta
        mean = 0.9 * mean + 0.1 * by_theta
        square = 0.999 * square + 0.001 * by_theta**2
        size = np.sqrt(square / (1 - 0.999 ** (update + 1))) + 1e-8
        # The steps shrink to nothing along half a cosine.
        rate = 0.01 * (1 + math.cos(math.pi * update / KEPT[-1]))
        theta = theta - rate * mean / (1 - 0.9 ** (update + 1)) / size
    return kept


def main() -> None:
    """Write the file."""
    kept = train(KEPT[-1])
    text = {
        "updates": list(kept),
        "loss": [loss for loss, _ in kept.values()],
        "theta": [theta.tolist() for _, theta in kept.values()],
    }
    rows = [f'"{name}": {json.dumps(values)}' for name, values in text.items()]
    TARGET.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
