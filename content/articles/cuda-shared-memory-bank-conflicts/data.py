"""The datasets of "CUDA essentials: shared memory bank conflicts"."""

from typing import Any

from explainers import dataset

from .accesses import ELEMENTS
from .counting import counters
from .timing import cycles

WIDTHS = [4, 8, 16]
"""Bytes in an element."""

LAUNCHES = ("warps", "access", "repetition")


@dataset(
    needs="cuda",
    sweep={"width": WIDTHS},
    dims={"loads": LAUNCHES, "stores": LAUNCHES, "chain": ("access", "repetition")},
    units={"loads": "cycles", "stores": "cycles", "chain": "cycles"},
)
def timed(width: int) -> dict[str, Any]:
    """Cycles of every launch: 512 accesses of each warp, or a chain of 512 loads of one warp."""
    return cycles(width)


COUNTED = (
    *("load_wavefronts", "load_conflicts", "load_instructions"),
    *("store_wavefronts", "store_conflicts", "store_instructions"),
)


@dataset(
    needs="cuda",
    sweep={"width": WIDTHS},
    dims=dict.fromkeys(COUNTED, ("access",)),
    units=dict.fromkeys(COUNTED, "1"),
)
def counts(width: int) -> dict[str, Any]:
    """What the device's counters say of one warp's 512 accesses, by Nsight Compute."""
    return counters(width, tuple(WIDTHS), tuple(map(tuple, ELEMENTS.tolist())))
