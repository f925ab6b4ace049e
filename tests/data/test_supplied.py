from __future__ import annotations

import hashlib

import numpy as np
import pytest

from explainers.compute import Computer
from explainers.data.codec import decode
from explainers.data.supplied import KINDS, Supplies
from explainers.errors import BuildError, Problem, Span, show
from explainers.model import Expression
from explainers.store import Store

from .conftest import ARTICLE, Site

ABOUT = """
source: A made-up exchange
licence: CC0
as of: 2026-05-01
units: {close: USD, volume: "1"}
"""
PRICES = "day,close,volume\nMon,1.5,3\nTue,2,4\n"

MEAN = """
@dataset(units={"mean": "USD"})
def mean(prices):
    return {"mean": prices.close.mean()}
"""


def supply(folder: Site, about: str = ABOUT, text: str = PRICES, name: str = "prices.csv") -> None:
    folder.write(f"{ARTICLE}/{name}", text)
    folder.write(f"{ARTICLE}/{name.rpartition('.')[0]}.yaml", about)


def computer(folder: Site) -> Computer:
    return Computer(folder.tree(), Store(folder.root.parent / "store"), "code", workers=1)


def made(folder: Site, name: str = "prices") -> object:
    found = computer(folder)
    span = found.keys.datasets("one-two")[name].span
    return decode(found.datasets([("one-two", name, span)])["one-two", name])


def problem(folder: Site) -> Problem:
    with pytest.raises(BuildError) as caught:
        made(folder)
    return caught.value.problems[0]


def test_a_table_beside_its_provenance_is_a_dataset(folder: Site) -> None:
    supply(folder)
    found = made(folder)
    assert found.day.tolist() == ["Mon", "Tue"]
    assert found.close.tolist() == [1.5, 2.0]
    assert found.volume.dtype == np.int64
    assert found.units == {"day": "", "close": "USD", "volume": "1"}
    assert found.dims["close"] == ("row",)
    assert found.origin == "cited"
    assert folder.run("prices").close.tolist() == [1.5, 2.0]


def test_a_column_can_be_the_axis(folder: Site) -> None:
    supply(folder, ABOUT + "axis: day\n")
    found = made(folder)
    assert found.axis("day") == ("Mon", "Tue")
    assert found.at(day="Tue").close == 2.0


def test_objects_and_arrays_are_datasets_too(folder: Site) -> None:
    rows = '[{"close": 1, "volume": 2}, {"close": null, "volume": 3}]'
    supply(folder, text=rows, name="prices.json")
    np.testing.assert_array_equal(made(folder).close, [1, np.nan])
    about = ABOUT.replace("{close: USD", "{grid: m, close: USD") + "dims: {grid: [y, x]}\n"
    folder.write(f"{ARTICLE}/grids.yaml", about)
    np.savez(
        folder.root / ARTICLE / "grids.npz",
        grid=np.eye(2),
        close=1.5,
        volume=np.arange(3, dtype=">i4"),
    )
    found = made(folder, "grids")
    assert found.dims == {"grid": ("y", "x"), "close": (), "volume": ("row",)}
    assert found.close == 1.5


def test_a_dataset_takes_a_file_as_parameter_and_its_origin(folder: Site) -> None:
    supply(folder)
    folder.data(MEAN)
    found = made(folder, "mean")
    assert (found.mean, found.origin) == (1.75, "cited")
    assert folder.run("mean").mean == 1.75


def test_its_key_changes_with_the_file_and_what_is_said_of_it(folder: Site) -> None:
    supply(folder)
    before = folder.keys()
    supply(folder, text=PRICES.replace("1.5", "1.6"))
    assert folder.keys() != before
    supply(folder, ABOUT + "# a remark\n")
    assert folder.keys() == before
    supply(folder, ABOUT.replace("USD", "EUR"))
    assert folder.keys() != before


@pytest.mark.parametrize(
    ("about", "message", "line"),
    [
        ("source: x", 'does not say "as of"', 1),
        (ABOUT + "state: sample\n", 'nothing is called "state"', 6),
        (ABOUT + "status: fake\n", 'no status "fake"', 6),
        (ABOUT + "dims: close\n", '"dims" is no table', 6),
        ("- a\n", "says nothing of the file", 1),
        ("a: [", "no YAML", 2),
        (ABOUT + "sha256: beef\n", "is not the file that prices.yaml tells of", 1),
    ],
)
def test_what_is_wrong_with_the_provenance_is_said(
    folder: Site, about: str, message: str, line: int
) -> None:
    supply(folder, about.lstrip())
    found = problem(folder)
    assert message in found.message
    assert found.code == "supplied-data"
    assert found.span is not None and found.span.path.endswith("prices.yaml")
    assert found.span.line in (line, line - 1)


def test_the_digest_that_is_right_is_taken(folder: Site) -> None:
    digest = hashlib.sha256(PRICES.encode()).hexdigest()
    supply(folder, ABOUT + f"sha256: {digest}\n")
    assert made(folder).close.tolist() == [1.5, 2.0]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("day,close,volume\nMon,1.5\n", "2 values for 3 columns", 2),
        ("day,close,close\nMon,1,2\n", "two columns have one name", 1),
        ("day,close,volume\n", "and then rows of values", 1),
        ("day,close,volume,Open (USD)\nMon,1,2,3\n", "is no name for a field", 1),
        ("day,close,volume,more\nMon,1,2,3\n", 'nothing says the unit of "more"', 1),
        ("day,close\nMon,1\n", 'units names "volume"', 1),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_line(
    folder: Site, text: str, message: str, line: int
) -> None:
    supply(folder, text=text)
    found = problem(folder)
    assert message in found.message
    assert found.span is not None
    assert (found.span.path, found.span.line) == (f"{ARTICLE}/prices.csv", line)
    assert f"{ARTICLE}/prices.csv" in show(found, lambda path: (folder.root / path).read_text())


def test_codes_and_gaps_stay_what_they_are(folder: Site) -> None:
    about = ABOUT.replace("close: USD, volume", "size")
    supply(folder, about, "code,size,open\n007,,true\n1_0,2,false\n")
    found = made(folder)
    assert found.code.tolist() == ["007", "1_0"]
    np.testing.assert_array_equal(found.size, [np.nan, 2])
    assert found.open.tolist() == [True, False]


@pytest.mark.parametrize("kind", KINDS)
def test_foreign_bytes_are_refused(folder: Site, kind: str) -> None:
    supply(folder, name=f"prices{kind}", text="\x00\x01")
    assert problem(folder).code == "supplied-data"


def test_a_function_of_the_same_name_is_refused(folder: Site) -> None:
    supply(folder)
    folder.data("@dataset(units={'a': '1'})\ndef prices():\n    return {'a': 1}\n")
    assert "both a function and the supplied file" in problem(folder).message


def test_a_file_without_provenance_is_only_a_file(folder: Site) -> None:
    folder.write(f"{ARTICLE}/prices.csv", PRICES)
    assert Supplies(folder.tree()).of("one-two") == {}


@pytest.mark.parametrize("use", ["claim", "answer", "number"])
def test_samples_carry_no_conclusion(folder: Site, use: str) -> None:
    supply(folder, ABOUT + "status: sample\n")
    folder.data(MEAN)
    found = computer(folder)
    span = found.keys.datasets("one-two")["mean"].span
    data = found.datasets([("one-two", "mean", span)])
    value = Expression("mean.mean | fixed(2)", "value", span)
    assert found.values("one-two", [value], data)[value].origin == "sample"
    with pytest.raises(BuildError) as caught:
        found.values("one-two", [Expression("mean.mean > 1", use, span)], data)
    assert caught.value.problems[0].code == "sample-conclusion"


def test_what_is_worked_out_from_a_cited_number_is_cited(folder: Site) -> None:
    span = Span("index.md", 1, 1, 1)
    limit = Expression("50", "define", span, name="cache")
    own = Expression("2 * 3", "number", span, name="own")
    asked = [Expression(f"numbers.{text}", "value", span) for text in ("cache", "own")]
    both = Expression("(numbers.own + numbers.cache)", "value", span)
    found = computer(folder).values("one-two", [*asked, both, own, limit], {})
    assert [found[e].value for e in (*asked, both)] == [50, 6, 56]
    assert [found[e].origin for e in (*asked, both)] == ["cited", "computed", "cited"]
