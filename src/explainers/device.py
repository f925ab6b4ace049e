"""What a recording tells of the machine it was made on, before and while it runs."""

from __future__ import annotations

import platform
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from .digest import digest
from .recording import HARNESS, cupy

LIBRARIES = ("numpy", "cupy-cuda13x", "cupy-cuda12x", "cupy", "torch")
WATCHED = {
    "clocks.sm": "SM clock (MHz)",
    "clocks.mem": "memory clock (MHz)",
    "power.draw": "power (W)",
    "temperature.gpu": "temperature (°C)",
}
"""What is asked of nvidia-smi while a recording runs, and what a recording calls it."""

EVERY_MS = 100


def facts(needs: str) -> dict[str, Any]:
    """Return what stays as it is during a recording: device, driver, versions."""
    found: dict[str, Any] = {"python": platform.python_version(), "versions": versions()}
    if needs == "cuda":
        found |= _gpu()
    else:
        found |= {"device": processor()}
    if needs != "minutes":
        found["harness"] = HARNESS
    return found


def versions() -> dict[str, str]:
    """Return the versions of the libraries that numbers come from, where they are installed."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            continue
    return found


def processor() -> str:
    """Return the name of this machine's processor."""
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        text = ""
    named = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    return named[1].strip() if named else platform.processor() or platform.machine()


def _gpu() -> dict[str, Any]:
    runtime = cupy().cuda.runtime
    about = runtime.getDeviceProperties(runtime.getDevice())
    asked = _ask(("--query-gpu=driver_version,uuid", "--format=csv,noheader"))
    driver, _, card = asked.partition("\n")[0].partition(",")
    return {
        "device": about["name"].decode(),
        # Tells two cards apart, and names neither.
        **({"card": digest(card.strip())[:8]} if card else {}),
        "driver": driver.strip(),
        "cuda": _dotted(runtime.runtimeGetVersion()),
        "multiprocessors": about["multiProcessorCount"],
        "L2 (byte)": about["l2CacheSize"],
    }


def _dotted(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def _ask(arguments: Sequence[str]) -> str:
    program = shutil.which("nvidia-smi")
    if program is None:
        return ""
    answer = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return answer.stdout if answer.returncode == 0 else ""


class Watch:
    """Asks nvidia-smi, while a recording runs, for clocks, power and temperature."""

    def __enter__(self) -> Watch:
        """Begin to ask; without nvidia-smi there is nothing to ask."""
        self._log = tempfile.TemporaryFile("w+")
        self._text = ""
        self._asking = None
        if program := shutil.which("nvidia-smi"):
            query = f"--query-gpu={','.join(WATCHED)}"
            self._asking = subprocess.Popen(
                [program, query, "--format=csv,noheader,nounits", f"-lms={EVERY_MS}"],
                stdout=self._log,
                stderr=subprocess.DEVNULL,
            )
        return self

    def __exit__(self, *_: object) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.terminate()
            self._asking.wait()
        self._log.seek(0)
        self._text = self._log.read()
        self._log.close()

    def seen(self) -> dict[str, list[float]]:
        """Return [min, median, max] of each thing asked, in words, once it has ended."""
        return summarised(self._text)


def summarised(text: str) -> dict[str, list[float]]:
    """Return [min, median, max] of each column of what nvidia-smi wrote."""
    rows = []
    for line in text.splitlines():
        try:
            rows.append([float(cell) for cell in line.split(",")])
        except ValueError:
            continue  # the last line may be cut off, and some cards answer "[N/A]"
    rows = [row for row in rows if len(row) == len(WATCHED)]
    columns = zip(*rows, strict=True)
    return {
        name: [min(column), statistics.median(column), max(column)]
        for name, column in zip(WATCHED.values(), columns, strict=False)
    }
