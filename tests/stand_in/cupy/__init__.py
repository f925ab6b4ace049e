"""Stands in for CuPy where there is no GPU: NumPy's functions, and just enough of `cuda`.

It is found only by tests that put its folder on the path.
"""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace

from numpy import *  # noqa: F403
from numpy import asarray, empty, exp  # noqa: F401 - what tests name


class Event:
    def record(self, stream=None):
        self.at = time.perf_counter()

    def synchronize(self):
        pass


class Stream:
    def __init__(self, non_blocking=False):
        self.captured = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def synchronize(self):
        pass

    def begin_capture(self):
        pass

    def end_capture(self):
        return SimpleNamespace(launch=lambda stream: time.sleep(1e-4))


class Device:
    attributes = {"MultiProcessorCount": 2}  # noqa: RUF012

    def synchronize(self):
        pass


class Runtime:
    def getDevice(self):  # noqa: N802
        return 0

    def getDeviceProperties(self, number):  # noqa: N802
        return {"name": b"Stand-in", "multiProcessorCount": 2, "l2CacheSize": 1 << 20}

    def runtimeGetVersion(self):  # noqa: N802
        return 13000


class Kernel(str):
    """A kernel that computes nothing and says that it was launched."""

    def __call__(self, grid, block, args):
        sys.stdout.write(f"{self}\n")


class RawModule:
    def __init__(self, code, options):
        self.code, self.options = code, options

    def get_function(self, name):
        if f" {name}(" not in self.code:
            raise KeyError(name)
        return Kernel(name)


def asnumpy(array):
    return array


cuda = SimpleNamespace(
    Event=Event,
    Stream=Stream,
    Device=Device,
    runtime=Runtime(),
    get_elapsed_time=lambda start, end: (end.at - start.at) * 1e3,
)
