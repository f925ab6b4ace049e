"""The figures of the two articles about bits: flipped, typed, dragged, and whole without script."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.reading import settle

FLOATS = "anatomy-of-a-floating-point/"
INTEGERS = "binary-representations-of-integers/"
FIGURES = {
    FLOATS: ["board", "ruler", "gaps", "add", "sums"],
    INTEGERS: ["row", "readings", "wheel", "ripple", "flags", "widen"],
}

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


def typed(plate: Locator, text: str) -> Locator:
    entry = plate.get_by_role("textbox", name="a number")
    entry.fill(text)
    entry.press("Enter")
    return plate.locator(".word")


# ---- the bit board ------------------------------------------------------------------------------


def test_the_board_is_alive_on_the_first_page(visit: Visit) -> None:
    page = visit()
    plate = alive(page, "board")
    box = plate.bounding_box()
    assert box
    assert box["y"] < 800
    bits = plate.get_by_role("switch")
    assert bits.count() == 32
    bits.first.click()
    expect(plate.locator(".sum b")).to_have_text("−0.15625")


def test_a_bit_is_flipped_by_pointer_and_keys(visit: Visit) -> None:
    page = visit(FLOATS)
    plate = alive(page, "board")
    bits = plate.get_by_role("switch")
    assert plate.locator(".bit[tabindex='0']").count() == 1
    bits.nth(1).click()
    expect(bits.nth(1)).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Space")
    expect(bits.nth(1)).to_have_attribute("aria-checked", "false")
    page.keyboard.press("End")
    expect(bits.nth(31)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(plate.locator(".here")).to_have_text("0x3E200001")
    page.keyboard.press("ArrowLeft")
    expect(bits.nth(30)).to_be_focused()
    page.keyboard.press("Home")
    for key in "11111111":
        page.keyboard.press(key)
    page.keyboard.press("1")
    expect(plate.locator(".here")).to_have_text("0xFFA00001")
    expect(plate.locator(".sum b")).to_have_text("NaN")
    expect(plate.locator(".source .lit")).to_contain_text("nan")
    assert page.url.endswith("#board?pattern=0xFFA00001")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("1e-45", "0x00000001"),
        ("-0", "0x80000000"),
        ("inf", "0x7F800000"),
        ("nan", "0x7FC00000"),
        ("0x1p-126", "0x00800000"),
        ("0." + "3" * 400, "0x3EAAAAAB"),
        ("0x3dcccccd", "0x3DCCCCCD"),
        ("16777217", "0x4B800000"),
        ("1e39", "0x7F800000"),
    ],
)
def test_whatever_number_is_typed_finds_its_pattern(visit: Visit, text: str, pattern: str) -> None:
    plate = alive(visit(FLOATS), "board")
    typed(plate, text)
    expect(plate.locator(".here")).to_have_text(pattern)
    expect(plate.get_by_role("textbox", name="a number")).not_to_have_attribute(
        "aria-invalid", "true"
    )


def test_nonsense_gets_a_word_and_the_last_number_stays(visit: Visit) -> None:
    plate = alive(visit(FLOATS), "board")
    word = typed(plate, "a dozen")
    expect(word).to_have_text("That is no number. Try 0.1, 1e-45, inf, nan, or bits: 0x3E200000.")
    expect(plate.get_by_role("textbox", name="a number")).to_have_attribute("aria-invalid", "true")
    expect(plate.locator(".here")).to_have_text("0x3E200000")
    expect(typed(plate, "0.1")).to_have_text("Rounded to the nearest.")
    plate.get_by_role("switch").first.click()
    expect(word).to_have_text("")
    expect(plate.get_by_role("textbox", name="a number")).to_have_value("−0.1")


def test_all_digits_neighbours_and_other_layouts(visit: Visit) -> None:
    plate = alive(visit(FLOATS), "board")
    typed(plate, "0.1")
    expect(plate.locator(".exact .num")).to_have_text("0.100000001490116119384765625")
    plate.get_by_role("button", name="the next number above").click()
    expect(plate.locator(".here")).to_have_text("0x3DCCCCCE")
    plate.get_by_role("textbox", name="a number").press("ArrowDown")
    expect(plate.locator(".here")).to_have_text("0x3DCCCCCD")
    for layout, bits, pattern in [
        ("E4M3", 8, "0x1D"),
        ("bfloat16", 16, "0x3DD0"),
        ("binary64", 64, "0x3FBA000000000000"),
    ]:
        plate.get_by_label("layout").select_option(label=layout)
        assert plate.get_by_role("switch").count() == bits
        expect(plate.locator(".here")).to_have_text(pattern)


@pytest.mark.parametrize(
    ("layout", "text", "sum_", "near"),
    [
        ("binary32", "1e8", "= 100000000", ["99999992", "100000008"]),
        ("binary32", "100000008", "= 100000008", ["100000000", "100000016"]),
        ("binary32", "134217728", "= 134217728", ["134217720", "134217744"]),
        ("binary32", "0.1", "≈ 0.1", ["≈ 0.099999994", "≈ 0.10000001"]),
        ("binary32", "0x7f7fffff", "≈ 3.4028235e38", ["≈ 3.4028233e38", "∞"]),
        ("binary32", "inf", "∞", ["≈ 3.4028235e38", "none"]),
        ("binary32", "-inf", "−∞", ["none", "≈ −3.4028235e38"]),
        ("binary32", "1", "= 1", ["≈ 0.99999994", "≈ 1.0000001"]),
        ("e5m2", "300", "= 320", ["256", "384"]),
        ("e5m2", "0.1", "= 0.09375", ["0.078125", "0.109375"]),
        ("e4m3fn", "448", "= 448", ["416", "none"]),
    ],
)
def test_what_the_board_prints_is_the_number_or_says_about(
    visit: Visit, layout: str, text: str, sum_: str, near: list[str]
) -> None:
    plate = alive(visit(f"{FLOATS}#board?layout={layout}"), "board")
    typed(plate, text)
    line = plate.locator(".sum")
    expect(line.locator("b")).to_have_text(sum_.removeprefix("= ").removeprefix("≈ "))
    if " " in sum_:
        expect(line.locator(".num").first).to_contain_text(sum_[0])
    assert plate.locator(".near button span.num").all_inner_texts() == near


@pytest.mark.parametrize("layout", ["binary32", "binary64", "e4m3fn"])
def test_bits_stand_in_groups_on_a_phone(visit: Visit, layout: str) -> None:
    page = visit(f"{FLOATS}#board?layout={layout}", width=390, height=664, touch=True)
    plate = alive(page, "board")
    for part in plate.get_by_role("switch").all():
        box = part.bounding_box()
        assert box
        assert box["width"] >= 24
        assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    if layout == "binary32":
        box = plate.bounding_box()
        assert box
        assert box["height"] <= 664


def test_a_word_of_the_text_sets_the_board(visit: Visit) -> None:
    page = visit(FLOATS)
    plate = alive(page, "board")
    page.locator("a.trigger[href='#board?pattern=NaN']").click()
    expect(plate.locator(".sum b")).to_have_text("NaN")


# ---- the others ---------------------------------------------------------------------------------


def drag(page: Page, plate: Locator, to: tuple[float, float], which: int = 0) -> None:
    """Press in the middle of a part that is dragged, and move to a share of its box."""
    part = plate.locator(".drag").nth(which)
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * to[0], box["y"] + box["height"] * to[1], steps=8)
    page.mouse.up()


@pytest.mark.parametrize(
    ("path", "label", "slider", "to"),
    [
        (FLOATS, "gaps", "x, as 2 to the power", (0.2, 0.5)),
        (FLOATS, "sums", "additions", (0.2, 0.5)),
        (INTEGERS, "readings", "row", (0.2, 0.5)),
        (INTEGERS, "wheel", "start at row", (0.5, 0.05)),
        (INTEGERS, "flags", "a, down", (0.9, 0.9)),
    ],
)
def test_the_picture_is_dragged_and_the_keys_reach_as_far(
    visit: Visit, path: str, label: str, slider: str, to: tuple[float, float]
) -> None:
    page = visit(path)
    plate = alive(page, label)
    control = plate.get_by_role("slider", name=slider)
    before = control.input_value()
    drag(page, plate, to)
    assert control.input_value() != before
    assert f"#{label}?" in page.url
    address, dragged = page.url, plate.locator(".readout").inner_text()
    control.focus()
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
    assert control.input_value() == control.get_attribute("max")
    assert plate.locator(".readout").inner_text() != dragged
    again = visit(address.split("/", 3)[3])
    expect(alive(again, label).locator(".readout")).to_have_text(dragged)


def test_the_adder_opens_on_its_own_sum_and_says_the_number_returned(visit: Visit) -> None:
    plate = alive(visit(FLOATS), "add")
    expect(plate.get_by_role("combobox")).to_have_value("tie up")
    expect(plate.locator(".readout")).to_have_text("Packed again: the sum is 16,777,220.")
    for label, said in [
        ("10⁸ + 5", "the sum is 100,000,008."),
        ("2²⁴ + 1.00001", "the sum is 16,777,218."),
        ("0.1 + 0.2", "the sum is about 0.3."),
    ]:
        plate.get_by_role("combobox").select_option(label=label)
        expect(plate.locator(".readout")).to_contain_text(said)


def test_the_gap_s_slider_reaches_both_ends_and_tells_a_tie(visit: Visit) -> None:
    page = visit(FLOATS)
    plate = alive(page, "gaps")
    slider = plate.get_by_role("slider")
    slider.focus()
    page.keyboard.press("End")
    expect(plate.locator(".readout")).to_contain_text("At about 3.4028235e38")
    page.keyboard.press("Home")
    expect(plate.locator(".readout")).to_contain_text("At about 1e−45")
    slider.fill("24.1")
    expect(plate.locator(".readout")).to_contain_text(
        "adding 1 gives 17,981,376, a tie that goes to the even neighbour"
    )
    slider.fill("27")
    expect(plate.locator(".readout")).to_contain_text("At 134,217,728 the next number is 16 away")
    expect(plate.locator("svg")).to_contain_text("x = 134,217,728")


def test_a_pair_of_the_reader_s_own_is_added(visit: Visit) -> None:
    plate = alive(visit(FLOATS), "add")
    for label, number in [("a", "1e30"), ("b", "-inf")]:
        entry = plate.get_by_label(label, exact=True)
        entry.fill(number)
        entry.press("Enter")
    expect(plate.locator(".readout")).to_have_text("No digits to add: the sum is −∞.")
    expect(plate.get_by_role("combobox")).to_have_value("")
    plate.get_by_role("combobox").select_option(label="10⁸ + 5")
    expect(plate.get_by_label("b", exact=True)).to_have_value("5")


def test_rows_are_flipped_and_added_again(visit: Visit) -> None:
    plate = alive(visit(INTEGERS), "ripple")
    plate.get_by_role("switch", name="a, place worth 128").click()
    expect(plate.locator(".readout")).to_have_text(
        "Unsigned 228 + 100 gives 72, wrapped. Signed −28 + 100 gives 72, right."
    )
    assert plate.locator(".flag .chip").all_inner_texts() == ["1", "0", "0", "0"]


def test_a_row_is_typed_and_read_in_two_ways(visit: Visit) -> None:
    plate = alive(visit(INTEGERS), "row")
    word = typed(plate, "200")
    expect(word).to_have_text("It is too large for signed: read as unsigned.")
    expect(plate.get_by_role("radio", name="unsigned")).to_be_checked()
    expect(plate.locator(".readout")).to_have_text("11001000 is 200 unsigned, and −56 signed.")
    plate.get_by_role("switch", name="place worth 128").click()
    expect(plate.locator(".sum b")).to_have_text("72")
    expect(typed(plate, "-76")).to_have_text("It is below 0: read as signed.")
    expect(plate.locator(".sum b")).to_have_text("−76")
    expect(typed(plate, "256")).to_have_text("Eight bits go from −128 to 255.")
    for text, number in [("01100100", "100"), ("0b1111 0000", "−16"), ("0x64", "100")]:
        expect(typed(plate, text)).to_have_text("")
        expect(plate.locator(".sum b")).to_have_text(number)


def test_what_nonsense_is_told_to_try_is_taken(visit: Visit) -> None:
    plate = alive(visit(INTEGERS), "row")
    for reading in ("signed", "unsigned"):
        plate.get_by_role("radio", name=reading, exact=True).check()
        word = typed(plate, "a dozen")
        expect(word).to_have_text("That is no integer. Try 100, 0x64 or 01100100.")
        for text in ("100", "0x64", "01100100"):
            expect(typed(plate, text)).to_have_text("")
            expect(plate.locator(".sum b")).to_have_text("100")


def test_a_word_of_warning_goes_when_the_other_reading_takes_the_text(visit: Visit) -> None:
    page = visit(FLOATS)
    plate = alive(page, "board")
    word = typed(plate, "0x3E200000000")
    expect(word).to_have_text("That pattern is longer than 32 bits.")
    plate.get_by_label("layout").select_option(label="binary64")
    expect(word).to_have_text("")
    expect(plate.get_by_role("textbox", name="a number")).not_to_have_attribute(
        "aria-invalid", "true"
    )


def test_the_wheel_says_what_the_adder_s_flags_say(visit: Visit) -> None:
    page = visit(f"{INTEGERS}#wheel?width=8")
    wheel = alive(page, "wheel")
    words = wheel.locator(".sums-of")
    for a, b in [(100, 100), (100, 200), (100, 128), (128, 128), (255, 1), (20, 30), (200, 200)]:
        page.goto(page.url.split("#")[0] + f"#wheel?width=8&from={a}&add={b}")
        expect(words).to_contain_text(f"{a} + {b}")
        said = words.locator(".wrapped, .name").all_text_contents()
        signed = [row - 256 if row > 127 else row for row in (a, b)]
        carry, overflow = a + b > 255, not -128 <= sum(signed) <= 127
        assert said.count("wrapped") == carry + overflow, (a, b)
        assert wheel.locator(".seam").nth(0).evaluate("(one) => one.matches('.crossed')") == (
            carry
        ), (a, b)
        assert wheel.locator(".seam").nth(1).evaluate("(one) => one.matches('.crossed')") == (
            overflow
        ), (a, b)


def test_the_wheel_s_two_dots_are_dragged(visit: Visit) -> None:
    page = visit(INTEGERS)
    wheel = alive(page, "wheel")
    start, add = wheel.get_by_role("slider").all()
    page.mouse.wheel(0, 1)
    target, rim = wheel.locator(".target").bounding_box(), wheel.locator(".rim").bounding_box()
    assert target
    assert rim
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2)
    page.mouse.down()
    page.mouse.move(rim["x"] + rim["width"] * 0.9, rim["y"] + rim["height"] * 0.8, steps=6)
    page.mouse.up()
    assert start.input_value() == "7"
    assert add.input_value() not in ("13", "0")
    expect(wheel.locator(".readout")).to_contain_text("From 7")


def test_a_difference_is_told_as_a_difference(visit: Visit) -> None:
    plate = alive(visit(f"{INTEGERS}#ripple?pair=5 minus 3&step=21"), "ripple")
    expect(plate.locator(".readout")).to_have_text(
        "Unsigned 5 − 3 gives 2, right. Signed 5 − 3 gives 2, right. C is set: no borrow."
    )
    plate.get_by_role("combobox").select_option(label="3 − 5")
    expect(plate.locator(".readout")).to_have_text(
        "Unsigned 3 − 5 gives 254, wrapped. Signed 3 − 5 gives −2, right. C is clear: a borrow."
    )
    expect(plate.locator(".adder-row.b")).to_contain_text("flipped")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_bit_of_the_adder_is_read_at_every_step(visit: Visit, theme: str) -> None:
    page = visit(INTEGERS, theme=theme)
    plate = alive(page, "ripple")
    contrasts = """(plate) => {
      const part = (colour) => {
        const canvas = new OffscreenCanvas(1, 1).getContext("2d")
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data]
      }
      const shade = ([r, g, b]) => [r, g, b].map((v) => v / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
      const paper = part(getComputedStyle(document.documentElement).backgroundColor)
      return [...plate.querySelectorAll(".chip")].map((chip) => {
        const style = getComputedStyle(chip)
        const back = part(style.backgroundColor)
        const [x, y] = [shade(part(style.color)), shade(back[3] ? back : paper)]
        return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
      })
    }"""
    scrubber = plate.get_by_role("slider")
    scrubber.focus()
    page.keyboard.press("Home")
    for _ in range(22):
        found = plate.evaluate(contrasts)
        # Two rows of eight bits, at least.
        assert len(found) >= 16
        assert min(found) >= 4.5
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("path", FIGURES)
def test_without_script_every_figure_makes_its_point(visit: Visit, path: str) -> None:
    page = visit(path, script=False)
    for label in FIGURES[path]:
        plate = page.locator(f".plate[data-figure='{label}']")
        expect(plate.locator(".picture")).to_be_visible()
        expect(plate.locator(".readout")).not_to_be_empty()
        expect(plate.locator(".controls")).to_be_hidden()
        plate.get_by_label("More about this figure").click()
        assert plate.locator(".panel tbody tr").count() >= 4, label


@pytest.mark.parametrize("path", FIGURES)
def test_nothing_moves_when_the_figures_come_alive(visit: Visit, path: str) -> None:
    page = visit(path)
    settle(page)
    different = page.evaluate(
        """async () => {
          const { copy } = await import(document.querySelector("script[type=module]").src)
          const wrong = []
          for (const plate of document.querySelectorAll(".plate")) {
            const now = plate.querySelector(".picture").innerHTML
            const twin = copy(plate).querySelector(".picture").innerHTML
            const plain = (html) => html.replace(/ (disabled|tabindex|aria-disabled)="[^"]*"/g, "")
            if (plain(now) !== plain(twin)) wrong.push(plate.dataset.figure)
          }
          return wrong
        }"""
    )
    assert different == []


@pytest.mark.parametrize("path", FIGURES)
def test_at_most_five_things_to_move_and_no_small_letters(visit: Visit, path: str) -> None:
    page = visit(path, width=390, height=664, touch=True)
    for label in FIGURES[path]:
        plate = alive(page, label)
        groups = plate.locator(".controls > .control").count()
        groups += plate.locator(".listing").count()
        groups += min(1, plate.locator(".handle, .bit, .drag").count())
        assert 1 <= groups <= 5, label
        small = plate.evaluate(
            """(plate) => [...plate.querySelectorAll(".picture text")]
              .filter((text) => text.textContent && text.getClientRects().length)
              .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize)
                * text.getScreenCTM().a]).filter(([, size]) => size < 10.5)"""
        )
        assert small == [], label
    assert page.evaluate("document.documentElement.scrollWidth") == 390
