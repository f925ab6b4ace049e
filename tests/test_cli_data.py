from __future__ import annotations

import json
from pathlib import Path

import pytest

from explainers.cli import main

from .data.conftest import ARTICLE, Site

DATA = """
@dataset(sweep={"k": [1, 2]}, dims={"a": ("item",)}, units={"a": "s"})
def series(k):
    "A series of k."
    return {"a": np.arange(12) * k + 0.5}

@dataset(needs="minutes", units={"n": "1"})
def slow():
    return {"n": np.inf}
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    site = Site(tmp_path / "site")
    site.data(DATA)
    site.write(f"{ARTICLE}/prices.csv", "close\n1\n")
    site.write(
        f"{ARTICLE}/prices.yaml", "source: us\nlicence: CC0\nas of: 2026\nunits: {close: USD}\n"
    )
    monkeypatch.chdir(site.root)
    return site


@pytest.mark.usefixtures("site")
class TestData:
    def test_an_articles_datasets_are_listed(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["data", "one-two"]) == 0
        assert capsys.readouterr().out.splitlines() == [
            "prices [supplied (us, as of 2026)]",
            "series over k [to run]: A series of k.",
            "slow [recorded, needs minutes]",
        ]
        assert main(["data", "one-two/series"]) == 0
        assert main(["data", "one-two"]) == 0
        assert "series over k [kept]" in capsys.readouterr().out

    def test_one_is_run_and_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["data", "one-two/series", "--set", "k=2"]) == 0
        out, err = capsys.readouterr()
        head, field = out.splitlines()
        assert head == "series, computed"
        assert field == "  a (item 12, s): 0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, … (12)"
        assert err == "running one-two/series\n1/1 one-two/series\n"

    def test_every_number_is_printed_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["record", "one-two/slow"]) == 0
        assert "recorded/slow-1.json" in capsys.readouterr().out
        assert main(["data", "one-two/slow", "--json"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert made["fields"] == {"n": {"dims": [], "unit": "1", "values": "inf"}}

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (["data", "one-three"], 'no article named "one-three"'),
            (["data", "one-two/serie"], 'no dataset named "serie" in one-two'),
            (["data", "one-two/slow"], "was never recorded"),
            (["data", "one-two/series", "--set", "k=3"], "no state k=3; k is one of 1, 2"),
            (["data", "one-two/series", "--set", "j=3"], 'no axis "j"'),
            (["record", "one-two/series"], "is made by every build"),
            (["data", "one-two", "--set", "k=3"], "SLUG/NAME: one-two/prices, one-two/series"),
        ],
    )
    def test_a_mistake_is_said(
        self, arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(arguments) == 1
        assert text in capsys.readouterr().err

    def test_record_says_what_it_wants(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["record", "one-two"]) == 2
        said = "explainers: record wants one dataset, SLUG/NAME; there are one-two/slow\n"
        assert capsys.readouterr().err == said

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("one-two", [("prices", []), ("series", ["k"]), ("slow", [])]),
            ("one-three", "unknown-article"),
            ("one-two/serie", "unknown-dataset"),
            ("one-two/slow", "not-recorded"),
            ("one-two --set k=3", "unknown-dataset"),
            ("one-two/series --set k=3", "unknown-state"),
            ("one-two/series --set j=3", "unknown-state"),
        ],
    )
    def test_with_json_all_that_is_printed_is_json(
        self, words: str, found: object, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code = main(["data", *words.split(), "--json"])
        said = json.loads(capsys.readouterr().out)
        if isinstance(found, str):
            assert code == 1
            assert [problem["code"] for problem in said] == [found]
        else:
            assert code == 0
            assert [(row["name"], row["over"]) for row in said] == found

    def test_datasets_are_made_again(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--recompute"]) == 0
        out = capsys.readouterr().out
        assert "one-two/series  0.0e+00" in out
        assert "numpy" in out
