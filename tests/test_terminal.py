"""Colours where they are seen and wanted; a line of progress only for who waits at a terminal."""

from __future__ import annotations

import io

import pytest

from explainers import terminal
from explainers.errors import Problem, Span, show
from explainers.terminal import Teller, coloured

TEXT = show(
    Problem("bad", "it is bad", Span("a.md", 2, 3, 2), "mend it"), lambda path: "first\nsecond\n"
)


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_a_message_is_coloured_on_a_terminal() -> None:
    text = coloured(TEXT, Screen())
    assert "\033[1ma.md:2:3: \033[31merror[bad]\033[0m\033[1m: it is bad\033[0m" in text
    assert "\033[31m^^\033[0m" in text
    assert "\033[1mhint:\033[0m mend it" in text


def test_it_is_plain_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert coloured(TEXT, io.StringIO()) == TEXT


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_it_is_plain_where_that_is_asked(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert coloured(TEXT, Screen()) == TEXT


def test_a_long_build_says_what_it_is_at_and_takes_it_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    screen = Screen()
    tell = Teller(verbose=False, quiet=False, stream=screen)
    tell("at once")
    assert screen.getvalue() == ""
    now[0] = 1.5
    tell("running trace")
    assert screen.getvalue() == "\r\033[Krunning trace"
    tell.clear()
    assert screen.getvalue().endswith("\r\033[K")
    tell("soon after")
    assert "soon after" not in screen.getvalue()


@pytest.mark.parametrize(
    ("verbose", "quiet", "stream", "said"),
    [
        (True, False, io.StringIO(), "running trace\n"),
        (False, True, Screen(), ""),
        (False, False, io.StringIO(), ""),
    ],
)
def test_who_asked_hears_all_and_who_wants_quiet_or_logs_nothing(
    monkeypatch: pytest.MonkeyPatch, verbose: bool, quiet: bool, stream: io.StringIO, said: str
) -> None:
    tell = Teller(verbose=verbose, quiet=quiet, stream=stream)
    monkeypatch.setattr(terminal, "PATIENCE", -1.0)
    tell("running trace")
    assert stream.getvalue() == said
