"""Report Lighthouse's performance of a page of each kind, as on a phone: the median of five runs.

    python benchmarks/lighthouse.py             with the environment that build.py made

A score is made of times, so it is this machine's as well, and reported, not held to anything. What
a page weighs, asks for and moves is held by tests/browser/test_lighthouse.py.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.lighthouse.auditing import PAGES, audit, served

RUNS = 5


def main() -> int:
    """Print a line a page."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "site") as root:
        found = audit([root + page for page in PAGES], RUNS)
    print(f"{'page':<36}{'median':>7}{'lowest':>8}{'highest':>8}{'kB':>7}{'requests':>10}")
    for page, it in zip(PAGES, found, strict=True):
        scores = [round(score * 100) for score in it["performance"]]
        print(
            f"/{page:<35}{statistics.median(scores):>7}{min(scores):>8}{max(scores):>8}"
            f"{it['bytes'] / 1000:>7.0f}{len(it['requests']):>10}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
