"""What runs inside a worker process: one call, watched, its result as bytes."""

from __future__ import annotations

import faulthandler
import importlib
import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from typing import IO, Any

from .call import VARIABLE, Call, Done
from .dataset import spec_of
from .load import article
from .reads import watch, watched

STATE = "\x1estate "
"""Begins the line of the log that says which state is computed."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in a traceback, as plain values; columns count bytes, from 0."""

    path: str
    line: int
    column: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception as plain values. `kind`: raised | memory | result | given."""

    kind: str
    name: str
    text: str
    hint: str | None
    frames: tuple[Frame, ...]
    state: str


def ready(memory: int | None) -> None:
    """Prepare a worker process, before its first call."""
    # Ctrl-C is the parent's to handle; a worker only ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.dont_write_bytecode = True
    try:
        import resource
    except ImportError:  # not on Windows
        pass
    else:
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(watch)


def work(call: Call, seconds: float, log: str) -> Done | Raised:
    """Run a call; past its time the process ends itself and leaves its stack in the log."""
    began = time.perf_counter()
    with Path(log).open("w") as file:
        _send_output(file)
        faulthandler.enable(file)
        faulthandler.dump_traceback_later(seconds, exit=True, file=file)
        state = [""]
        own = dict(os.environ)
        try:
            _declare(call.env)
            watched.begin(call.root, strict=call.backend == "numpy")
            data = _result(call, file, state)
            watched.refuse()
            reads = (*watched.end(), *(VARIABLE + name for name, _ in call.env))
            return Done(data, reads, time.perf_counter() - began)
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: they are its result
            watched.end()
            return as_raised(error, state[0])
        finally:
            watched.end()
            _declare([(name, own.get(name)) for name, _ in call.env])
            faulthandler.cancel_dump_traceback_later()
            faulthandler.disable()
            sys.stdout.flush()
            sys.stderr.flush()


def _declare(variables: Iterable[tuple[str, str | None]]) -> None:
    """Set environment variables: the server of processes may have started under others."""
    for name, held in variables:
        if held is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = held


def _result(call: Call, log: IO[str], state: list[str]) -> bytes:
    from .codec import decode, encode
    from .stack import arguments, compute
    from .verdict import judge

    xp = None if call.backend == "numpy" else importlib.import_module(call.backend)

    def entering(now: Any) -> None:
        state[0] = ", ".join(f"{name}={value!r}" for name, value in now.items())
        if now:
            os.write(log.fileno(), f"{STATE}{json.dumps(state[0])}\n".encode())

    if call.given:
        from .given import load

        return encode(load(Path(call.root), call.given))
    inputs = {name: decode(data) for name, data in call.inputs}
    with article(Path(call.root), call.slug) as module:
        function = getattr(module, call.name)
        if call.claim:
            return judge(function(**arguments(function, inputs, {}, None, xp))).encoded()
        spec = spec_of(function)
        if spec is None:
            raise TypeError(f'"{call.name}" is not marked with the @dataset of explainers')
        return encode(compute(function, spec, inputs, xp=xp, entering=entering))


def as_raised(error: BaseException, state: str) -> Raised:
    """Return an exception as plain values; `state` is what was computed when it was raised."""
    frames = [
        Frame(frame.filename, frame.lineno or 1, frame.colno, frame.end_colno)
        if frame.lineno == frame.end_lineno
        else Frame(frame.filename, frame.lineno or 1)
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append(Frame(error.filename, error.lineno or 1))
    try:
        text = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    except Exception:  # an exception may be too broken to be printed
        text = "(it cannot be printed)"
    kind = "raised"
    if place := getattr(error, "place", None):  # in a file that was supplied
        frames = [Frame(*place)]
        kind = "given"
    elif isinstance(error, MemoryError):
        kind = "memory"
    elif type(error).__name__ == "EncodingError":
        kind = "result"
    return Raised(
        kind, type(error).__name__, text[:400], getattr(error, "hint", None), tuple(frames), state
    )


def _send_output(file: IO[str]) -> None:
    """Send what the process prints to the log: an orphan must not hold our own output open."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.dup2(file.fileno(), 1)
    os.dup2(file.fileno(), 2)


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)
