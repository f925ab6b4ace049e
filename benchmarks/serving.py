"""Measure `serve`: how long until the first page, and from a save to the word that it is built."""

from __future__ import annotations

import http.client
import os
import re
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from measure import ticks

SAVES = 50
PAUSE = 0.4
"""Seconds between two saves, as nobody saves in the middle of a rebuild."""

PATIENCE = 300.0
"""Seconds after which a server that says nothing counts as lost."""


@dataclass(frozen=True, slots=True)
class Served:
    """Seconds until the first page, of each save, of a new template; CPU seconds of a save.

    `growth` is the memory after all saves over that after the first tenth of them.
    """

    first: float
    first_cpu: float
    saves: tuple[float, ...]
    cpu: float
    template: float
    growth: float

    @property
    def save(self) -> float:
        """Return the median of the saves."""
        return statistics.median(self.saves)


def serving(
    words: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    page: str,
    save: Callable[[], str],
    template: Callable[[], str],
    rebuilds: int = 0,
) -> Served:
    """Start a server in a folder, open a page, save many times, and end it.

    Args:
        words: the command.
        folder: where it is run.
        variables: the environment beside ours.
        page: the address of the page that is open.
        save: changes that page's source, and returns words that it then holds.
        template: changes a template, and returns such words.
        rebuilds: saves after those that are timed, by which growth is measured.
    """
    started = time.perf_counter()
    process = subprocess.Popen(
        [*words, "--port", "0"],
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        found = re.search(r"http://\S+", line)
        if found is None:
            raise OSError(f"the server does not start: {line}")
        address = urlsplit(found[0]).netloc
        while _get(address, "/")[0] != 200:
            if time.perf_counter() - started > PATIENCE:
                raise OSError("the server shows no page")
            time.sleep(0.005)
        first, first_cpu = time.perf_counter() - started, _cpu(process.pid)
        # The first page is shown before the others are made; what is said next ends the build.
        closing = process.stdout.readline() if process.stdout else ""
        if " written" not in closing:
            raise OSError(f"the first build failed: {closing}")
        threading.Thread(target=process.stdout.read, daemon=True).start()  # type: ignore[union-attr]
        with _versions(address, page) as versions:
            next(versions)  # the present one

            def shown(change: Callable[[], str]) -> float:
                """Return the seconds from a save to the event after which the page has it."""
                said = change()
                saved = time.perf_counter()
                while True:
                    next(versions)
                    heard = time.perf_counter() - saved
                    if said.encode() in _get(address, page)[1]:
                        return heard

            shown(save)  # the first save loads what the others use
            time.sleep(PAUSE)
            before = _cpu(process.pid)
            took = []
            for _ in range(SAVES):
                time.sleep(PAUSE)
                took.append(shown(save))
            cpu = (_cpu(process.pid) - before) / SAVES
            time.sleep(PAUSE)
            new = shown(template)
            early = late = 1.0
            for number in range(rebuilds):
                shown(save)
                if number == rebuilds // 10:
                    early = _memory(process.pid)
            if rebuilds:
                late = _memory(process.pid)
        return Served(first, first_cpu, tuple(took), cpu, new, late / early)
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def _versions(address: str, page: str) -> Iterator[Iterator[str]]:
    """Yield the versions of the site, each as it comes to an open page."""
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    connection.request("GET", f"/_dev/events?page={quote(page)}")
    answer = connection.getresponse()

    def lines() -> Iterator[str]:
        last = ""
        while line := answer.readline():
            version = re.search(rb'"version": "([^"]+)"', line)
            if version and (text := version[1].decode()) != last:
                last = text
                yield text
        raise OSError("the server ended")

    try:
        yield lines()
    finally:
        connection.close()


def _get(address: str, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _memory(process: int) -> float:
    """Return the resident bytes of a process."""
    return float(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096


def _cpu(process: int) -> float:
    """Return the CPU seconds of a process and of those it started and has waited for."""
    return sum(ticks(process))
