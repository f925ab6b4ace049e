"""Pages without their styles, magnified four times, and with titles and tags in any script."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import Handler, Server
from tests.browser.reading import ARTICLE, Reader, overhang, settle, unfold
from tests.conftest import Site
from tests.real_site import ARTICLES, PAGES, WITH_FIGURES

BIGGEST = 64
"""Pixels that a mark of the page's own, such as its emblem, may measure without a style."""


@pytest.fixture
def bare(browser: Browser, address: str) -> Iterator[Callable[[str], Page]]:
    """Return what opens a page whose style sheets do not come."""
    contexts = []

    def opened(path: str) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        contexts.append(context)
        page = context.new_page()
        page.route("**/*.css", lambda route: route.abort())
        page.goto(address + path)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("path", PAGES)
def test_without_styles_a_page_begins_with_a_way_to_its_text_and_no_mark_is_in_it(
    bare: Callable[[str], Page], path: str
) -> None:
    page = bare(path)
    assert (
        page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ink')") == ""
    )
    assert page.locator("a:visible").first.get_attribute("href") == "#main"
    expect(page.locator("h1")).to_be_visible()
    tall = "all => all.map(e => e.getBoundingClientRect().height)"
    marks = page.locator("svg:not(.picture svg, .katex svg, figure svg)")
    assert [height for height in marks.evaluate_all(tall) if height > BIGGEST] == []


def test_without_styles_an_article_reads_in_order_and_its_figures_are_told(
    bare: Callable[[str], Page],
) -> None:
    page = bare(ARTICLE)
    places = page.locator("main h1, main h2, main figure figcaption").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().top)"
    )
    assert len(places) > 10
    assert places == sorted(places)
    for plate in page.locator(".plate").all():
        assert plate.locator(".readout").inner_text().strip()
        expect(plate.locator("svg").first).to_be_visible()
    for answer in page.locator("details.answer").all():
        assert answer.get_attribute("open") is None
    answer = page.locator("details.answer").first
    answer.locator("summary").click()
    assert answer.get_attribute("open") is not None


@pytest.mark.parametrize("path", PAGES)
def test_four_times_as_large_nothing_scrolls_sideways_or_stands_in_the_way(
    visit: Callable[..., Page], path: str
) -> None:
    page = visit(path, width=320, height=256)  # 1280 × 1024 at 400 %
    settle(page)
    assert overhang(page) == []
    unfold(page)
    assert overhang(page) == []
    # What stays while one scrolls must leave the page its room.
    page.evaluate("scrollTo(0, 600)")
    fixed = page.evaluate(
        """[...document.querySelectorAll("body *")].filter(e =>
             ["fixed", "sticky"].includes(getComputedStyle(e).position) && e.checkVisibility()
           ).map(e => e.getBoundingClientRect()).filter(b => b.bottom > 0 && b.top < innerHeight)
           .map(b => Math.min(b.bottom, innerHeight) - Math.max(b.top, 0))"""
    )
    assert sum(fixed) <= 256 / 3


@pytest.mark.parametrize("slug", ARTICLES)
def test_four_times_as_large_every_control_can_be_brought_into_sight_and_worked(
    visit: Callable[..., Page], slug: str
) -> None:
    page = visit(f"{slug}/", width=320, height=256)
    settle(page)
    veils = page.get_by_role("button", name="Show it now")
    while veils.count():
        veils.first.click()
    controls = page.locator(".controls input[type=range]:enabled").all()
    assert controls or slug not in WITH_FIGURES
    for control in controls:
        control.scroll_into_view_if_needed()
        expect(control).to_be_in_viewport()
        before = control.input_value()
        control.press("End" if before != control.get_attribute("max") else "Home")
        expect(control).not_to_have_value(before)


TITLE = "Is 1 < 2 & \"3\" > '2'? <script>alert(1)</script> \N{ELECTRIC LIGHT BULB}\N{SNAKE}"
TAGS = ["चुंबक", "C++", "磁気", "نص", "a/b?c#d", "\N{ELECTRIC LIGHT BULB}"]


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a site whose titles and tags are strange."""
    site = Site(tmp_path_factory.mktemp("strange") / "site")
    with Server(("127.0.0.1", 0), functools.partial(Handler, folder=site.root / "_site")) as server:
        root = f"http://127.0.0.1:{server.server_address[1]}/"
        site.write("content/site.yaml", f"title: 'R&D <Tiny> \"Volt\"'\nbase_url: {root}\n")
        for n, tag in enumerate(TAGS):
            said = {
                "title": json.dumps(TITLE, ensure_ascii=False),
                "tags": json.dumps([tag], ensure_ascii=False),
            }
            site.article(f"a{n}", "## Part\n\nText.\n", featured="true", **said)
        result = site.build()
        assert result.code == 0, result.err
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield root
        server.shutdown()


@pytest.mark.parametrize("path", ["", "all/", "a0/"])
def test_a_strange_title_is_shown_as_it_was_written(
    browser: Browser, strange: str, path: str
) -> None:
    reader = Reader(browser, strange)
    page = reader(path)
    shown = page.locator("h1, h2").all_inner_texts()
    # The typography of a page turns its quotes.
    wanted = TITLE.replace('"3"', "“3”").replace("'2'", "‘2’")
    assert wanted in shown
    assert "R&D <Tiny>" in page.title()
    assert overhang(page) == []
    reader.close()
    assert reader.faults == []


@pytest.mark.parametrize("tag", range(len(TAGS)), ids=TAGS)
def test_a_tag_in_any_script_leads_to_its_page_and_back(
    browser: Browser, strange: str, tag: int
) -> None:
    reader = Reader(browser, strange)
    page = reader(f"a{tag}/")
    page.get_by_role("link", name=TAGS[tag], exact=True).first.click()
    assert TAGS[tag] in page.locator("h1").inner_text()
    page.locator("main h2 a").first.click()
    assert page.url == f"{strange}a{tag}/"
    reader.close()
    assert reader.faults == []
