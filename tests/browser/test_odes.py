"""The figures of the neural ODEs: dragged, stepped, on a phone, and without script."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.reading import axe, overhang, settle
from tests.browser.test_flow import FAINT, alive, pull

ODES = "neural-odes-from-first-principles/"
LABELS = ["spiral", "hand", "error", "growth", "net", "ring", "back", "reverse"]
PHONE: dict[str, Any] = {"width": 390, "height": 664, "touch": True}

Visit = Callable[..., Page]


def number(text: str) -> float:
    """Read a number as it stands on the page."""
    found = re.search(r"[−-]?[\d,.]+\d|[−-]?\d", text)
    assert found, text
    return float(found[0].replace("−", "-").replace(",", ""))


def test_a_start_is_dragged_and_its_path_answers(visit: Visit) -> None:
    page = visit(ODES)
    plate = alive(page, "spiral")
    readout = plate.locator(".readout")
    expect(readout).to_contain_text("From (2.00, 0.00) the point has come to (0.85, −1.11)")
    path = plate.locator(".whole").first.get_attribute("d")
    pull(page, plate, -40, -50)
    expect(readout).not_to_contain_text("From (2.00, 0.00)")
    assert plate.locator(".whole").first.get_attribute("d") != path
    plate.get_by_label("start, z₁").focus()
    page.keyboard.press("End")
    plate.get_by_label("start, z₂").focus()
    page.keyboard.press("Home")
    expect(readout).to_contain_text("From (2.50, −2.50)")
    # The spiral is a turn: from sqrt(12.5) the radius falls by e^-0.36 in 3.6 units of time.
    x, y = map(number, re.findall(r"come to \((.*?), (.*?)\)", readout.text_content() or "")[0])
    assert (x * x + y * y) ** 0.5 == pytest.approx(12.5**0.5 * 0.6977, abs=0.01)
    plate.locator(".player input").focus()
    page.keyboard.press("Home")
    expect(readout).to_contain_text("come to (2.50, −2.50) at t = 0.0")


def test_steps_by_hand_ask_as_often_as_their_solver(visit: Visit) -> None:
    page = visit(ODES)
    plate = alive(page, "hand")
    for solver, each in (("Euler", 1), ("midpoint", 2), ("RK4", 4)):
        plate.get_by_role("radio", name=solver).check()
        expect(plate.locator(".readout")).to_contain_text(f"after {3 * each} evaluations, {solver}")
        plate.locator(".player input").focus()
        page.keyboard.press("Home")
        expect(plate.locator(".readout")).to_contain_text("knows nothing yet")
        page.keyboard.press("ArrowRight")
        expect(plate.locator(".readout")).to_contain_text("Look at (2.00, 0.00)")
        page.keyboard.press("ArrowRight")
        expect(plate.locator(".readout")).to_contain_text("says (−0.20, −4.00)")
        assert plate.locator(".line.lit").count() >= 1
        for _ in range(2 * (each - 1) + 1):
            page.keyboard.press("ArrowRight")
        assert plate.locator(".seen").count() == each
        expect(plate.locator(".readout")).to_contain_text("At t = 0.5")


def test_halving_the_step_divides_the_error(visit: Visit) -> None:
    page = visit(ODES)
    plate = alive(page, "error")
    expect(plate.locator(".readout")).to_contain_text("above its stability limit, 0.050")
    plate.get_by_role("radio", name="RK4").check()
    plate.get_by_label("steps from 0 to 6").focus()
    found = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        said = plate.locator(".sums .num").first.text_content() or ""
        base, _, power = said.partition("×")
        digits = power.replace("10", "", 1).translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        found.append(number(base) * 10.0 ** int(digits or 0))
    assert found[0] / found[1] == pytest.approx(16, rel=0.1)
    assert found[1] / found[2] == pytest.approx(16, rel=0.1)
    page.locator("a.trigger", has_text="across evaluations").click()
    expect(plate.locator(".axis .name")).to_have_text("evaluations")


def test_training_brings_the_paths_together_and_a_ring_stays_closed(visit: Visit) -> None:
    page = visit(ODES)
    plate = alive(page, "net")
    slider = plate.get_by_label("updates of the weights")
    slider.focus()
    page.keyboard.press("Home")
    offs = []
    for _ in range(5):
        said = plate.locator(".readout").text_content() or ""
        offs.append(number(said.split("at t = 3.0, ")[1]))
        page.keyboard.press("ArrowRight")
    assert offs == sorted(offs, reverse=True)
    assert offs[0] > 20 * offs[-1]
    ring = alive(page, "ring")
    before = ring.locator(".ring.moved").get_attribute("d")
    pull(page, ring, 30, 30)
    after = ring.locator(".ring.moved").get_attribute("d")
    assert after != before
    assert after and after.endswith("Z")


def test_backwards_the_gradient_grows_to_the_exact_one(visit: Visit) -> None:
    page = visit(ODES)
    plate = alive(page, "back")

    def both() -> tuple[list[float], list[float]]:
        found = [number(text) for text in plate.locator(".sums .num").all_text_contents()]
        return found[4:], found[:4]

    so_far, exact = both()
    assert so_far == pytest.approx(exact, abs=0.05)
    plate.locator(".player input").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(plate.locator(".readout")).to_contain_text("The integral is still 0")
    page.locator("a.trigger", has_text="In 6 steps").click()
    readout = plate.locator(".readout")
    expect(readout).to_contain_text("away from where the path began")
    expect(readout).to_contain_text("The way there had ended at radius 0.16")
    expect(readout).to_contain_text("by A₁₁ has come to −0.13, the exact one is 1.71")
    so_far, exact = both()
    assert abs(so_far[0] - exact[0]) > 1


def test_the_way_back_is_lost_where_all_comes_together(visit: Visit) -> None:
    page = visit(ODES)
    plate = alive(page, "reverse")
    expect(plate.locator(".readout")).to_contain_text("it misses its start by 1.0")
    plate.get_by_role("radio", name="float64").check()
    expect(plate.locator(".readout")).to_contain_text("it misses its start by 0.00061")
    page.locator("a.trigger", has_text="k = 10").click()
    expect(plate.locator(".readout")).to_contain_text("With k = 10")


def test_the_browser_would_draw_what_was_built(visit: Visit) -> None:
    page = visit(ODES)
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
    page = visit(ODES, theme=theme, **PHONE)
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
    page = visit(ODES, script=False)
    for label in LABELS:
        plate = page.locator(f".plate[data-figure='{label}']")
        expect(plate.locator(".picture")).to_be_visible()
        expect(plate.locator(".readout")).not_to_be_empty()
        expect(plate.locator(".controls")).to_be_hidden()
        plate.get_by_label("More about this figure").click()
        assert plate.locator(".panel tbody tr").count() >= 4, label
