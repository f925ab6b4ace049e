"""Measure kernels on a GPU: what a recorded dataset's function uses, with CuPy underneath.

    module = recording.compile(Path("kernel.cu").read_text(), "softmax_safe", "softmax_online")
    recording.poison(out)
    launch()
    error = recording.check("safe", out[:8].get(), expected, 1e-6)
    times = recording.measure({"safe": launch, "online": other}, cold=True)  # seconds

Times are the device's own, by events. Variants take turns, so that a warmer chip or another clock
meets them all alike. CuPy is imported when something here is called, never before.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

Launch = Callable[[], object]

WARM_UPS = 3
"""Launches of each variant before the first one that counts: they load code and wake the chip."""

REPEATS = 31

FLUSHED = 256 << 20
"""Bytes written between launches to empty the second-level cache: several times its size."""

SHORT = 10e-6
"""Seconds below which a pair of events measures the launch more than the kernel."""

HARNESS = "1"
"""Raised when times are taken in another way; a recording keeps it."""


def cupy() -> Any:
    """Return CuPy, or say in one sentence what is missing."""
    try:
        return importlib.import_module("cupy")
    except ImportError as error:
        raise RuntimeError(
            "this runs on CuPy, which is not installed: pip install cupy-cuda13x (or 12x)"
        ) from error


def compile(source: str, *names: str, options: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the kernels of a CUDA source by name; they are declared `extern "C" __global__`.

    Args:
        source: CUDA C++, as NVRTC takes it; the article's listing shows the same text.
        names: the kernels.
        options: further options of the compiler; it may contract a * b + c as it likes.
    """
    module = cupy().RawModule(code=source, options=("--std=c++17", *options))
    return {name: module.get_function(name) for name in names}


def poison(array: Any) -> None:
    """Fill an output with what no kernel writes, so that an unwritten place is found."""
    array.fill(float("nan") if array.dtype.kind == "f" else 1 << (8 * array.itemsize - 2))


def check(name: str, found: Any, expected: Any, tolerance: float) -> float:
    """Return the distance of a result from what it should be, relative in the norm.

    Args:
        name: what is checked, for the message.
        found: what the kernel wrote, an array of CuPy or NumPy.
        expected: the same by other means, in higher precision.
        tolerance: the largest distance that passes.

    Raises:
        ValueError: it is farther off, or a place was never written.
    """
    import numpy as np

    found, expected = (
        np.asarray(a.get() if hasattr(a, "get") else a, dtype=np.float64) for a in (found, expected)
    )
    distance = float(np.linalg.norm(found - expected) / np.linalg.norm(expected))
    if not distance <= tolerance:  # NaN never passes
        raise ValueError(f"{name} is off by {distance:.2g}, relatively; {tolerance:g} is allowed")
    return distance


def measure(
    variants: Mapping[str, Launch],
    *,
    repeats: int = REPEATS,
    warm_ups: int = WARM_UPS,
    cold: bool = False,
    inner: int = 1,
) -> dict[str, Any]:
    """Return the seconds of every launch of each variant, (repeats,) float64.

    The first timed launch of each is dropped: it is slower than all others.

    Args:
        variants: what to launch, by name; a launch must not wait for its own end.
        repeats: launches that are kept.
        warm_ups: launches before them.
        cold: empty the cache before each launch; the launch gap hides behind that too.
        inner: for kernels below about 10 µs: launches captured in one graph, whose time is divided.

    Raises:
        ValueError: launches cannot be both cold and captured, or one is too short for events.
    """
    import numpy as np

    if cold and inner > 1:
        raise ValueError("captured launches follow each other at once: they cannot be cold")
    xp = cupy()
    xp.cuda.Device().synchronize()  # what was put on another stream must have arrived
    stream = xp.cuda.Stream(non_blocking=True)
    flush = xp.empty(FLUSHED // 4, dtype=xp.float32) if cold else None
    with stream:
        for launch in variants.values():
            for _ in range(warm_ups):
                launch()
        stream.synchronize()
        runs = {n: _captured(launch, stream, inner) for n, launch in variants.items()}
        times: dict[str, list[float]] = {name: [] for name in variants}
        for round_ in range(repeats + 1):
            for name, run in runs.items():
                if flush is not None:
                    flush.fill(float(round_))
                seconds = _timed(run, stream) / inner
                if round_:
                    times[name].append(seconds)
    found = {name: np.array(series) for name, series in times.items()}
    for name, series in found.items():
        if inner == 1 and float(np.median(series)) < SHORT:
            raise ValueError(
                f"{name} takes {np.median(series) * 1e6:.1f} µs: events measure the launch; "
                "capture launches with inner=20"
            )
    return found


def summary(times: Any) -> dict[str, float]:
    """Return median, min and max of a series of times."""
    import numpy as np

    return {
        "median": float(np.median(times)),
        "low": float(np.min(times)),
        "high": float(np.max(times)),
    }


def _captured(launch: Launch, stream: Any, inner: int) -> Launch:
    if inner == 1:
        return launch
    stream.begin_capture()
    for _ in range(inner):
        launch()
    graph = stream.end_capture()
    with suppress(AttributeError):  # uploading ahead is an optimisation of newer versions
        graph.upload(stream)
    return lambda: graph.launch(stream)


def _timed(run: Launch, stream: Any) -> float:
    cuda = cupy().cuda
    start, end = cuda.Event(), cuda.Event()
    start.record(stream)
    run()
    end.record(stream)
    end.synchronize()
    return float(cuda.get_elapsed_time(start, end)) * 1e-3
