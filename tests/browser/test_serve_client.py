"""The script that `serve` puts into a page: it follows the builds and obeys the page's policy."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explainers.server import Server, listen

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "style-src-elem 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)


def site(text: str) -> dict[str, bytes]:
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<title>Page</title><link rel="icon" href="data:,">'
    )
    page = f'<!doctype html><html lang="en"><head>{head}</head><body><h1>{text}</h1></body></html>'
    return {"index.html": page.encode()}


@pytest.fixture
def server() -> Iterator[Server]:
    server = listen("127.0.0.1", 0)
    server.live.publish(site("one"), {}, changed=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def words() -> list[str]:
    """What the page's console said."""
    return []


@pytest.fixture
def page(browser: Browser, server: Server, words: list[str]) -> Iterator[Page]:
    """The page of the server above, in a real browser."""
    page = browser.new_page()
    page.on("console", lambda message: words.append(message.text))
    page.on("pageerror", lambda error: words.append(str(error)))
    with page.expect_request("**/_dev/events?*"):
        page.goto(server.url)
    yield page
    page.close()


def test_a_good_build_that_changed_something_loads_the_page_again(
    server: Server, page: Page, words: list[str]
) -> None:
    server.live.publish(site("two"), {}, changed=True)
    expect(page.locator("h1")).to_have_text("two")
    assert words == []


def test_problems_lie_over_the_page_until_the_next_good_build(
    server: Server, page: Page, words: list[str]
) -> None:
    problems = 'a.md:3:1: error[bad]: <b>"quoted"</b>\n   3 | :::\n     | ^^^'
    server.live.fail(problems)
    overlay = page.locator("explainers-problems")
    expect(overlay.locator("pre")).to_have_text(problems)
    box = overlay.bounding_box()
    assert box is not None
    assert box["height"] == page.evaluate("innerHeight")
    server.live.publish(site("one"), {}, changed=False)
    expect(overlay).to_have_count(0)
    expect(page.locator("h1")).to_have_text("one")
    assert words == []


def test_problems_can_be_hidden_to_read_the_page(server: Server, page: Page) -> None:
    server.live.fail("wrong")
    overlay = page.locator("explainers-problems")
    overlay.get_by_role("button", name="Hide").click()
    expect(overlay).to_have_count(0)
    server.live.fail("wrong again")
    expect(overlay).to_have_count(1)
    page.keyboard.press("Escape")
    expect(overlay).to_have_count(0)


def test_a_page_opened_while_the_site_is_broken_says_so(server: Server, page: Page) -> None:
    server.live.fail("wrong")
    page.reload()
    expect(page.locator("explainers-problems").locator("pre")).to_have_text("wrong")


def test_an_unknown_page_appears_when_it_is_written(server: Server, page: Page) -> None:
    page.goto(f"{server.url}new/")
    expect(page.locator("body")).to_contain_text("Not found")
    server.live.publish({**site("one"), "new/index.html": b"<h1>new</h1>"}, {}, changed=True)
    expect(page.locator("h1")).to_have_text("new")


RANDOM_PAGES = """
async ([seed, rounds]) => {
  const { Patch, pair, Reload } = await import("/_dev/serve_patch.js")
  let state = seed
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const word = () => "abcdefgh"[random(8)].repeat(1 + random(2))
  const node = (depth) => {
    if (depth > 3 || random(3) === 0) return word()
    const tag = ["p", "b", "ul", "li", "section", "figure"][random(6)]
    const id = random(4) === 0 ? ` id="${word()}"` : ""
    const name = random(3) === 0 ? ` class="${word()}"` : ""
    const children = Array.from({ length: random(5) }, () => node(depth + 1)).join("")
    return `<${tag}${id}${name}>${children}</${tag}>`
  }
  const list = () => Array.from({ length: 2 + random(6) }, () => node(0))
  const parse = (parts) =>
    new DOMParser().parseFromString(`<main>${parts.join("")}</main>`, "text/html").body
  let reloads = 0
  for (let round = 0; round < rounds; round++) {
    let parts = list()
    let built = parse(parts)
    document.body.replaceChildren(...document.importNode(built, true).childNodes)
    let live = pair(built, document.body)
    for (let edit = 0; edit < 4; edit++) {
      parts = [...parts]
      for (let k = 0; k <= random(3); k++) {
        const at = random(parts.length + 1)
        if (random(3) === 0) parts.splice(at, 1)
        else parts.splice(at, random(2), node(0))
      }
      const fresh = parse(parts)
      try {
        const work = new Patch(live, new Set(), () => {})
        work.merge(built, fresh)
        live = work.next
        built = fresh
      } catch (error) {
        if (!(error instanceof Reload)) throw error
        reloads++
        break
      }
      if (document.body.innerHTML !== fresh.innerHTML)
        return `round ${round}: ${document.body.innerHTML} is not ${fresh.innerHTML}`
    }
  }
  return reloads
}
"""


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_page_becomes_the_other_whatever_has_changed(page: Page, seed: int) -> None:
    assert page.evaluate(RANDOM_PAGES, [seed, 150]) == 0


def test_what_scripts_and_readers_did_elsewhere_stays(page: Page) -> None:
    kept = page.evaluate(
        """async () => {
          const { Patch, pair } = await import("/_dev/serve_patch.js")
          const parse = (text) => new DOMParser().parseFromString(text, "text/html").body
          const built = parse("<p>one</p><details><summary>s</summary>x</details><p>two</p>")
          document.body.replaceChildren(...document.importNode(built, true).childNodes)
          const live = pair(built, document.body)
          const [first, fold, last] = document.body.children
          fold.open = true
          last.append(Object.assign(document.createElement("button"), { textContent: "Copy" }))
          const fresh = parse(
            "<p>new</p><p>one</p><details><summary>s</summary>x</details><p>two!</p>")
          new Patch(live, new Set(), () => {}).merge(built, fresh)
          return [
            document.body.children[1] === first,
            document.body.children[2] === fold && fold.open,
            document.body.children[3] === last && last.textContent,
            document.body.children[0].textContent,
          ]
        }"""
    )
    assert kept == [True, True, "two!Copy", "new"]
