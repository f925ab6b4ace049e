from __future__ import annotations

from explainers import origins
from explainers.data.key import Keys
from explainers.data.plain import as_csv, as_json
from explainers.data.supplied import SAMPLE, Supply

from .data.conftest import ARTICLE, Site, folder  # noqa: F401 - a fixture
from .data.test_recorded import record, site
from .data.test_supplied import ABOUT, MEAN, PRICES

SUPPLY = Supply("prices", "p", "a", "An exchange", "CC0", "2026-05-01", status="sample")


def test_what_a_dataset_rests_on_is_found_behind_its_inputs(folder: Site) -> None:  # noqa: F811
    record(site(folder))
    record(folder, number=2)
    found = origins.ground(Keys(folder.tree()), "one-two", "best")
    assert [made["device"] for made in found.made] == ["a device", "a device"]
    assert origins.notes(found, "measured") == ["Measured on a device, 30 November 2026."]
    assert dict(origins.facts(found))["recording 2"] == "30 November 2026; a device"


def test_a_supplied_file_says_where_it_is_from(folder: Site) -> None:  # noqa: F811
    folder.write(f"{ARTICLE}/prices.csv", PRICES)
    folder.write(f"{ARTICLE}/prices.yaml", ABOUT)
    folder.data(MEAN)
    found = origins.ground(Keys(folder.tree()), "one-two", "mean")
    assert origins.notes(found, "cited") == ["Data: A made-up exchange, as of 1 May 2026."]
    assert dict(origins.facts(found))["licence"] == "CC0"


def test_a_sample_is_said_in_words() -> None:
    (where, what) = origins.notes(origins.Ground((SUPPLY,)), "sample")
    assert where == "Data: An exchange, as of 1 May 2026."
    assert what == "Sample data, made up to show the form; no conclusion can be drawn from it."
    assert ("status", SAMPLE) in list(origins.facts(origins.Ground((SUPPLY,))))


def test_what_is_no_date_stays() -> None:
    assert origins.day("spring 2026") == "spring 2026"


def test_a_dataset_is_taken_away_as_json_and_as_csv_where_it_is_a_table(
    folder: Site,  # noqa: F811
) -> None:
    folder.data(
        """
        @dataset(sweep={"k": [1, 2], "t": ["a"]}, units={"a": "s", "b": "1"})
        def table(k, t):
            return {"a": np.inf if k == 1 else 0.1, "b": k}

        @dataset(dims={"a": ("item",)}, units={"a": "s", "b": "1"})
        def other():
            return {"a": [1, 2], "b": 3}
        """
    )
    assert as_csv(folder.run("table")) == "k,t,a (s),b\n1,a,inf,1\n2,a,0.1,2\n"
    assert '"values": [["inf"], [0.1]]' in as_json(folder.run("table"))
    assert as_csv(folder.run("other")) is None
