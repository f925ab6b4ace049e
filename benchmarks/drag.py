"""Measure how long a page works for each move of a hand that drags a part of a figure.

Every slider, every row of handles and every draggable part of every figure of the real site is
dragged in Chromium. What counts is the main thread's own time in script, style and layout from one
move to the next, read from the browser's trace, times four: the time on a CPU a quarter as fast.
The browser's own throttle is not used: it spins by the clock, so what other programs do meanwhile
would count as work of the page.
"""

from __future__ import annotations

import functools
import json
import math
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SLOWER = 4
MOVES = 60
PAUSE_MS = 24
WORK = {
    "EventDispatch",
    "FireAnimationFrame",
    "FunctionCall",
    "Layout",
    "RunMicrotasks",
    "TimerFire",
    "UpdateLayoutTree",
}
"""What a browser's trace calls running script, style and layout."""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
CHROMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


PAGE = """\
---
title: "A large matrix"
summary: >-
  A matrix of sixty-four rows and sixty-four columns at two hundred and fifty-six steps,
  for a hand that drags through them all.
date: 2026-08-01
kind: note
---
:::{figure} heat-map
:label: matrix
:data: matrix
:state: {step: 3}
Drag.
:::
"""

DATA = """\
import numpy as np
from explainers import dataset


@dataset(
    sweep={"step": range(256)},
    dims={"value": ("row", "column")},
    units={"value": "1"},
    wire={"value": "u8"},
)
def matrix(step: int) -> dict:
    \"\"\"The bits that a row, a column and a step do not share.\"\"\"
    place = np.arange(64)
    return {"value": place[:, None] ^ place[None, :] ^ step}
"""


@dataclass(frozen=True, slots=True)
class Drag:
    """A part of a figure that was dragged, and the milliseconds of work for each move."""

    page: str
    figure: str
    part: str
    moves: list[float]

    @property
    def slow(self) -> float:
        """Return what 95 of 100 moves took at most."""
        return sorted(self.moves)[int(len(self.moves) * 0.95)]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def build(folder: Path, site: Path = ROOT) -> None:
    """Build the real site, as of a day on which nothing is held back."""
    command = [sys.executable, "-m", "explainers", "build", "--date", "2999-12-31"]
    done = subprocess.run(
        [*command, "--output", folder], cwd=site, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)


def large(folder: Path) -> None:
    """Build a site of one figure: a matrix of 64 by 64 at 256 steps."""
    site = folder.with_name(f"{folder.name}-site")
    article = site / "content/articles/large"
    article.mkdir(parents=True)
    (article / "index.md").write_text(PAGE, encoding="utf-8")
    (article / "data.py").write_text(DATA, encoding="utf-8")
    shutil.copyfile(ROOT / "content/site.yaml", site / "content/site.yaml")
    build(folder, site)


def drags(folder: Path, only: str = "") -> Iterator[Drag]:
    """Drag every part of every figure of a built site; of one page if its address is given."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    chrome = os.environ.get("CHROME_PATH") or next(filter(None, map(shutil.which, CHROMES)), None)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chrome, args=FLAGS)
            for file in sorted(folder.rglob("index.html")):
                name = file.parent.relative_to(folder).as_posix()
                if name.startswith("embed") or only not in ("", name):
                    continue
                if name != "." and 'data-module="' in file.read_text(encoding="utf-8"):
                    yield from _page(browser, address, name)
            browser.close()
    finally:
        server.shutdown()


def _page(browser: Browser, address: str, name: str) -> Iterator[Drag]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}{name}/")
    labels = page.locator(".plate[data-module]").evaluate_all(
        "plates => plates.map(plate => plate.dataset.figure)"
    )
    page.close()
    for label in labels:
        # An address shows a figure that waits for a prediction.
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{address}{name}/#{label}")
        page.wait_for_selector(f".plate[data-figure='{label}'][data-ready]")
        plate = page.locator(f".plate[data-figure='{label}']")
        page.evaluate("() => document.fonts.ready.then(() => true)")
        page.wait_for_timeout(300)
        for part, target in _parts(plate):
            if found := _dragged(browser, page, target, part):
                yield Drag(name, label, part, found)
        page.close()


def _parts(plate: Locator) -> Iterator[tuple[str, Locator]]:
    """Yield every slider, one of each row of handles, and every part that a hand drags."""
    for slider in plate.locator("input[type=range]:not(:disabled)").all():
        yield (
            slider.evaluate("e => e.getAttribute('aria-label') ?? e.labels[0].textContent"),
            slider,
        )
    rows = set()
    for handle in plate.locator(".handle").all():
        row = handle.get_attribute("data-row")
        if row not in rows:
            rows.add(row)
            yield f"handle {row}", handle.locator(".grip").first
    for k, part in enumerate(plate.locator(".drag").all()):
        yield f"picture {k + 1}", part


def _dragged(browser: Browser, page: Page, target: Locator, part: str) -> list[float]:
    """Return how long the main thread worked for each move of a drag, in milliseconds."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    if not box:
        return []
    x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5
    reach, rise = box["width"] * 0.45, 0.0
    if part.startswith("handle"):
        reach, rise = 0.0, 90.0
    elif part.startswith("picture"):
        rise = box["height"] * 0.45
    page.mouse.move(x, y)
    page.mouse.down()
    browser.start_tracing(page=page, categories=["devtools.timeline", "toplevel", "v8.execute"])
    for k in range(MOVES):
        way = math.sin((k + 1) / MOVES * 2 * math.pi)  # to and fro, over the whole range
        page.mouse.move(x + reach * way, y - rise * way)
        page.wait_for_timeout(PAUSE_MS)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.mouse.up()
    return work(events)


def work(events: list[dict[str, Any]]) -> list[float]:
    """Return the time in script, style and layout from each pointer's move to the next."""
    moves = [
        e
        for e in events
        if e["name"] == "EventDispatch" and e["args"]["data"]["type"] == "pointermove"
    ]
    if not moves:
        return []
    starts = sorted(e["tts"] for e in moves)
    thread = (moves[0]["pid"], moves[0]["tid"])
    spans = sorted(
        (e["tts"], e["tts"] + e.get("tdur", 0))
        for e in events
        if e["name"] in WORK and (e["pid"], e["tid"]) == thread and "tts" in e
    )
    took = [0.0] * len(starts)
    free = 0
    for begin, end in spans:
        start = max(begin, free)  # one inside another counts once
        free = max(free, end)
        place = sum(1 for s in starts if s <= begin) - 1
        if place >= 0 and end > start:
            took[place] += SLOWER * (end - start) / 1000
    return took
