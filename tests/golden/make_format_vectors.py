"""Write tests/js/vectors/format.json: numbers as Python formats them, for the browser's twin.

Run from the repository: python tests/golden/make_format_vectors.py
"""

from __future__ import annotations

import json
import math
import random
import struct
from pathlib import Path

from explainers.data import numerals

OUT = Path(__file__).parents[1] / "js" / "vectors" / "format.json"

EDGES = [
    *(0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 0.125, 0.375, 0.005, 0.015, 1.005, 0.285, 0.145, 1e21),
    *(2.0**80, 1e-7, 1.25e-7, 9.995, 99.95, 999.5, 999999.5, 1234567.0, 12345.675, 5e-324, 0.25),
    *(1.7976931348623157e308, math.inf, -math.inf, math.nan, 1 / 3, -2 / 3, 100.0, 1e5, 1e6, 0.75),
]
ROUNDS = 120


def numbers() -> list[float]:
    """Return the edges, and numbers of every size from a fixed seed."""
    rng = random.Random(1)
    found = list(EDGES)
    for _ in range(ROUNDS):
        bits = rng.getrandbits(64)
        (anything,) = struct.unpack("<d", struct.pack("<Q", bits))
        found += [anything, rng.uniform(-1, 1), rng.gauss(0, 1e4), rng.randrange(-999, 1000) / 8]
    return found


def main() -> None:
    """Write the vectors."""
    rng = random.Random(2)
    cases = []
    for x in numbers():
        n = rng.randrange(0, 7)
        cases.append(
            {
                "x": x if math.isfinite(x) else str(x),
                "n": n,
                "fixed": numerals.fixed(x, n),
                "sig": numerals.sig(x, n + 1),
                # Python's product with 100 keeps 28 digits: shares are far below that.
                "percent": numerals.percent(x, n) if abs(x) < 1e6 else None,
            }
        )
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    OUT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
