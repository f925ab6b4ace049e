"""The finished files: valid HTML, links that lead somewhere, and no file too few or too many."""

from __future__ import annotations

import json
import posixpath
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from tests.real_site import PAGES, ROOT, file
from tests.real_site import pages as built

RULES = {
    "root": True,
    "extends": ["html-validate:recommended"],
    "rules": {
        "no-inline-style": "off",  # KaTeX places its boxes so, and figures their scales
        "void-style": "off",  # Preact closes its empty elements
        "doctype-style": ["error", {"style": "lowercase"}],
    },
}

DEEP = "where/no/page/is/"
"""A host answers with 404.html at any depth."""

HOME = "https://tinyvolt.example/"


class Reader(HTMLParser):
    """Collects what a page names, and what it is asked for by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.assets: list[str] = []
        self.named: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the addresses and the ids of one element."""
        found = {name: value or "" for name, value in attrs}
        self.ids += [found["id"]] if "id" in found else []
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") != "canonical":
            self.assets.append(found["href"])
        for name in ("src", "data-src", "data-module", "poster"):
            if name in found:
                self.assets.append(found[name])
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "data-figure"):
            self.named += found.get(name, "").split()


def resolve(base: str, link: str) -> str:
    """Return an address from the site's root, given the folder of the page that names it."""
    path = unquote(urlsplit(link).path)
    joined = posixpath.normpath(posixpath.join("/", base, path))
    return joined.lstrip("/") + ("/" if path.endswith("/") and joined != "/" else "")


def folder(page: str) -> str:
    """Return where a page's links start from."""
    return DEEP if page == "404.html" else page


def outside(link: str) -> bool:
    """Return whether an address leaves the site."""
    return bool(urlsplit(link).scheme or urlsplit(link).netloc)


@pytest.fixture(scope="module")
def pages(output: Path) -> dict[str, Reader]:
    """Return every page, read."""
    return {page: Reader(file(output, page).read_text(encoding="utf-8")) for page in built(output)}


def test_every_page_is_one_that_is_read_in_a_browser_or_like_one(output: Path) -> None:
    made = set(built(output))
    assert set(PAGES) <= made
    assert {
        page for page in made - set(PAGES) if not page.startswith(("tags/", "guide/", "series/"))
    } == set()


def test_html_is_valid(output: Path, tmp_path: Path) -> None:
    rules, report = tmp_path / "rules.json", tmp_path / "report.json"
    rules.write_text(json.dumps(RULES), encoding="utf-8")
    command = ["node", ROOT / "node_modules/html-validate/bin/html-validate.mjs"]
    files = [file(output, page) for page in built(output)]
    done = subprocess.run(
        [*command, "--config", rules, "--formatter", f"json={report}", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), done.stderr
    wrong = [
        f"{Path(found['filePath']).relative_to(output)}:{said['line']}:{said['column']}: "
        f"{said['ruleId']}: {said['message']} ({said['selector']})"
        for found in json.loads(report.read_text(encoding="utf-8"))
        for said in found["messages"]
    ]
    assert wrong == []


def test_links_lead_to_pages_and_places_that_are_there(
    output: Path, pages: dict[str, Reader]
) -> None:
    lost = []
    for page, reader in pages.items():
        for link in reader.links:
            if outside(link):
                continue
            address, fragment = urldefrag(link)
            target = resolve(folder(page), address) if address else page
            place = unquote(fragment).split("?")[0]  # the state of a figure follows its name
            found = target in pages and (not place or place in pages[target].ids)
            if not found and (target.endswith("/") or place or not (output / target).is_file()):
                lost.append(f"/{page}: {link}")
    assert lost == []


def test_links_that_leave_are_safe_and_never_lead_back(pages: dict[str, Reader]) -> None:
    strange = [
        f"/{page}: {link}"
        for page, reader in pages.items()
        for link in reader.links
        if outside(link) and (urlsplit(link).scheme != "https" or link.startswith(HOME))
    ]
    assert strange == []


def test_an_id_is_given_once_and_every_name_is_one(pages: dict[str, Reader]) -> None:
    for page, reader in pages.items():
        assert sorted(reader.ids) == sorted(set(reader.ids)), page
    lost = [
        f"/{page}: {name}"
        for page, reader in pages.items()
        for name in reader.named
        if name not in reader.ids and page  # the home page shows a figure without its frame
    ]
    assert lost == []


FOR_MACHINES = {"robots.txt", "sitemap.xml", "llms.txt"}
"""Files that nothing names, because those who want them know where they are."""


def asked(output: Path, pages: dict[str, Reader]) -> Iterator[tuple[str, str]]:
    """Yield each file that a page, a style or a script asks for, after what asks."""
    for page, reader in pages.items():
        for asset in reader.assets:
            yield f"/{page}", asset if outside(asset) else resolve(folder(page), asset)
        for link in reader.links:  # to what can be downloaded
            if not outside(link) and resolve(folder(page), link).startswith("_/"):
                yield f"/{page}", resolve(folder(page), link)
    feed = json.loads((output / "feed.json").read_text(encoding="utf-8"))
    for item in feed["items"]:
        for url in re.findall(r'src="([^"]+)"', item["content_html"]):
            yield "feed.json", url.removeprefix(HOME)
    for path in output.rglob("*.css"):
        name = path.relative_to(output).as_posix()
        for url in re.findall(r"url\(\s*[\"']?([^\"')]+)", path.read_text(encoding="utf-8")):
            if not url.startswith(("data:", "#")):
                yield name, resolve(posixpath.dirname(name), url)
    for path in output.rglob("*.js"):
        name = path.relative_to(output).as_posix()
        text = path.read_text(encoding="utf-8")
        # The runtime imports some scripts by a name that it keeps: those have a hash in it.
        named = re.findall(r"""["'](\./[\w-]+\.[0-9a-f]{10}\.js)["']""", text)
        for url in (*re.findall(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", text), *named):
            yield name, resolve(posixpath.dirname(name), url)


def test_every_file_asked_for_is_there_and_no_other(output: Path, pages: dict[str, Reader]) -> None:
    wanted = list(asked(output, pages))
    made = {
        path.relative_to(output).as_posix()
        for path in output.rglob("*")
        if path.is_file() and path.suffix != ".html" and path.name != ".explainers"
    }
    assert [f"{who}: {what}" for who, what in wanted if what not in made] == []
    assert sorted(made - {what for _, what in wanted} - FOR_MACHINES) == []


def test_names_of_files_tell_their_content(output: Path) -> None:
    plain = [
        path.name
        for path in (output / "_").iterdir()
        if not re.fullmatch(r"[\w-]+\.[0-9a-f]{8,}\.\w+", path.name)
    ]
    assert plain == []


def test_bare_names_of_modules_are_resolved(output: Path) -> None:
    bare = [
        f"{path.name}: {name}"
        for path in output.rglob("*.js")
        for name in re.findall(
            r"""^\s*import\b[^"'\n]*["']([^."'/][^"']*)["']""",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    ]
    assert bare == []
