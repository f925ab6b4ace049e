"""The data of the figure that this page makes."""

import numpy as np

from explainers import dataset
from explainers.kernels.integers import read


@dataset(sweep={"byte": range(256)}, units={"unsigned": "1", "signed": "1"})
def readings(byte: int) -> dict[str, int]:
    """A byte, read without a sign and in two's complement."""
    row = np.array([byte])
    return {
        "unsigned": int(read(row, "unsigned")[0]),
        "signed": int(read(row, "two's complement")[0]),
    }
