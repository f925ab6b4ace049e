"""The figures of the transpose: stepped, pointed at, turned to the other way, whole on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.reading import axe, overhang, settle

ARTICLE = "efficient-matrix-transpose/"
LABELS = ["direct-way", "tiled-way", "pads", "wrong", "ladder"]

Visit = Callable[..., Page]


def alive(page: Page, label: str) -> Locator:
    """Bring a figure near, uncover it, and wait until it lives."""
    plate = page.locator(f".plate[data-figure='{label}']")
    plate.scroll_into_view_if_needed()
    expect(plate).to_have_attribute("data-ready", "")
    cover = page.locator(f"figure:has(.plate[data-figure='{label}'])").get_by_role(
        "button", name="Show it now"
    )
    if cover.count():
        cover.first.click()
    return plate


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 1.0), (390, 844, 1.5)])
def test_the_first_figure_is_near_the_top(
    visit: Visit, width: int, height: int, screens: float
) -> None:
    box = alive(visit(ARTICLE, width=width, height=height), "direct-way").bounding_box()
    assert box
    assert box["y"] < screens * height


def test_nothing_moves_when_the_figures_come_alive(visit: Visit) -> None:
    page = visit(ARTICLE, script=False)
    plates = page.locator(".plate .picture").all()
    still = [(plate.inner_html(), plate.bounding_box()) for plate in plates[:2]]
    page = visit(ARTICLE)
    settle(page)
    plates = page.locator(".plate .picture").all()
    assert [(plate.inner_html(), plate.bounding_box()) for plate in plates[:2]] == still


def test_a_step_is_a_request_and_the_listing_goes_with_it(visit: Visit) -> None:
    page = visit(ARTICLE)
    plate = alive(page, "direct-way")
    scrub = plate.get_by_role("slider", name="requests of the warps")
    scrub.focus()
    page.keyboard.press("Home")
    expect(plate.locator(".readout")).to_contain_text("Nothing has moved yet")
    page.keyboard.press("ArrowRight")
    readout = "Warp request 1 of 128 reads [0][0] to [0][31] in 4 sectors and writes [0][0] to"
    expect(plate.locator(".readout")).to_contain_text(readout)
    expect(plate.locator(".source .lit")).to_contain_text("out[target] = A[source]")
    page.keyboard.press("End")
    expect(plate.locator(".readout")).to_contain_text("writes [32][63] to [63][63] in 32 sectors")


def test_a_word_turns_the_warps_to_columns(visit: Visit) -> None:
    page = visit(ARTICLE)
    plate = alive(page, "direct-way")
    page.get_by_role("link", name="Read down a column").click()
    expect(plate.get_by_role("radio", name="column")).to_be_checked()
    expect(plate.locator(".readout")).to_contain_text("in 32 sectors and writes")


def test_a_cell_is_pointed_at_or_reached_by_keys(visit: Visit) -> None:
    page = visit(ARTICLE)
    plate = alive(page, "tiled-way")
    # In the result, row 40, column 5: what was at row 5, column 40.
    result = plate.locator(".touch").nth(1)
    box = result.bounding_box()
    assert box
    page.mouse.move(box["x"] + 10.5 / 64 * box["width"], box["y"] + 3.5 / 64 * box["height"])
    expect(plate.locator(".readout")).to_contain_text(
        "[10][3] goes by word 323 of the tile to [3][10]"
    )
    slider = plate.get_by_role("slider", name="element followed")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(plate.locator(".readout")).to_contain_text(
        "[10][4] goes by word 324 of the tile to [4][10]"
    )
    plate.get_by_role("radio", name="pitch 33").check()
    expect(plate.locator(".readout")).to_contain_text(
        "[10][4] goes by word 334 of the tile to [4][10]"
    )
    expect(plate.locator(".readout")).to_contain_text("loads a column of the tile in 1 pass,")
    assert "layout=pitch+33" in page.url or "layout=pitch%2033" in page.url


def test_a_mistake_shows_what_comes_out(visit: Visit) -> None:
    plate = alive(visit(ARTICLE), "wrong")
    expect(plate.locator(".readout")).to_contain_text("every float is where it should be")
    plate.get_by_role("radio", name="no barrier").check()
    expect(plate.locator(".readout")).to_contain_text("1,792 of 4,096 floats are not")
    plate.get_by_role("radio", name="blocks stay").check()
    expect(plate.locator(".readout")).to_contain_text("2,048 of 4,096 floats are not")


def test_the_ladder_goes_by_size(visit: Visit) -> None:
    page = visit(ARTICLE)
    plate = alive(page, "ladder")
    plate.get_by_role("slider", name="rows and columns").focus()
    page.keyboard.press("Home")
    expect(plate.locator(".readout")).to_contain_text("1,024 rows: copy at")
    page.keyboard.press("End")
    expect(plate.locator(".readout")).to_contain_text("16,384 rows: copy at")


@pytest.mark.parametrize("label", LABELS)
def test_without_script_every_figure_makes_its_point(visit: Visit, label: str) -> None:
    plate = visit(ARTICLE, script=False).locator(f".plate[data-figure='{label}']")
    expect(plate.locator(".picture svg")).to_be_visible()
    expect(plate.locator(".readout")).not_to_be_empty()
    expect(plate.locator(".controls")).not_to_be_visible()


def test_a_phone_shows_each_figure_at_once(visit: Visit) -> None:
    page = visit(ARTICLE, width=390, height=664, touch=True)
    settle(page)
    assert overhang(page) == []
    for label in LABELS:
        plate = alive(page, label)
        box = plate.bounding_box()
        assert box
        assert box["height"] <= 664, label
        groups = plate.locator(".controls > .control, .listing").count()
        assert 1 <= groups <= 5, label
        small = plate.evaluate(
            """(plate) => [...plate.querySelectorAll(".picture text")]
              .filter((text) => text.textContent && text.getClientRects().length)
              .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize)
                * text.getScreenCTM().a]).filter(([, size]) => size < 10.5)"""
        )
        assert small == [], label
        outside = plate.evaluate(
            """(plate) => [...plate.querySelectorAll(".picture text")]
              .filter((text) => text.getBoundingClientRect().right > innerWidth + 0.5)
              .map((text) => text.textContent)"""
        )
        assert outside == [], label


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_barrier_that_axe_knows(visit: Visit, theme: str) -> None:
    page = visit(ARTICLE, theme=theme)
    settle(page)
    for label in LABELS:
        alive(page, label)
    assert axe(page) == []
