"""Every kind of figure, in every way it is read: a kind is covered by being in the gallery."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.reading import axe, overhang, settle
from tests.browser.test_figures import WATCH
from tests.real_site import ROOT, WITH_FIGURES

GALLERY = "guide/figures/"
SOURCE = (ROOT / "content/guide/figures/index.md").read_text(encoding="utf-8")
LABELS = re.findall(r"^:+\{figure\} [\w-]+\n:label: ([\w-]+)$", SOURCE, re.MULTILINE)
PHONE = {"width": 390, "height": 664, "touch": True}

Visit = Callable[..., Page]


def plate_of(page: Page, label: str) -> Locator:
    """Bring a figure near, and wait until it lives."""
    plate = page.locator(f".plate[data-figure='{label}']")
    plate.scroll_into_view_if_needed()
    expect(plate).to_have_attribute("data-ready", "")
    return plate


def controls(plate: Locator) -> Iterator[tuple[str, Locator]]:
    """Yield what a hand can move: the kind of control, and where it is."""
    for control in plate.locator(".controls > .control").all():
        yield (control.get_attribute("class") or "").split()[-1], control
    for name in ("handle", "bit", "drag"):
        if plate.locator(f".picture .{name}").count():
            yield name, plate.locator(f".picture .{name}").first


def shown(plate: Locator) -> dict[str, Any]:
    """Return what the figure shows and where its controls stand."""
    found: dict[str, Any] = plate.evaluate(
        """plate => ({
          says: plate.querySelector(".readout").textContent,
          picture: plate.querySelector(".picture").innerHTML
            .replace(/ (tabindex|aria-current)="[^"]*"/g, ""),
          values: [...plate.querySelectorAll(".controls :is(input, select)")].map(field =>
            field.type === "radio" ? field.checked : field.value),
        })"""
    )
    return found


def centre(
    page: Page, target: Locator, across: float = 0.5, down: float = 0.5
) -> tuple[float, ...]:
    """Bring a part into the middle, and return a place in it."""
    target.evaluate("node => node.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(50)
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] * across, box["y"] + box["height"] * down


def by_keys(page: Page, kind: str, control: Locator) -> None:
    """Move a control by keys alone, away from where it is."""
    if kind in ("slider", "player"):
        field = control.locator("input[type=range]")
        field.focus()
        start = field.input_value()
        last, first = field.get_attribute("max"), field.get_attribute("min")
        page.keyboard.press("Home")
        assert field.input_value() == first
        page.keyboard.press("End")
        assert field.input_value() == last
        page.keyboard.press("PageDown")
        assert field.input_value() != last
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        step = float(field.get_attribute("step") or 1)
        assert float(field.input_value()) == pytest.approx(float(last or 0) - step)
        if field.input_value() == start:
            page.keyboard.press("ArrowRight")
    elif kind in ("toggle", "select"):
        control.locator("input:checked").focus()
        page.keyboard.press("ArrowRight")
    elif kind == "menu":
        control.locator("select").focus()
        page.keyboard.press("ArrowDown")
    elif kind == "text":
        control.locator("input").focus()
        page.keyboard.press("ArrowUp")
    elif kind == "handle":
        control.focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowRight")
    elif kind == "bit":
        control.focus()
        page.keyboard.press("Space")


def by_pointer(page: Page, kind: str, control: Locator, touch: bool) -> None:
    """Move a control by a mouse, or by a finger."""

    def press(x: float, y: float) -> None:
        if touch:
            page.touchscreen.tap(x, y)
        else:
            page.mouse.click(x, y)

    if kind in ("slider", "player"):
        field = control.locator("input[type=range]")
        there = float(field.evaluate("f => (f.value - f.min) / (f.max - f.min)"))
        press(*centre(page, field, 0.2 if there > 0.5 else 0.8))
    elif kind in ("toggle", "select"):
        press(*centre(page, control.locator("label:not(:has(:checked))").first))
    elif kind == "menu":
        control.locator("select").select_option(index=2)
    elif kind == "text":
        press(*centre(page, control.locator("input")))
        page.keyboard.press("ArrowDown")
    elif kind == "bit":
        press(*centre(page, control))
    elif kind == "handle" and not touch:
        page.mouse.move(*centre(page, control.locator(".grip")))
        pulled(page, *centre(page, control.locator(".grip")))
    elif kind == "drag" and not touch:
        x, y = centre(page, control, 0.3, 0.3)
        page.mouse.move(x, y)
        pulled(page, x, y)


def pulled(page: Page, x: float, y: float) -> None:
    """Pull from a place to one above and to the right of it."""
    page.mouse.down()
    page.mouse.move(x + 60, y - 40, steps=4)
    page.mouse.up()


# ---- alive ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [GALLERY, *(f"{slug}/" for slug in WITH_FIGURES)])
def test_every_figure_comes_alive_on_its_nodes_and_as_it_was_built(visit: Visit, path: str) -> None:
    page = visit(path, before=WATCH)
    plates = page.locator(".plate[data-module]")
    for label in plates.evaluate_all("all => all.map(plate => plate.dataset.figure)"):
        plate_of(page, label)
        kept, before, built, drawn = page.evaluate(
            """async (label) => {
              const { nodes, records, html } = window.seen[label]
              const alive = records.findIndex(record => record.attributeName === "data-ready")
              const { copy } = await import(document.querySelector("script[type=module]").src)
              const clean = (html) => {
                const template = document.createElement("template")
                template.innerHTML = html
                for (const field of template.content.querySelectorAll("input, option, select")) {
                  for (const name of ["value", "checked", "selected"]) field.removeAttribute(name)
                }
                for (const styled of template.content.querySelectorAll("[style]")) {
                  styled.setAttribute("style", styled.style.cssText)
                }
                return template.innerHTML.replaceAll("><", ">\\n<")
              }
              const plate = document.querySelector(`.plate[data-figure="${label}"]`)
              return [
                nodes.every(node => node.isConnected),
                records.slice(0, alive)
                  .map(r => `${r.type} ${r.attributeName} ${r.target.nodeName}`),
                clean(html), clean(copy(plate).innerHTML),
              ]
            }""",
            label,
        )
        assert kept, label
        assert before == [], label
        assert drawn.splitlines() == built.splitlines(), label


@pytest.mark.parametrize("hand", ["keys", "mouse", "finger"])
def test_every_control_moves_by_every_hand_and_an_address_restores_it(
    visit: Visit, hand: str
) -> None:
    page = visit(GALLERY, **(PHONE if hand == "finger" else {}))
    again = visit(GALLERY, **(PHONE if hand == "finger" else {}))
    for label in LABELS:
        plate = plate_of(page, label)
        for kind, control in controls(plate):
            before = shown(plate)
            if hand == "keys":
                by_keys(page, kind, control)
            else:
                by_pointer(page, kind, control, touch=hand == "finger")
            # Whoever cannot drag has a control with the same key.
            if kind != "drag" and (kind, hand) != ("handle", "finger"):
                assert shown(plate) != before, (label, kind)
        page.wait_for_url(lambda url, label=label: f"#{label}?" in url)
        again.goto(page.evaluate("location.href"))
        expect(plate_of(again, label).locator(".readout")).to_have_text(shown(plate)["says"])
        assert shown(plate_of(again, label)) == shown(plate), label


def test_a_step_is_said_once_and_a_moment_later(visit: Visit) -> None:
    page = visit(GALLERY)
    for label in LABELS:
        said_once(page, label)


def said_once(page: Page, label: str) -> None:
    """Move one control of a figure, and hear what it says."""
    plate = plate_of(page, label)
    page.evaluate(
        """(voice) => {
          window.said = []
          new MutationObserver(() => window.said.push(voice.textContent)).observe(voice, {
            subtree: true, childList: true, characterData: true,
          })
        }""",
        plate.locator("[aria-live]").element_handle(),
    )
    kind, control = next(controls(plate))
    by_pointer(page, kind, control, touch=False)
    page.wait_for_timeout(600)
    assert page.evaluate("window.said") == [plate.locator(".readout").text_content()], label


def test_play_goes_on_and_stops(visit: Visit) -> None:
    page = visit(GALLERY)
    seen = 0
    for label in LABELS:
        plate = plate_of(page, label)
        if not plate.locator(".player").count():
            continue
        seen += 1
        field = plate.locator(".player input")
        field.focus()
        page.keyboard.press("Home")
        plate.get_by_role("button", name="Play").click()
        expect(plate).to_have_attribute("data-playing", "")
        page.wait_for_function("f => Number(f.value) >= 2", arg=field.element_handle())
        plate.get_by_role("button", name="Pause").click()
        expect(plate).not_to_have_attribute("data-playing", "")
    assert seen


# ---- in every way it is read ---------------------------------------------------------------------


def test_every_kind_is_whole_without_script_and_in_print(visit: Visit) -> None:
    for script in (False, True):
        page = visit(GALLERY, script=script)
        if script:
            settle(page)
            page.emulate_media(media="print")
        for label in LABELS:
            plate = page.locator(f".plate[data-figure='{label}']")
            expect(plate.locator(".picture > *").first).to_be_visible()
            expect(plate.locator(".readout")).not_to_be_empty()
            expect(plate.locator(".controls")).to_be_hidden()
        if not script:
            unfolded = page.locator(".plate .more > summary").all()
            for summary in unfolded:
                summary.click()
            assert page.locator(".plate .more[open]").count() == len(unfolded)


@pytest.mark.parametrize(
    "way",
    [
        {"width": 1280, "theme": "light"},
        {"width": 1280, "theme": "dark", "motion": False},
        {**PHONE, "theme": "light"},
        {**PHONE, "theme": "dark"},
        {"width": 1280, "forced": True},
        {"width": 640, "height": 400, "scale": 2},
    ],
    ids=["wide", "wide-dark-still", "phone", "phone-dark", "forced-colours", "zoomed-twice"],
)
def test_every_kind_is_read_in_every_light_and_size(visit: Visit, way: dict[str, Any]) -> None:
    page = visit(GALLERY, **way)
    settle(page)
    assert axe(page) == []
    assert overhang(page) == []
    for label in LABELS:
        plate = plate_of(page, label)
        groups = plate.locator(".controls > .control").count()
        groups += plate.locator(".listing").count()
        groups += min(1, plate.locator(".handle, .bit, .drag").count())
        assert 1 <= groups <= 5, label
        if not way.get("motion", True):
            moving = plate.evaluate(
                """plate => [...plate.querySelectorAll("*")].flatMap(node =>
                  getComputedStyle(node).transitionDuration.split(", ").map(parseFloat))
                  .filter(seconds => seconds > 0.001).length"""
            )
            assert moving == 0, label


def test_every_kind_fits_a_phone_at_once(visit: Visit) -> None:
    page = visit(GALLERY, **PHONE)
    for label in LABELS:
        plate = plate_of(page, label)
        box = plate.bounding_box()
        assert box
        assert box["height"] <= PHONE["height"], (label, box)
        small = plate.evaluate(
            """(plate) => [...plate.querySelectorAll(".picture text")]
              .filter((text) => text.textContent && text.getClientRects().length)
              .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize)
                * text.getScreenCTM().a]).filter(([, size]) => size < 10.5)"""
        )
        assert small == [], label
        for target in plate.locator(".controls :is(button, input, select):visible").all():
            room = target.bounding_box()
            assert room
            assert room["height"] >= 43.9, target.evaluate("node => node.outerHTML")
