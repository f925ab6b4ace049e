from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from explainers.errors import BuildError
from explainers.record import record
from explainers.store import Store

from .data.conftest import ARTICLE, Site
from .data.test_recorded import made

DATA = """
from pathlib import Path

@dataset(units={"two": "1"})
def two():
    return {"two": 2}

@dataset(needs="minutes", sweep={"k": [1, 2]}, units={"a": "s"})
def slow(k, two):
    # doubled
    return {"a": k * two.two * float(Path("factor.txt").read_text())}

@dataset(needs="torch", origin="measured", dims={"raw": ("repetition",)}, units={"raw": "s"})
def timed():
    return {"raw": [1.0, 2.0]}

@dataset(needs="minutes", units={"a": "s"})
def fails():
    return {"a": 1 / 0}
"""
TODAY = dt.date(2026, 11, 30)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site(tmp_path / "site")
    site.data(DATA)
    site.write(f"{ARTICLE}/factor.txt", "1.5")
    return site


def recorded(site: Site, name: str) -> Path:
    store = Store(site.root.parent / "store")
    return record(site.tree(), store, "one-two", name, TODAY, lambda _: None)


def test_a_recording_is_what_builds_use(site: Site) -> None:
    path = recorded(site, "slow")
    assert path == site.root / ARTICLE / "recorded/slow-1.json"
    assert made(site, "slow").a.tolist() == [3.0, 6.0]
    held = json.loads(path.read_text())
    assert list(held["reads"]) == [f"{ARTICLE}/factor.txt"]
    assert held["made"]["date"] == "2026-11-30"
    assert held["made"]["versions"]["numpy"]
    assert recorded(site, "slow") == path


def test_measurements_stand_beside_each_other_until_the_code_changes(site: Site) -> None:
    assert [recorded(site, "timed").name for _ in range(2)] == ["timed-1.json", "timed-2.json"]
    assert made(site, "timed").axis("recording") == (1, 2)
    site.data(DATA.replace("[1.0, 2.0]", "[1.0, 3.0]"))
    assert recorded(site, "timed").name == "timed-1.json"
    assert [p.name for p in (site.root / ARTICLE / "recorded").iterdir()] == ["timed-1.json"]
    assert made(site, "timed").at(recording=1).raw.tolist() == [1.0, 3.0]


def test_a_file_that_it_read_makes_it_stale(site: Site) -> None:
    recorded(site, "slow")
    site.write(f"{ARTICLE}/factor.txt", "1.6")
    with pytest.raises(BuildError) as caught:
        made(site, "slow")
    assert caught.value.problems[0].code == "stale-recording"


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [
        ("fails", "dataset-raised", "ZeroDivisionError"),
        ("two", "not-recorded", "is made by every build"),
        ("tow", "unknown-dataset", "tow"),
    ],
)
def test_what_cannot_be_recorded_is_said(site: Site, name: str, code: str, text: str) -> None:
    with pytest.raises(BuildError) as caught:
        recorded(site, name)
    (problem,) = caught.value.problems
    assert problem.code == code
    assert text in problem.message
    assert not (site.root / ARTICLE / "recorded").exists()


def test_the_inputs_of_a_recording_are_made_first(site: Site) -> None:
    recorded(site, "slow")
    assert site.run("slow").a.tolist() == [3.0, 6.0]
