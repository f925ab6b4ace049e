import numpy as np

from explainers import dataset


@dataset(seed=7, dims={"value": ("draw",)}, units={"value": "1"})
def noise(seed: int, xp=np) -> dict:
    """Numbers that nothing compresses."""
    return {"value": np.random.default_rng(seed).random(20_000)}
