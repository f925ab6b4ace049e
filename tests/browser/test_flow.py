"""The figures of the normalizing flow: dragged, stepped, on a phone, and without script."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.reading import axe, overhang, settle

FLOW = "simple-1d-normalizing-flow/"
LABELS = ["push", "term", "strip", "fold", "stack", "fit", "draw"]
PHONE: dict[str, Any] = {"width": 390, "height": 664, "touch": True}

Visit = Callable[..., Page]

FAINT = """(plate) => {
  const canvas = document.createElement("canvas")
    .getContext("2d", { willReadFrequently: true })
  const light = (colour) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
    if (a < 128) return null
    const line = (v) => (v <= 10 ? v / 3294 : ((v / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * line(r) + 0.7152 * line(g) + 0.0722 * line(b)
  }
  const paper = light(getComputedStyle(document.documentElement).backgroundColor)
  const contrast = (colour) => {
    const value = colour === "none" ? null : light(colour)
    if (value === null) return 0
    return (Math.max(value, paper) + 0.05) / (Math.min(value, paper) + 0.05)
  }
  return [...plate.querySelectorAll(".picture :is(rect, circle, path)")]
    .filter((mark) => !mark.matches(".reach") && mark.getClientRects().length)
    .map((mark) => {
      const { fill, stroke } = getComputedStyle(mark)
      const ways = [fill, stroke].map((c) => (c.startsWith("url") ? 9 : contrast(c)))
      return [mark.outerHTML.slice(0, 90), Math.max(...ways)]
    })
    // What shows nothing is there to be touched.
    .filter(([, best]) => best > 0 && best < 3)
}"""
"""The marks of a plate that no colour of theirs sets off from the page, 3 to 1."""


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


def pull(page: Page, plate: Locator, x: float, y: float) -> None:
    """Drag the grip of a figure by so many pixels."""
    grip = plate.locator(".drag")
    grip.evaluate("node => node.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(100)
    box = grip.bounding_box()
    assert box
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + x, at[1] + y, steps=5)
    page.mouse.up()


def test_a_strip_is_dragged_and_its_image_answers(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "push")
    readout = plate.locator(".readout")
    expect(readout).to_contain_text("at z = 1.20 lands at x = 3.09")
    held = plate.locator(".held").last.get_attribute("d")
    pull(page, plate, -60, 0)
    expect(readout).not_to_contain_text("z = 1.20")
    assert plate.locator(".held").last.get_attribute("d") != held
    slider = plate.get_by_label("the strip, at z")
    slider.focus()
    page.keyboard.press("Home")
    expect(readout).to_contain_text("at z = −3.00")
    assert "#push?z=-3" in page.url
    page.locator("a.trigger", has_text="Let u be negative").click()
    # 1 + u w with u = -0.25 and w = 1.5 is 0.625.
    expect(readout).to_contain_text("The slope there is 0.62: the height rises from 0.399 to 0.638")


def test_only_with_the_slope_is_the_area_one(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "term")
    area = plate.locator(".area")
    expect(area).to_have_text("carried: area 2.38")
    plate.get_by_role("radio", name="divided by the slope").check()
    expect(area).to_have_text("divided: area 1.00")
    for name in ("how far it shifts, u", "how sudden it bends, w", "b (it bends at −b/w)"):
        plate.get_by_label(name).focus()
        for key in ("Home", "End"):
            page.keyboard.press(key)
            expect(area).to_have_text("divided: area 1.00")


def test_a_density_above_one_is_drawn_whole(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "term")
    page.locator("a.trigger", has_text="Crowd the middle").first.click()
    # 0.3989 divided by 1 - 0.25 * 3.
    expect(plate.locator(".readout")).to_contain_text("the peak is 1.60")
    curve = plate.locator(".after[data-term]").bounding_box()
    room = plate.locator("clipPath rect").evaluate(
        "node => { const { x, y, width, height } = node; const [a, b] = [x, y].map("
        "(length) => length.baseVal.value); const to = node.ownerSVGElement.getScreenCTM();"
        "return [b * to.d + to.f, (b + height.baseVal.value) * to.d + to.f] }"
    )
    assert curve
    # But for half a stroke.
    assert room[0] < curve["y"] < curve["y"] + curve["height"] <= room[1] + 3
    assert "1.0" in plate.locator(".axis text").all_text_contents()


def test_a_thin_strip_has_the_slope_as_its_ratio(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "strip")
    plate.get_by_label("its width").focus()
    page.keyboard.press("Home")
    numbers = plate.locator(".sums .num").all_text_contents()
    assert numbers[-2] == numbers[-1] == "2.79"
    pull(page, plate, -40, 0)
    expect(plate.locator(".readout")).not_to_contain_text("z = 0.50")
    again = plate.locator(".sums .num").all_text_contents()
    assert abs(float(again[-2]) - float(again[-1])) <= 0.02


def test_a_fold_keeps_its_area_when_all_points_count(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "fold")
    readout = plate.locator(".readout")
    expect(readout).to_contain_text("three points land, of which one is counted")
    page.locator("a.trigger", has_text="all of them").click()
    expect(readout).to_contain_text("area 1.00")
    assert plate.locator(".behind").count() == 3
    pull(page, plate, 0, -120)
    expect(readout).to_contain_text("one point lands")
    plate.get_by_label("u w, with w = 1.5").focus()
    page.keyboard.press("End")
    expect(readout).to_contain_text("the map rises everywhere")


def test_a_slope_of_zero_has_no_height(visit: Visit) -> None:
    page = visit(FLOW + "#fold?product=-1&x=0&counted=all")
    plate = alive(page, "fold")
    readout = plate.locator(".readout")
    expect(readout).to_contain_text("one point lands: the slope is 0, and the height has no bound")
    assert "9.000" not in " ".join(plate.locator(".sums text").all_text_contents())
    plate.get_by_label("u w, with w = 1.5").focus()
    page.keyboard.press("ArrowRight")
    # A slope of 1 - 0.95 makes 0.3989 twenty times as high.
    expect(readout).to_contain_text("height 7.979")


def test_log_slopes_add_up_step_by_step(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "stack")
    plate.locator(".player input").focus()
    page.keyboard.press("Home")
    expect(plate.locator(".readout")).to_contain_text("Nothing has moved")
    readout = plate.locator(".readout")
    total, at, met = 0.0, 0.6, 0.0
    for step in range(1, 10):
        page.keyboard.press("ArrowRight")
        if step % 2 == 0:
            total += float(plate.locator(".now").text_content().replace("−", "-"))
            # The layer that is told is applied here once more, at the place that is told.
            said = (readout.text_content() or "").replace("−", "-")
            u, w, b = (
                float(said.split(f"{name} = ")[1].split(")")[0].split(",")[0]) for name in "uwb"
            )
            met = float(said.split("the point at ")[1].split(",")[0])
            assert met == pytest.approx(at, abs=0.011)
            slope = float(said.split("its slope is ")[1].split(". ")[0])
            bend = 1 - math.tanh(w * met + b) ** 2
            assert slope == pytest.approx(1 + u * w * bend, abs=0.03)
        elif step > 1:
            said = plate.locator(".sum").last.text_content().replace("−", "-")
            assert float(said.removeprefix("= ")) == pytest.approx(total, abs=0.025)
            at = met + u * math.tanh(w * met + b)
    # The bell's log-density at 0.6, less the sum.
    log_p = -0.5 * 0.6**2 - 0.5 * math.log(2 * math.pi) - total
    said = (readout.text_content() or "").replace("−", "-")
    assert float(said.rsplit("= ", 1)[1].split(",")[0]) == pytest.approx(log_p, abs=0.03)
    assert float(said.split("height of ")[1].rstrip(".")) == pytest.approx(
        math.exp(log_p), abs=0.004
    )
    assert plate.locator(".dot").count() == 5
    assert plate.locator(".line.lit").count() >= 1


def test_more_layers_fit_better_and_keep_a_bridge(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "fit")
    found = []
    for layers in ("1", "2", "4", "8"):
        plate.get_by_role("radio", name=layers, exact=True).check()
        said = plate.locator(".readout").text_content() or ""
        found.append(float(said.split("loss ")[1].split(";")[0]))
        assert "the true density has 1.1041 on these samples" in said
        # Above 0, in plain digits or by a power of ten.
        assert re.search(r"lowest height there is (0\.0*[1-9]|[1-9]\S*×10)", said), said
    assert found == sorted(found, reverse=True)
    plate.get_by_role("radio", name="powers of ten").check()
    expect(plate.locator(".picture")).to_contain_text("density, powers of ten")


def test_a_number_is_drawn_from_the_fit(visit: Visit) -> None:
    page = visit(FLOW)
    plate = alive(page, "draw")
    readout = plate.locator(".readout")
    plate.get_by_label("z, drawn from the bell").focus()
    found = []
    page.keyboard.press("Home")
    for _ in range(13):
        said = (readout.text_content() or "").replace("−", "-")
        found.append(float(said.split("x = ")[1].split(". ")[0]))
        page.keyboard.press("PageUp")
    # Order stays, and both lumps are reached.
    assert found == sorted(found)
    assert found[0] < -2
    assert found[-1] > 1.5
    page.keyboard.press("Home")
    pull(page, plate, 80, 0)
    expect(readout).not_to_contain_text("z = −3.00")


def test_the_browser_would_draw_what_was_built(visit: Visit) -> None:
    page = visit(FLOW)
    settle(page)
    for label in LABELS:
        expect(page.locator(f".plate[data-figure='{label}']")).to_have_attribute("data-ready", "")
    different = page.evaluate(
        """async () => {
          const { copy } = await import(document.querySelector("script[type=module]").src)
          const plain = (plate) => plate.querySelector(".picture").innerHTML
            .replaceAll(/ style="[^"]*"/g, "")
          return [...document.querySelectorAll(".plate")]
            .filter((plate) => plain(plate) !== plain(copy(plate)))
            .map((plate) => plate.dataset.figure)
        }"""
    )
    assert different == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_shows_each_figure_at_once(visit: Visit, theme: str) -> None:
    page = visit(FLOW, theme=theme, **PHONE)
    settle(page)
    assert axe(page) == []
    assert overhang(page) == []
    for label in LABELS:
        plate = alive(page, label)
        box = plate.bounding_box()
        assert box
        assert box["height"] <= PHONE["height"], (label, box)
        groups = plate.locator(".controls > .control").count() + plate.locator(".listing").count()
        assert 1 <= groups + min(1, plate.locator(".drag").count()) <= 5, label
        small = plate.evaluate(
            """(plate) => [...plate.querySelectorAll(".picture text")]
              .filter((text) => text.textContent && text.getClientRects().length)
              .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize)
                * text.getScreenCTM().a]).filter(([, size]) => size < 10.5)"""
        )
        assert small == [], label
        assert plate.evaluate(FAINT) == [], label


def test_without_script_every_figure_makes_its_point(visit: Visit) -> None:
    page = visit(FLOW, script=False)
    for label in LABELS:
        plate = page.locator(f".plate[data-figure='{label}']")
        expect(plate.locator(".picture")).to_be_visible()
        expect(plate.locator(".readout")).not_to_be_empty()
        expect(plate.locator(".controls")).to_be_hidden()
        plate.get_by_label("More about this figure").click()
        assert plate.locator(".panel tbody tr").count() >= 4, label
