"""Every page of the real site, on wide and narrow screens, on paper and in the scope."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.reading import Reader, axe, overhang, settle, shift, unfold
from tests.real_site import PAGES

MODES = [
    (page, size, theme)
    for page in PAGES
    for size in ((1280, 800), (390, 844))
    for theme in ("light", "dark")
]


@dataclass(frozen=True)
class Visit:
    """A page that was read to its end, and what was seen on the way."""

    page: Page
    moves: list[dict[str, Any]]
    faults: list[str]
    narrow: bool


@pytest.fixture(scope="module", params=MODES, ids=lambda mode: f"/{mode[0]}-{mode[1][0]}-{mode[2]}")
def read(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open a page once for all that is asked of it in one mode."""
    path, (width, height), theme = request.param
    reader = Reader(browser, address)
    first = reader(path, width=width, height=height, theme=theme, touch=width < 500)
    page = reader.open(first.context, path, script=True)  # with the fonts at hand
    settle(page)
    yield Visit(page, shift(page), reader.faults, width < 500)
    reader.close()


def test_nothing_moves_by_itself(read: Visit) -> None:
    assert read.moves == []


def test_page_does_not_scroll_sideways(read: Visit) -> None:
    assert overhang(read.page) == []


def test_page_says_nothing_and_asks_no_one_else(read: Visit) -> None:
    assert read.faults == []


def test_axe_finds_nothing_nor_on_a_phone_in_what_was_folded(read: Visit) -> None:
    if read.narrow:
        unfold(read.page)
    assert axe(read.page) == []


# Neither a page's layout nor its figures coming alive nor scrolling moves a thing. Type that comes
# late may, a little: the fallbacks match it by their metrics, not letter by letter.
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "touch"), [(1280, False), (390, True)])
@pytest.mark.parametrize(("fonts", "most"), [("never", 0), ("late", 0.002)])
def test_nothing_moves_whenever_fonts_come(
    browser: Browser, address: str, path: str, width: int, touch: bool, fonts: str, most: float
) -> None:
    reader = Reader(browser, address)
    page = reader(path, width=width, height=844, touch=touch, fonts=fonts)
    settle(page)
    moves = shift(page)
    reader.close()
    assert sum(move["value"] for move in moves) <= most, moves


@pytest.mark.parametrize("path", PAGES)
def test_small_screens_and_magnified_ones_do_not_scroll_sideways(
    visit: Callable[..., Page], path: str
) -> None:
    page = visit(path, width=320, height=640, touch=True)
    settle(page)
    assert overhang(page) == []
    page.set_viewport_size({"width": 360, "height": 640})
    assert overhang(page) == []
    magnified = visit(path, width=640, height=400)  # 1280 × 800 at 200 %
    settle(magnified)
    assert overhang(magnified) == []
    unfold(magnified)
    assert overhang(magnified) == []


@pytest.mark.parametrize("path", PAGES)
def test_page_has_a_name_landmarks_and_an_icon(visit: Callable[..., Page], path: str) -> None:
    page = visit(path)
    assert page.title()
    assert page.locator("html").get_attribute("lang")
    assert page.locator("h1").count() == 1
    assert page.locator("main h1").count() == 1
    assert page.locator("body > header").count() == 1
    assert page.locator("main").count() == 1
    assert page.locator("body > footer").count() == 1
    assert page.locator("link[rel=icon][type='image/svg+xml']").count() == 1
    levels = page.locator(":is(h1, h2, h3, h4, h5, h6)").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => Number(e.nodeName[1]))"
    )
    jumps = [
        f"h{before} to h{after}"
        for before, after in itertools.pairwise(levels)
        if after > before + 1
    ]
    assert jumps == []


def test_an_unknown_address_at_any_depth_is_the_page_that_says_so(
    browser: Browser, address: str
) -> None:
    reader = Reader(browser, address)
    page = reader("no/such/page/")
    assert page.locator("h1").inner_text()
    assert "Serif" in page.locator("main p").evaluate("e => getComputedStyle(e).fontFamily")
    page.locator("main a").click()
    assert page.url == address
    reader.close()
    assert [fault for fault in reader.faults if "404" not in fault] == []


@pytest.mark.parametrize("path", PAGES)
def test_first_key_leads_past_the_masthead(visit: Callable[..., Page], path: str) -> None:
    page = visit(path)
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    box = skip.bounding_box()
    assert skip.evaluate("e => e === document.activeElement")
    assert box is not None
    assert box["y"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('main, body > footer')")


# What of an element's looks tells that the focus is on it, on itself or on what stands for it.
LOOKS = """element => {
  const stands = [element, element.nextElementSibling, element.closest("label")]
  const looks = [...stands, ...element.querySelectorAll("*")].filter(Boolean).map(part => {
    const style = getComputedStyle(part)
    const ring = style.outlineStyle === "none" ? "" : `${style.outlineWidth} ${style.outlineColor}`
    return [ring, style.strokeWidth, style.stroke, style.boxShadow].join()
  })
  const { width, height, right, bottom } = element.getBoundingClientRect()
  return { looks: looks.join("\\n"), seen: width > 0 && height > 0 && right > 0 && bottom > 0 }
}"""

NAME = """element => `${element.nodeName.toLowerCase()}.${element.getAttribute("class") ?? ""} `
  + (element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40))"""


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_focus_is_seen_at_every_stop_and_comes_to_the_end(
    visit: Callable[..., Page], path: str, theme: str
) -> None:
    page = visit(path, theme=theme)
    settle(page)
    unseen: list[str] = []
    stops = 0
    while stops < 400:
        page.keyboard.press("Tab")
        found = page.evaluate(
            """([looks, name]) => {
              const of = (0, eval)(looks)
              const element = document.activeElement
              if (!element || element === document.body) return null
              const on = of(element)
              element.blur()
              const off = of(element)
              element.focus({ preventScroll: true })
              return { told: on.looks !== off.looks && on.seen, name: (0, eval)(name)(element) }
            }""",
            [LOOKS, NAME],
        )
        if found is None:
            break
        stops += 1
        if not found["told"]:
            unseen.append(found["name"])
    assert unseen == []
    assert 4 <= stops < 400


# Links, terms and numerals in the run of a text, or in a table's row, may be small. Of a handle in
# a picture, what counts is its reach along the drag: eight bars on a phone leave each less than
# 44 px across.
SMALL = """least => [...document.querySelectorAll(
  "a[href], button, input, select, summary, label, [role=slider], [tabindex='0']"
)].filter(e => e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
  && !e.closest(".skip, .visually-hidden, [aria-hidden=true]") && !e.disabled
  && !(e.nodeName === "LABEL" && !e.querySelector("input"))
).flatMap(e => {
  const reach = e.closest("label") ?? e.querySelector(".reach") ?? e
  const block = e.closest("p, li, dd, dt, td, th, figcaption, h1, h2, h3, h4, h5, h6, summary, div")
  const cell = e.matches("td .num")
  const inline = e.matches("a, .term, .num") && getComputedStyle(e).display === "inline"
    && (cell || block.textContent.trim().length > e.textContent.trim().length)
  const control = e.closest(".controls, .theme, .more, .deeds, .handles")
  const { width, height } = reach.getBoundingClientRect()
  const long = control ? least : 24
  const across = e.matches(".handle") ? 24 : long
  const [a, b] = e.getAttribute("aria-orientation") === "vertical" ? [across, long] : [long, across]
  return inline || (width >= a - 0.5 && height >= b - 0.5) ? []
    : [`${e.nodeName.toLowerCase()}.${e.getAttribute("class") ?? ""}`
       + ` ${(e.getAttribute("aria-label") ?? e.textContent).trim().slice(0, 30)}`
       + `: ${width.toFixed(1)} x ${height.toFixed(1)} < ${a} x ${b}`]
})"""


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "touch", "least"), [(1280, False, 24), (390, True, 44)])
def test_targets_are_large_enough(
    visit: Callable[..., Page], path: str, width: int, touch: bool, least: int
) -> None:
    page = visit(path, width=width, height=844, touch=touch)
    settle(page)
    assert page.evaluate(SMALL, least) == []
