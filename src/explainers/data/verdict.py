"""Judge what a claim came to: true, or false and where."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a claim came to. `message` says what is wrong with it; a true claim has none.

    `index` is the first place at which an array of truths is false.
    """

    true: bool
    is_claim: bool = True
    message: str = ""
    index: tuple[int, ...] | None = None

    def encoded(self) -> bytes:
        """Return the verdict as bytes, to cross a process."""
        return json.dumps(asdict(self)).encode()


def decoded(data: bytes) -> Verdict:
    """Return the verdict that `encoded` gave."""
    kept = json.loads(data)
    index = kept["index"]
    return Verdict(
        kept["true"],
        kept["is_claim"],
        kept["message"],
        None if index is None else tuple(index),
    )


def judge(result: Any) -> Verdict:
    """Return the verdict over a bool, or over an array that should be true everywhere."""
    import numpy as np

    from .trace import here

    result = here(result)
    if isinstance(result, (bool, np.bool_)):
        return Verdict(True) if result else Verdict(False, message="it is false")
    if not (isinstance(result, np.ndarray) and result.dtype.kind == "b"):
        return Verdict(False, is_claim=False, message=f"it is {_kind(result)}, not true or false")
    if result.size == 0:
        return Verdict(False, is_claim=False, message="it compares nothing: the array is empty")
    if result.all():
        return Verdict(True)
    index = tuple(int(place) for place in np.argwhere(~result)[0])
    count = int((~result).sum())
    shown = ", ".join(map(str, index))
    return Verdict(
        False,
        message=f"it is false first at [{shown}], {count} of {result.size} in all",
        index=index,
    )


def _kind(value: Any) -> str:
    import numpy as np

    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} {value.shape}"
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '…'} ({type(value).__name__})"
