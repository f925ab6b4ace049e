"""Say what went wrong with a call: article, dataset, state, and the line of the author's code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import Problem, Span
from ..model import folder_of
from .call import Call
from .load import KERNELS
from .worker import STATE, Frame, Raised

SHIPPED = "src/explainers/kernels"

_FRAME = re.compile(r'^ +File "(.+)", line (\d+) in ', re.MULTILINE)
_FATAL = re.compile(r"^Fatal Python error: (.+)$", re.MULTILINE)
_HUNG = re.compile(r"^Timeout \(", re.MULTILINE)


def is_guilty(log: str) -> bool:
    """Say whether a log shows that its call ended the process."""
    return bool(_HUNG.search(log) or _FATAL.search(log))


def of_exception(call: Call, raised: Raised, memory: int | None) -> Problem:
    """Return the problem of a call that raised."""
    who = _who(call, raised.state)
    if raised.kind == "result":
        return Problem("dataset-result", f"{who}: {raised.text}", call.span, raised.hint)
    span, hint = _place(call, raised.frames)
    if raised.kind == "given":
        return Problem("supplied-data", f"{who}: {raised.text}", span, raised.hint)
    if raised.kind == "memory":
        most = f"{memory / 2**30:g} GiB" if memory else "there is"
        return Problem("dataset-memory", f"{who} needs more memory than {most}", span, hint)
    text = f": {raised.text}" if raised.text else ""
    return Problem("dataset-raised", f"{who} raised {raised.name}{text}", span, hint)


def of_death(call: Call, log: str, seconds: float) -> Problem:
    """Return the problem of a call that hung, or whose process died."""
    states = [line for line in log.split("\n") if line.startswith(STATE)]
    who = _who(call, json.loads(states[-1].removeprefix(STATE)) if states else "")
    # The innermost frame comes first in this kind of stack.
    stack = [Frame(path, int(line)) for path, line in reversed(_FRAME.findall(log))]
    span, hint = _place(call, stack)
    if _HUNG.search(log):
        return Problem("dataset-hung", f"{who} did not end within {seconds:g} s", span, hint)
    fatal = _FATAL.search(log)
    why = f"crashed its process: {fatal[1]}" if fatal else "ended its process without a result"
    return Problem("dataset-died", f"{who} {why}", span, hint)


def _who(call: Call, state: str) -> str:
    kind = "claim" if call.claim else "dataset"
    return f'{kind} "{call.name}" of {call.slug}' + (f" at {state}" if state else "")


def _place(call: Call, frames: Iterable[Frame]) -> tuple[Span, str | None]:
    """Return the last frame in the author's code, and which line of data.py led there."""
    ours = [(path, frame) for frame in frames if (path := _inside(call, frame.path))]
    if not ours:
        return call.span, None
    path, frame = ours[-1]
    own = f"{folder_of(call.slug)}/"
    callers = [(p, f) for p, f in ours if p.startswith(own)]
    hint = None
    if callers and not path.startswith(own):
        hint = f"called from {callers[-1][0]}:{callers[-1][1].line}"
    return _span(call, path, frame), hint


def _inside(call: Call, path: str) -> str | None:
    """Return the path from the root of a file of the article or of a kernel, else None."""
    try:
        inside = Path(path).resolve().relative_to(Path(call.root).resolve()).as_posix()
    except ValueError:
        return None
    folders = (f"{folder_of(call.slug)}/", f"{KERNELS}/", f"{SHIPPED}/")
    return inside if inside.startswith(folders) else None


def _span(call: Call, path: str, frame: Frame) -> Span:
    try:
        line = (Path(call.root) / path).read_text().splitlines()[frame.line - 1]
    except (OSError, ValueError, IndexError):
        return Span(path, frame.line)
    start, end = len(line) - len(line.lstrip()), len(line.rstrip())
    if frame.column is not None and frame.end is not None:
        data = line.encode()
        start = len(data[: frame.column].decode(errors="replace"))
        end = len(data[: frame.end].decode(errors="replace"))
    return Span(path, frame.line, start + 1, max(1, end - start))
