import numpy as np

from explainers import dataset


@dataset(units={"height": "m", "meant": "m"})
def limit():
    return {"height": np.float64("nan"), "meant": -np.inf}


@dataset(units={"height": "m"}, nonfinite=["height"])
def said():
    return {"height": np.inf}
