"""Count the cycles that accesses to shared memory take on a GPU."""

from pathlib import Path
from typing import Any

import numpy as np

from explainers import recording

from .accesses import ELEMENTS, WARPS, Array

ROUNDS = 256
PER_WARP = 8 * ROUNDS
"""Accesses of each warp: batches of eight, as in banks.cu."""

REPEATS = 5


def cycles(width: int) -> dict[str, Any]:
    """Return the cycles from the first warp's start to the last one's end, of every launch.

    The clock is the multiprocessor's own, so its frequency does not matter. Each launch is
    checked: every lane must have got the words of its own element.

    Raises:
        ValueError: a lane got something else.
    """
    cupy = recording.cupy()
    names = [f"{name}_{width}" for name in ("loads", "stores", "chain")]
    kernels = recording.compile(Path("banks.cu").read_text(), *names)
    elements = [cupy.asarray(one.astype(np.int32)) for one in ELEMENTS]
    out = cupy.empty(1024, dtype=np.uint32)
    clocks = cupy.empty((1024, 2), dtype=np.int64)

    def run(name: str, access: int, warps: int) -> int:
        threads = 32 * warps
        recording.poison(out)
        kernels[name]((1,), (threads,), (elements[access], np.int32(ROUNDS), out, clocks))
        if out[:threads].any():
            raise ValueError(f"{name}, access {access}, {warps} warps: a lane got other words")
        times = clocks[:threads].get()
        return int(times[:, 1].max() - times[:, 0].min())

    def series(name: str, warps: int) -> Array:
        # The first launch of each is dropped: it is slower.
        return np.array(
            [
                [run(name, access, warps) for _ in range(REPEATS + 1)][1:]
                for access in range(len(elements))
            ]
        )

    loads, stores, chain = names
    return {
        "loads": np.array([series(loads, warps) for warps in WARPS]),
        "stores": np.array([series(stores, warps) for warps in WARPS]),
        "chain": series(chain, 1),
    }
