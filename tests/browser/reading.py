"""What a reader does with a page, and what is seen of it, for the tests in a browser."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route
from tests.real_site import ROOT

AXE = (ROOT / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")

ARTICLE = "online-softmax/"

WITNESS = """addEventListener("securitypolicyviolation", event =>
  console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI}`))"""


class Reader:
    """Opens pages of one site, each in a context of its own, and notes all that goes wrong."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []

    def __call__(
        self,
        path: str = "",
        *,
        width: int = 1280,
        height: int = 800,
        theme: str = "light",
        script: bool = True,
        motion: bool = True,
        touch: bool = False,
        forced: bool = False,
        fonts: str = "soon",
        scale: float = 1,
        before: str = "",
    ) -> Page:
        """Open a page, and return it when the fonts it asks for are there, or will not come.

        `before` is a script that runs before those of the page.
        """
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,  # type: ignore[arg-type]
            java_script_enabled=script,
            reduced_motion="no-preference" if motion else "reduce",
            has_touch=touch,
            is_mobile=touch,
            forced_colors="active" if forced else "none",
            device_scale_factor=scale,
        )
        self.contexts.append(context)
        context.set_default_timeout(10_000)
        context.add_init_script(WITNESS)
        if before:
            context.add_init_script(before)
        return self.open(context, path, script, fonts)

    def open(self, context: BrowserContext, path: str, script: bool, fonts: str = "soon") -> Page:
        """Open one more page for the same reader, who has the files of those before."""
        page = context.new_page()
        self.watch(page, script)
        if fonts != "soon":
            page.route("**/*.woff2", {"late": late, "never": never}[fonts])
        page.goto(self.address + path)
        page.evaluate("() => document.fonts.ready.then(() => true)")
        return page

    def watch(self, page: Page, script: bool) -> None:
        """Note whatever the page says, asks of others, or does not get."""
        note = self.faults.append
        page.on("console", lambda message: note(f"console: {message.text}"))
        page.on("pageerror", lambda error: note(f"error: {error}"))
        page.on(
            "requestfailed",
            lambda request: (
                None
                if not script and request.url.endswith(".js")  # not wanted is not failed
                else note(f"failed: {request.url} {request.failure}")
            ),
        )
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((self.address, "data:", "blob:"))
                else note(f"another host: {request.url}")
            ),
        )
        page.on(
            "response",
            lambda response: (
                note(f"status {response.status}: {response.url}")
                if response.status >= HTTPStatus.BAD_REQUEST
                else None
            ),
        )

    def close(self) -> None:
        """Close every page."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()


def late(route: Route) -> None:
    """Let a font come after the page was first painted, and those of maths after those of text."""
    wait = "1.4" if "KaTeX" in route.request.url else "0.8"
    route.continue_(headers={**route.request.headers, "x-wait": wait})


def never(route: Route) -> None:
    """Let a file not come at all."""
    route.abort()


def settle(page: Page) -> None:
    """Scroll to the end and back, and wait until every figure is alive."""
    page.evaluate(
        """async () => {
          const root = document.documentElement
          const frame = () => new Promise(requestAnimationFrame)
          for (let y = 0; y < root.scrollHeight; y += innerHeight) {
            scrollTo(0, y)
            await frame()
          }
          scrollTo(0, root.scrollHeight)
          await frame()
        }"""
    )
    page.wait_for_function(
        "() => !document.querySelector('.plate[data-module]:not([data-ready])')", timeout=10_000
    )
    page.evaluate("() => { scrollTo(0, 0); return new Promise(requestAnimationFrame) }")


def shift(page: Page) -> list[dict[str, Any]]:
    """Return what has moved on its own since the page was opened."""
    moves: list[dict[str, Any]] = page.evaluate(
        """() => new Promise(done => {
          const name = node => node?.parentElement
            ? `${node.nodeName.toLowerCase()}.${node.className?.baseVal ?? node.className ?? ""}`
            : String(node?.nodeName)
          new PerformanceObserver(list => done(list.getEntries().map(entry => ({
            value: entry.value,
            at: entry.startTime,
            what: entry.sources.map(source => name(source.node)),
          })))).observe({ type: "layout-shift", buffered: true })
          setTimeout(() => done([]), 100)
        })"""
    )
    return moves


def unfold(page: Page) -> None:
    """Open all that is folded."""
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")


def axe(page: Page) -> list[str]:
    """Return what axe-core finds wrong, a line for each place."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(
        """async () => {
          const { violations } = await axe.run(document, { resultTypes: ["violations"] })
          return violations.flatMap(({ id, nodes }) => nodes.map(node => {
            const said = [...node.any, ...node.all, ...node.none].map(check => check.message)
            return `${id}: ${node.target.join(" ")}: ${said.join("; ")}`
          }))
        }"""
    )
    return found


def overhang(page: Page) -> list[str]:
    """Return what stands out over the right edge, when that makes the page scroll sideways."""
    found: list[str] = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth
          if (document.documentElement.scrollWidth <= width) return []
          const out = [...document.body.querySelectorAll("*")]
            .filter(e => e.getBoundingClientRect().right > width + 0.5)
            .map(e => `${e.nodeName.toLowerCase()}.${e.className?.baseVal ?? e.className}`
              + ` ends at ${e.getBoundingClientRect().right}`)
          return [`${document.documentElement.scrollWidth} > ${width}`, ...out.slice(0, 12)]
        }"""
    )
    return found
