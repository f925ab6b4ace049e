"""Data of the examples."""

from typing import Any

import numpy as np

from explainers import dataset


@dataset(
    sweep={"base": (2, 3)},
    dims={"value": ("power",)},
    units={"value": "1", "last": "1", "mean": "1"},
)
def powers(base: int, xp: Any = np) -> dict[str, Any]:
    """Return the first six powers of a base, the last of them, and their mean."""
    value = base ** xp.arange(6)
    return {"value": value, "last": value[-1], "mean": value.mean()}


def doubles(powers: Any) -> bool:
    """Return whether each power of two is twice the one before."""
    value = powers.at(base=2).value
    return bool((value[1:] == 2 * value[:-1]).all())
