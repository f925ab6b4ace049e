"""The article as it is read: at once, without script, printed, in less motion or fewer colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser.reading import ARTICLE, Reader, overhang, settle

FIGURES = ["one-sweep", "overflow", "order", "merge"]


def plate(page: Page, label: str) -> Locator:
    """Return one figure."""
    return page.locator(f".plate[data-figure='{label}']")


# ---- the first screen --------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 1), (390, 844, 1.5)])
def test_first_figure_is_near_the_top(
    visit: Callable[..., Page], width: int, height: int, screens: float
) -> None:
    page = visit(ARTICLE, width=width, height=height, touch=width < 500)
    box = plate(page, FIGURES[0]).bounding_box()
    assert box is not None
    assert box["y"] < screens * height


SEEN = """figure => {
  const lit = figure.querySelector(".source .lit").getBoundingClientRect()
  const source = figure.querySelector(".source").getBoundingClientRect()
  return lit.top >= source.top - 1 && lit.bottom <= source.bottom + 1
}"""


def test_phone_shows_picture_controls_and_the_line_that_runs_together(
    visit: Callable[..., Page],
) -> None:
    page = visit(ARTICLE, width=390, height=664, touch=True)
    figure = plate(page, FIGURES[0])
    expect(figure).to_have_attribute("data-ready", "")
    page.wait_for_function(f"({SEEN})(document.querySelector('.plate'))")
    top, bottom = figure.evaluate(
        """figure => {
          const boxes = [".picture > svg", ".source .lit", ".controls"]
            .map(part => figure.querySelector(part).getBoundingClientRect())
          return [Math.min(...boxes.map(b => b.top)), Math.max(...boxes.map(b => b.bottom))]
        }"""
    )
    assert bottom - top <= 664


def test_maths_takes_few_fonts(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    settle(page)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    fonts: dict[str, int] = page.evaluate(
        """() => Object.fromEntries(performance.getEntriesByType("resource")
          .filter(entry => entry.name.endsWith(".woff2"))
          .map(entry => [entry.name.split("/").pop(), entry.encodedBodySize]))"""
    )
    maths = {name: size for name, size in fonts.items() if name.startswith("KaTeX")}
    assert maths
    assert sum(maths.values()) <= 80_000, maths
    assert sum(fonts.values()) - sum(maths.values()) <= 110_000, fonts


# ---- without script ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def still(browser: Browser, address: str) -> Iterator[Page]:
    """Open the article without script, once."""
    reader = Reader(browser, address)
    yield reader(ARTICLE, script=False)
    reader.close()
    assert reader.faults == []


@pytest.mark.parametrize("label", FIGURES)
def test_without_script_a_figure_is_drawn_and_has_its_words(still: Page, label: str) -> None:
    picture = plate(still, label).locator(".picture > svg")
    box = picture.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert box["height"] > 100
    marks = picture.locator("rect, circle, path, text").evaluate_all(
        """all => all.filter(e => {
          const { width, height } = e.getBoundingClientRect()
          const { fill, stroke } = getComputedStyle(e)
          return width + height > 0 && (fill !== "none" || stroke !== "none")
        }).length"""
    )
    assert marks > 20
    assert plate(still, label).locator(".readout").inner_text().strip()
    caption = still.locator(f"figure#{label} figcaption").inner_text()
    assert re.match(r"Figure \d\s+\S+", caption)


def test_without_script_nothing_asks_to_be_moved(still: Page) -> None:
    for part in (".controls", ".picture .handle", ".panel button"):
        assert still.locator(part).count() > 0
        assert still.locator(part).locator("visible=true").count() == 0
    usable = still.locator(".plate :is(button, input, select):not(:disabled)")
    assert usable.count() == 0


def test_without_script_the_line_that_ran_is_in_sight_on_a_phone(
    visit: Callable[..., Page],
) -> None:
    page = visit(ARTICLE, width=390, height=664, touch=True, script=False)
    assert plate(page, FIGURES[0]).evaluate(SEEN)


def test_without_script_maths_is_typeset(still: Page) -> None:
    formulas = still.locator(".katex")
    assert formulas.count() > 30
    assert still.locator(".katex .katex-mathml math").count() == formulas.count()
    assert still.locator(".katex-error").count() == 0
    seen = formulas.locator(".katex-html").first
    assert "KaTeX" in seen.evaluate("e => getComputedStyle(e).fontFamily")
    assert (
        still.locator("main").evaluate(
            """main => {
          const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
          const raw = []
          while (walker.nextNode()) {
            const { data, parentElement } = walker.currentNode
            if (/\\$[^$]+\\$|\\\\(frac|sum|exp)/.test(data)
              && !parentElement.closest("annotation, code, script")) raw.push(data)
          }
          return raw
        }"""
        )
        == []
    )


def test_without_script_code_is_highlighted(still: Page) -> None:
    colours = (
        still.locator(".source")
        .first.locator("code span")
        .evaluate_all("all => [...new Set(all.map(e => getComputedStyle(e).color))]")
    )
    assert len(colours) >= 3


def test_without_script_an_answer_is_closed_and_opens(still: Page) -> None:
    answers = still.locator("main details.answer")
    assert answers.count() >= 3
    for answer in answers.all():
        assert answer.get_attribute("open") is None
        inside = answer.locator(":scope > :not(summary)").last
        expect(inside).to_be_hidden()
        answer.locator("summary").click()
        expect(inside).to_be_visible()
        answer.locator("summary").click()
        expect(inside).to_be_hidden()


def test_without_script_how_it_was_made_can_be_read(still: Page) -> None:
    made = still.locator("#colophon details[id^='made-']")
    assert made.count() > 0
    made.first.locator("summary").click()
    expect(made.first.locator(".code").first).to_be_visible()
    assert still.locator("#colophon .checked li").count() >= 3


# ---- on paper ----------------------------------------------------------------------------------

PAPER = 673  # px of A4 between the margins, at 96 to an inch


@pytest.fixture(scope="module", params=["light", "dark"])
def paper(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open the article as it is printed, from either colours."""
    reader = Reader(browser, address)
    page = reader(ARTICLE, theme=request.param, width=PAPER, height=970, script=False)
    page.emulate_media(media="print")
    yield page
    reader.close()
    assert reader.faults == []


def test_print_is_black_on_white(paper: Page) -> None:
    ground, ink = paper.evaluate(
        """() => [getComputedStyle(document.documentElement).backgroundColor,
          getComputedStyle(document.querySelector(".article > p")).color]"""
    )
    assert (ground, ink) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")


def test_print_shows_answers_sources_and_the_colophon(paper: Page) -> None:
    unseen = paper.evaluate(
        """() => [...document.querySelectorAll(
          ".answer > *, .sources li, #colophon, #colophon section, #colophon summary"
        )].filter(e => !e.checkVisibility({ visibilityProperty: true })
          || e.getBoundingClientRect().height === 0)
          .map(e => `${e.nodeName}.${e.className} ${e.textContent.slice(0, 40)}`)"""
    )
    assert unseen == []
    assert paper.locator(".sources li").count() > 0


def test_print_says_where_links_lead(paper: Page) -> None:
    links = paper.locator("main a[href^='http']")
    assert links.count() > 0
    silent = links.evaluate_all(
        """all => all.filter(e => e.checkVisibility()
          && !getComputedStyle(e, "::after").content.includes(e.getAttribute("href"))
          && !e.textContent.includes(e.getAttribute("href")))
          .map(e => e.getAttribute("href"))"""
    )
    assert silent == []


def test_print_leaves_out_what_only_a_screen_can_do(paper: Page) -> None:
    for part in (".controls", ".more", ".picture .handle", ".skip", ".theme", ".contents", ".copy"):
        assert paper.locator(part).locator("visible=true").count() == 0, part


def test_print_keeps_the_pictures_and_fits_the_sheet(paper: Page) -> None:
    for label in FIGURES:
        expect(plate(paper, label).locator(".picture > svg")).to_be_visible()
    assert overhang(paper) == []


# ---- less motion, fewer colours ----------------------------------------------------------------


@pytest.mark.parametrize("motion", [True, False])
def test_nothing_plays_by_itself(visit: Callable[..., Page], motion: bool) -> None:
    page = visit(ARTICLE, motion=motion)
    settle(page)
    was = page.locator(".plate input, .plate output").evaluate_all("all => all.map(e => e.value)")
    plate(page, FIGURES[0]).scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    assert page.locator("[data-playing]").count() == 0
    now = page.locator(".plate input, .plate output").evaluate_all("all => all.map(e => e.value)")
    assert now == was


def test_less_motion_is_none(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE, motion=False)
    settle(page)
    long = page.evaluate(
        """() => [...document.querySelectorAll("*")].flatMap(e => {
          const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(e)
          const seconds = `${transitionDuration},${animationDuration}`.split(",").map(parseFloat)
          return Math.max(...seconds) > 0.001 || scrollBehavior === "smooth"
            ? [`${e.nodeName}.${e.getAttribute("class")} ${transitionDuration}`] : []
        }).slice(0, 20)"""
    )
    assert long == []
    figure = plate(page, FIGURES[0])
    figure.scroll_into_view_if_needed()
    figure.get_by_role("button", name="One step back").click()
    # A change of 0.01 ms may not have been painted yet on a busy machine: only longer ones count.
    moving = (
        "document.getAnimations().filter(a => a.effect.getComputedTiming().duration > 1).length"
    )
    assert page.evaluate(moving) == 0


# The contrast of what is drawn with the ground, by the formula of WCAG.
CONTRAST = """([selector, property]) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
  const ground = light(rgba(getComputedStyle(document.documentElement).backgroundColor))
  const contrast = colour => {
    const [r, g, b, alpha] = rgba(colour)
    if (!alpha) return 1
    const own = light([r, g, b])
    return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05)
  }
  return [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).map(e => {
    const style = getComputedStyle(e)
    const colours = property.map(name => style[name]).filter(colour => colour !== "none")
    return [`${e.nodeName} ${e.getAttribute("class") ?? ""} ${colours}`,
      Math.max(1, ...colours.map(contrast))]
  })
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_keep_the_pictures(visit: Callable[..., Page], theme: str) -> None:
    page = visit(ARTICLE, theme=theme, forced=True)
    settle(page)
    marks = ".picture :is(rect.bar, .part, .node rect, .mark, .grip, .line, .axis path, text)"
    marks += ":not(.on-volt, .current text)"  # these stand on a mark
    seen: list[list[Any]] = page.evaluate(CONTRAST, [marks, ["fill", "stroke"]])
    assert len(seen) > 100
    assert [about for about, contrast in seen if contrast < 3] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_keep_the_focus_and_the_line_that_runs(
    visit: Callable[..., Page], theme: str
) -> None:
    page = visit(ARTICLE, theme=theme, forced=True)
    settle(page)
    figure = plate(page, FIGURES[0])
    for name in ("Play", "One step back"):
        figure.get_by_role("button", name=name).focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        focused: list[list[Any]] = page.evaluate(CONTRAST, [":focus-visible", ["outlineColor"]])
        assert [contrast for _, contrast in focused if contrast >= 3], focused
        style = page.locator(":focus-visible").evaluate("e => getComputedStyle(e).outlineStyle")
        assert style != "none"
    lit: list[list[Any]] = page.evaluate(CONTRAST, [".source .line.lit", ["backgroundColor"]])
    assert lit
    assert [about for about, contrast in lit if contrast < 3] == []
