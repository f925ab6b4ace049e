"""Four mistakes in a transpose through a tile, run as they are written."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

TILE, ROWS = 32, 8
STALE = -1
"""What a thread finds where it loads a word that nobody has stored yet."""

MISTAKES = {
    "blocks stay": "the output keeps the block's own place",
    "tile as stored": "the tile is loaded by rows, as it was stored",
    "threads swap": "threads swap their coordinates, blocks do not",
    "no barrier": "__syncthreads() is left out",
}


def mistaken(n: int, mistake: str) -> tuple[Array, Array]:
    """Transpose a matrix whose elements are 0, 1, … n² - 1, row after row, with a mistake.

    Warps run one after another; without the barrier that is one order of many.

    Args:
        n: rows and columns, a multiple of 32.
        mistake: one of MISTAKES.

    Returns:
        out: (n, n) which element was written; STALE where the tile was loaded too early.
        writes: (R, 32) elements of the output that each request writes.
    """
    matrix = np.arange(n * n).reshape(n, n)
    out, writes = np.full(n * n, STALE), []
    lane = np.arange(TILE)
    x: Array | int
    y: Array | int
    for by in range(n // TILE):
        for bx in range(n // TILE):
            tile = np.full((TILE, TILE), STALE)
            for row in range(TILE):
                tile[row] = matrix[by * TILE + row, bx * TILE + lane]
            for warp in range(ROWS):
                for row in range(warp, TILE, ROWS):
                    # What this thread's coordinates are on the way out, and what it loads.
                    x, y, loaded = by * TILE + lane, bx * TILE + row, tile[lane, row]
                    if mistake == "blocks stay":
                        x, y = bx * TILE + lane, by * TILE + row
                    elif mistake == "tile as stored":
                        loaded = tile[row, lane]
                    elif mistake == "threads swap":
                        x, y = np.full(TILE, by * TILE + row), bx * TILE + lane
                        loaded = tile[row, lane]
                    elif mistake == "no barrier":
                        # Rows of later warps are not stored yet.
                        loaded = np.where(lane % ROWS <= warp, loaded, STALE)
                    place = y * n + x
                    out[place] = loaded
                    writes.append(place)
    return out.reshape(n, n), np.stack(writes)
