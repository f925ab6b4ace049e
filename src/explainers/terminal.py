"""Words on a terminal: colours where they help, and what a long build is at."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from typing import TextIO

PATIENCE = 1.0
"""Seconds after which a build says what it is at."""

BOLD, RED, YELLOW, DIM, END = "\033[1m", "\033[31m", "\033[33m", "\033[2m", "\033[0m"

_HEAD = re.compile(r"^(\S+?:\d+:\d+: )?(error|note)\[(.+?)\]: (.*)$", re.MULTILINE)
_CARET = re.compile(r"^( *\| *)(\^+)$", re.MULTILINE)
_HINT = re.compile(r"^hint:", re.MULTILINE)


def is_coloured(stream: TextIO) -> bool:
    """Tell whether a stream shows colours, and nobody asked for none."""
    dumb = os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
    return stream.isatty() and not dumb


def coloured(text: str, stream: TextIO) -> str:
    """Return messages with their places, severities and carets marked, where that is seen."""
    if not is_coloured(stream):
        return text

    def head(found: re.Match[str]) -> str:
        place, severity, code, message = found.groups()
        hue = RED if severity == "error" else YELLOW
        return f"{BOLD}{place or ''}{hue}{severity}[{code}]{END}{BOLD}: {message}{END}"

    text = _HEAD.sub(head, text)
    text = _CARET.sub(rf"\1{RED}\2{END}", text)
    return _HINT.sub(f"{BOLD}hint:{END}", text)


class Teller:
    """Says what each step does: all of it when asked, the present one when it takes long."""

    def __init__(self, *, verbose: bool, quiet: bool, stream: TextIO | None = None) -> None:
        """Speak to a stream, by default that of errors."""
        self._stream = stream or sys.stderr
        self._verbose = verbose
        self._shows = not quiet and not verbose and self._stream.isatty()
        self._started = time.monotonic()
        self._shown = False

    def __call__(self, text: str) -> None:
        """Take what a step says of itself."""
        if self._verbose:
            print(text, file=self._stream, flush=True)
        elif self._shows and time.monotonic() - self._started > PATIENCE:
            line = text.partition("\n")[0][: _width() - 1]
            print(f"\r\033[K{line}", end="", file=self._stream, flush=True)
            self._shown = True

    def clear(self) -> None:
        """Take the present line away, for what comes after it; the next step is a new one."""
        if self._shown:
            print("\r\033[K", end="", file=self._stream, flush=True)
        self._shown = False
        self._started = time.monotonic()

    def before(self, say: Callable[[str], None]) -> Callable[[str], None]:
        """Return what says a text in the place of the present line."""

        def cleared(text: str) -> None:
            self.clear()
            say(text)

        return cleared


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return 80
