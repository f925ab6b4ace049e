from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from explainers.data.values import About, Dataset, Field
from explainers.errors import BuildError
from explainers.recompute import Row, recompute, table, worst
from explainers.store import Store

from .data.conftest import Site

STAND_IN = Path(__file__).parent / "stand_in"
INF, NAN = np.inf, np.nan

DATA = """
@dataset(dims={"x": ("item",)})
def sums(xp=np):
    assert hasattr(xp, "exp")
    return {"x": xp.asarray([1.0, 2.0]).cumsum()}

@dataset(units={"n": "1"})
def plain(sums):
    return {"n": sums.x.sum()}

@dataset(needs="cuda", units={"t": "s"})
def timed():
    return {"t": 1.0}
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site(tmp_path / "site")
    site.data(DATA)
    return site


def rows(site: Site, device: str = "cpu") -> list[Row]:
    return recompute(site.tree(), Store(site.root.parent / "store"), device, workers=1)


def test_every_dataset_of_a_plain_build_is_made_again(site: Site) -> None:
    found = rows(site)
    assert [(row.name, row.difference, row.good) for row in found] == [
        ("sums", 0.0, True),
        ("plain", 0.0, True),
    ]


def test_on_another_library_only_those_that_take_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.pathsep.join([str(STAND_IN), *filter(None, [os.environ.get("PYTHONPATH")])])
    monkeypatch.setenv("PYTHONPATH", path)
    # A server of forks that runs already has the path it was started with.
    monkeypatch.syspath_prepend(STAND_IN)
    found = rows(site, "cuda")
    assert [(row.name, row.note != "") for row in found] == [("sums", False), ("plain", True)]
    assert "cupy" not in sys.modules


def test_one_that_fails_is_named(site: Site) -> None:
    site.data(DATA.replace("[1.0, 2.0]", "['a']"))
    with pytest.raises(BuildError) as caught:
        rows(site)
    assert '"sums"' in caught.value.problems[0].message


def one(values: object, unit: str = "1", **tolerance: float) -> Dataset:
    array = np.asarray(values)
    given = {"": tolerance.pop("all", 1e-12), **tolerance}
    about = About("d", {"a": Field(("item",), unit)}, tolerance=given)
    return Dataset(about, {"a": array})


@pytest.mark.parametrize(
    ("found", "expected", "unit", "difference", "good"),
    [
        ([1.0, 2.0], [1.0, 2.0], "1", 0.0, True),
        ([1.0, 2.0 + 2e-13], [1.0, 2.0], "1", 1e-13, True),
        ([1.0, 2.0 + 2e-11], [1.0, 2.0], "1", 1e-11, False),
        ([3e-16], [1e-16], "1", 2e-16, True),
        ([3e-16], [1e-16], "s", 2.0, False),
        ([NAN, INF], [NAN, INF], "1", 0.0, True),
        ([NAN, -INF], [NAN, INF], "1", INF, False),
        ([1.0], [NAN], "1", INF, False),
        ([INF], [1.0], "1", INF, False),
        ([1, 2], [1, 2], "1", 0.0, True),
        ([1, 4], [1, 2], "1", 1.0, False),
        ([True], [False], "1", 1.0, False),
        (["a"], ["a"], "1", 0.0, True),
        (["a"], ["b"], "1", INF, False),
        ([0.0], [0.0], "s", 0.0, True),
        ([1.0], [1.0, 2.0], "1", INF, False),
    ],
)
def test_differences_are_relative_and_odd_numbers_must_be_the_same(
    found: object, expected: object, unit: str, difference: float, good: bool
) -> None:
    name, measured, allowed = worst(one(found, unit), one(expected, unit))
    assert name == "a"
    assert measured == pytest.approx(difference, rel=1e-3)
    assert (measured <= allowed) == good


def test_a_tolerance_may_name_a_field_of_whole_numbers() -> None:
    assert worst(one([3], a=0.5), one([2], a=0.5))[1:] == (0.5, 0.5)


def test_the_table_has_a_row_for_each() -> None:
    made = [Row("s", "a", "x", 1e-15, 1e-12), Row("s", "b", "y", 1.0, 0.0), Row("s", "c", note="n")]
    assert table(made).splitlines()[1].split() == ["s/a", "1.0e-15", "x", "1.0e-12"]
    assert table(made).splitlines()[2].endswith("too far")
    assert table(made, markdown=True).splitlines()[1] == "|---|---|---|---|---|"
