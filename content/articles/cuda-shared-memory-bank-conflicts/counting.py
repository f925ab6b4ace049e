"""Let a GPU's own counters count what accesses to shared memory did."""

import functools
from pathlib import Path
from typing import Any

import numpy as np

from explainers import counters

from .accesses import ELEMENTS, WIDTHS

ROUNDS = 64
FILLED = 256
"""Conflict-free stores with which a warp fills the memory before it begins: 8,192 words."""

METRICS = {
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum",
    "instructions": "smsp__inst_executed_op_shared_{}.sum",
}
SHORT = {"loads": "ld", "stores": "st"}


@functools.cache
def counted() -> dict[tuple[str, int], list[dict[str, float]]]:
    """Count loads and stores of each width by one warp, in one run of the profiler.

    Raises:
        ValueError: a lane got other words than those of its element.
    """
    lanes = (np.zeros(32, dtype=np.uint32), np.zeros((32, 2), dtype=np.int64))
    launches = {
        (kind, width, at): counters.Launch(
            f"{kind}_{width}",
            (1,),
            (32,),
            (elements.astype(np.int32), np.int32(ROUNDS), *lanes),
            out=2,
        )
        for kind in SHORT
        for width in WIDTHS
        for at, elements in enumerate(ELEMENTS)
    }
    names = {" ".join(map(str, key)): launch for key, launch in launches.items()}
    wanted = [metric.format(short) for metric in METRICS.values() for short in SHORT.values()]
    found = counters.count(Path("banks.cu").read_text(), names, wanted)
    rows: dict[tuple[str, int], list[dict[str, float]]] = {}
    for kind, width, at in launches:
        one = found[f"{kind} {width} {at}"]
        if one.out is None or one.out.any():
            raise ValueError(f"{kind}, {width} bytes, access {at}: a lane got other words")
        row = {what: one.sums[name.format(SHORT[kind])] for what, name in METRICS.items()}
        if kind == "stores":
            row["wavefronts"] -= FILLED
            row["instructions"] -= FILLED
        rows.setdefault((kind, width), []).append(row)
    return rows


def of_width(width: int) -> dict[str, Any]:
    """Return the counts of one warp's 512 accesses to elements of one width, by access."""
    return {
        f"{kind}_{what}": np.array([row[what] for row in counted()[kind, width]])
        for kind in SHORT
        for what in METRICS
    }
