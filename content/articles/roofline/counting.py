"""A matrix that counts what is read of it."""

from typing import Any

import numpy as np
import numpy.typing as npt


class Counted:
    """Stands for a matrix in memory: each read of a part counts its numbers."""

    def __init__(self, values: npt.NDArray[Any]) -> None:
        """Hold the numbers; nothing was read yet."""
        self.values, self.reads = values, 0
        self.shape, self.dtype = values.shape, values.dtype

    def __getitem__(self, place: Any) -> npt.NDArray[Any]:
        """Return a part, and count it."""
        part = np.asarray(self.values[place])
        self.reads += part.size
        return part
