"""Words that the glossary explains: by pointer, by keyboard, on a phone, without script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.reading import axe, overhang, settle

ARTICLE = "efficient-matrix-transpose/"
SAID = "Warp 32 threads of a GPU that get the same instruction together."


def test_an_entry_is_shown_at_its_word_by_pointer(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    settle(page)
    word, card = page.locator(".gloss", has_text="warp"), page.locator(".cite-card")
    word.hover()
    expect(card).to_be_visible()
    expect(card).to_contain_text(SAID)
    page.mouse.move(0, 0)
    expect(card).to_have_count(0)
    # A link in a card can be reached by the pointer.
    page.locator(".gloss", has_text="banks").hover()
    link = card.get_by_role("link", name="shared memory")
    link.hover()
    expect(card).to_be_visible()
    link.click()
    page.wait_for_url("**/glossary/#gloss-shared-memory")


def test_a_formula_in_a_card_is_typeset(visit: Callable[..., Page]) -> None:
    page = visit("anatomy-of-a-floating-point/")
    settle(page)
    page.locator(".gloss", has_text="ULP").focus()
    formula = page.locator(".cite-card .katex")
    expect(formula).to_be_visible()
    face = formula.locator(".mord").first.evaluate("e => getComputedStyle(e).fontFamily")
    assert face.startswith("KaTeX_Main")


def test_an_entry_is_shown_and_put_away_by_keyboard(visit: Callable[..., Page]) -> None:
    page = visit(ARTICLE)
    settle(page)
    word, card = page.locator(".gloss", has_text="warp"), page.locator(".cite-card")
    word.focus()
    expect(card).to_be_visible()
    expect(word).to_have_accessible_description(re.compile(re.escape(SAID)))
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(word).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".gloss", has_text="lanes")).to_be_focused()
    expect(card).to_contain_text("Lane One of the 32 threads of a warp")
    page.keyboard.press("Tab")
    expect(card.get_by_role("link", name="warp")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".gloss", has_text="lanes")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary/#gloss-lane")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_card_and_the_glossary_are_open_to_all(
    visit: Callable[..., Page], width: int, theme: str
) -> None:
    page = visit(ARTICLE, width=width, theme=theme)
    settle(page)
    page.locator(".gloss", has_text="banks").focus()
    card = page.locator(".cite-card")
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
    assert axe(page) == []
    page = visit("glossary/#gloss-warp", width=width, theme=theme)
    settle(page)
    assert axe(page) == []
    assert overhang(page) == []


def test_without_script_a_word_leads_to_its_entry_and_no_card_is_seen(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + ARTICLE)
    expect(page.locator("#gloss-warp")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator("#gloss-warp")).to_be_hidden()
    page.emulate_media(media="screen")
    page.locator(".gloss", has_text="warp").click()
    page.wait_for_url("**/glossary/#gloss-warp")
    entry = page.locator("#gloss-warp")
    expect(entry).to_be_in_viewport()
    expect(
        entry.get_by_role("link", name="Kernel visualization: efficient matrix transpose")
    ).to_be_visible()
    context.close()
