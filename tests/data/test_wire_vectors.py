"""Awkward arrays on their way to the browser: one file of vectors, which JavaScript decodes too."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explainers.data.arrays import as_array
from explainers.data.codec import decode, encode, wire
from explainers.data.values import About, Dataset, EncodingError, Field, plain

VECTORS = Path(__file__).parent / "vectors" / "wire.json"
GRID = np.arange(6).reshape(2, 3)

KEPT: dict[str, Any] = {
    "NaN, infinities, negative zero, subnormals": np.array(
        [np.nan, np.inf, -np.inf, -0.0, 5e-324, -2.2e-308, 1.7976931348623157e308]
    ),
    "a NaN with a payload": np.array([0x7FF8000000000001, 0xFFF0000000000001], "u8").view("f8"),
    "float32 to its ends": np.float32([1e-45, -3.4028235e38, np.nan, -0.0, 0.1]),
    "float16 as float32": np.float16([6e-8, 65504, np.nan, -0.0, 0.1]),
    "no element": np.zeros(0),
    "no row": np.zeros((0, 3), "f4"),
    "rows without elements": np.zeros((2, 0), "i2"),
    "big-endian float64": np.array([1.5, -2.25], ">f8"),
    "big-endian int32": np.array([1, -2], ">i4"),
    "Fortran order": np.asfortranarray(GRID.astype("i4")),
    "every other column": np.arange(12.0).reshape(2, 6)[:, ::2],
    "reversed": np.arange(4, dtype="u1")[::-1],
    "int64 up to 2^53": np.array([1 << 53, -(1 << 53)]),
    "uint32 to its end": np.array([0, (1 << 32) - 1], "u4"),
    "int8 to its ends": np.array([-128, 127], "i1"),
    "truths": np.array([[True, False], [False, True]]),
    "texts": np.array(["", "µ", "a\U0001f600b", "line\nline"]),
    "one number": 0.1,
    "one whole number": -7,
    "one truth": True,
    "one text": "text",
    "three axes": np.arange(8, dtype="i2").reshape(2, 2, 2),
}


def refused() -> dict[str, tuple[Any, str]]:
    """Return what cannot be kept, or cannot be sent, and what is said of it."""
    import ml_dtypes

    return {
        "bfloat16": (np.ones(2, ml_dtypes.bfloat16), "a type that NumPy itself does not know"),
        "float8": (np.ones(2, ml_dtypes.float8_e4m3fn), "a type that NumPy itself does not know"),
        "complex": (np.array([1j]), "complex numbers"),
        "masked": (np.ma.masked_array([1.0, 2.0], [False, True]), "masked array"),
        "objects": (np.array([1, None]), "Python objects"),
        "long double": (np.ones(1, np.longdouble), "not every machine has"),
        "int64 beyond 2^53": (np.array([(1 << 53) + 1]), "cannot hold"),
        "uint64 at its end": (np.array([(1 << 64) - 1], "u8"), "cannot hold"),
    }


def dataset(value: Any) -> Dataset:
    array = as_array("a", value)
    field = Field(tuple(f"axis{n}" for n in range(array.ndim)), "s")
    return decode(encode(Dataset(About("d", {"a": field}), {"a": plain(array)})))


def vector(value: Any) -> dict[str, Any]:
    """Return what is sent, and the bits that must arrive, row by row."""
    sent = wire(dataset(value))["fields"]["a"]
    if sent["dtype"] == "str":
        return {"sent": sent, "texts": np.asarray(value).ravel().tolist()}
    return {"sent": sent, "bits": base64.b64decode(sent["base64"]).hex()}


def test_the_vectors_are_what_python_sends(golden: Callable[[Path, str], None]) -> None:
    made = {name: vector(value) for name, value in KEPT.items()}
    golden(VECTORS, json.dumps(made, indent=1, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("name", KEPT)
def test_what_is_sent_has_the_bits_of_what_was_returned(name: str) -> None:
    value, found = np.asarray(KEPT[name]), vector(KEPT[name])
    assert found["sent"]["shape"] == list(value.shape)
    if "texts" in found:
        return
    code = {"bool": "?"}.get(found["sent"]["dtype"], "<" + _code(found["sent"]["dtype"]))
    sent = np.frombuffer(bytes.fromhex(found["bits"]), code).reshape(value.shape)
    if (value.dtype.kind, value.dtype.itemsize) == (sent.dtype.kind, sent.dtype.itemsize):
        little = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
        assert sent.tobytes() == little.tobytes()
    else:  # wider: every number is the same one
        np.testing.assert_array_equal(sent, value.astype(sent.dtype))
        np.testing.assert_array_equal(np.signbit(sent), np.signbit(value.astype("f8")))


def _code(name: str) -> str:
    return name if name == "bool" else f"{name[0]}{int(name[1:]) // 8}"


def test_the_rest_is_refused_by_name_and_with_a_reason() -> None:
    for name, (value, message) in refused().items():
        with pytest.raises(EncodingError) as caught:
            wire(dataset(value))
        assert message in str(caught.value), name
        assert 'field "a"' in str(caught.value), name
        assert caught.value.hint, name
