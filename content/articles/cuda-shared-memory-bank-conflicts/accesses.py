"""The accesses that are measured: which element each of 32 lanes wants."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

LANE = np.arange(32)
STRIDES = tuple(range(65))
WARPS = (1, 2, 4, 8, 16, 32)
WIDTHS = (4, 8, 16)
"""Bytes in an element."""

OTHERS = {
    "pairs of neighbours": LANE // 2,
    "pairs two apart": LANE // 4 * 2 + LANE % 2,
    "pairs four apart": LANE // 8 * 4 + LANE % 4,
    "fours of neighbours": LANE // 4,
    "the same in both halves": LANE % 16,
    "the same in all quarters": LANE % 8,
    "pairs, 32 elements apart": LANE // 2 * 32,
    "two words of one bank": LANE // 16 * 32,
    "odd lanes 16 elements on": LANE // 2 + LANE % 2 * 16,
    "halves swapped in part": LANE ^ (LANE // 8 % 2 * 24),
    "backwards": 31 - LANE,
    "shuffled": np.random.default_rng(1).permutation(32),
    "scattered": np.random.default_rng(2).integers(0, 1024, 32),
    "scattered again": np.random.default_rng(3).integers(0, 1024, 32),
    "two columns of 16": LANE % 16 * 16 + LANE // 16,
    "two columns of 16, pitch 17": LANE % 16 * 17 + LANE // 16,
    "two columns of 16, pitch 18": LANE % 16 * 18 + LANE // 16,
    "a column, swizzled": LANE * 32 + (LANE ^ 5),
    "a diagonal, swizzled": LANE * 32 + (LANE ^ LANE),
    "a diagonal, pitch 33": LANE * 33 + LANE,
}
"""Further accesses by name: several lanes with one element, shuffled lanes, tiles."""

ELEMENTS = np.array([stride * LANE for stride in STRIDES] + list(OTHERS.values()))
"""(access, 32): strides 0 to 64 in elements, then the others."""
