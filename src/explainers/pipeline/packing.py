"""Pack frozen values into bytes, and back, in half the time of a plain pickle.

A value becomes its class and its fields in their order. The bytes are for this engine alone:
whoever keeps them keeps the engine's key beside them.
"""

from __future__ import annotations

import copyreg
import gc
import io
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

from .. import errors, model


def pack(value: object) -> bytes:
    """Return a value as bytes."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCERS
    pickler.dump(value)
    return file.getvalue()


def unpack(data: bytes) -> Any:
    """Return the value that was packed."""
    return pickle.loads(data)


def unpack_all(packed: Iterable[bytes]) -> list[Any]:
    """Return many values."""
    with _uncollected():
        return [pickle.loads(data) for data in packed]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Make many objects at once: looking for garbage among them would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _reducer(kind: type[Any]) -> Callable[[Any], tuple[type[Any], tuple[object, ...]]]:
    names = [field.name for field in fields(kind)]
    return lambda value: (kind, tuple([getattr(value, name) for name in names]))


_REDUCERS = copyreg.dispatch_table.copy()
_REDUCERS.update(
    {
        kind: _reducer(kind)
        for module in (model, errors)
        for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind)
    }
)
