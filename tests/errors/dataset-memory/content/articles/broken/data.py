import numpy as np

from explainers import dataset


@dataset(units={"total": "1"})
def sums() -> dict:
    """A total."""
    return {"total": float(np.zeros(10**13).sum())}
