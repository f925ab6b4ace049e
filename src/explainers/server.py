"""A web server of one site in memory: nothing else can be reached, by nobody else."""

from __future__ import annotations

import errno
import ipaddress
import json
import socket
import sys
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from socketserver import TCPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

from .live import Live, State

PACKAGE = Path(__file__).parent
SCRIPTS = {"/_dev/client.js": "serve_client.js", "/_dev/serve_patch.js": "serve_patch.js"}
CLIENT_PATH, _ = SCRIPTS
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

NO_PAGE = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
</head><body style="margin: 15vh auto; max-width: 60ch; padding: 0 16px; font: 18px/1.5 serif">
<h1 style="font-size: 28px">%s</h1><p>%s</p>
<p id="doing" style="font: 15px/1.5 monospace">%s</p></body></html>"""
WAIT = b"The first build makes every page and draws every figure. This page opens by itself."


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
        return self._address(host)

    @property
    def outside(self) -> str | None:
        """The address for a phone in the same network, where the server listens to it."""
        if self.host not in ("0.0.0.0", "::"):
            return None
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                # Nothing is sent: the system only says by which address it would.
                probe.connect(("192.0.2.1", 9))
            except OSError:
                return None
            return self._address(probe.getsockname()[0])

    def _address(self, host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    """Answer one request from the files in memory: nothing else can be reached."""

    server: Server
    server_version = "explainers"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer with a page, a file, a script of ours, or the stream of events."""
        here = str(self.connection.getsockname()[0])
        if not is_own_name(self.headers.get("Host", ""), self.server.host, here):
            # Another site's name was pointed at this machine, to read what is served here.
            self._send(HTTPStatus.FORBIDDEN, b"This host name is not served here.\n", ".txt")
            return
        path, _, query = self.path.partition("?")
        if path == EVENTS_PATH and self.command == "GET":
            with self.server.live.reader(file_of(parse_qs(query).get("page", ["/"])[0])):
                self._stream()
        elif path in SCRIPTS:
            self._send(HTTPStatus.OK, (PACKAGE / SCRIPTS[path]).read_bytes(), ".js")
        else:
            self._send_file(path, query)

    def do_HEAD(self) -> None:
        """Answer as to GET, without the body."""
        self.do_GET()

    def _send_file(self, path: str, query: str) -> None:
        name, state = file_of(path), self.server.live.state
        if name in state.files:
            status = HTTPStatus.OK
        elif f"{name}/index.html" in state.files:
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", f"/{quote(name)}/" + (f"?{query}" if query else ""))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        else:
            self.server.live.asked(name)
            status = HTTPStatus.NOT_FOUND if state.files else HTTPStatus.SERVICE_UNAVAILABLE
            name = "404.html"
        words = b"Not found" if state.files else b"The site is not built yet"
        waiting = b"" if state.files else WAIT
        doing = escape(state.doing).encode()
        data = state.files.get(name, NO_PAGE % (words, words, waiting, doing))
        suffix = PurePosixPath(name).suffix
        if suffix == ".html":
            self.server.live.asked(name)
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
                told: dict[str, object] = {"version": state.version, "problems": state.problems}
                if state.marks:
                    told["marks"] = state.marks
                if state.doing and not state.files:
                    told["doing"] = state.doing
                event = f"data: {json.dumps(told)}\n\n"
            self.wfile.write(event.encode())
            seen = state

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal is for the builds."""


def file_of(path: str) -> str:
    """Return the file that an address names: that of a folder is its index."""
    name = unquote(path).removeprefix("/")
    return f"{name}index.html" if name.endswith("/") or not name else name


def is_own_name(header: str, host: str, here: str) -> bool:
    """Tell whether a Host header names this machine: localhost, or by an address it is bound to.

    Any other name may be one that its owner points at 127.0.0.1 for a moment.

    Args:
        header: the header as it came, with or without a port.
        host: what the server was asked to listen on.
        here: the address of this machine that the reader is connected to.
    """
    try:
        name = urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return False
    if name in {"localhost", host.lower()} - {""}:
        return True
    try:
        asked, bound = ipaddress.ip_address(name), ipaddress.ip_address(here.partition("%")[0])
    except ValueError:
        return False
    return asked == (getattr(bound, "ipv4_mapped", None) or bound)


def with_client(page: bytes, version: str) -> bytes:
    """Return the page with the client script, told which version of the site the page is of.

    It stands before all other scripts: it remembers the page as it was before they changed it.
    """
    tag = f'<script type="module" src="{CLIENT_PATH}?v={version}"></script>'.encode()
    end = page.find(b"</head>")
    first = page.find(b"<script", 0, end)
    place = first if first >= 0 else end
    return page[:place] + tag + page[place:] if place >= 0 else page + tag


def listen(host: str, port: int) -> Server:
    """Listen on the port, or on the next one that is free."""
    for candidate in range(port, min(port + PORTS_TRIED, 65536)) if port else ():
        try:
            return Server(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return Server(host, 0)
