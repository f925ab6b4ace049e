"""The Node process: answers in order, failures told apart, nothing left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explainers.node import Node, NodeFailed, find

ROOT = Path(__file__).parents[1]


def formula(tex: str) -> dict[str, object]:
    return {"op": "formula", "tex": tex, "display": False, "macros": {}}


def module(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.mjs"
    path.write_text(text, encoding="utf-8")
    return str(path)


def draw(folder: Path, name: str, body: str) -> dict[str, object]:
    """A request that runs `body` in place of a runtime."""
    runtime = module(folder, f"runtime-{name}", f"export function first() {{ {body} }}")
    figure = module(folder, f"figure-{name}", "export default {}")
    return {"op": "draw", "runtime": runtime, "module": figure, "order": {}}


def test_it_starts_at_the_first_question_and_once() -> None:
    with Node(ROOT) as node:
        assert not node.started
        assert node.ask([]) == []
        assert not node.started
        answers = node.ask([formula(f"x^{n}") for n in range(50)])
        assert [f"<msup><mi>x</mi><mn>{n}</mn></msup>" in a["html"] for n, a in enumerate(answers)]
        node.ask([formula("y")])
        assert node.starts == 1


def test_one_failure_leaves_the_others() -> None:
    with Node(ROOT) as node:
        good, bad, unknown, last = node.ask(
            [formula("x"), formula(r"\frac{1}"), {"op": "dance"}, formula("y")]
        )
    assert "html" in good
    assert "html" in last
    assert bad["error"]["name"] == "ParseError"
    assert unknown["error"]["name"] == "TypeError"


def test_printing_does_not_reach_the_wire(tmp_path: Path) -> None:
    loud = 'console.log("hello"); console.info("hello"); return { said: true }'
    with Node(ROOT) as node:
        assert node.ask([draw(tmp_path, "loud", loud), formula("x")])[0] == {"said": True}


def test_one_that_hangs_is_named_and_the_rest_is_answered(tmp_path: Path) -> None:
    with Node(ROOT, seconds=1.5) as node:
        first, hung, last = node.ask(
            [formula("x"), draw(tmp_path, "hung", "for (;;) {}"), formula("y")]
        )
        assert node.starts == 2
    assert "html" in first
    assert hung["error"] == {"name": "NodeFailed", "message": "no answer within 1.5 s", "stack": ""}
    assert "html" in last


def test_one_that_kills_node_leaves_its_words(tmp_path: Path) -> None:
    body = 'console.error("goodbye"); process.exit(7)'
    with Node(ROOT) as node:
        died, last = node.ask([draw(tmp_path, "died", body), formula("y")])
    assert died["error"]["message"] == "it ended with code 7:\ngoodbye"
    assert "html" in last


def test_large_requests_do_not_fill_a_pipe(tmp_path: Path) -> None:
    echo = draw(tmp_path, "echo", "return { text: 'x'.repeat(300000) }")
    with Node(ROOT) as node:
        answers = node.ask([{**echo, "order": "x" * 300_000}] * 8)
    assert [len(answer["text"]) for answer in answers] == [300_000] * 8


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ('echo \'{"node": "v18.2.0"}\'; cat', r"Node v18\.2\.0 is too old; 20 or newer"),
        ("echo broken >&2; exit 3", r"Node does not start: it ended with code 3:\nbroken"),
    ],
)
def test_a_node_that_will_not_do_is_told(tmp_path: Path, script: str, message: str) -> None:
    command = tmp_path / "node"
    command.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    with Node(ROOT, command=str(command)) as node, pytest.raises(NodeFailed, match=message):
        node.ask([formula("x")])


def test_no_node_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NodeFailed, match="install Node 20"):
        find()


def ended(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat")
            if state.exists() and ") Z" in state.read_text():
                return True
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_node_ends_with_its_program(how: signal.Signals) -> None:
    program = (
        "import sys, time; from pathlib import Path; from explainers.node import Node\n"
        "node = Node(Path(sys.argv[1]))\n"
        "node.ask([{'op': 'formula', 'tex': 'x', 'display': False}])\n"
        "print(node._process._running.pid, flush=True); time.sleep(60)"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program, str(ROOT)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with running:
        assert running.stdout
        pid = int(running.stdout.readline())
        running.send_signal(how)
    assert ended(pid)
