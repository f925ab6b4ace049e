"""Time both softmax kernels of softmax.cu on a GPU, each against NumPy first."""

from pathlib import Path
from typing import Any

import numpy as np

from explainers import recording

NAMES = ("safe", "online")
SCORES = 1 << 28
"""Scores in the matrix, whatever the length of its rows: 1 GiB to read, 1 GiB to write."""

CHECKED = 8
"""Rows compared with float64."""

TOLERANCE = 1e-6


def threads_of(row: int) -> int:
    """Return the threads of a block: one for sixteen scores, whole warps, 1,024 at most."""
    return min(1024, max(32, row // 16))


def resident_bytes(row: int, multiprocessors: int) -> int:
    """Return the bytes of all rows that are being worked on at one time."""
    return multiprocessors * min(32, 2048 // threads_of(row)) * row * 4


def timed(row: int) -> dict[str, Any]:
    """Return the seconds of every launch of both kernels, over rows of one length.

    The rows are normal random scores, and the second-level cache is emptied before each launch.
    """
    cupy = recording.cupy()
    kernels = recording.compile(
        Path("softmax.cu").read_text(), *(f"softmax_{name}" for name in NAMES)
    )
    rows, threads = SCORES // row, threads_of(row)
    x = cupy.random.default_rng(row).standard_normal((rows, row), dtype=np.float32)
    y = cupy.empty_like(x)

    def launch(name: str) -> None:
        kernels[f"softmax_{name}"]((rows,), (threads,), (x, y, np.int32(row // 4)))

    scores = x[:: max(1, rows // CHECKED)][:CHECKED].get().astype(np.float64)
    expected = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    found: dict[str, Any] = {"rows": rows, "threads": threads}
    for name in NAMES:
        recording.poison(y)
        launch(name)
        checked = y[:: max(1, rows // CHECKED)][:CHECKED]
        found[f"error_{name}"] = recording.check(name, checked, expected, TOLERANCE)
        # Every other row too: one that was not written, or wrongly, does not add up to 1.
        recording.check(name, y.sum(axis=1, dtype=np.float64), np.ones(rows), TOLERANCE)
    times = recording.measure({name: lambda n=name: launch(n) for name in NAMES}, cold=True)  # type: ignore[misc]
    multiprocessors = cupy.cuda.Device().attributes["MultiProcessorCount"]
    return {**times, **found, "resident": resident_bytes(row, multiprocessors)}
