"""Datasets by state; and the vectors that hold Python's Dataset and JavaScript's to one meaning."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explainers import dataset, trace
from explainers.data.codec import decode, encode, wire
from explainers.data.dataset import spec_of
from explainers.data.stack import compute
from explainers.data.values import Dataset, EncodingError, StateError

VECTORS = Path(__file__).parent / "vectors" / "at.json"


def made(function: Callable[..., Any], **inputs: Dataset) -> Dataset:
    """Return what a marked function makes, stored and read again."""
    spec = spec_of(function)
    assert spec is not None
    return decode(encode(compute(function, spec, inputs)))


@dataset(sweep={"stride": range(4)}, dims={"bank": ("lane",)}, units={"degree": "wavefronts"})
def strides(stride: int) -> dict[str, Any]:
    return {"bank": stride * np.arange(3), "degree": stride + 1}


@dataset(
    sweep={"mode": ["slow", "fast"], "x": [0.1, 0.5, 2.0], "on": [False, True]},
    dims={"pair": ("side",), "label": ()},
    units={"y": "1"},
)
def mixed(mode: str, x: float, on: bool) -> dict[str, Any]:
    return {"y": -x if on else x, "label": f"{mode} {x}", "pair": np.array([x, np.inf]), "on_": on}


mixed.__dataset__.units["on_"] = "1"  # type: ignore[attr-defined]


def count_down(n: int) -> float:
    total = 0.0
    while n > 0:
        total += n
        n -= 1
    return total


@dataset(sweep={"n": [1, 3, 0]}, dims={"start": ()})
def traced(n: int) -> Any:
    return trace(count_down, n, watch=("n", "total")) | {"start": n}


@dataset(units={"a": "s"}, dims={"b": ("item",)})
def single() -> dict[str, Any]:
    return {"a": 2.5, "b": np.array([1, 2], dtype=np.int8)}


def test_a_state_has_every_axis_by_name() -> None:
    found = made(strides)
    assert found.bank.shape == (4, 3)
    assert found.at(stride=2).bank.tolist() == [0, 2, 4]
    assert found.at(stride=np.int64(3)).degree == 4
    assert found.at(stride=3.0000000001).degree == 4
    assert found.axis("stride") == (0, 1, 2, 3)
    assert found.dims["bank"] == ("stride", "lane")
    assert found.at(stride=1).dims["bank"] == ("lane",)
    assert found.units["degree"] == "wavefronts"
    assert type(found.at(stride=1).degree) is int
    assert found.fields == ("bank", "degree")
    assert not hasattr(found, "bonk")
    assert "bank" in dir(found) and "strides" in repr(found)


def test_values_of_an_axis_are_told_apart_by_type() -> None:
    found = made(mixed)
    assert found.at(mode="fast", x=0.1, on=True).y == -0.1
    assert found.at(mode="slow", x=2, on=False).label == "slow 2.0"
    assert found.at(on=True, x=0.5 + 1e-10, mode="slow").on_ is True
    for wrong in ({"on": 1}, {"x": True}, {"mode": 0}):
        with pytest.raises(StateError):
            found.at(**{"mode": "slow", "x": 0.1, "on": False, **wrong})


def test_a_trace_is_padded_for_the_store_and_cut_by_at() -> None:
    found = made(traced)
    assert found.steps.tolist() == [6, 12, 3]
    assert found.total.shape == (3, 12)
    assert found.at(n=3).total.shape == (12,)
    assert found.at(n=0).total.tolist() == [0, 0, 0]
    assert found.at(n=1).steps == 6
    assert found.at(n=0).ordinals.tolist() == [0, 1, 4]
    assert found.at(n=3).start == 3
    assert found.dims["total"] == ("n", "step")
    assert found.function == f"{__name__}:count_down"
    assert wire(found)["steps"] == [6, 12, 3]


def test_a_dataset_without_a_sweep_is_its_only_state() -> None:
    found = made(single)
    assert (found.a, found.b.tolist(), found.steps) == (2.5, [1, 2], None)
    assert found.at().a == 2.5
    with pytest.raises(StateError, match="no sweep"):
        found.at(k=1)


def test_a_field_that_is_not_there_is_an_error_with_a_guess() -> None:
    with pytest.raises(
        StateError, match='no field "bnk"; it has bank, degree; did you mean "bank"'
    ):
        made(strides).bnk  # noqa: B018
    with pytest.raises(StateError, match='no axis "x"; its axes are stride'):
        made(strides).axis("x")


def test_arrays_cannot_be_written_to() -> None:
    found = made(strides)
    for array in (found.bank, found.at(stride=1).bank, compute(strides, _spec(), {}).bank):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def _spec() -> Any:
    return spec_of(strides)


def test_a_dataset_may_take_another() -> None:
    @dataset(units={"total": "s"})
    def total(strides: Dataset, seed: int = 3) -> dict[str, Any]:
        return {"total": int(strides.bank.sum()) + seed}

    assert made(total, strides=made(strides)).total == 18 + 3


def test_the_seed_and_the_library_are_given() -> None:
    @dataset(units={"a": "1", "b": "1"}, seed=7)
    def drawn(seed: int, xp: Any) -> dict[str, Any]:
        return {"a": seed, "b": xp.float64(1)}

    assert made(drawn).a == 7


def refused(**mark: Any) -> Callable[[Callable[..., Any]], Callable[[], Dataset]]:
    """Return a maker of a dataset; the mark is set at its call, for functions are shared here."""
    return lambda function: lambda: made(dataset(**mark)(function))


def cases() -> list[tuple[Callable[[], Dataset], str]]:
    """Return makers of datasets, each with what is wrong with it."""
    u = {"a": "s"}

    def one() -> Any:
        return {"a": 1}

    def row() -> Any:
        return {"a": [1, 2]}

    def number() -> Any:
        return 3

    def ragged(k: int) -> Any:
        return {"a": np.arange(k)}

    def changing(k: int) -> Any:
        return {"a": 1} if k else {"b": 1}

    def mixing(k: int) -> Any:
        return {"a": "text" if k else 1}

    def losing(k: int) -> Any:
        return {"a": 0.5 if k else (1 << 53) + 1}

    def at() -> Any:
        return {"at": 1}

    def spaced() -> Any:
        return {"a b": 1}

    def wanting(missing: int) -> Any:
        return {"a": missing}

    return [
        (refused()(one), '"a" is named in neither dims nor units'),
        (refused(units=u)(row), r"has 1 axes \(2,\), dims names 0"),
        (refused(dims={"a": ("x", "y")})(row), r"has 1 axes \(2,\), dims names 2: \(x, y\)"),
        (refused(units={**u, "c": "s"})(one), 'units names a field "c"'),
        (refused(units=u, wire={"c": "f32"})(one), 'wire names a field "c"'),
        (refused(units=u)(number), "returns int"),
        (refused(sweep={"k": [1, 2]}, dims={"a": ("x",)})(ragged), r"shape \(1,\) in one state"),
        (refused(sweep={"k": [1, 0]}, units=u)(changing), "one state returns a, another b"),
        (refused(sweep={"k": [1, 0]}, units=u)(mixing), "text in one state"),
        (refused(sweep={"k": [1, 0]}, units=u)(losing), "changes its numbers"),
        (refused(units={"at": "s"})(at), 'cannot be called "at"'),
        (refused(units={"a b": "s"})(spaced), "no name for a field"),
        (refused(units=u)(wanting), 'what the parameter "missing" gets'),
        (refused(sweep={"k": [1]}, units=u)(one), '"k", which is no parameter'),
        (refused(sweep={"k": []}, units=u)(ragged), "is empty"),
        (refused(sweep={"k": [1, 1]}, units=u)(ragged), "value twice"),
        (refused(sweep={"k": [float("inf")]}, units=u)(ragged), "has inf"),
        (refused(sweep={"k": [None]}, units=u)(ragged), "has None"),
        (refused(sweep={"k": range(30_000)}, units=u)(ragged), "30,000 states"),
        (refused(sweep={"k": [1]}, dims={"a": ("k",)})(ragged), "two axes of one name"),
    ]


@pytest.mark.parametrize(("make", "message"), cases())
def test_a_mark_that_does_not_fit_the_result_is_refused(
    make: Callable[[], Dataset], message: str
) -> None:
    with pytest.raises(EncodingError, match=message):
        make()


# ---- the vectors that JavaScript's Dataset is tested on too --------------------------------------

ASKED: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (strides, {"stride": 0}, "bank"),
    (strides, {"stride": 3}, "bank"),
    (strides, {"stride": 2.0000000001}, "degree"),
    (strides, {"stride": 4}, "bank"),
    (strides, {"stride": 1.5}, "bank"),
    (strides, {"stride": "1"}, "bank"),
    (strides, {"strid": 1}, "bank"),
    (strides, {}, "bank"),
    (mixed, {"mode": "fast", "x": 0.5, "on": True}, "y"),
    (mixed, {"on": False, "x": 2, "mode": "slow"}, "label"),
    (mixed, {"mode": "slow", "x": 0.1, "on": True}, "pair"),
    (mixed, {"mode": "slow", "x": 0.1, "on": True}, "on_"),
    (mixed, {"mode": "slow", "x": 0.1, "on": 1}, "y"),
    (mixed, {"mode": "slow", "x": 0.2, "on": True}, "y"),
    (mixed, {"mode": "none", "x": 0.1, "on": True}, "y"),
    (traced, {"n": 1}, "total"),
    (traced, {"n": 3}, "n"),
    (traced, {"n": 3}, "steps"),
    (traced, {"n": 0}, "ordinals"),
    (traced, {"n": 0}, "start"),
    (single, {}, "a"),
    (single, {}, "b"),
    (single, {"k": 1}, "a"),
]


def plain(value: Any) -> Any:
    """Return a value as JSON has it; numbers that JSON lacks by their JavaScript names."""
    value = np.asarray(value).tolist()
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (np.inf, -np.inf):
            return "Infinity" if value > 0 else "-Infinity"
        return int(value) if value.is_integer() else value
    return value


def answer(function: Callable[..., Any], state: dict[str, Any], field: str) -> dict[str, Any]:
    found = made(function)
    try:
        return {"expected": plain(getattr(found.at(**state), field))}
    except StateError as error:
        return {"error": str(error).partition("; did you mean")[0]}


def test_states_are_those_of_the_vectors(request: pytest.FixtureRequest) -> None:
    vectors = [
        {"wire": wire(made(f)), "at": state, "field": field, **answer(f, state, field)}
        for f, state, field in ASKED
    ]
    if request.config.getoption("--rewrite") and not os.environ.get("CI"):
        lines = (json.dumps(vector, ensure_ascii=False) for vector in vectors)
        VECTORS.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    assert json.loads(VECTORS.read_text(encoding="utf-8")) == vectors
