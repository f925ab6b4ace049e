"""A dataset as bytes: exact for the store, in JavaScript's types for the wire.

The store form is a JSON header and raw little-endian buffers, each at a multiple of eight bytes.
The same dataset gives the same bytes.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..digest import canonical

if TYPE_CHECKING:
    import numpy.typing as npt

    from .values import Dataset

    Array = npt.NDArray[Any]

MAGIC = b"dataset1"

_SAFE = 1 << 53
_STORE = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool")
WIRE = ("f64", "f32", "i8", "u8", "i16", "u16", "i32", "u32", "bool", "str")
"""The types that a browser gets."""


def encode(dataset: Dataset) -> bytes:
    """Return the dataset in the store's form."""
    about = dataset.about
    buffers: list[bytes] = []
    fields = [
        {
            "name": name,
            "dims": meta.dims,
            "unit": meta.unit,
            "wire": meta.wire,
            **_packed(getattr(dataset, name), buffers),
        }
        for name, meta in about.fields.items()
    ]
    head = {
        "name": about.name,
        "origin": about.origin,
        "function": about.function,
        "sweep": list(about.sweep.items()),
        "fields": fields,
        "tolerance": dict(about.tolerance),
        **({"nonfinite": list(about.nonfinite)} if about.nonfinite else {}),
        "steps": None if about.steps is None else _packed(about.steps, buffers),
        "ordinals": None if about.ordinals is None else _packed(about.ordinals, buffers),
    }
    text = canonical(head).encode()
    text += b" " * (-(len(MAGIC) + 8 + len(text)) % 8)
    return b"".join([MAGIC, len(text).to_bytes(8, "little"), text, *buffers])


def peek(data: bytes) -> dict[str, Any]:
    """Return the header of the store's form; needs no NumPy."""
    if data[:8] != MAGIC:
        raise ValueError("this is no dataset")
    head: dict[str, Any] = json.loads(data[16 : 16 + int.from_bytes(data[8:16], "little")])
    return head


def decode(data: bytes) -> Dataset:
    """Return the dataset that `encode` was given, its arrays read-only."""
    from .values import About, Dataset, Field, plain

    head = peek(data)
    body = memoryview(data)[16 + int.from_bytes(data[8:16], "little") :]

    def optional(entry: Mapping[str, Any] | None) -> Any:
        return None if entry is None else plain(_unpacked(entry, body))

    about = About(
        name=head["name"],
        fields={f["name"]: Field(tuple(f["dims"]), f["unit"], f["wire"]) for f in head["fields"]},
        sweep={name: tuple(values) for name, values in head["sweep"]},
        origin=head["origin"],
        function=head["function"],
        steps=optional(head["steps"]),
        ordinals=optional(head["ordinals"]),
        tolerance=head["tolerance"],
        nonfinite=tuple(head.get("nonfinite", ())),
    )
    return Dataset(about, {f["name"]: plain(_unpacked(f, body)) for f in head["fields"]})


def wire(dataset: Dataset) -> dict[str, Any]:
    """Return the dataset as the browser gets it, ready for JSON.

    Raises:
        EncodingError: a field that JavaScript, or its `wire` type, cannot hold.
    """
    about = dataset.about
    sent: dict[str, Any] = {
        "name": about.name,
        "origin": about.origin,
        "axes": list(about.sweep),
        "sweep": {name: list(values) for name, values in about.sweep.items()},
        "fields": {
            name: {
                **_sent(name, getattr(dataset, name), meta.wire),
                "dims": list(meta.dims),
                "unit": meta.unit,
            }
            for name, meta in about.fields.items()
        },
    }
    if about.function:
        import numpy as np

        sent["function"] = about.function
        # One length for each state, the last axis of the sweep fastest.
        sent["steps"] = np.ravel(about.steps).tolist() if about.sweep else about.steps
        sent["ordinals"] = _sent("ordinals", about.ordinals, "i16")
    return sent


def _packed(value: Any, buffers: list[bytes]) -> dict[str, Any]:
    """Add the value's bytes to the buffers, and return what is needed to find them."""
    import numpy as np

    array = np.asarray(value)
    if array.dtype.kind == "U":
        return {"dtype": "str", "shape": array.shape, "values": array.ravel().tolist()}
    name = _name(array)
    raw = array.astype(_dtype(name)).tobytes()
    offset = sum(map(len, buffers))
    buffers.append(raw + bytes(-len(raw) % 8))
    return {"dtype": name, "shape": array.shape, "offset": offset}


def _unpacked(entry: Mapping[str, Any], body: memoryview) -> Array:
    import numpy as np

    shape = tuple(entry["shape"])
    if entry["dtype"] == "str":
        return np.array(entry["values"], dtype=np.str_).reshape(shape)
    count = int(np.prod(shape, dtype=np.int64))
    dtype = _dtype(entry["dtype"])
    return np.frombuffer(body, dtype, count, entry["offset"]).reshape(shape)


def _sent(name: str, value: Any, narrow: str) -> dict[str, Any]:
    import numpy as np

    from .values import EncodingError

    array = np.asarray(value)
    if narrow and narrow not in WIRE:
        raise EncodingError(
            f'field "{name}" has the wire type "{narrow}"', f"use one of {', '.join(WIRE)}"
        )
    if array.dtype.kind == "U":
        if narrow not in ("", "str"):
            raise EncodingError(f'field "{name}" is text and cannot be sent as {narrow}')
        return {"dtype": "str", "shape": list(array.shape), "values": array.ravel().tolist()}
    held = _name(array)
    target = narrow or {"i64": "f64", "u64": "f64", "f16": "f32"}.get(held, held)
    if target == "str":
        raise EncodingError(f'field "{name}" is no text and cannot be sent as str')
    with np.errstate(all="ignore"):
        out = array.astype(_dtype(target))
        # Asked to, floats lose digits; whole numbers never change.
        rounding = array.dtype.kind == "f" and target in ("f32", "f64")
        back = out.astype(array.dtype)
    if rounding and np.any(np.isfinite(array) & ~np.isfinite(out)):
        raise EncodingError(
            f'field "{name}" has numbers beyond the range of {target}', _wider(name, held, narrow)
        )
    if not rounding and not np.array_equal(back, array):
        worst = array[back != array].ravel()[0]
        raise EncodingError(
            f'field "{name}" has {worst}, which {target} cannot hold', _wider(name, held, narrow)
        )
    if array.dtype.kind in "iu" and target in ("f64", "f32") and array.size:
        limit = _SAFE if target == "f64" else 1 << 24
        if max(abs(int(array.max())), abs(int(array.min()))) > limit:
            raise EncodingError(
                f'field "{name}" has whole numbers beyond {limit:,}, which {target} cannot hold',
                _wider(name, held, narrow),
            )
    return {
        "dtype": target,
        "shape": list(array.shape),
        "base64": base64.b64encode(out.tobytes()).decode(),
    }


def _wider(name: str, held: str, narrow: str) -> str:
    if narrow:
        return f'leave "{name}" out of wire, or name a wider type; it is {held}'
    return "return it as text, or in two parts"


def _name(array: Array) -> str:
    if array.dtype.kind == "b":
        return "bool"
    name = f"{array.dtype.kind}{8 * array.dtype.itemsize}"
    if name not in _STORE:
        raise ValueError(f"{array.dtype} is no type of the store")
    return name


def _dtype(name: str) -> Any:
    if name == "bool":
        return "?"
    return f"<{name[0]}{int(name[1:]) // 8}"
