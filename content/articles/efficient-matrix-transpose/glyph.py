"""The picture that the matrices of the figures hold: an F, which is not its own transpose."""

from typing import Any

import numpy as np
import numpy.typing as npt


def glyph(n: int) -> npt.NDArray[Any]:
    """Return (n, n) of 0 and 1: the letter F, a quarter of the matrix away from its edges."""
    at = (np.arange(n) + 0.5) / n
    y, x = at[:, None], at[None, :]
    stem = (x > 0.22) & (x < 0.38) & (y > 0.12) & (y < 0.88)
    top = (x > 0.22) & (x < 0.78) & (y > 0.12) & (y < 0.27)
    bar = (x > 0.22) & (x < 0.66) & (y > 0.43) & (y < 0.57)
    return (stem | top | bar).astype(np.uint8)
