"""What machines read: well formed, whole addresses, the same days everywhere."""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from explainers.config import Config
from explainers.feeds import ATOM, SITEMAP, Item, atom, json_feed, llms, sitemap

from .conftest import Site

NASTY = "Is 1 < 2 & \"3\" > '2'? \N{ELECTRIC LIGHT BULB}"
BASE = "https://tiny.example/sub/"
CONFIG = Config("Tiny & co", "For tests", BASE, "Pacific/Auckland", authors=("Ada",))
ITEM = Item(
    title=NASTY,
    url=f"{BASE}a/",
    date=dt.date(2026, 8, 1),
    updated=None,
    summary=NASTY,
    twin=f"{BASE}a.md",
    content="<p>1 &lt; 2 ]]></p>",
    tags=("C++", "चुंबक"),
)
DOT = """import { figure, html } from "explainers"
export default figure({
  draw: ({ data }) => html`<svg viewBox="0 0 9 9"><circle class="dot" r=${data.total} /></svg>`,
  describe: ({ data }) => `A dot of <${data.total}> & more.`,
})
"""
DATA = '''from explainers import dataset


@dataset(units={"total": "1"})
def sums(xp) -> dict:
    """The sum of the first four squares."""
    return {"total": (xp.arange(5) ** 2).sum()}
'''
BODY = """Text $x^2$ with a {value}`sums.total` and a note.[^1] See [b](../b/index.md#part).

:::{figure} dot
:label: dot
:data: sums
A {value}`sums.total` dot.
:::

![A plot](plot.svg)

Back to {ref}`dot`.

[^1]: The note.
"""
WHOLE = re.compile(r"https://tiny\.example/sub/")


def tag(name: str) -> str:
    return f"{{{ATOM}}}{name}"


def published(site: Site, figure: str = DOT) -> Site:
    site.write("content/site.yaml", f"title: Tiny\nbase_url: {BASE}\nauthors: [Ada]\n")
    site.article(
        "a",
        BODY,
        DATA,
        date="2026-08-02",
        title=json.dumps(NASTY, ensure_ascii=False),
        tags="[C++]",
    )
    site.write("content/articles/a/dot.js", figure)
    plot = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    site.write("content/articles/a/plot.svg", plot)
    site.article("b", "## Part\n\nText.\n")
    site.article("draft", "Text.\n", draft="true")
    result = site.build()
    assert (result.code, result.err) == (0, "")
    return site


def read(site: Site, path: str) -> str:
    return (site.root / "_site" / path).read_text(encoding="utf-8")


# ---- the texts ---------------------------------------------------------------------------------


def test_an_atom_feed_has_what_it_must_have() -> None:
    feed = ET.fromstring(atom(CONFIG, [ITEM]).data)
    assert [feed.findtext(tag(name)) for name in ("id", "title", "subtitle")] == [
        BASE, "Tiny & co", "For tests",
    ]  # fmt: skip
    assert feed.findtext(f"{tag('author')}/{tag('name')}") == "Ada"
    links = {link.get("rel"): link.get("href") for link in feed.findall(tag("link"))}
    assert links == {"self": f"{BASE}feed.xml", "alternate": BASE}
    entry = feed.find(tag("entry"))
    assert entry is not None
    assert [entry.findtext(tag(name)) for name in ("id", "title", "summary", "content")] == [
        ITEM.url, NASTY, NASTY, ITEM.content,
    ]  # fmt: skip
    assert [c.get("term") for c in entry.findall(tag("category"))] == ["C++", "चुंबक"]


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Pago_Pago", "UTC"])
def test_a_day_stays_that_day(zone: str) -> None:
    config = Config("Tiny", base_url=BASE, time_zone=zone)
    feed = ET.fromstring(atom(config, [ITEM]).data)
    dates = [element.text or "" for element in feed.iter(tag("updated"))]
    dates.append(json.loads(json_feed(config, [ITEM]).data)["items"][0]["date_published"])
    assert {date[:10] for date in dates} == {"2026-08-01"}
    assert all(re.fullmatch(r"[\d-]{10}T12:00:00[+-]\d\d:\d\d", date) for date in dates)


def test_a_feed_of_nothing_is_a_feed() -> None:
    feed = ET.fromstring(atom(CONFIG, []).data)
    assert feed.findtext(tag("updated"))
    assert json.loads(json_feed(CONFIG, []).data)["items"] == []


def test_a_json_feed_has_what_it_must_have() -> None:
    feed: dict[str, Any] = json.loads(json_feed(CONFIG, [ITEM]).data)
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert (feed["home_page_url"], feed["feed_url"]) == (BASE, f"{BASE}feed.json")
    item = feed["items"][0]
    assert (item["id"], item["title"], item["content_html"]) == (ITEM.url, NASTY, ITEM.content)


def test_a_sitemap_has_addresses_and_days() -> None:
    root = ET.fromstring(sitemap([(BASE, None), (ITEM.url, ITEM.date)]).data)
    found = [[child.text for child in url] for url in root.findall(f"{{{SITEMAP}}}url")]
    assert found == [[BASE], [ITEM.url, "2026-08-01"]]


def test_llms_names_twins_and_brackets_do_no_harm() -> None:
    item = Item("A [b]", f"{BASE}b/", dt.date(2026, 8, 1), None, "S", f"{BASE}b.md")
    text = llms(CONFIG, [("Articles", [item]), ("Series", [])]).data.decode()
    assert f"- [A (b)]({BASE}b.md): S" in text
    assert "Series" not in text


# ---- of a whole site ---------------------------------------------------------------------------


def test_feeds_hold_whole_articles_with_whole_addresses(site: Site) -> None:
    published(site)
    feed = ET.fromstring(read(site, "feed.xml"))
    entries = feed.findall(tag("entry"))
    assert [entry.findtext(tag("id")) for entry in entries] == [f"{BASE}a/", f"{BASE}b/"]
    assert entries[0].findtext(tag("title")) == "Is 1 < 2 & “3” > ‘2’? \N{ELECTRIC LIGHT BULB}"
    content = entries[0].findtext(tag("content")) or ""
    assert content == json.loads(read(site, "feed.json"))["items"][0]["content_html"]
    addresses = re.findall(r'(?:href|src)="([^"]*)"', content)
    assert len(addresses) >= 6
    assert [address for address in addresses if not WHOLE.match(address)] == []
    assert f"{BASE}b/#part" in addresses
    assert f"{BASE}a/#fn-1" in addresses
    assert "<math" in content
    assert "katex" not in content
    assert "<script" not in content
    assert ">30</data>" in content


def test_a_figure_in_a_feed_is_a_picture_of_its_own(site: Site) -> None:
    published(site)
    content = json.loads(read(site, "feed.json"))["items"][0]["content_html"]
    found = re.search(rf'<a href="{BASE}a/#dot"><img src="{BASE}(_/[^"]+)" alt="([^"]+)"', content)
    assert found
    assert found[2] == "A dot of &lt;30&gt; &amp; more."
    picture = ET.fromstring(read(site, found[1]))
    # Some space around it: on a page it may reach beyond its frame.
    assert (picture.get("width"), picture.get("height")) == ("29", "29")
    assert picture.get("viewBox") == "-10 -10 29 29"
    assert picture.find(".//{http://www.w3.org/2000/svg}circle") is not None
    style = picture.findtext("{http://www.w3.org/2000/svg}style") or ""
    assert "--paper: #f4f5f1" in style
    assert "@" not in style


PLATE = """import { figure, html } from "explainers"
export default figure({
  draw: ({ data }) => html`<svg viewBox="0 0 9 9" class="plate"><g class=""><svg x="1"
    viewBox="0 0 1 1"><path class=${""} d="M0 0" /></svg></g></svg>`,
  describe: () => "A plate.",
})
"""
BOARD = """import { figure, html } from "explainers"
export default figure({
  draw: ({ data }) => html`<div class="board"><span>${data.total}</span></div>`,
  describe: ({ data }) => `The total is ${data.total}.`,
  table: ({ data }) => ({ caption: "All", columns: ["what", "value"], rows: [["a<b", 30]] }),
})
"""


def test_a_nested_picture_is_whole_and_wears_the_style_of_its_kind(site: Site) -> None:
    site.write(
        "content/articles/a/dot.css", ".plate { fill: red }\n@media print { .plate { x: 0 } }\n"
    )
    published(site, PLATE)
    content = json.loads(read(site, "feed.json"))["items"][0]["content_html"]
    found = re.search(rf'<img src="{BASE}(_/[^"]+)" alt="A plate."', content)
    assert found
    picture = ET.fromstring(read(site, found[1]))
    assert picture.get("class") == "picture plate"
    assert [path.get("d") for path in picture.iter("{http://www.w3.org/2000/svg}path")] == ["M0 0"]
    style = picture.findtext("{http://www.w3.org/2000/svg}style") or ""
    assert ".plate { fill: red }" in style
    assert "@" not in style


def test_a_board_that_is_no_picture_is_told_in_words_and_numbers(site: Site) -> None:
    published(site, BOARD)
    content = json.loads(read(site, "feed.json"))["items"][0]["content_html"]
    told = content[content.index("The total is 30.") :]
    assert f'<a href="{BASE}a/#dot">' in told
    table = re.search(r"<table>.*?</table>", told, re.DOTALL)
    assert table
    rows = ET.fromstring(table[0])
    assert [cell.text for cell in rows.iter() if cell.tag in ("th", "td")] == [
        *("what", "value"),
        *("a<b", "30"),
    ]
    assert "<button" not in content


def test_every_page_but_the_missing_one_says_where_it_lives(site: Site) -> None:
    published(site)
    listed = {
        url.text for url in ET.fromstring(read(site, "sitemap.xml")).iter(f"{{{SITEMAP}}}loc")
    }
    pages = {path for path in site.output() if path.endswith(".html")} - {"404.html"}
    found = set()
    for path in pages:
        address = re.search(r'<link rel="canonical" href="([^"]+)">', read(site, path))
        assert address, path
        found.add(address[1])
        assert address[1] == BASE + path.removesuffix("index.html")
    assert found == listed
    assert "canonical" not in read(site, "404.html")
    assert "draft" not in read(site, "sitemap.xml") + read(site, "llms.txt")
    assert f"Sitemap: {BASE}sitemap.xml" in read(site, "robots.txt")


def test_another_base_url_changes_what_is_absolute_and_nothing_else(site: Site) -> None:
    published(site)
    before = site.output()
    result = site.build("--base-url", "https://other.example/")
    assert result.code == 0
    after = site.output()
    assert before.keys() == after.keys()
    changed = {path for path in before if before[path] != after[path]}
    assert not {path for path in changed if path.startswith("_/")}
    other = after["a/index.html"].decode().replace("https://other.example/", BASE)
    mark = r"sha256-[\w+/=]+"
    assert re.sub(mark, "", other) == re.sub(mark, "", before["a/index.html"].decode())


def test_a_site_without_an_address_has_no_feeds(site: Site) -> None:
    site.write("content/site.yaml", "title: Tiny\n")
    site.article("a", "Text.\n")
    assert site.build().code == 0
    files = {path for path in site.output() if not path.startswith("_/")}
    assert not files & {"feed.xml", "feed.json", "sitemap.xml", "llms.txt"}
    assert {"robots.txt", "a.md"} <= files
    assert "canonical" not in site.page("a")
    assert "feed.xml" not in site.page("a")


def test_sample_data_stays_out_of_the_feeds(site: Site) -> None:
    site.article("a", "It is {value}`prices.close[0]`.\n")
    site.write("content/articles/a/prices.csv", "close\n3\n4\n")
    about = (
        "source: made up\nlicence: CC0\nas of: 2026-08-01\nstatus: sample\nunits: {close: USD}\n"
    )
    site.write("content/articles/a/prices.yaml", about)
    site.article("b", "Text.\n")
    result = site.build()
    assert (result.code, result.err) == (0, "")
    feed = json.loads(read(site, "feed.json"))
    assert [item["title"] for item in feed["items"]] == ["B"]


def test_a_feed_has_the_newest_alone(site: Site) -> None:
    for number in range(25):
        site.article(f"a{number:02}", "Text.\n", date=f"2026-07-{number + 1:02}")
    assert site.build().code == 0
    titles = [item["title"] for item in json.loads(read(site, "feed.json"))["items"]]
    assert titles == [f"A{number:02}" for number in range(24, 4, -1)]
