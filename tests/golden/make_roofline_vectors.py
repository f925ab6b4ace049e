"""Make tests/js/vectors/roofline.json: what the kernel does, for its JavaScript twin to repeat.

    python tests/golden/make_roofline_vectors.py

Each case is (FLOP, bytes, FLOP/s, byte/s, attainable FLOP/s, seconds at best).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from explainers.kernels.roofline import attainable, best_seconds

TARGET = Path(__file__).parents[1] / "js" / "vectors" / "roofline.json"
CASES = 512


def text() -> str:
    """Return the file's text; a test holds the committed file to it."""
    rng = np.random.default_rng(2009)
    cases = []
    for _ in range(CASES):
        flop, moved = (float(f"{x:.4g}") for x in 10 ** rng.uniform(0, 15, 2))
        peak, bandwidth = (float(f"{x:.3g}") for x in 10 ** rng.uniform(9, 16, 2))
        rate = float(attainable(flop / moved, peak, bandwidth))
        seconds = float(best_seconds(flop, moved, peak, bandwidth))
        cases.append(json.dumps([flop, moved, peak, bandwidth, rate, seconds]))
    columns = ["flop", "moved", "peak", "bandwidth", "attainable", "best_seconds"]
    return f'{{"columns": {json.dumps(columns)}, "cases": [\n' + ",\n".join(cases) + "\n]}\n"


if __name__ == "__main__":
    TARGET.write_text(text())
