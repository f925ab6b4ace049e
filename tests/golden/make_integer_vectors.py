"""Make tests/js/vectors/integers.json: what the kernels do, for their JavaScript twins to repeat.

    python tests/golden/make_integer_vectors.py

All 256 rows by all readings; all 65,536 pairs as one digest; traces of some rows and pairs, with
the locals that each named step left (null where not yet set).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from explainers import trace
from explainers.data.steps import steps
from explainers.kernels import integer_adder, integers
from explainers.kernels.integer_adder import add_rows, ripple_add
from explainers.kernels.integers import (
    READINGS,
    extend,
    negate,
    read,
    read_row,
    shift_right,
    truncate,
    write,
)

TARGET = Path(__file__).parents[1] / "js" / "vectors" / "integers.json"

READ = ("i", "bit", "total", "top", "weight")
ADD = ("i", "x", "y", "into", "s", "carry", "row", "C", "V", "Z", "N")
"""The locals of the two traced kernels, in the order of the columns."""

ROWS = (0, 1, 0b10110100, 0b01001011, 127, 128, 129, 255)
PAIRS = ((100, 100), (127, 1), (255, 1), (180, 180), (0, 0), (128, 128), (76, 180), (85, 170))


def named(function: Any, module: Any, watch: tuple[str, ...], *args: int) -> list[list[Any]]:
    """Return the named steps of a traced call, each with what it left."""
    names = [step.name for step in steps(Path(module.__file__).read_text(), function.__name__)]
    run = trace(function, *args, watch=watch)
    columns = [run[name].astype(float).tolist() for name in watch]
    return [
        [names[at], *(None if math.isnan(column[t]) else int(column[t]) for column in columns)]
        for t, at in enumerate(run.at.tolist())
        if names[at]
    ]


def reads() -> Iterator[list[Any]]:
    """Yield row, whether it is signed, and the steps of reading it."""
    for row in ROWS:
        for signed in (False, True):
            yield [row, signed, named(read_row, integers, READ, row, 8, signed)]


def additions() -> Iterator[list[Any]]:
    """Yield two rows, a carry, and the steps of adding them."""
    for a, b in PAIRS:
        for carry in (0, 1):
            yield [a, b, carry, named(ripple_add, integer_adder, ADD, a, b, 8, carry)]


def readings() -> dict[str, list[int]]:
    """Return what all 256 rows are by each reading."""
    return {reading: read(np.arange(256), reading).tolist() for reading in READINGS}


def rows_of(width: int) -> dict[str, list[int | None]]:
    """Return the row of each integer from -2^width to 2^width by each reading, null if none."""
    values = range(-(2**width), 2**width + 1)
    found: dict[str, list[int | None]] = {}
    for reading in READINGS:
        found[reading] = []
        for value in values:
            try:
                found[reading].append(int(write(np.array([value]), reading, width)[0]))
            except ValueError:
                found[reading].append(None)
    return found


def sums(carry: int) -> str:
    """Return the digest of row, C, V, Z and N of all pairs of 8 bits, in order."""
    a, b = np.divmod(np.arange(65_536), 256)
    total = add_rows(a, b, 8, carry)
    return hashlib.sha256(np.stack(total, axis=1).astype("u1").tobytes()).hexdigest()[:16]


def moves() -> Iterator[list[Any]]:
    """Yield name, rows or width and amount, and what all 256 rows become."""
    rows = np.arange(256)
    yield ["negate", [], negate(rows).tolist()]
    for to in (8, 9, 12, 16, 32):
        for signed in (False, True):
            yield ["extend", [8, to, signed], extend(rows, 8, to, signed).tolist()]
    for to in (1, 4, 7, 8):
        yield ["truncate", [to], truncate(rows, to).tolist()]
    for by in (0, 1, 3, 8):
        for signed in (False, True):
            yield ["shiftRight", [by, 8, signed], shift_right(rows, by, 8, signed).tolist()]


def lines(rows: Iterator[Any]) -> str:
    """Return a JSON list with one row a line."""
    return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]"


def text() -> str:
    """Return the file's text; a test holds the committed file to it."""
    parts = {
        "sums": json.dumps([sums(0), sums(1)]),
        "readings": json.dumps(readings()),
        "rows": json.dumps({width: rows_of(width) for width in (4, 8)}),
        "readLocals": json.dumps(READ),
        "addLocals": json.dumps(ADD),
        "reads": lines(reads()),
        "additions": lines(additions()),
        "moves": lines(moves()),
    }
    return "{\n" + ",\n".join(f'"{name}": {part}' for name, part in parts.items()) + "\n}\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text())
