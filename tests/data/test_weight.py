from __future__ import annotations

import json

import numpy as np
import pytest

from explainers.data import weight
from explainers.data.codec import wire
from explainers.data.values import About, Dataset, Field
from explainers.errors import Span

SPAN = Span("index.md", 3)


def wired(**values: object) -> str:
    fields = {name: Field(("item",), "s") for name in values}
    arrays = {name: np.asarray(value) for name, value in values.items()}
    return json.dumps(wire(Dataset(About("d", fields), arrays)))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (np.arange(200.0), "u8"),
        (np.arange(-3.0, 100), "i8"),
        (np.arange(60_000.0), "u16"),
        (np.array([-40_000.0]), "i32"),
        (np.array([0.5]), "f32"),
        (np.array([np.nan, 1.0]), "f32"),
        (np.array([1e300]), None),
        (np.arange(9, dtype="u1"), None),
        (np.arange(9, dtype="i4"), "u8"),
        (np.array(["a"]), None),
        (np.array([True]), None),
    ],
)
def test_a_narrower_type_that_holds_every_number_is_proposed(
    values: object, kind: str | None
) -> None:
    assert weight.proposal(wired(a=values)) == ({"a": kind} if kind else {})


def test_a_figure_and_an_article_have_a_budget_and_the_way_out_is_named() -> None:
    rng = np.random.default_rng(1)
    wires = {name: wired(x=rng.random(8_000), n=np.arange(9.0)) for name in "abcd"}
    sizes = {name: weight.size(text) for name, text in wires.items()}
    assert 50_000 < sizes["a"] < 65_000
    assert list(weight.heavy([(SPAN, "a")], {"a": wires["a"]}, {"a": 59_000})) == []
    (one,) = weight.heavy([(SPAN, "ab")], wires, {"a": 50_000, "b": 20_000})
    assert one.message == "this figure loads 70 kB of data, compressed; 60 kB are allowed"
    assert one.hint == 'wire={"x": "f32", "n": "u8"} narrows a; or sweep fewer values'
    assert one.span == SPAN
    (whole,) = weight.heavy([(SPAN, n) for n in "abcd"], wires, dict.fromkeys("abcd", 59_000))
    assert "the figures of this page load 236 kB" in whole.message
