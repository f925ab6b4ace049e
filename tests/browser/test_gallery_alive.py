"""The gallery's figures are alive: by their own controls, and by a number of the text."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from tests.browser.reading import axe, overhang, settle

GALLERY = "guide/figures/"


def test_a_number_of_the_text_and_its_figure_follow_each_other(visit: Callable[..., Page]) -> None:
    page = visit(GALLERY)
    settle(page)
    plate = page.locator(".plate[data-figure='a-curve']")
    word = page.locator(".scrub").first
    field = word.get_by_role("spinbutton", name="scores that stay 0")
    field.focus()
    page.keyboard.press("ArrowUp")
    expect(plate.locator(".readout")).to_contain_text("scores that stay 0 15")
    expect(word).to_have_text("15")
    slider = plate.get_by_role("slider", name="scores that stay 0")
    slider.focus()
    page.keyboard.press("Home")
    expect(word).to_have_text("1")
    expect(field).to_have_value("1")


def test_a_table_turns_by_its_heads(visit: Callable[..., Page]) -> None:
    page = visit(GALLERY)
    settle(page)
    plate = page.locator(".plate[data-figure='a-table']")
    plate.get_by_role("button", name="bits").click()
    expect(plate.get_by_role("columnheader", name="bits")).to_have_attribute(
        "aria-sort", "ascending"
    )
    expect(plate.locator(".rows tbody th").first).to_have_text("e5m2")
    plate.get_by_role("button", name="bits").click()
    expect(plate.locator(".rows tbody th").first).to_have_text("binary32")
    assert page.url.endswith("#a-table?by=bits")


def test_the_gallery_stands_in_both_lights_and_on_a_phone(visit: Callable[..., Page]) -> None:
    for width, theme in ((1280, "light"), (390, "dark")):
        page = visit(GALLERY, width=width, theme=theme)
        settle(page)
        assert axe(page) == []
        assert overhang(page) == []
