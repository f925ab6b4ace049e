"""The gallery's figures are alive: by their own controls, and by a number of the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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


def test_a_map_of_memory_is_pulled_stepped_and_keyed(visit: Callable[..., Page]) -> None:
    page = visit(f"{GALLERY}#a-memory-map")
    settle(page)
    plate = page.locator(".plate[data-figure='a-memory-map']")
    readout, total = plate.locator(".readout"), plate.locator(".total")
    plate.scroll_into_view_if_needed()
    grip = plate.locator(".grip").bounding_box()
    reach = plate.locator(".reach").bounding_box()
    assert grip is not None and reach is not None
    y, cell = grip["y"] + grip["height"] / 2, (reach["width"] / 448) * 13.5
    x = grip["x"] + grip["width"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + cell, y, steps=3)
    expect(total).to_have_text("1 pass")
    page.mouse.move(x + 2 * cell, y, steps=3)
    page.mouse.up()
    expect(total).to_have_text("8 passes")
    assert page.url.endswith("stride=8")
    expect(readout).to_contain_text("pass 1 of 8 serves 4 words from 4 banks, for 4 lanes")
    slider = plate.get_by_role("slider", name="stride in words")
    slider.focus()
    page.keyboard.press("End")
    expect(total).to_have_text("1 pass")
    page.keyboard.press("ArrowLeft")
    expect(total).to_have_text("32 passes")
    plate.get_by_role("slider", name="passes").focus()
    page.keyboard.press("End")
    expect(readout).to_contain_text("pass 32 of 32 serves 1 word from 1 bank, for 1 lane; 31 banks")
    # Fewer passes than were stepped: the player goes back with them.
    slider.focus()
    page.keyboard.press("Home")
    expect(readout).to_contain_text("pass 1 of 1 serves 1 word from 1 bank, for 32 lanes")


def test_a_map_of_global_memory_counts_sectors(visit: Callable[..., Page]) -> None:
    page = visit(f"{GALLERY}#a-map-of-sectors")
    settle(page)
    plate = page.locator(".plate[data-figure='a-map-of-sectors']")
    readout = plate.locator(".readout")
    expect(readout).to_contain_text("12 sectors in 3 lines; 128 of 384 bytes are wanted")
    slider = plate.get_by_role("slider", name="stride in words")
    slider.focus()
    page.keyboard.press("Home")
    expect(readout).to_contain_text("1 sector in 1 line; 4 of 32 bytes are wanted")
    page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text("4 sectors in 1 line; 128 of 128 bytes are wanted")
    page.keyboard.press("End")
    expect(readout).to_contain_text("32 sectors in 32 lines; 128 of 1,024 bytes are wanted")


def test_the_gallery_stands_in_both_lights_and_on_a_phone(visit: Callable[..., Page]) -> None:
    for width, theme in ((1280, "light"), (390, "dark")):
        page = visit(GALLERY, width=width, theme=theme)
        settle(page)
        assert axe(page) == []
        assert overhang(page) == []


def test_a_heat_map_is_drawn_as_its_image_was_and_again_in_another_light(
    visit: Callable[..., Page],
) -> None:
    page = visit(GALLERY)
    plate = page.locator(".plate[data-figure='a-heat-map']")
    plate.scroll_into_view_if_needed()
    expect(plate).to_have_attribute("data-ready", "")
    inks = """async plate => {
      const seen = (source) => {
        const { width, height } = source
        const brush = new OffscreenCanvas(width, height)
          .getContext("2d", { willReadFrequently: true })
        brush.drawImage(source, 0, 0)
        return brush.getImageData(0, 0, width, height).data
      }
      const canvas = plate.querySelector("canvas")
      const drawn = seen(canvas)
      const image = new Image()
      image.src = plate.querySelector("image").getAttribute("href")
      await image.decode()
      const built = seen(image)
      const far = Array.from({ length: drawn.length / 4 },
        (_, k) => Math.abs(drawn[4 * k + 3] - built[4 * k]))
      return [canvas.width, image.width, Math.max(...far), [...drawn.slice(0, 3)].join()]
    }"""
    width, built, far, light = plate.evaluate(inks)
    assert width == built == 24
    assert far == 0
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(100)
    dark = plate.evaluate(inks)[3]
    assert dark != light
    plate.get_by_role("slider", name="temperature").focus()
    page.keyboard.press("End")
    assert plate.evaluate(inks)[2] > 0


def test_a_heat_map_is_taken_away_as_an_image(visit: Callable[..., Page]) -> None:
    page = visit(GALLERY)
    plate = page.locator(".plate[data-figure='a-heat-map']")
    plate.scroll_into_view_if_needed()
    expect(plate).to_have_attribute("data-ready", "")
    plate.get_by_label("More about this figure").click()
    with page.expect_download() as coming:
        plate.get_by_role("button", name="Save as SVG").click()
    text = Path(coming.value.path()).read_text(encoding="utf-8")
    assert text.count('href="data:image/png;base64,') == 2  # the matrix, and its key
    assert "foreignObject" not in text
    assert "<mask" not in text
