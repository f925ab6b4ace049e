"""The page that lists every dataset of a site."""

from __future__ import annotations

import re

from ..conftest import Site

DATA = """
from explainers import dataset

@dataset(units={"a": "1"})
def plain():
    "A number."
    return {"a": 1}

@dataset(units={"a": "1"}, origin="modelled")
def model(plain):
    return {"a": 2}

@dataset(units={"m": "USD"})
def mean(prices):
    return {"m": prices.close.mean()}

@dataset(units={"a": "1"})
def unused():
    return {"a": 1}
"""
ABOUT = "source: An exchange\nlicence: CC0\nas of: 2026-05-01\nunits: {close: USD}\n"


def test_every_dataset_that_a_page_draws_on_is_listed_with_its_origin(site: Site) -> None:
    site.write("content/articles/sums/prices.csv", "close\n1\n2\n")
    site.write("content/articles/sums/prices.yaml", ABOUT)
    text = "{value}`plain.a`, {value}`model.a`, {value}`mean.m | fixed(1)`.\n\nWords."
    site.article("sums", text, data=DATA)
    built = site.build()
    assert built.code == 0, built.err
    page = site.page("how-it-is-made")
    listed = re.findall(r'#made-(\w+)"><code>\w+</code></a> <span class="quiet">(\w+)', page)
    assert listed == [
        ("plain", "computed"),
        ("model", "modelled"),
        ("mean", "cited"),
        ("prices", "cited"),
    ]
    assert "Data: An exchange, as of 1 May 2026." in page
    article = site.page("sums")
    assert [name for name, _ in listed] == re.findall(r'<details id="made-(\w+)">', article)
    assert re.findall(r'<data class="num (\w+)"', article) == ["computed", "modelled", "cited"]


def test_a_sites_page_of_datasets_is_kept_while_none_changes(site: Site) -> None:
    site.article("sums", "{value}`plain.a`.", data=DATA)
    assert site.build().code == 0
    before = (site.root / "_site/how-it-is-made/index.html").stat().st_mtime_ns
    site.article("sums", "{value}`plain.a`, again.", data=DATA)
    assert site.build().code == 0
    assert (site.root / "_site/how-it-is-made/index.html").stat().st_mtime_ns == before


def test_a_caption_says_that_its_data_is_made_up(site: Site) -> None:
    site.write("content/articles/sums/prices.csv", "close\n1\n2\n")
    site.write("content/articles/sums/prices.yaml", ABOUT + "status: sample\n")
    site.write(
        "content/articles/sums/dots.js",
        'import { figure, html } from "explainers"\n'
        'export default figure({ draw({ data }) { return html`<svg viewBox="0 0 9 9"></svg>` },'
        ' describe() { return "Dots." } })\n',
    )
    site.article("sums", ":::{figure} dots\n:data: prices\n\nPrices.\n:::\n")
    built = site.build()
    assert built.code == 0, built.err
    assert (
        "Data: An exchange, as of 1 May 2026. Sample data, made up to show the form; no conclusion "
        "can be drawn from it.</span></figcaption>"
    ) in site.page("sums")
