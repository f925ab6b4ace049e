"""The figures of the article on bank conflicts: pulled, predicted, measured."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from tests.browser.reading import settle

ARTICLE = "cuda-shared-memory-bank-conflicts/"


def plate(page: Page, label: str) -> Locator:
    """Return one figure, with its script started."""
    found = page.locator(f".plate[data-figure='{label}']")
    found.scroll_into_view_if_needed()
    expect(found).to_have_attribute("data-ready", "")
    return found


def test_padding_by_one_empties_the_queue_of_a_column(visit: Callable[..., Page]) -> None:
    page = visit(f"{ARTICLE}#pad?length=32")
    figure = plate(page, "pad")
    expect(figure.locator(".total")).to_have_text("32 passes")
    grip, reach = figure.locator(".grip").bounding_box(), figure.locator(".reach").bounding_box()
    assert grip is not None and reach is not None
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 13.5 * reach["width"] / 448, y, steps=4)
    page.mouse.up()
    expect(figure.locator(".total")).to_have_text("1 pass")
    expect(figure.get_by_role("slider", name="row length in words")).to_have_value("3")
    # A word of padding for each of 32 rows, drawn as one path.
    holes = figure.locator("path.holes").first.get_attribute("d")
    assert holes is not None and holes.count("z") == 32
    # Rows never queued, and still do not.
    figure.get_by_role("radio", name="row 5").check()
    expect(figure.locator(".total")).to_have_text("1 pass")
    expect(figure.locator(".readout")).to_contain_text("The warp reads row 5")


def test_a_hand_stops_at_the_end_of_the_strides(visit: Callable[..., Page]) -> None:
    figure = plate(visit(f"{ARTICLE}#banks?stride=32"), "banks")
    expect(figure.locator(".readout")).to_contain_text("Stride in words 32")
    page = figure.page
    grip, reach = figure.locator(".grip").bounding_box(), figure.locator(".reach").bounding_box()
    assert grip is not None and reach is not None
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 4 * 13.5 * reach["width"] / 448, y, steps=8)
    page.mouse.up()
    expect(figure.locator(".readout")).to_contain_text("Stride in words 33")


def test_a_word_of_the_text_shows_the_broadcast(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    settle(page)
    page.get_by_role("link", name="Pull the stride to 0").click()
    expect(plate(page, "banks").locator(".total")).to_have_text("1 pass")


def test_the_figure_waits_for_the_prediction(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    settle(page)
    veiled = page.locator("figure[data-veiled]")
    expect(veiled).to_have_count(2)
    veiled.first.get_by_role("button", name="Show it now").click()
    expect(veiled).to_have_count(1)
    expect(veiled.locator(".plate")).to_have_attribute("data-figure", "narrow")
    # Two words of padding: the third choice is right.
    question = page.locator(".predict[data-reveals='narrow']")
    question.get_by_text("two", exact=True).first.click()
    question.locator("summary").click()
    expect(question.get_by_role("status")).to_have_text("Right: C.")
    expect(veiled).to_have_count(0)
    expect(plate(page, "narrow").locator(".total")).to_have_text("1 pass")


def test_the_dots_rise_from_their_rings_when_one_warp_is_left(visit: Callable[..., Page]) -> None:
    page = visit(f"{ARTICLE}#cost?stride=32")
    figure = plate(page, "cost")
    readout = figure.locator(".readout")
    expect(readout).to_contain_text("modelled 32 passes; 1.0")
    figure.get_by_role("slider", name="warps").focus()
    page.keyboard.press("Home")
    expect(readout).to_contain_text("1 warp:")
    expect(readout).to_contain_text("modelled 32 passes; 2.0")
    figure.get_by_role("slider", name="stride, in elements").focus()
    page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text("Stride 33")
    expect(readout).to_contain_text("modelled 1 pass;")
