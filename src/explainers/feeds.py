"""What machines read: feeds, the sitemap, robots.txt, llms.txt. Every address in them is whole."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

from .config import Config
from .model import Output

ATOM = "http://www.w3.org/2005/Atom"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass(frozen=True, slots=True)
class Item:
    """An article as feeds and lists for machines tell of it; `content` is HTML."""

    title: str
    url: str
    date: dt.date
    updated: dt.date | None
    summary: str
    twin: str = ""
    content: str = ""
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    lang: str = ""


def atom(config: Config, items: Sequence[Item]) -> Output:
    """Return the Atom feed."""
    feed = ET.Element("feed", {"xmlns": ATOM, "xml:lang": config.lang})
    _text(feed, "id", config.base_url)
    _text(feed, "title", config.title)
    if config.tagline:
        _text(feed, "subtitle", config.tagline)
    ET.SubElement(feed, "link", {"rel": "self", "href": f"{config.base_url}feed.xml"})
    ET.SubElement(feed, "link", {"rel": "alternate", "href": config.base_url})
    last = max((item.updated or item.date for item in items), default=dt.date(1970, 1, 1))
    _text(feed, "updated", _noon(last, config))
    for name in config.authors or (config.title,):
        _text(ET.SubElement(feed, "author"), "name", name)
    for item in items:
        entry = ET.SubElement(feed, "entry")
        if item.lang:
            entry.set("xml:lang", item.lang)
        _text(entry, "id", item.url)
        _text(entry, "title", item.title)
        ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": item.url})
        _text(entry, "published", _noon(item.date, config))
        _text(entry, "updated", _noon(item.updated or item.date, config))
        for name in item.authors:
            _text(ET.SubElement(entry, "author"), "name", name)
        for tag in item.tags:
            ET.SubElement(entry, "category", {"term": tag})
        _text(entry, "summary", item.summary)
        _text(entry, "content", item.content).set("type", "html")
    return _xml("feed.xml", feed)


def json_feed(config: Config, items: Sequence[Item]) -> Output:
    """Return the JSON feed."""
    feed: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": config.title,
        "home_page_url": config.base_url,
        "feed_url": f"{config.base_url}feed.json",
        "language": config.lang,
        "authors": [{"name": name} for name in config.authors or (config.title,)],
        "items": [_item(item, config) for item in items],
    }
    if config.tagline:
        feed["description"] = config.tagline
    return Output("feed.json", json.dumps(feed, ensure_ascii=False, indent=1).encode())


def sitemap(pages: Iterable[tuple[str, dt.date | None]]) -> Output:
    """Return the sitemap: the address of each page, and the day it last changed where known."""
    root = ET.Element("urlset", {"xmlns": SITEMAP})
    for address, day in pages:
        url = ET.SubElement(root, "url")
        _text(url, "loc", address)
        if day:
            _text(url, "lastmod", day.isoformat())
    return _xml("sitemap.xml", root)


def robots(config: Config) -> Output:
    """Return robots.txt: everything may be read."""
    where = f"\nSitemap: {config.base_url}sitemap.xml\n" if config.base_url else ""
    return Output("robots.txt", f"User-agent: *\nAllow: /\n{where}".encode())


def llms(config: Config, sections: Iterable[tuple[str, Sequence[Item]]]) -> Output:
    """Return llms.txt: what the site is, and each page with its twin in Markdown."""
    lines = [f"# {config.title}", ""]
    if config.tagline:
        lines += [f"> {config.tagline}", ""]
    lines += ["Every page is also Markdown: its address with .md for the last slash.", ""]
    for name, items in sections:
        if items:
            lines += [f"## {name}", ""]
            lines += [
                f"- [{_bare(item.title)}]({item.twin or item.url}): {item.summary}"
                for item in items
            ]
            lines.append("")
    return Output("llms.txt", "\n".join(lines).encode())


def _bare(title: str) -> str:
    return title.replace("[", "(").replace("]", ")")


def _item(item: Item, config: Config) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": item.url,
        "url": item.url,
        "title": item.title,
        "summary": item.summary,
        "content_html": item.content,
        "date_published": _noon(item.date, config),
    }
    if item.updated:
        told["date_modified"] = _noon(item.updated, config)
    if item.authors:
        told["authors"] = [{"name": name} for name in item.authors]
    if item.tags:
        told["tags"] = list(item.tags)
    if item.lang:
        told["language"] = item.lang
    return told


def _noon(day: dt.date, config: Config) -> str:
    """Return a calendar date as feeds want it.

    Noon in the site's own zone is the same day for nearly every reader.
    """
    return dt.datetime.combine(day, dt.time(12), ZoneInfo(config.time_zone)).isoformat()


def _text(parent: ET.Element, name: str, text: str) -> ET.Element:
    child = ET.SubElement(parent, name)
    child.text = text
    return child


def _xml(path: str, root: ET.Element) -> Output:
    ET.indent(root, " ")
    text = ET.tostring(root, "unicode")
    return Output(path, f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode())
