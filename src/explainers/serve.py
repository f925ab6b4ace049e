"""Serve the site on this machine, from memory, and rebuild it at every save.

The pages are those of a build, byte for byte, but for one script that is put in on the way out:
it hears of each build over one long answer (server-sent events), loads the page again when the
site has changed, and shows what is wrong over the last good page when it has not been built.
"""

from __future__ import annotations

import errno
import ipaddress
import itertools
import json
import secrets
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from socketserver import TCPServer
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit

from .errors import BuildError
from .model import Report
from .watch import Watch
from .write import Memory

PACKAGE = Path(__file__).parent
CLIENT = PACKAGE / "serve_client.js"

CLIENT_PATH = "/_dev/client.js"
EVENTS_PATH = "/_dev/events"

PORTS_TRIED = 20
PULSE = 15.0
"""Seconds between the signs of life that find out whether a reader is still there."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}

NO_PAGE = b'<!doctype html><html lang="en"><head><title>%s</title></head><body>%s</body></html>'


class Builds(Protocol):
    """What makes the site: a pipeline that keeps what it knows from one build to the next."""

    def build(self, sink: Memory) -> Report:
        """Build into the sink, or raise BuildError and leave it as it was."""


@dataclass(frozen=True, slots=True)
class State:
    """What there is to see: the files, which version of them, and what is wrong with the next."""

    files: Mapping[str, bytes]
    version: str
    problems: str | None = None


class Live:
    """The present state, which the builder replaces and every request reads."""

    def __init__(self) -> None:
        """Start with no site; versions differ from those of an earlier run."""
        run = secrets.token_hex(4)
        self._versions = (f"{run}-{number}" for number in itertools.count())
        self.state = State({}, next(self._versions))
        self._news = threading.Condition()

    def publish(self, files: Mapping[str, bytes], *, changed: bool) -> None:
        """Show a good build; only one that changed something is worth loading again."""
        version = next(self._versions) if changed else self.state.version
        self._set(State(files, version))

    def fail(self, problems: str) -> None:
        """Show what is wrong over the last good build."""
        self._set(replace(self.state, problems=problems))

    def _set(self, state: State) -> None:
        with self._news:
            self.state = state
            self._news.notify_all()

    def wait(self, seen: State | None, timeout: float) -> State:
        """Return the state as soon as it is not the one seen, or when the time is up."""
        with self._news:
            self._news.wait_for(lambda: self.state is not seen, timeout)
            return self.state


class Server(ThreadingHTTPServer):
    """A server of one live site."""

    daemon_threads = True

    def __init__(self, host: str, port: int) -> None:
        """Listen on an address, with nothing to show yet."""
        if ":" in host:
            self.address_family = socket.AF_INET6
        self.host = host
        self.live = Live()
        super().__init__((host, port), Handler)

    def server_bind(self) -> None:
        """Bind without the look-up of the machine's full name, which can take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, self.socket.getsockname()[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Pass over readers who left in the middle of an answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # as it came

    @property
    def url(self) -> str:
        """The address to open in a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    """Answer one request from the files in memory: nothing else can be reached."""

    server: Server
    server_version = "explainers"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer with a page, a file, the client script, or the stream of events."""
        if not is_own_name(self.headers.get("Host", ""), self.server.host):
            # Another site's name was pointed at this machine, to read what is served here.
            self._send(HTTPStatus.FORBIDDEN, b"This host name is not served here.\n", ".txt")
            return
        path, _, query = self.path.partition("?")
        if path == EVENTS_PATH and self.command == "GET":
            self._stream()
        elif path == CLIENT_PATH:
            self._send(HTTPStatus.OK, CLIENT.read_bytes(), ".js")
        else:
            self._send_file(unquote(path).removeprefix("/"), query)

    def do_HEAD(self) -> None:
        """Answer as to GET, without the body."""
        self.do_GET()

    def _send_file(self, path: str, query: str) -> None:
        state = self.server.live.state
        name = f"{path}index.html" if path.endswith("/") or not path else path
        if name in state.files:
            status = HTTPStatus.OK
        elif f"{name}/index.html" in state.files:
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", f"/{quote(name)}/" + (f"?{query}" if query else ""))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        else:
            status = HTTPStatus.NOT_FOUND if state.files else HTTPStatus.SERVICE_UNAVAILABLE
            name = "404.html"
        words = b"Not found" if state.files else b"The site is not built yet"
        data = state.files.get(name, NO_PAGE % (words, words))
        suffix = PurePosixPath(name).suffix
        if suffix == ".html":
            data = with_client(data, state.version)
        self._send(status, data, suffix)

    def _send(self, status: HTTPStatus, data: bytes, suffix: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(b"retry: 500\n\n")  # ms until a page looks for a server that went away
        seen: State | None = None
        while True:
            state = self.server.live.wait(seen, PULSE)
            event = ":\n\n"
            if state is not seen:
                told = {"version": state.version, "problems": state.problems}
                event = f"data: {json.dumps(told)}\n\n"
            self.wfile.write(event.encode())
            seen = state

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal is for the builds."""


def is_own_name(header: str, host: str) -> bool:
    """Tell whether a Host header names this machine: by an address, localhost, or as asked for.

    Any other name may be one that its owner points at 127.0.0.1 for a moment.
    """
    try:
        name = urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return False
    if name in {"localhost", host.lower()} - {""}:
        return True
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def with_client(page: bytes, version: str) -> bytes:
    """Return the page with the client script, told which version of the site the page is of."""
    tag = f'<script type="module" src="{CLIENT_PATH}?v={version}"></script>'.encode()
    before, end, after = page.partition(b"</head>")
    return before + tag + end + after if end else page + tag


def listen(host: str, port: int) -> Server:
    """Listen on the port, or on the next one that is free."""
    for candidate in range(port, min(port + PORTS_TRIED, 65536)) if port else ():
        try:
            return Server(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return Server(host, 0)


def serve(
    server: Server,
    builder: Builds,
    folders: Iterable[Path],
    *,
    say: Callable[[str], None],
    explain: Callable[[BuildError], str],
    closing: Callable[[Report], str],
) -> None:
    """Build, serve and rebuild until Ctrl-C; `explain` and `closing` put a build into words."""
    sink = Memory(lambda files: server.live.publish(files, changed=True))

    def rebuild() -> None:
        try:
            report = builder.build(sink)
        except BuildError as error:
            problems = explain(error)
        except Exception:  # a mistake of ours must not end the author's session
            problems = traceback.format_exc()
        else:
            changed = bool(report.written or report.removed)
            server.live.publish(sink.files, changed=changed)
            say(closing(report))
            return
        server.live.fail(problems)
        say(problems)

    # Saves made during the first build are heard as well.
    with Watch(folders) as watch:
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        try:
            say(f"Serving at {server.url} until Ctrl-C.")
            rebuild()
            while True:
                if any(is_generator(path) for path in watch.wait()):
                    say("The generator's own code has changed: start serve again to run it.")
                rebuild()
        finally:
            server.shutdown()
            server.server_close()


def is_generator(path: Path) -> bool:
    """Tell whether a file is code of this process, which a rebuild does not load again."""
    kernels = PACKAGE / "kernels"
    return path.suffix == ".py" and path.is_relative_to(PACKAGE) and kernels not in path.parents
