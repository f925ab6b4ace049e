from __future__ import annotations

import base64
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn

from explainers.data.arrays import as_array
from explainers.data.codec import decode, encode, peek, wire
from explainers.data.dataset import Spec
from explainers.data.stack import compute
from explainers.data.values import About, Dataset, EncodingError, Field, plain

NUMBERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
ARRAYS = st.sampled_from(NUMBERS).flatmap(
    lambda name: hn.arrays(name, hn.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
)
SCALARS = (
    st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)


def dataset(wires: dict[str, str] | None = None, **values: Any) -> Dataset:
    """Return a dataset without a sweep, whose axes are called by their numbers."""
    arrays = {name: as_array(name, value) for name, value in values.items()}
    fields = {
        name: Field(tuple(f"axis{n}" for n in range(array.ndim)), "s", (wires or {}).get(name, ""))
        for name, array in arrays.items()
    }
    return Dataset(About("made", fields), {name: plain(array) for name, array in arrays.items()})


def bits(value: Any) -> tuple[str, tuple[int, ...], bytes]:
    array = np.asarray(value)
    return array.dtype.str, array.shape, array.tobytes()


@given(ARRAYS, SCALARS)
def test_what_is_decoded_is_what_was_encoded_bit_for_bit(array: Any, scalar: Any) -> None:
    made = dataset(array=array, scalar=scalar)
    data = encode(made)
    found = decode(data)
    assert encode(found) == data
    if array.ndim:
        assert bits(found.array) == bits(np.asarray(array, dtype=array.dtype.newbyteorder("<")))
        assert not found.array.flags.writeable
    assert type(found.scalar) is type(scalar)
    assert found.scalar == scalar or (math.isnan(found.scalar) and math.isnan(scalar))
    assert peek(data)["fields"][0]["shape"] == list(array.shape)


@given(ARRAYS)
def test_layout_and_byte_order_do_not_show_in_the_bytes(array: Any) -> None:
    expected = encode(dataset(a=array))
    swapped = array.astype(array.dtype.newbyteorder(">"))
    strided = np.repeat(array, 2, axis=-1)[..., ::2] if array.ndim else array
    for other in (np.asfortranarray(array), swapped, strided):
        if other.shape == array.shape:
            assert encode(dataset(a=other)) == expected


@pytest.mark.parametrize(
    "value",
    [
        np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e-310]),
        np.array([np.uint64(0x7FF8000000000001), 0xFFF0000000000001], dtype="u8").view("f8"),
        np.float16([1e-7, 65504]),
        np.array([], dtype="f4"),
        np.zeros((0, 3), dtype="i2"),
        np.array([(1 << 63) - 1, -(1 << 63)]),
        np.array(["", "µ", "a longer text"]),
        np.array([["a", "b"]]),
        "text",
        "",
        True,
        -0.0,
        2**53 + 1,
        [1, 2.5],
        range(3),
    ],
)
def test_odd_values_are_kept(value: Any) -> None:
    found = decode(encode(dataset(a=value))).a
    expected = as_array("a", value)
    assert bits(found)[1:] == bits(expected.astype(np.asarray(found).dtype))[1:]


class Odd:
    """Stands for anything."""


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.array([1 + 2j]), "complex numbers"),
        ([1, Odd()], "Python objects"),
        (None, "Python objects"),
        ({"a": 1}, "Python objects"),
        ([[1, 2], [3]], "rows of unequal length"),
        (np.ma.masked_array([1, 2], [True, False]), "masked array"),
        (2**70, "beyond 64 bits"),
        (np.array([b"x"]), "bytes"),
        (np.array(["2026-01-01"], dtype="M8[D]"), "dates"),
        (np.array([1], dtype="m8[s]"), "time spans"),
        (np.zeros(2, dtype=[("x", "f8")]), "a type that NumPy itself does not know"),
        (np.zeros(2, dtype=np.longdouble), "not every machine has"),
        ("a\0", "zero character"),
        (np.array(["\ud800"]), "no Unicode"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_reason(value: Any, message: str) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        dataset(a=value)
    assert '"a"' in str(caught.value)


def test_foreign_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="no dataset"):
        decode(b"something else entirely")


def sent(value: Any, narrow: str = "") -> dict[str, Any]:
    made = wire(dataset({"a": narrow}, a=value))
    assert json.loads(json.dumps(made)) == made
    field: dict[str, Any] = made["fields"]["a"]
    return field


def received(field: dict[str, Any]) -> Any:
    if field["dtype"] == "str":
        return np.array(field["values"]).reshape(field["shape"])
    code = {"bool": "?"}.get(
        field["dtype"]
    ) or f"<{field['dtype'][0]}{int(field['dtype'][1:]) // 8}"
    return np.frombuffer(base64.b64decode(field["base64"]), code).reshape(field["shape"])


@given(ARRAYS.filter(lambda a: a.dtype.kind != "f" or a.dtype.itemsize > 0))
def test_the_wire_is_exact_or_refused(array: Any) -> None:
    too_large = array.dtype.kind in "iu" and any(abs(int(v)) > 1 << 53 for v in array.flat)
    if too_large:
        with pytest.raises(EncodingError, match="cannot hold"):
            sent(array)
        return
    field = sent(array)
    assert field["dtype"] in ("f64", "f32", "i8", "u8", "i16", "u16", "i32", "u32", "bool")
    np.testing.assert_array_equal(received(field).astype(array.dtype), array)


@pytest.mark.parametrize(
    ("value", "narrow", "dtype"),
    [
        ([1, 2, 255], "u8", "u8"),
        ([1, -2], "i16", "i16"),
        ([0.1, 1 / 3], "f32", "f32"),
        ([1.0, 3.0], "u8", "u8"),
        ([1, 2], "f32", "f32"),
        ([1, 2], "", "f64"),
        (np.float16([0.1]), "", "f32"),
        ([True], "", "bool"),
        (["a", "b"], "", "str"),
        (3, "", "f64"),
    ],
)
def test_fields_are_narrowed_as_asked(value: Any, narrow: str, dtype: str) -> None:
    field = sent(value, narrow)
    assert field["dtype"] == dtype
    assert field["shape"] == list(np.shape(value))
    if dtype != "f32" or not narrow:
        np.testing.assert_array_equal(received(field), value)
    assert (field["dims"], field["unit"]) == (["axis0"] if np.ndim(value) else [], "s")


@pytest.mark.parametrize(
    ("value", "narrow", "message"),
    [
        ([1, 256], "u8", "256, which u8 cannot hold"),
        ([-1], "u16", "-1, which u16"),
        ([1.5], "i16", "1.5, which i16"),
        ([np.nan], "i16", "nan, which i16"),
        ([(1 << 24) + 1], "f32", "f32 cannot hold"),
        ([1e300], "f32", "beyond the range of f32"),
        ([1], "i64", 'wire type "i64"'),
        (["a"], "f32", "is text"),
        ([1], "str", "no text"),
    ],
)
def test_a_narrowing_that_loses_is_refused(value: Any, narrow: str, message: str) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        sent(value, narrow)
    assert '"a"' in str(caught.value)


def test_the_wire_names_axes_and_steps() -> None:
    def f(k: int) -> dict[str, Any]:
        return {"a": k, "b": [k, k]}

    spec = Spec(sweep={"k": (1, 2, 3)}, dims={"b": ("item",)}, units={"a": "s"}, wire={"b": "u8"})
    made = wire(decode(encode(compute(f, spec, {}))))
    assert made["axes"] == ["k"]
    assert made["sweep"] == {"k": [1, 2, 3]}
    assert made["fields"]["b"]["dims"] == ["k", "item"]
    assert made["fields"]["b"]["dtype"] == "u8"
    assert made["origin"] == "computed"
    assert "steps" not in made
