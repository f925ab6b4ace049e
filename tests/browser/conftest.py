"""The real site, served and opened in a browser, where nothing may go wrong unseen."""

from __future__ import annotations

import functools
import gzip
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.reading import Reader
from tests.real_site import build, file

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
PACKED = {".woff2", ".png", ".webp", ".jpg"}


@pytest.fixture(scope="session")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the real site, built by the command line."""
    return build(tmp_path_factory.mktemp("real") / "site")


class Handler(BaseHTTPRequestHandler):
    """Answers with the files of a folder, compressed, as a host of static sites does."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: object, folder: Path) -> None:
        self.folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = file(self.folder, unquote(urlsplit(self.path).path).lstrip("/"))
        found = path.is_file() and path.resolve().is_relative_to(self.folder.resolve())
        path = path if found else self.folder / "404.html"
        time.sleep(float(self.headers.get("x-wait", 0)))
        data = path.read_bytes()
        self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
        if path.suffix not in PACKED:
            data = gzip.compress(data, 6)
            self.send_header("Content-Encoding", "gzip")
        if path.parent.name == "_":
            self.send_header("Cache-Control", "max-age=31536000, immutable")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server that does not wait for connections a browser keeps open."""

    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """A browser that goes away in mid-answer is no error."""


@pytest.fixture(scope="session")
def address(output: Path) -> Iterator[str]:
    """Return the root of the real site on this machine."""
    server = Server(("127.0.0.1", 0), functools.partial(Handler, folder=output))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return the one browser of all tests."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    chrome = os.environ.get("CHROME_PATH") or next(filter(None, map(shutil.which, names)), None)
    assert chrome, "these tests need Chromium or Google Chrome on the PATH, or its CHROME_PATH"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chrome, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Return what opens a page; at the end of the test nothing may have gone wrong on it."""
    reader = Reader(browser, address)
    yield reader
    reader.close()
    assert reader.faults == []
