"""Sites of no article, of one, and of a thousand: what every list, feed and link then says."""

from __future__ import annotations

import datetime as dt
import json
import re
from xml.etree import ElementTree as ET

import pytest

from explainers.feeds import ATOM, SITEMAP

from .conftest import Site

FIRST = dt.date(2024, 1, 1)


def filled(site: Site, articles: int) -> list[str]:
    """Write so many articles, a day apart, build, and return their slugs, newest first."""
    for n in range(articles):
        day = FIRST + dt.timedelta(days=n)
        before = f"[the one before](../a{n - 1:04}/index.md)" if n else "nothing"
        said = {"tags": f"[all, tag-{n % 7}]", "date": day.isoformat(), "title": f"Article {n}"}
        site.article(f"a{n:04}", f"## Part\n\nAfter {before}.\n", **said)
    result = site.build("--date", "2027-01-01")
    assert (result.code, result.err) == (0, "")
    return [f"a{n:04}" for n in reversed(range(articles))]


def read(site: Site, path: str) -> str:
    return (site.root / "_site" / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("articles", [0, 1, pytest.param(1000, marks=pytest.mark.slow)])
def test_lists_feeds_and_links_of_a_site_of_any_size(site: Site, articles: int) -> None:
    newest = filled(site, articles)
    listed = read(site, "all/index.html")
    assert f"{articles:,} published" in listed or f"{articles} published" in listed
    assert re.findall(r'<h2><a href="\.\./(a\d+)/">', listed) == newest
    feed = ET.fromstring(read(site, "feed.xml"))
    told = [entry.findtext(f"{{{ATOM}}}id") for entry in feed.iter(f"{{{ATOM}}}entry")]
    assert told == [f"https://tiny.example/{slug}/" for slug in newest[:20]]
    assert len(json.loads(read(site, "feed.json"))["items"]) == min(20, articles)
    sitemap = ET.fromstring(read(site, "sitemap.xml"))
    addresses = {url.text for url in sitemap.iter(f"{{{SITEMAP}}}loc")}
    assert {f"https://tiny.example/{slug}/" for slug in newest} <= addresses
    tags = {path.parent.name for path in (site.root / "_site").glob("tags/*/index.html")}
    assert tags == ({"all"} if articles else set()) | {f"tag-{n}" for n in range(min(7, articles))}
    if articles:
        everything = read(site, "tags/all/index.html")
        assert re.findall(r'<h2><a href="\.\./\.\./(a\d+)/">', everything) == newest
        assert f'href="{newest[0]}/"' in read(site, "index.html")
        for slug in newest[:: max(1, articles // 20)]:
            page = read(site, f"{slug}/index.html")
            own = int(slug[1:])
            links = set(re.findall(r'href="\.\./(a\d+)/"', page))
            # What it names and what comes next exist; none leads to itself.
            assert links <= set(newest) - {slug}
            assert own == 0 or f"a{own - 1:04}" in links
    again = site.build("--date", "2027-01-01")
    assert again.out.startswith("0 files written")
