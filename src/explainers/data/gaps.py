"""Find NaN and infinity where nobody said that they are meant."""

from __future__ import annotations

from collections.abc import Iterator

from .values import STEP


def gaps(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield each field of a stored dataset that holds what is no number, and what that is.

    A watched local of a trace that is not yet set is NaN, so NaN along the steps says nothing.
    """
    import numpy as np

    from .codec import decode

    dataset = decode(data)
    for name, field in dataset.about.fields.items():
        values = np.asarray(dataset.read(name))
        if name in dataset.about.nonfinite or values.dtype.kind not in "fc":
            continue
        found = [("infinity", np.isinf(values).any())]
        found += [] if STEP in field.dims else [("NaN", np.isnan(values).any())]
        if said := " and ".join(word for word, there in found if there):
            yield name, said
