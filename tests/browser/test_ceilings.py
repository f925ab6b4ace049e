"""The figures of the roofline: a point on two ceilings, a calculator, and what is read off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.reading import settle

ARTICLE = "roofline/"


def plate(page: Page, label: str) -> Locator:
    """Return one figure, with its script started."""
    found = page.locator(f".plate[data-figure='{label}']")
    found.scroll_into_view_if_needed()
    expect(found).to_have_attribute("data-ready", "")
    return found


def pull(page: Page, figure: Locator, across: float) -> None:
    """Pull the point across the picture by some of its units."""
    grip, svg = figure.locator(".grip").bounding_box(), figure.locator("svg").bounding_box()
    assert grip is not None
    assert svg is not None
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across * svg["width"] / 480, y, steps=5)
    page.mouse.up()


def test_the_point_climbs_the_slope_and_stays_below_the_peak(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    figure = plate(page, "roof")
    readout = figure.locator(".readout")
    expect(readout).to_contain_text("4 FLOP per byte, float32: memory sets the pace")
    expect(readout).to_contain_text("at most 19 TFLOP/s")
    # A decade of intensity is 83.6 units wide.
    pull(page, figure, 2 * 83.6)
    expect(readout).to_contain_text("384 FLOP per byte, float32: arithmetic sets the pace")
    expect(readout).to_contain_text("at most 67 TFLOP/s, the peak")
    assert page.url.endswith("#roof?intensity=384")
    pull(page, figure, -1000)
    expect(readout).to_contain_text("0.125 FLOP per byte")
    expect(readout).to_contain_text("at most 0.6 TFLOP/s, 0.9% of the peak")


def test_the_point_goes_by_keys_and_a_mark_leads_it_to_itself(visit: Callable[..., Page]) -> None:
    page = visit(f"{ARTICLE}#roof?type=bf16")
    figure = plate(page, "roof")
    slider = figure.get_by_role("slider", name="intensity, in FLOP per byte")
    slider.focus()
    page.keyboard.press("End")
    expect(figure.locator(".readout")).to_contain_text("8,192 FLOP per byte, bfloat16")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert "intensity=0.1875" in page.url
    figure.locator(".points .batch").nth(5).click()
    expect(figure.locator(".readout")).to_contain_text("A batch of 32 reaches")
    expect(figure.locator(".points .here")).to_have_count(1)


@pytest.mark.parametrize("name", ["float32", "TF32", "bfloat16"])
def test_no_mark_is_above_the_ceiling_of_its_type(visit: Callable[..., Page], name: str) -> None:
    page = visit(ARTICLE)
    figure = plate(page, "roof")
    figure.get_by_role("radio", name=name).check()
    peak = figure.locator(".sheet.flat").bounding_box()
    assert peak is not None
    middles = figure.locator(".points path").evaluate_all(
        "all => all.map(e => { const b = e.getBoundingClientRect(); return b.y + b.height / 2 })"
    )
    assert len(middles) >= 4
    assert all(middle > peak["y"] for middle in middles)


def test_the_calculator_takes_a_kernel_and_a_machine(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    figure = plate(page, "calculator")
    expect(figure.locator(".readout")).to_contain_text("Arithmetic sets the pace: at least 2,051")
    entry = figure.get_by_label("operations")
    entry.fill("1")
    entry.press("Enter")
    expect(figure.locator(".readout")).to_contain_text("Memory sets the pace: at least 41.94 µs")
    bars = figure.locator(".bar").evaluate_all("all => all.map(e => e.getAttribute('width'))")
    assert bars[0] == "480"
    assert float(bars[1]) == round(480 * (1e9 / 67e12) / (201.3e6 / 4.8e12))
    entry = figure.get_by_label("bandwidth")
    entry.fill("nothing")
    entry.press("Enter")
    expect(entry).to_have_attribute("aria-invalid", "true")
    expect(figure.locator(".readout")).to_contain_text("41.94 µs")


def test_words_lead_to_what_they_say(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    settle(page)
    page.get_by_role("link", name="TF32").click()
    readout = plate(page, "roof").locator(".readout")
    expect(readout).to_contain_text("4 FLOP per byte, TF32: memory sets the pace, at most 19")


def test_predictions_come_before_the_times(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    settle(page)
    veiled = page.locator("figure[data-veiled]")
    expect(veiled).to_have_count(2)
    while veiled.count():
        veiled.get_by_role("button", name="Show it now").first.click()
    expect(plate(page, "ladder").locator(".readout")).to_contain_text("16 multiply-adds a number")
