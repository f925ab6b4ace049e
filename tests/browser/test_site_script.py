"""The one script of every page: colours, copy, contents, notes beside the text, the lead, print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup, escape
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from tests.test_templates import CSS, SHEETS, article

from explainers.render.policy import policy

ROOT = Path(__file__).parents[2]
HOST = "https://tiny.example"
BODY = """
<p>The <span class="term" data-term="m">maximum</span> moves.<sup class="footnote-ref"><a
href="#fn-1" id="fnref-1">1</a></sup></p>
<figure class="figure" id="f"><div class="plate"><div class="picture"><svg viewBox="0 0 100 20"
width="300" height="60"><path data-term="m" d="M0 10H100"/></svg></div></div></figure>
<h2 id="one">One</h2><div style="height:1200px"></div>
<h2 id="two">Two</h2><div style="height:1200px"></div>
<div class="code"><pre tabindex="0"><code><span class="line">a = 1</span>
<span class="line">b = 2</span></code></pre></div>
<details class="answer"><summary>Answer</summary>42</details>
<p>Known since <a class="cite" id="cite-k-1" href="#source-k">[1]</a> and <a
href="#one">one</a>.</p>
<p>It took <data class="num measured" id="took" value="3.5" title="Measured on a fast device, 21
September 2026.">3.5</data> s, and <a href="#two" id="two-too"><data class="num measured" value="4"
title="Measured elsewhere.">4</data> s</a>.</p>
<section class="footnotes"><ol><li id="fn-1"><p>A note. <a class="footnote-back" href="#fnref-1"
aria-label="Back to the text">up</a></p></li></ol></section>
<section class="sources" id="sources"><h2>Sources</h2><ol><li id="source-k">A. Author.
<cite>Title</cite>. 2020. <a href="https://doi.org/10.1/x" rel="external">doi:10.1/x</a>
<a class="cite-back" href="#cite-k-1" aria-label="Back to citation 1">↩</a></li></ol></section>
"""
HEADINGS = [
    {"level": 2, "id": "one", "html": Markup("One"), "number": "1"},
    {"level": 2, "id": "two", "html": Markup("Two"), "number": "2"},
]


def serve(route: Route) -> None:
    path = route.request.url.removeprefix(HOST)
    if path.endswith(".css"):
        css = "".join((CSS / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS)
        route.fulfill(body=css, content_type="text/css")
    elif path.endswith("site.js"):
        route.fulfill(path=ROOT / "static/js/site.js", content_type="text/javascript")
    elif path.endswith(".svg"):
        route.fulfill(path=ROOT / "static/icon.svg", content_type="image/svg+xml")
    else:
        bootstrap = (ROOT / "templates/parts/bootstrap.js").read_text(encoding="utf-8").strip()
        html = article(body=Markup(BODY), headings=HEADINGS)
        html = html.replace("<script>0</script>", f"<script>{bootstrap}</script>")
        html = html.replace(escape("default-src 'none'"), escape(policy(bootstrap)))
        route.fulfill(body=html, content_type="text/html")


@pytest.fixture
def words() -> list[str]:
    """What the page's console said."""
    return []


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    context.route("**/*", serve)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, words: list[str]) -> Page:
    page = context.new_page()
    page.on("console", lambda message: words.append(message.text))
    page.on("pageerror", lambda error: words.append(str(error)))
    page.goto(f"{HOST}/a/")
    return page


def ground(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def test_chosen_colours_last_and_auto_follows_the_system(page: Page, words: list[str]) -> None:
    paper = ground(page)
    page.get_by_label("Scope").check()
    scope = ground(page)
    assert scope != paper
    page.reload()
    expect(page.get_by_label("Scope")).to_be_checked()
    assert ground(page) == scope
    page.get_by_label("Auto").check()
    assert ground(page) == paper
    page.emulate_media(color_scheme="dark")
    assert ground(page) == scope
    page.get_by_label("Paper").check()
    assert ground(page) == paper
    assert words == []


def test_switch_goes_by_arrow_keys(page: Page) -> None:
    page.get_by_label("Auto").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Scope")).to_be_checked()


def test_copy_takes_the_lines_of_a_block(page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "a = 1\nb = 2"


def test_contents_point_at_the_section_being_read(page: Page) -> None:
    current = page.locator(".contents [aria-current]")
    page.evaluate("document.getElementById('two').scrollIntoView()")
    expect(current).to_have_text("Two")
    page.evaluate("scrollTo(0, 0)")
    expect(current).to_have_count(0)


def test_note_stands_beside_its_line_and_its_copy_is_for_eyes_only(page: Page) -> None:
    note = page.locator(".sidenote")
    expect(note).to_be_visible()
    expect(note).to_have_attribute("aria-hidden", "true")
    expect(note).to_contain_text("A note.")
    expect(note.locator(".footnote-back")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(note).to_be_hidden()


def test_lead_runs_from_a_word_to_the_mark_it_names(page: Page, words: list[str]) -> None:
    page.hover(".term")
    end = page.locator(".lead-line circle").bounding_box()
    mark = page.locator("path[data-term]").bounding_box()
    assert end is not None
    assert mark is not None
    assert abs(end["y"] + end["height"] / 2 - mark["y"]) < 2
    expect(page.locator("[data-term].lit")).to_have_count(2)
    page.mouse.move(1, 1)
    expect(page.locator(".lead-line")).to_have_count(0)
    expect(page.locator(".lit")).to_have_count(0)
    assert words == []


def test_lead_follows_the_keyboard(page: Page) -> None:
    page.locator(".term").focus()
    expect(page.locator(".lead-line circle")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator(".lead-line")).to_have_count(0)


def test_a_source_is_shown_at_its_mark_by_pointer_and_keyboard(page: Page) -> None:
    mark, card = page.locator("#cite-k-1"), page.locator(".cite-card")
    mark.hover()
    expect(card).to_be_visible()
    expect(card).to_have_text("A. Author. Title. 2020. doi:10.1/x")
    card.locator("a").hover()
    expect(card).to_be_visible()
    page.mouse.move(0, 0)
    expect(card).to_have_count(0)
    mark.focus()
    expect(mark).to_have_accessible_description("A. Author. Title. 2020. doi:10.1/x")
    page.keyboard.press("Tab")
    expect(card.locator("a")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(mark).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="one", exact=True)).to_be_focused()


def test_a_measured_number_says_where_and_when_by_pointer_keyboard_and_tap(
    page: Page, browser: Browser
) -> None:
    number, card = page.locator("#took"), page.locator(".cite-card")
    said = "Measured on a fast device, 21 September 2026."
    number.hover()
    expect(card).to_have_text(said)
    page.mouse.move(0, 0)
    expect(card).to_have_count(0)
    page.get_by_role("link", name="one", exact=True).focus()
    page.keyboard.press("Tab")
    expect(number).to_be_focused()
    expect(number).to_have_accessible_description(said)
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.locator("#two-too")).to_be_focused()  # a link has no second stop inside
    touch = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 664}
    )
    touch.route("**/*", serve)
    phone = touch.new_page()
    phone.goto(f"{HOST}/a/")
    phone.locator("#took").tap()
    expect(phone.locator(".cite-card")).to_have_text(said)
    box = phone.locator(".cite-card").bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    phone.locator("h1").tap()
    expect(phone.locator(".cite-card")).to_have_count(0)
    touch.close()


def test_print_opens_answers_and_folds_them_again(page: Page) -> None:
    answer = page.locator(".answer")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(answer).to_have_attribute("open", "")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(answer).not_to_have_attribute("open", "")


def test_page_moves_nothing_when_the_script_arrives(page: Page) -> None:
    shift = page.evaluate(
        """() => new Promise(done => {
          let sum = 0
          new PerformanceObserver(list => { for (const e of list.getEntries()) sum += e.value })
            .observe({ type: "layout-shift", buffered: true })
          setTimeout(() => done(sum), 300)
        })"""
    )
    assert shift == 0


@pytest.mark.parametrize("width", [320, 360, 390, 768, 1100, 1280, 1600])
def test_page_never_scrolls_sideways(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
