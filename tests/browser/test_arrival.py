"""A page that arrives in pieces, as over a slow line: what is there already stays where it is."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.browser.conftest import Handler, Server
from tests.browser.reading import Reader, shift
from tests.real_site import PAGES, file

PARTS = ("says", "listing", "controls")
"""What follows the picture of a figure."""

PAUSE = 0.3
"""Seconds between the two pieces: a browser shows the first one meanwhile."""


class Torn(Handler):
    """Sends each page in two pieces, cut before a part of its first figure."""

    def __init__(self, *arguments: object, folder: Path, part: str) -> None:
        self.part = part
        super().__init__(*arguments, folder=folder)

    def do_GET(self) -> None:  # noqa: N802 - the name is of http.server
        if not self.path.endswith("/"):
            super().do_GET()
            return
        data = file(self.folder, self.path.lstrip("/")).read_bytes()
        cut = data.find(f'<div class="{self.part}'.encode())
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:cut])
        self.wfile.flush()
        time.sleep(PAUSE)
        self.wfile.write(data[cut:])


@pytest.fixture(scope="module", params=PARTS)
def torn(output: Path, request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Return the part that comes late, and the root of a site where it does."""
    handler = functools.partial(Torn, folder=output, part=request.param)
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield request.param, f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def test_a_figure_stays_where_it_is_while_the_rest_of_it_comes(
    browser: Browser, output: Path, torn: tuple[str, str]
) -> None:
    part, address = torn
    late = [page for page in PAGES if f'<div class="{part}' in file(output, page).read_text()]
    assert late
    moved = {}
    for path in late:
        reader = Reader(browser, address)
        moved[path] = shift(reader(path, width=1280, height=800))
        reader.close()
    assert {path: moves for path, moves in moved.items() if moves} == {}
