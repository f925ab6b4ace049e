"""Six ways to group eight scores for merging, and random ones."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

TREES = {
    # The sweep itself: one score joins what was read before it.
    "left-deep": ((0, 1), (8, 2), (9, 3), (10, 4), (11, 5), (12, 6), (13, 7)),
    "right-deep": ((6, 7), (5, 8), (4, 9), (3, 10), (2, 11), (1, 12), (0, 13)),
    # Two workers sweep half a row each, then meet.
    "two halves": ((0, 1), (8, 2), (9, 3), (4, 5), (11, 6), (12, 7), (10, 13)),
    # Pairs in parallel, then a sweep over the pairs.
    "pairs, then a sweep": ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (12, 10), (13, 11)),
    # Lanes of a warp: each merges with the lane half the width away.
    "lanes": ((0, 4), (1, 5), (2, 6), (3, 7), (8, 10), (9, 11), (12, 13)),
    "balanced": ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13)),
}
"""Pairs to merge, in order: nodes 0 to 7 are the scores, node 8 + k is the result of pair k."""


def depth(pairs: Array) -> int:
    """Return how many merges wait for one another on the longest way from a score to the root."""
    below = [0] * (len(pairs) + 1)
    for a, b in pairs:
        below.append(1 + max(below[a], below[b]))
    return below[-1]


def random_tree(T: int, rng: np.random.Generator) -> Array:
    """Return (T - 1, 2) pairs that merge T scores in a random grouping and a random order."""
    loose = list(range(T))
    pairs = []
    for k in range(T - 1):
        a, b = (loose.pop(int(rng.integers(len(loose)))) for _ in range(2))
        pairs.append((a, b))
        loose.append(T + k)
    return np.array(pairs)  # (T - 1, 2)
