"""serve: the pages of a build, alive; nothing else, to nobody else, and it never stops."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from explainers import serve as module
from explainers import server as http_module
from explainers.errors import BuildError, Problem, Superseded
from explainers.live import Live
from explainers.model import Report
from explainers.serve import serve
from explainers.server import Server, is_own_name, listen, with_client
from explainers.write import Memory

PAGES = {
    "index.html": b"<html><head><title>Home</title></head><body>Home</body></html>",
    "404.html": b"<html><head></head><body>No such page</body></html>",
    "some-page/index.html": b"<html><head></head><body>Page</body></html>",
    "some-page.md": b"# Page",
    "_/site.1A2B.css": b"a{}",
}


@pytest.fixture
def server() -> Iterator[Server]:
    """A running server of the pages above."""
    server = listen("127.0.0.1", 0)
    server.live.publish(PAGES, {}, changed=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class Answer:
    """What a server said to one request."""

    def __init__(
        self, server: Server, path: str, method: str = "GET", host: str = "localhost"
    ) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
        connection.request(method, path, headers={"Host": host})
        response = connection.getresponse()
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()
        connection.close()


# --- What is served -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind", "inside"),
    [
        ("/", "text/html; charset=utf-8", b"Home"),
        ("/index.html", "text/html; charset=utf-8", b"Home"),
        ("/some-page/", "text/html; charset=utf-8", b"Page"),
        ("/some%2Dpage/?a=1", "text/html; charset=utf-8", b"Page"),
        ("/some-page.md", "text/plain; charset=utf-8", b"# Page"),
        ("/_/site.1A2B.css", "text/css; charset=utf-8", b"a{}"),
    ],
)
def test_a_file_of_the_site_is_served(server: Server, path: str, kind: str, inside: bytes) -> None:
    answer = Answer(server, path)
    assert answer.status == 200
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["Cache-Control"] == "no-store"
    assert inside in answer.body


def test_a_page_carries_the_client_and_other_files_do_not(server: Server) -> None:
    script = f'<script type="module" src="/_dev/client.js?v={server.live.state.version}"></script>'
    assert script.encode() + b"</head>" in Answer(server, "/").body
    assert Answer(server, "/some-page.md").body == PAGES["some-page.md"]
    assert b"EventSource" in Answer(server, "/_dev/client.js?v=1").body
    assert b"class Patch" in Answer(server, "/_dev/serve_patch.js").body


def test_the_client_stands_before_the_scripts_that_change_a_page() -> None:
    page = b"<head><title>T</title><script src=a></script></head><body><script>1</script>"
    assert with_client(page, "7").startswith(
        b'<head><title>T</title><script type="module" src="/_d'
    )


def test_a_page_without_a_head_carries_the_client_too() -> None:
    assert with_client(b"<p>Text", "7").startswith(b"<p>Text<script ")


def test_a_folder_without_its_slash_is_sent_on(server: Server) -> None:
    answer = Answer(server, "/some-page?a=1")
    assert answer.status == 302
    assert answer.headers["Location"] == "/some-page/?a=1"


def test_an_unknown_address_gets_the_sites_own_page(server: Server) -> None:
    answer = Answer(server, "/nothing/here")
    assert answer.status == 404
    assert b"No such page" in answer.body
    assert b"/_dev/client.js" in answer.body


def test_head_has_no_body(server: Server) -> None:
    answer = Answer(server, "/", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > len(PAGES["index.html"])


def test_no_page_yet_is_said_on_a_page_that_waits_for_one() -> None:
    server = listen("127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    server.live.tell("running <traces>")
    answer = Answer(server, "/")
    with events(server) as heard:
        assert next(heard)["doing"] == "running <traces>"
        server.live.tell("making pages")
        assert next(heard)["doing"] == "making pages"
        server.live.publish(PAGES, {}, changed=True)
        assert "doing" not in next(heard)
    server.shutdown()
    server.server_close()
    assert answer.status == 503
    assert b"running &lt;traces&gt;" in answer.body
    assert b"/_dev/client.js" in answer.body


# --- What is not --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/some-page/../../build.py",
        "//etc/passwd",
        "/etc/passwd%00.html",
        "/\\..\\build.py",
        "/" + "a" * 5000,
    ],
)
def test_nothing_outside_the_site_can_be_reached(server: Server, path: str) -> None:
    answer = Answer(server, path)
    assert answer.status == 404
    assert b"No such page" in answer.body


@pytest.mark.parametrize("path", ["//example.org/some-page", "//some-page", "/\\some-page"])
def test_no_address_sends_a_reader_to_another_site(server: Server, path: str) -> None:
    location = Answer(server, path).headers.get("Location", "/")
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_only_reading_is_possible(server: Server, method: str) -> None:
    assert Answer(server, "/", method).status == 501


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example"])
def test_a_foreign_host_name_is_refused(server: Server, host: str) -> None:
    for path in ("/", "/_dev/events", "/_dev/client.js"):
        answer = Answer(server, path, host=host)
        assert answer.status == 403
        assert b"Home" not in answer.body


@pytest.mark.parametrize(
    ("header", "host", "here", "own"),
    [
        ("localhost:8000", "127.0.0.1", "127.0.0.1", True),
        ("LOCALHOST", "127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1:8000", "127.0.0.1", "127.0.0.1", True),
        ("[::1]:8000", "::1", "::1", True),
        ("192.168.1.7:8000", "0.0.0.0", "192.168.1.7", True),
        ("192.168.1.7:8000", "::", "::ffff:192.168.1.7", True),
        ("laptop.local:8000", "laptop.local", "192.168.1.7", True),
        ("laptop.local:8000", "127.0.0.1", "127.0.0.1", False),
        ("192.168.1.7:8000", "127.0.0.1", "127.0.0.1", False),
        ("203.0.113.9", "0.0.0.0", "192.168.1.7", False),
        ("127.0.0.2:8000", "127.0.0.1", "127.0.0.1", False),
        ("example.org", "0.0.0.0", "192.168.1.7", False),
        ("", "", "127.0.0.1", False),
        ("[::1", "127.0.0.1", "127.0.0.1", False),
        ("user@evil.example", "127.0.0.1", "127.0.0.1", False),
    ],
)
def test_a_host_is_localhost_or_an_address_that_is_listened_to(
    header: str, host: str, here: str, own: bool
) -> None:
    assert is_own_name(header, host, here) is own


# --- Where --------------------------------------------------------------------------------------


def test_a_taken_port_gives_the_next_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = listen("127.0.0.1", port)
        server.server_close()
    assert server.server_port != port
    assert server.url == f"http://127.0.0.1:{server.server_port}/"


def test_a_server_for_all_names_an_address_for_a_phone() -> None:
    server = listen("0.0.0.0", 0)
    outside = server.outside
    server.server_close()
    assert server.url == f"http://127.0.0.1:{server.server_port}/"
    assert outside is None or outside.endswith(f":{server.server_port}/")
    assert outside != server.url
    inside = listen("127.0.0.1", 0)
    inside.server_close()
    assert inside.outside is None


def test_an_address_that_is_not_ours_is_an_error() -> None:
    with pytest.raises(OSError):
        listen("203.0.113.1", 0)


def test_the_server_knows_which_pages_somebody_looks_at(server: Server) -> None:
    Answer(server, "/some-page/")
    with events(server, "/"):
        assert server.live.watched() == ("index.html", "some-page/index.html")


# --- Events -------------------------------------------------------------------------------------


@contextmanager
def events(server: Server, page: str = "/") -> Iterator[Iterator[dict[str, Any]]]:
    """The states that a page hears of, one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
    connection.request("GET", f"/_dev/events?page={page}", headers={"Host": "localhost"})
    response = connection.getresponse()
    assert response.headers["Content-Type"] == "text/event-stream"

    def states() -> Iterator[dict[str, Any]]:
        while line := response.readline():
            if line.startswith(b"data: "):
                yield json.loads(line.removeprefix(b"data: "))

    yield states()
    response.close()
    connection.close()


def test_a_page_hears_of_each_build(server: Server) -> None:
    with events(server) as heard:
        first = next(heard)
        assert first == {"version": server.live.state.version, "problems": None}
        server.live.fail("a.md:1:1: error\nmore")
        assert next(heard) == {**first, "problems": "a.md:1:1: error\nmore"}
        server.live.publish(PAGES, {}, changed=False)
        assert next(heard) == first
        server.live.publish(PAGES, {}, changed=True)
        assert next(heard)["version"] != first["version"]


def test_the_versions_of_two_runs_differ() -> None:
    assert Live().state.version != Live().state.version


def test_a_reader_who_left_is_no_error(
    server: Server, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_module, "PULSE", 0.01)
    with events(server) as heard:
        next(heard)
    time.sleep(0.1)
    assert Answer(server, "/").status == 200
    assert capfd.readouterr().err == ""


# --- Building -----------------------------------------------------------------------------------


class Builder:
    """A pipeline of one page, whose text is that of one file."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.builds = 0
        self.last = ""

    def is_behind(self) -> bool:
        return self.page.read_text() != self.last

    def build(
        self,
        sink: Memory,
        changed: Collection[Path] | None = None,
        give_up: Callable[[], bool] = lambda: False,
    ) -> Report:
        self.builds += 1
        text = self.last = self.page.read_text()
        if text == "bad":
            raise BuildError([Problem("bad", "this page is bad")])
        if text == "mistake":
            raise ZeroDivisionError("ours")
        while text == "endless":
            if give_up():
                raise Superseded
            time.sleep(0.01)
        files = {"index.html": f"<head></head>{text}".encode()}
        written = int(sink.files != files)
        sink.files = files
        held = (("index", "draft"),) if text == "draft" else ()
        return Report(written, 1 - written, 0, 0, 0, held, 0.0)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "content").mkdir()
    page = tmp_path / "content" / "page.md"
    page.write_text("one")
    return page


def until(server: Server, version: str) -> None:
    deadline = time.monotonic() + 5
    while server.live.state.version == version or not server.live.state.files:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def live(page: Path) -> Iterator[tuple[Server, Builder, list[str]]]:
    """A whole `serve` of that page; a mark in the said words ends it, as Ctrl-C would."""
    server = listen("127.0.0.1", 0)
    builder = Builder(page)
    said: list[str] = []
    ended: list[type[BaseException]] = []

    def say(text: str) -> None:
        said.append(text)
        if page.read_text() == "end":
            raise KeyboardInterrupt

    def run() -> None:
        try:
            serve(
                server,
                builder,
                [page.parent],
                say=say,
                explain=str,
                closing=lambda report: f"{report.written} written",
            )
        except KeyboardInterrupt:
            ended.append(KeyboardInterrupt)

    thread = threading.Thread(target=run)
    thread.start()
    until(server, "")
    yield server, builder, said
    page.write_text("end")
    thread.join(10)
    assert not thread.is_alive()
    assert ended == [KeyboardInterrupt]
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.server_port), timeout=1)


def test_a_save_reaches_the_page(live: tuple[Server, Builder, list[str]], page: Path) -> None:
    server, _, said = live
    with events(server) as heard:
        version = next(heard)["version"]
        assert b"one" in Answer(server, "/").body
        page.write_text("two")
        assert next(heard)["version"] != version
    assert b"two" in Answer(server, "/").body
    assert said[0].startswith(f"Serving at {server.url}")


def test_problems_lie_over_the_last_good_page_until_the_next(
    live: tuple[Server, Builder, list[str]], page: Path
) -> None:
    server, _, said = live
    with events(server) as heard:
        state = next(heard)
        page.write_text("bad")
        assert next(heard) == {**state, "problems": ": this page is bad"}
        assert said[-1] == ": this page is bad"
        assert b"one" in Answer(server, "/").body
        page.write_text("one")
        assert next(heard) == state  # nothing changed: the words go, the page stays


def test_half_a_file_is_no_mistake(live: tuple[Server, Builder, list[str]], page: Path) -> None:
    server, builder, said = live
    with events(server) as heard:
        next(heard)
        before = builder.builds
        page.write_text("bad")
        while builder.builds == before:
            time.sleep(0.001)
        page.write_text("whole")
        assert next(heard)["problems"] is None
    assert server.live.state.files["index.html"].endswith(b"whole")
    assert ": this page is bad" not in said


def test_a_new_save_ends_a_slow_build(live: tuple[Server, Builder, list[str]], page: Path) -> None:
    server, builder, _ = live
    with events(server) as heard:
        next(heard)
        before = builder.builds
        page.write_text("endless")
        while builder.builds == before:
            time.sleep(0.001)
        page.write_text("ended")
        assert next(heard)["problems"] is None
    assert server.live.state.files["index.html"].endswith(b"ended")


def test_a_page_that_is_not_published_is_named_with_the_reason(
    live: tuple[Server, Builder, list[str]], page: Path
) -> None:
    server, _, _ = live
    with events(server) as heard:
        assert "marks" not in next(heard)
        page.write_text("draft")
        assert next(heard).get("marks") == {"index": "draft"}


def test_a_change_that_nobody_told_of_is_found_all_the_same(
    live: tuple[Server, Builder, list[str]], page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, _, _ = live
    monkeypatch.setattr(module.Watch, "_take", lambda self, paths: None)
    time.sleep(0.05)  # within the time after a build in which the files are looked at once more
    page.write_text("unheard")
    deadline = time.monotonic() + 3
    while b"unheard" not in server.live.state.files["index.html"]:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    monkeypatch.undo()


def test_a_mistake_of_ours_is_shown_and_ends_nothing(
    live: tuple[Server, Builder, list[str]], page: Path
) -> None:
    server, _, _ = live
    with events(server) as heard:
        next(heard)
        page.write_text("mistake")
        assert "ZeroDivisionError: ours" in (next(heard)["problems"] or "")
        page.write_text("two")
        assert next(heard)["problems"] is None


def test_a_burst_of_saves_is_one_build(live: tuple[Server, Builder, list[str]], page: Path) -> None:
    server, builder, _ = live
    before = builder.builds
    version = server.live.state.version
    for number in range(20):
        page.write_text(f"text {number}")
    until(server, version)
    time.sleep(0.2)
    assert builder.builds - before <= 2  # two where a busy machine tore the burst in two
    assert server.live.state.files["index.html"].endswith(b"text 19")


def test_code_of_this_process_asks_for_a_new_start() -> None:
    assert module.is_generator(module.PACKAGE / "pipeline.py")
    assert not module.is_generator(module.PACKAGE / "kernels" / "softmax.py")
    assert not module.is_generator(module.PACKAGE / "serve_client.js")
    assert not module.is_generator(Path(os.sep) / "site" / "content" / "articles" / "a" / "data.py")
