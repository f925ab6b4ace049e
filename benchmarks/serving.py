"""Measure `serve`: how long until the first page, and from a save to the word that it is built."""

from __future__ import annotations

import http.client
import os
import re
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from measure import ticks

SAVES = 50
PAUSE = 0.1
"""Seconds between two saves, as nobody saves in the middle of a rebuild."""

PATIENCE = 300.0
"""Seconds after which a server that says nothing counts as lost."""


@dataclass(frozen=True, slots=True)
class Served:
    """Seconds until the first page; of each save by the clock; CPU seconds of a save."""

    first: float
    first_cpu: float
    saves: tuple[float, ...]
    cpu: float

    @property
    def save(self) -> float:
        """Return the median of the saves."""
        return statistics.median(self.saves)


def serving(
    words: Sequence[str], folder: Path, variables: Mapping[str, str], save: Callable[[], object]
) -> Served:
    """Start a server in a folder, save many times, and end it."""
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
        while _get(address, "/") != 200:
            if time.perf_counter() - started > PATIENCE:
                raise OSError("the server shows no page")
            time.sleep(0.005)
        first, first_cpu = time.perf_counter() - started, _cpu(process.pid)
        # The first page is shown before the others are made; what is said next ends the build.
        closing = process.stdout.readline() if process.stdout else ""
        if " written" not in closing:
            raise OSError(f"the first build failed: {closing}")
        with _versions(address) as versions:
            next(versions)  # the present one
            save()  # the first save loads what the others use
            next(versions)
            before = _cpu(process.pid)
            took = []
            for _ in range(SAVES):
                time.sleep(PAUSE)
                save()
                saved = time.perf_counter()
                next(versions)
                took.append(time.perf_counter() - saved)
            cpu = (_cpu(process.pid) - before) / SAVES
        return Served(first, first_cpu, tuple(took), cpu)
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def _versions(address: str) -> Iterator[Iterator[str]]:
    """Yield the versions of the site, each as it comes."""
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    connection.request("GET", "/_dev/events")
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


def _get(address: str, path: str) -> int:
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def _cpu(process: int) -> float:
    """Return the CPU seconds of a process and of those it started and has waited for."""
    return sum(ticks(process))
