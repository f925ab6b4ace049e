"""What a kernel costs, counted while it runs: reads of its row, and exponentials."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Row:
    """A row of scores in memory, on which every use of an element is a read.

    What a kernel computes from the row stays in registers, so only the row itself is counted. A
    block that was sliced out has been read, and may be used again for nothing.
    """

    def __init__(self, scores: Array) -> None:
        self.scores = scores
        self.reads = 0

    def load(self) -> Array:
        """Read the whole row."""
        self.reads += len(self.scores)
        return self.scores

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, part: slice) -> Array:
        block = self.scores[part]
        self.reads += len(block)
        return block

    def max(self) -> Any:
        """Read the row for its largest score."""
        return self.load().max()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Read the row wherever it is an operand of a NumPy function."""
        loaded = [x.load() if isinstance(x, Row) else x for x in inputs]
        return getattr(ufunc, method)(*loaded, **options)

    def __sub__(self, m: Any) -> Any:
        return self.load() - m


class Counter:
    """NumPy, except that it counts the numbers whose exponential was taken."""

    def __init__(self) -> None:
        self.exponentials = 0

    def exp(self, x: Any) -> Any:
        """Take e^x of a number or of an array, and count them."""
        y = np.exp(x.load() if isinstance(x, Row) else x)
        self.exponentials += np.size(y)
        return y

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)
