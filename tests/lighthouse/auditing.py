"""Run Lighthouse over a page of each kind of the real site, served compressed from this machine."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.conftest import Handler, Server
from tests.real_site import SOURCES, WITH_FIGURES, build

FOLDER = Path(__file__).parent
CHROMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

HEAVIEST = max(WITH_FIGURES, key=lambda slug: len(SOURCES[slug]))
PLAIN = "octopus-field-guide"
PAGES = ["", "all/", "series/ml-hardware-low-latency/", f"{HEAVIEST}/", f"{PLAIN}/"]
"""Home, all pages, a series, the longest article with figures, the one without."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Build the site for the address it is served from, serve it, and give that address."""
    with Server(("127.0.0.1", 0), functools.partial(Handler, folder=folder)) as server:
        root = f"http://127.0.0.1:{server.server_address[1]}/"
        build(folder, "--base-url", root)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield root
        server.shutdown()


def install() -> None:
    """Install what this folder's own lock pins, unless it is there: Lighthouse is large."""
    lock = (FOLDER / "package-lock.json").read_bytes()
    mark = FOLDER / "node_modules" / ".installed"
    if mark.is_file() and mark.read_bytes() == lock:
        return
    npm = shutil.which("npm")
    assert npm, "Lighthouse is installed by npm, which comes with Node.js"
    options = ("--ignore-scripts", "--no-audit", "--no-fund")
    subprocess.run([npm, "ci", *options], cwd=FOLDER, check=True, capture_output=True)
    mark.write_bytes(lock)


def audit(addresses: list[str], runs: int = 1) -> list[dict[str, Any]]:
    """Return what `audit.mjs` found at each address."""
    install()
    chrome = os.environ.get("CHROME_PATH") or next(filter(None, map(shutil.which, CHROMES)), None)
    assert chrome, "Lighthouse needs Chromium or Google Chrome on the PATH, or its CHROME_PATH"
    done = subprocess.run(
        ["node", FOLDER / "audit.mjs", "--runs", str(runs), *addresses],
        env={**os.environ, "CHROME_PATH": chrome},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
