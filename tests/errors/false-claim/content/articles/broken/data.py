import numpy as np

from explainers import dataset


@dataset(units={"total": "1", "parts": "1"}, dims={"parts": ("part",)})
def sums(xp=np) -> dict:
    """Parts and their total."""
    parts = xp.arange(4.0)
    return {"parts": parts, "total": parts.sum()}
