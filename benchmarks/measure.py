"""Measure a command: how long it took, and the CPU time and memory of all its processes.

Memory is the sum of the proportional set sizes (a page that two processes share counts half in
each) of the process tree, so workers that share the pages of their parent are counted once.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PERIOD = 0.1
"""Seconds between two looks at the memory; a look costs a process a few milliseconds."""

_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a command took: seconds by the clock and of CPU, and the most bytes at one time.

    `own` is the part of the CPU time that was the command's, not that of processes it started.
    """

    wall: float
    cpu: float
    own: float
    memory: int
    code: int
    output: str


def measure(
    words: Sequence[str],
    folder: Path,
    variables: Mapping[str, str] | None = None,
    *,
    memory: bool = False,
) -> Measurement:
    """Run a command in a folder to its end; look at its memory only when asked.

    Processes that outlive the command are waited for, and their CPU time counts too.
    """
    _adopt_orphans()
    before = _cpu_of_children()
    started = time.perf_counter()
    process = subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, **(variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with _Watch(memory) as watch:
        output = process.stdout.read() if process.stdout else ""
        # An ended process still tells of itself until it is waited for.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        wall, own = time.perf_counter() - started, sum(ticks(process.pid)[:2])
        process.communicate()
        _wait_for_orphans()
    cpu = _cpu_of_children() - before
    return Measurement(wall, cpu, own, watch.peak, process.returncode, output.strip())


def compiled(folder: Path) -> dict[str, str]:
    """Return variables that keep modules compiled, as on an author's machine, yet elsewhere."""
    cache = str(folder / "pycache")
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": cache}


class _Watch:
    """Looks at the memory of this process's descendants from a thread of its own."""

    def __init__(self, wanted: bool) -> None:
        self.peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True) if wanted else None

    def __enter__(self) -> _Watch:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _look(self) -> None:
        while not self._stop.wait(PERIOD):
            self.peak = max(self.peak, sum(map(proportional, descendants(os.getpid()))))


def descendants(process: int) -> Iterator[int]:
    """Yield the processes that a process has started, and theirs."""
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, children.read_text().split()):
                yield child
                yield from descendants(child)


def ticks(process: int) -> list[float]:
    """Return the CPU seconds of a process, as user and system; then those of its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:15]]


def proportional(process: int) -> int:
    """Return the proportional set size of a process in bytes, 0 when it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _adopt_orphans() -> None:
    """Become the parent of processes whose own parent ends, so that none is left uncounted."""
    ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)


def _wait_for_orphans() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
