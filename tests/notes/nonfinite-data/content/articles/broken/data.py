import numpy as np

from explainers import dataset, trace
from .helper import counted


@dataset(dims={"height": ("item",), "share": ("item",)})
def limits():
    return {"height": np.array([1.0, np.inf]), "share": np.array([np.nan, -np.inf])}


@dataset(dims={"height": ("item",)}, nonfinite=["height"])
def said():
    return {"height": np.array([1.0, np.inf])}


@dataset
def steps():
    return trace(counted, watch=("n", "late"))
