"""How long a person waits for the least: the command's help, and the door in front of it."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from measure import Measurement, measure
from table import Row

TIMES = 15
"""Starts of each; they take turns, so that another load meets all alike."""

_STARTS = {
    "help": ("-m", "explainers", "--help"),
    "command": ("-m", "explainers", "build", "--help"),
    "door": ("build.py", "build", "--help"),
}


def rows(root: Path, variables: Mapping[str, str]) -> Iterator[Row]:
    """Yield the time of `--help`, and what `build.py` adds to a command when all is ready.

    Raises:
        ValueError: one of them failed.
    """
    found: dict[str, list[Measurement]] = {name: [] for name in _STARTS}
    for turn in range(TIMES + 1):
        for name, words in _STARTS.items():
            taken = measure([sys.executable, *words], root, variables)
            if taken.code:
                raise ValueError(taken.output)
            if turn:  # the first one compiles
                found[name].append(taken)
    wall = {name: statistics.median(m.wall for m in all_) for name, all_ in found.items()}
    cpu = {name: statistics.median(m.cpu for m in all_) for name, all_ in found.items()}
    yield Row("help", None, wall["help"], "s", cpu["help"])
    door, spent = wall["door"] - wall["command"], cpu["door"] - cpu["command"]
    yield Row("door, all ready", None, door, "s", spent, note="build.py before the command")
