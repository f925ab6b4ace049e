"""The article's figures in a browser: alive in place, moved by every hand, whole without script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Route,
    expect,
)
from tests.browser.reading import AXE

HOST = "https://tiny.example"
ARTICLE = f"{HOST}/online-softmax/"
FIGURES = ["one-sweep", "overflow", "order", "merge", "recorded"]

# Written before any script of the page: what is there when it is parsed, and what changes then.
WATCH = """
addEventListener("DOMContentLoaded", () => {
  window.seen = {}
  for (const plate of document.querySelectorAll(".plate")) {
    const about = { html: plate.innerHTML, nodes: [...plate.querySelectorAll("*")], records: [] }
    window.seen[plate.dataset.figure] = about
    new MutationObserver((records) => about.records.push(...records)).observe(plate, {
      subtree: true, childList: true, attributes: true, characterData: true,
    })
  }
})
"""


class Reader:
    """Opens pages, and keeps what goes wrong on them."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self.contexts: list[BrowserContext] = []
        self.messages: list[str] = []
        self.outside: list[str] = []
        self.broken: Callable[[str], bool] = lambda _: False

    def _serve(self, route: Route) -> None:
        url = route.request.url
        path = self._folder / url.removeprefix(HOST + "/").split("?")[0]
        if not url.startswith(HOST):
            self.outside.append(url)
            route.abort()
        elif self.broken(url):
            route.fulfill(
                body="throw new Error('broken on purpose')", content_type="text/javascript"
            )
        else:
            route.fulfill(path=path / "index.html" if path.is_dir() else path)

    def open(self, hash_: str = "", width: int = 1280, height: int = 800, **more: Any) -> Page:
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, base_url=HOST, **more
        )
        self.contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.route("**/*", self._serve)
        page = context.new_page()
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.add_init_script(WATCH)
        page.goto(ARTICLE + hash_)
        return page


@pytest.fixture
def reader(browser: Browser, output: Path) -> Iterator[Reader]:
    made = Reader(browser, output)
    yield made
    for context in made.contexts:
        context.close()


def ready(page: Page, label: str) -> Locator:
    """Bring a figure near, and wait until it lives."""
    plate = page.locator(f".plate[data-figure='{label}']")
    plate.scroll_into_view_if_needed()
    expect(plate).to_have_attribute("data-ready", "")
    page.wait_for_function("() => document.querySelector('.predict:not(:has(.choice))') === null")
    veil = page.locator(f"#{label} .veil").get_by_role("button", name="Show it now")
    if veil.count():
        veil.click()
    return plate


def step(plate: Locator) -> str:
    return plate.get_by_role("slider", name="steps of the sweep").input_value()


def swipe(page: Page, x: float, y: float, by: float) -> None:
    """Draw a finger up or down, as a browser gets it from a screen."""
    touch = page.context.new_cdp_session(page)
    points = [y + by * k / 8 for k in range(9)]
    for k, at in enumerate(points):
        kind = "touchMove" if k else "touchStart"
        event = {"type": kind, "touchPoints": [{"x": x, "y": at}]}
        touch.send("Input.dispatchTouchEvent", event)
        page.wait_for_timeout(16)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(100)


def played(page: Page, plate: Locator, least: int) -> None:
    """Wait until a figure that plays has come to a step."""
    for _ in range(100):
        if int(step(plate)) >= least:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it stands at step {step(plate)}")


# ---- hydration ---------------------------------------------------------------------------------


def test_hydration_keeps_the_nodes_and_changes_nothing(reader: Reader) -> None:
    page = reader.open()
    for label in FIGURES:
        ready(page, label)
        kept, before = page.evaluate(
            """(label) => {
              const { nodes, records } = window.seen[label]
              const alive = records.findIndex((record) => record.attributeName === "data-ready")
              return [
                nodes.every((node) => node.isConnected),
                records.slice(0, alive)
                  .map((r) => `${r.type} ${r.attributeName} ${r.target.nodeName}`),
              ]
            }""",
            label,
        )
        assert kept, label
        assert before == [], label


def test_the_browser_would_draw_what_was_built(reader: Reader) -> None:
    page = reader.open()
    for label in FIGURES:
        ready(page, label)
        built, drawn = page.evaluate(
            """async (label) => {
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
              return [clean(window.seen[label].html), clean(copy(plate).innerHTML)]
            }""",
            label,
        )
        assert drawn.splitlines() == built.splitlines(), label


def test_nothing_moves_and_nothing_is_said(reader: Reader) -> None:
    page = reader.open()
    page.evaluate(
        """() => new PerformanceObserver((list) => {
          window.shifts ??= []
          for (const { sources } of list.getEntries()) {
            for (const { node } of sources) {
              const figure = (node?.nodeType === 1 ? node : node?.parentElement)?.closest(".figure")
              if (figure) window.shifts.push(node.outerHTML ?? node.data)
            }
          }
        }).observe({ type: "layout-shift", buffered: true })"""
    )
    for label in FIGURES:
        ready(page, label)
    page.wait_for_timeout(200)
    assert page.evaluate("window.shifts ?? []") == []
    assert reader.messages == []
    assert reader.outside == []


def test_only_what_is_near_is_started(reader: Reader) -> None:
    page = reader.open(height=300)
    ready(page, "one-sweep")
    expect(page.locator(".plate[data-figure='merge']")).not_to_have_attribute("data-ready", "")
    ready(page, "merge")


# ---- hands -------------------------------------------------------------------------------------


def test_the_scrubber_by_keys(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=42")
    plate = ready(page, "one-sweep")
    scrubber = plate.get_by_role("slider", name="steps of the sweep")
    scrubber.focus()
    page.keyboard.press("ArrowLeft")
    assert scrubber.input_value() == "41"
    expect(scrubber).to_have_attribute("aria-valuetext", "step 41 of 42")
    expect(plate.locator(".line.lit")).to_contain_text("m = m_new")
    expect(plate.locator(".readout")).to_have_text("Score 8 of 8, 2.5: m is 6 and l is 1.612340.")
    assert page.url == f"{ARTICLE}#one-sweep?step=41"
    page.keyboard.press("Home")
    assert scrubber.input_value() == "0"
    assert plate.locator(".line.lit").count() == 0
    page.keyboard.press("End")
    assert scrubber.input_value() == "42"
    assert page.url == f"{ARTICLE}#one-sweep?step=42"


def test_step_buttons_stop_at_the_ends(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=1")
    plate = ready(page, "one-sweep")
    back = plate.get_by_role("button", name="One step back")
    back.click()
    assert step(plate) == "0"
    expect(back).to_be_disabled()
    plate.get_by_role("button", name="One step on").click()
    assert step(plate) == "1"


def test_an_address_restores_a_state_and_reset_leaves_it(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=20&nothing=1&preset=descending")
    plate = ready(page, "one-sweep")
    assert step(plate) == "20"
    expect(plate.get_by_label("the row")).to_have_value("descending")
    expect(plate).to_be_in_viewport()
    plate.get_by_label("More about this figure").click()
    plate.get_by_role("button", name="Reset").click()
    built = page.evaluate(
        "/type=.range.[^>]* value=.(\\d+)/.exec(window.seen['one-sweep'].html)[1]"
    )
    assert step(plate) == built
    expect(plate.get_by_label("the row")).to_have_value("given")
    assert page.url == f"{ARTICLE}#one-sweep"


def test_the_link_copied_is_the_state_shown(reader: Reader) -> None:
    page = reader.open("#merge?tree=lanes&step=3")
    plate = ready(page, "merge")
    plate.get_by_label("More about this figure").click()
    plate.get_by_role("button", name="Copy link to this state").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{ARTICLE}#merge?tree=lanes&step=3"


def test_a_figure_is_taken_away_as_picture_table_and_data(reader: Reader) -> None:
    page = reader.open("#merge?tree=lanes&step=3")
    plate = ready(page, "merge")
    plate.get_by_label("More about this figure").click()
    taken = {}
    for name in ("Save as SVG", "Table as CSV", "Data as JSON"):
        with page.expect_download() as coming:
            plate.get_by_role("button", name=name).click()
        taken[coming.value.suggested_filename] = Path(coming.value.path()).read_text("utf-8")
    assert sorted(taken) == ["merge.csv", "merge.json", "merge.svg"]
    picture = taken["merge.svg"]
    assert picture.startswith("<svg")
    assert "var(--" not in picture
    assert "class=" not in picture
    assert re.search(r'fill="#[0-9a-f]{6}"', picture)
    rows = taken["merge.csv"].splitlines()
    assert rows[0] == "merge,one,other,together"
    assert rows[1].startswith('1,"(1, 1.000000)"')
    assert '"trees"' in taken["merge.json"]
    outside = page.context.new_page()
    outside.set_content(picture)
    assert outside.locator("svg").bounding_box()


def test_a_word_plays_the_figure_to_a_step(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=42")
    plate = ready(page, "one-sweep")
    page.get_by_role("link", name="Then 5 shrinks everything again").first.click()
    scrubber = plate.get_by_role("slider", name="steps of the sweep")
    expect(plate).to_have_attribute("data-playing", "")
    assert 15 <= int(step(plate)) < 20
    expect(scrubber).to_have_value("20")
    expect(plate).not_to_have_attribute("data-playing", "")
    expect(plate.locator("[aria-live]")).to_contain_text("the old sum shrinks")
    assert page.url == f"{ARTICLE}#one-sweep?step=20"


def test_a_word_jumps_to_a_step_where_less_motion_is_asked_for(reader: Reader) -> None:
    page = reader.open(reduced_motion="reduce")
    plate = ready(page, "one-sweep")
    page.get_by_role("link", name="Then 5 shrinks everything again").first.click()
    assert step(plate) == "20"


def test_a_line_of_the_listing_leads_to_its_steps(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=0")
    plate = ready(page, "one-sweep")
    plate.locator(".line", has_text="scale = weight").click()
    assert step(plate) == "4"
    button = plate.locator(".line", has_text="scale = weight").get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    assert step(plate) == "9"
    page.keyboard.press("ArrowDown")
    expect(plate.locator(".line", has_text="l = l * scale").get_by_role("button")).to_be_focused()
    assert plate.locator("button.go[tabindex='0']").count() == 1


def test_a_bar_by_mouse(reader: Reader) -> None:
    page = reader.open()
    plate = ready(page, "one-sweep")
    bar = plate.get_by_role("slider", name="score 6")
    box = bar.locator(".grip").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=4)
    expect(plate).to_have_attribute("data-dragging", "")
    page.mouse.up()
    expect(plate).not_to_have_attribute("data-dragging", "")
    value = float(bar.get_attribute("aria-valuenow") or 0)
    assert value > 1.5
    assert f"x=1,3,2,5,4,{value:g},6,2.5" in page.url
    plate.get_by_label("More about this figure").click()
    expect(plate.locator(".checked")).to_contain_text("Computed in your browser")
    page.keyboard.press("Escape")
    expect(plate.locator(".panel")).to_be_hidden()
    menu = plate.get_by_label("the row")
    expect(menu.locator("option:checked")).to_have_text("your own")
    menu.select_option("as given")
    expect(bar).to_have_attribute("aria-valuenow", "0.5")
    expect(menu.locator("option")).to_have_count(6)


def test_a_row_of_bars_is_one_stop_for_the_tab_key(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=42")
    plate = ready(page, "one-sweep")
    assert plate.locator(".handle[tabindex='0']").count() == 1
    plate.get_by_role("slider", name="score 1").focus()
    page.keyboard.press("ArrowRight")
    second = plate.get_by_role("slider", name="score 2")
    expect(second).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(second).to_have_attribute("aria-valuenow", "3.5")
    page.keyboard.press("End")
    expect(second).to_have_attribute("aria-valuenow", "8")
    expect(plate.locator(".readout")).to_contain_text("m = 8")
    page.keyboard.press("Home")
    expect(second).to_have_attribute("aria-valuenow", "0")


def test_a_finger_drags_a_bar_and_scrolls_elsewhere(reader: Reader) -> None:
    page = reader.open(width=390, height=664, has_touch=True)
    plate = ready(page, "one-sweep")
    page.evaluate("document.querySelector('#one-sweep').scrollIntoView()")
    reach = plate.locator(".reach").nth(1).bounding_box()
    assert reach
    assert reach["width"] >= 24
    assert reach["height"] >= 44
    bar = plate.get_by_role("slider", name="score 2")
    swipe(page, reach["x"] + reach["width"] / 2, reach["y"] + reach["height"] / 2, -80)
    assert float(bar.get_attribute("aria-valuenow") or 0) > 4.5
    box = plate.locator(".picture").bounding_box()
    assert box
    before = page.evaluate("scrollY")
    moved = bar.get_attribute("aria-valuenow")
    swipe(page, box["x"] + box["width"] - 20, box["y"] + box["height"] - 30, -80)
    assert page.evaluate("scrollY") > before + 30
    assert bar.get_attribute("aria-valuenow") == moved


def test_playing_steps_on_and_a_hand_stops_it(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=3")
    plate = ready(page, "one-sweep")
    scrubber = plate.get_by_role("slider", name="steps of the sweep")
    scrubber.focus()
    page.keyboard.press("Space")
    expect(plate).to_have_attribute("data-playing", "")
    played(page, plate, 6)
    expect(plate.locator("[aria-live]")).to_have_text("")
    page.keyboard.press("ArrowLeft")
    expect(plate).not_to_have_attribute("data-playing", "")
    stopped = step(plate)
    page.wait_for_timeout(900)
    assert step(plate) == stopped


def test_playing_stops_off_screen(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=3")
    plate = ready(page, "one-sweep")
    plate.get_by_role("button", name="Play").click()
    expect(plate.get_by_role("button", name="Pause")).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(plate).not_to_have_attribute("data-playing", "")


def test_a_step_is_said_once_and_a_moment_later(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=42")
    plate = ready(page, "one-sweep")
    voice = plate.locator("[aria-live]")
    page.evaluate(
        """(voice) => {
          window.said = []
          new MutationObserver(() => window.said.push(voice.textContent)).observe(voice, {
            subtree: true, childList: true, characterData: true,
          })
        }""",
        voice.element_handle(),
    )
    plate.get_by_role("slider", name="steps of the sweep").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate("window.said") == []
    page.wait_for_timeout(500)
    assert page.evaluate("window.said") == ["Score 8 of 8, 2.5: the maximum stays 6."]


def test_switches_and_uneven_sliders(reader: Reader) -> None:
    page = reader.open()
    plate = ready(page, "overflow")
    plate.get_by_role("radio", name="float16").check()
    shift = plate.get_by_role("slider", name="added to every score")
    shift.focus()
    page.keyboard.press("Home")
    expect(shift).to_have_attribute("aria-valuetext", "0")
    expect(plate.locator(".readout")).to_contain_text("plain still works")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(plate.locator(".readout")).to_contain_text("eight zeros")
    assert page.url == f"{ARTICLE}#overflow?dtype=float16&shift=5"


def test_a_control_that_means_nothing_yet_waits(reader: Reader) -> None:
    page = reader.open()
    plate = ready(page, "order")
    shuffle = plate.get_by_role("slider", name="a shuffle, by its number")
    expect(shuffle).to_be_disabled()
    plate.get_by_role("radio", name="shuffled").check()
    shuffle.focus()
    page.keyboard.press("ArrowRight")
    expect(shuffle).to_have_value("2")


def test_a_word_of_the_text_is_found_again(reader: Reader) -> None:
    page = reader.open()
    plate = ready(page, "one-sweep")
    word = page.get_by_role("link", name="Then 5 shrinks everything again").first
    word.click()
    back = page.get_by_role("button", name="Back to the text")
    expect(back).to_be_visible()
    expect(plate.get_by_role("slider", name="steps of the sweep")).to_have_value("20")
    expect(plate).not_to_have_attribute("data-playing", "")
    page.keyboard.press("Tab")
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(word).to_be_focused()
    expect(word).to_be_in_viewport()
    expect(back).to_have_count(0)
    assert page.url == f"{ARTICLE}#one-sweep?step=20"


# ---- questions ---------------------------------------------------------------------------------


def test_a_prediction_comes_before_its_answer(reader: Reader) -> None:
    page = reader.open()
    page.evaluate("document.querySelector('.predict').scrollIntoView()")
    question = page.locator(".predict").first
    plate = page.locator(".plate[data-figure='overflow']")
    expect(page.locator("#overflow")).to_have_attribute("data-veiled", "")
    expect(plate.locator(".readout")).to_be_hidden()
    answer = question.locator("summary")
    answer.click()
    expect(question.get_by_role("status")).to_contain_text("Choose one first")
    expect(question.locator("details")).not_to_have_attribute("open", "")
    expect(question.get_by_role("radio").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(question.get_by_role("radio", name="one NaN and seven zeros")).to_be_checked()
    expect(answer).to_have_text("See whether C is right")
    answer.focus()
    page.keyboard.press("Enter")
    said = "Not so: you chose C, and D is right."
    expect(question.get_by_role("status")).to_have_text(said)
    expect(question.locator(".answer-value")).to_be_visible()
    expect(page.locator("#overflow")).not_to_have_attribute("data-veiled", "")
    expect(plate.locator(".readout")).to_be_visible()
    expect(question.locator("input").first).to_be_disabled()


def test_a_right_prediction_and_an_address_that_shows_the_figure(reader: Reader) -> None:
    page = reader.open("#overflow?shift=100")
    plate = ready(page, "overflow")
    expect(plate.locator(".readout")).to_be_visible()
    question = page.locator(".predict").first
    question.get_by_text("eight zeros", exact=True).first.click()
    question.locator("summary").click()
    expect(question.get_by_role("status")).to_have_text("Right: D.")


def test_the_veil_leads_to_the_question_and_then_to_its_answer(reader: Reader) -> None:
    page = reader.open()
    question = page.locator(".predict").first
    cover = page.locator("#overflow .veil")
    cover.get_by_role("button", name="Predict first").click()
    expect(question.get_by_role("radio").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    cover.get_by_role("button", name="See whether B is right").click()
    expect(question.get_by_role("status")).to_have_text("Not so: you chose B, and D is right.")
    expect(question.locator("[data-right]")).to_contain_text("eight zeros")
    expect(question.locator("summary")).to_be_focused()
    expect(page.locator("#overflow")).not_to_have_attribute("data-veiled", "")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("-1.414", "Not so: look at the sign."),
        ("1414/1000", "Right."),
        ("2^0", "Not so: the answer is more."),
        ("2⁻¹", "Not so: the answer is more."),
        ("-2**3", "Not so: the answer is more."),
        ("1.414 × 10⁰", "Right."),
    ],
)
def test_a_typed_answer_may_be_a_fraction_or_a_power(
    reader: Reader, text: str, verdict: str
) -> None:
    page = reader.open()
    question = page.locator(".self-check").first
    field = question.get_by_label("your answer")
    field.fill(text)
    field.press("Enter")
    expect(question.locator("output")).to_have_text(verdict)


def test_a_typed_answer_is_judged_in_words(reader: Reader) -> None:
    page = reader.open()
    question = page.locator(".self-check").first
    field = question.get_by_label("your answer")
    field.fill("1.3")
    field.press("Enter")
    expect(question.locator("output")).to_have_text("Not so: the answer is more.")
    expect(question.locator("details")).not_to_have_attribute("open", "")
    field.fill("about one")
    field.press("Enter")
    expect(question.locator("output")).to_have_text(
        "Type a number: 12, 1.5, 3/4 and 2^-3 all will do."
    )
    field.fill("1.42")
    question.get_by_role("button", name="Check").click()
    expect(question.locator("output")).to_have_text("Right.")
    expect(question.locator("details")).to_have_attribute("open", "")


# ---- without ------------------------------------------------------------------------------------


def test_without_script_every_figure_is_complete(reader: Reader) -> None:
    page = reader.open(java_script_enabled=False)
    for label in FIGURES:
        plate = page.locator(f".plate[data-figure='{label}']")
        expect(plate.locator(".picture svg")).to_be_visible()
        expect(plate.locator(".readout")).to_be_visible()
        expect(plate.locator(".readout")).not_to_be_empty()
        expect(plate.locator(".controls")).to_be_hidden()
        plate.get_by_label("More about this figure").click()
        assert plate.locator(".panel tbody tr").count() >= 7
    expect(page.locator(".source .lit")).to_be_visible()
    # Nobody is told to drag what stands still.
    for said in page.locator("figcaption").all_inner_texts():
        assert not re.search(r"\b(Step on|Choose|Add a constant|drag)\b", said)


def test_a_figure_whose_script_fails_keeps_its_first_frame(reader: Reader) -> None:
    reader.broken = lambda url: "/_/overflow." in url
    page = reader.open()
    plate = page.locator(".plate[data-figure='overflow']")
    before = plate.inner_html()
    plate.scroll_into_view_if_needed()
    expect(page.locator(".failed")).to_contain_text("This figure stopped")
    assert plate.inner_html() == before
    ready(page, "merge")
    assert reader.messages
    assert "broken on purpose" in reader.messages[0]


def test_less_motion(reader: Reader) -> None:
    page = reader.open("#one-sweep?step=3", reduced_motion="reduce")
    plate = ready(page, "one-sweep")
    seconds = plate.locator(".bar").first.evaluate(
        "(bar) => getComputedStyle(bar).transitionDuration"
    )
    assert all(float(part) < 0.001 for part in re.findall(r"[\d.e-]+", seconds))
    plate.get_by_role("button", name="Play").click()
    played(page, plate, 5)


# ---- room, contrast, groups --------------------------------------------------------------------


def test_a_phone_shows_a_figure_at_once(reader: Reader) -> None:
    page = reader.open(width=390, height=664, has_touch=True)
    for label in FIGURES:
        plate = ready(page, label)
        box = plate.bounding_box()
        assert box
        assert box["height"] <= 664, label
        small = plate.evaluate(
            """(plate) => [...plate.querySelectorAll(".picture text")]
              .filter((text) => text.getClientRects().length)
              .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize)
                * text.getScreenCTM().a]).filter(([, size]) => size < 10.5)"""
        )
        assert small == [], label
        parts = ":is(.controls, .says) :is(button, input, select, summary):visible"
        for target in plate.locator(parts).all():
            room = target.bounding_box()
            assert room
            assert room["height"] >= 43.9, target.evaluate("(node) => node.outerHTML")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_at_most_five_things_to_move(reader: Reader) -> None:
    page = reader.open()
    for label in FIGURES:
        plate = page.locator(f".plate[data-figure='{label}']")
        groups = plate.locator(".controls > .control").count()
        groups += plate.locator(".listing").count() + min(1, plate.locator(".handle").count())
        assert 1 <= groups <= 5, label


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_that_axe_knows(reader: Reader, scheme: Any) -> None:
    page = reader.open("#one-sweep?step=20", color_scheme=scheme)
    for label in FIGURES:
        ready(page, label)
    page.locator(".plate[data-figure='one-sweep']").get_by_label("More about this figure").click()
    page.evaluate(AXE)
    found = page.evaluate("axe.run('.figure')")
    assert [
        (one["id"], node["html"][:120], node.get("failureSummary"))
        for one in found["violations"]
        for node in one["nodes"]
    ] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_mark_stands_out_from_the_page(reader: Reader, scheme: Any) -> None:
    page = reader.open("#one-sweep?step=20", color_scheme=scheme)
    for label in FIGURES:
        plate = ready(page, label)
        faint = plate.evaluate(
            """(plate) => {
              const canvas = document.createElement("canvas").getContext("2d")
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
        )
        assert faint == [], label
