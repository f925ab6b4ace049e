from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest

from explainers.data.codec import decode, encode
from explainers.data.key import Keys
from explainers.data.run import Done, run
from explainers.data.steps import trace_lines
from explainers.errors import Problem, Span, show

from .conftest import ARTICLE, Site

DATA = f"{ARTICLE}/data.py"

GOOD = """
@dataset(sweep={"k": [1, 2]}, units={"a": "s"})
def good(k):
    print("printed")
    return {"a": k * 1.5}
"""

LIMIT = 1.0


def only(site: Site, name: str, **limits: float) -> Problem | Done:
    (result,) = run([site.call(name)], workers=1, **{"seconds": 20, **limits})  # type: ignore[arg-type]
    return result


def shown(site: Site, result: object) -> str:
    assert isinstance(result, Problem)
    return show(result, lambda path: (site.root / path).read_text())


def test_results_come_in_order_and_are_told_as_they_come(
    folder: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    folder.data(GOOD + GOOD.replace("good", "fine").replace("1.5", "2.5"))
    told: list[int] = []
    calls = [folder.call(name) for name in ("good", "fine", "good")]
    results = run(calls, workers=2, done=lambda index, result: told.append(index))
    found = [decode(result.data).a.tolist() for result in results if isinstance(result, Done)]
    assert found == [[1.5, 3.0], [2.5, 5.0], [1.5, 3.0]]
    assert sorted(told) == [0, 1, 2]
    assert capfd.readouterr() == ("", "")
    assert encode(folder.run("good")) == encode(decode(results[0].data))  # type: ignore[union-attr]


def test_every_kind_of_failure_is_named_and_harms_no_other(folder: Site) -> None:
    folder.data(
        GOOD
        + """
import os, time
from kernels import near

@dataset(sweep={"k": [1, 2, 3]}, units={"a": "s"})
def raises(k):
    return {"a": near.f(3 - k)}

@dataset(units={"a": "s"})
def odd():
    class Odd(Exception):
        def __init__(self, a, b):
            self.lock = lambda: None
        def __str__(self):
            raise RuntimeError
    raise Odd(1, 2)

@dataset(units={"a": "s"})
def leaves():
    raise SystemExit(3)

@dataset(sweep={"k": [5]}, units={"a": "s"})
def hangs(k):
    n = 0
    while True:
        n += k

@dataset(units={"a": "s"})
def dies():
    os._exit(3)

@dataset(units={"a": "s"})
def crashes():
    import ctypes
    return {"a": ctypes.string_at(0)}

@dataset(units={"a": "s"})
def unkept():
    return {"a": lambda: None}

@dataset(units={"a": "s"})
def greedy():
    return {"a": np.zeros(1 << 40)}

@dataset(units={"a": "s"})
def spawns():
    import subprocess
    return {"a": subprocess.run(["true"]).returncode}

@dataset
def late():
    import no_such_module
"""
    )
    folder.write("content/kernels/near.py", "def f(x):\n    return 1 / x  # the line\n")
    names = [
        *("good", "raises", "odd", "leaves", "hangs", "dies", "crashes", "unkept", "greedy"),
        *("spawns", "late", "absent", "good"),
    ]
    began = time.perf_counter()
    results = run([folder.call(name) for name in names], workers=2, seconds=LIMIT)
    assert time.perf_counter() - began < 15
    found = dict(zip(names, results, strict=True))
    problems = {name: r for name, r in found.items() if isinstance(r, Problem)}
    assert isinstance(results[0], Done) and isinstance(results[-1], Done)
    assert set(problems) == set(names) - {"good"}
    assert {name: problem.code.removeprefix("dataset-") for name, problem in problems.items()} == {
        "raises": "raised",
        "odd": "raised",
        "leaves": "raised",
        "hangs": "hung",
        "dies": "died",
        "crashes": "died",
        "unkept": "result",
        "greedy": "memory",
        "spawns": "raised",
        "late": "raised",
        "absent": "raised",
    }
    assert shown(folder, problems["raises"]) == (
        "content/kernels/near.py:2:12: error[dataset-raised]: "
        'dataset "raises" of one-two at k=3 raised ZeroDivisionError: division by zero\n'
        "   1 | def f(x):\n"
        "   2 |     return 1 / x  # the line\n"
        "     |            ^^^^^\n"
        f"hint: called from {DATA}:14"
    )
    hang = shown(folder, problems["hangs"])
    assert 'error[dataset-hung]: dataset "hangs" of one-two at k=5 did not end within 1 s' in hang
    assert "| while True:" in hang.replace("    ", "") or "n += k" in hang
    assert "crashed its process: Segmentation fault" in problems["crashes"].message
    assert "string_at(0)" in shown(folder, problems["crashes"])
    assert "ended its process without a result" in problems["dies"].message
    assert 'field "a" has Python objects' in problems["unkept"].message
    assert problems["unkept"].span == Span(DATA, 1)
    assert problems["unkept"].hint == "return numbers, bools or text of one type"
    assert "needs more memory than 4 GiB" in problems["greedy"].message
    assert "np.zeros" in shown(folder, problems["greedy"])
    assert "may neither start a process" in problems["spawns"].message
    assert "SystemExit: 3" in problems["leaves"].message
    assert "cannot be printed" in problems["odd"].message
    assert "No module named 'no_such_module'" in problems["late"].message


def test_errors_while_the_file_is_loaded_have_their_line(folder: Site) -> None:
    folder.data(GOOD + "\nX = 1 / 0\n")
    assert "9 | X = 1 / 0" in shown(folder, only(folder, "good"))
    folder.data(GOOD + "\nfrom .helper import f\n")
    folder.write(f"{ARTICLE}/helper.py", "x = (\n")
    found = only(folder, "good")
    assert isinstance(found, Problem) and found.span is not None
    assert found.span.path == f"{ARTICLE}/helper.py"
    assert "SyntaxError" in found.message


def test_files_that_were_read_are_reported(folder: Site) -> None:
    folder.data(
        """
        from pathlib import Path
        HERE = Path(__file__).parent
        SCALE = float((HERE / "scale.txt").read_text())

        @dataset(units={"a": "s"})
        def reads():
            import random, zipfile
            rows = np.loadtxt("table.csv", delimiter=",")
            names = sorted(p.name for p in HERE.glob("*.csv"))
            return {"a": SCALE * rows.sum() + len(names)}
        """
    )
    folder.write(f"{ARTICLE}/scale.txt", "2")
    folder.write(f"{ARTICLE}/table.csv", "1,2\n3,4\n")
    found = only(folder, "reads")
    assert isinstance(found, Done)
    assert decode(found.data).a == 21
    assert found.reads == (f"{ARTICLE}/", f"{ARTICLE}/scale.txt", f"{ARTICLE}/table.csv")


def test_each_call_sees_a_fresh_module_and_pinned_threads(folder: Site) -> None:
    folder.data(
        """
        import os
        from .helper import COUNT

        @dataset(units={"n": "1", "threads": "1", "hash": "1"})
        def state():
            COUNT.append(1)
            return {"n": len(COUNT), "threads": os.environ["OMP_NUM_THREADS"], "hash": hash("a")}
        """
    )
    folder.write(f"{ARTICLE}/helper.py", "COUNT = []\n")
    results = run([folder.call("state")] * 3, workers=1)
    assert {r.data for r in results if isinstance(r, Done)} == {results[0].data}  # type: ignore[union-attr]
    assert decode(results[0].data).threads == "1"  # type: ignore[union-attr]
    assert "OMP_NUM_THREADS" not in os.environ or os.environ["OMP_NUM_THREADS"] != ""
    assert not list(folder.root.rglob("__pycache__"))


def test_an_edit_within_a_second_is_seen(folder: Site) -> None:
    for number in (1, 2, 3):
        folder.data(f"@dataset(units={{'a': '1'}})\ndef edited():\n    return {{'a': {number}}}\n")
        found = only(folder, "edited")
        assert isinstance(found, Done) and decode(found.data).a == number


def test_a_trace_names_a_function_of_the_article_by_its_file(folder: Site) -> None:
    folder.data(
        """
        from .helper import twice
        from kernels.near import thrice

        def once(x):
            y = x  # step: copy
            return y

        @dataset
        def own():
            return trace(once, 1, watch=("y",))

        @dataset
        def helped():
            return trace(twice, 1, watch=("y",))

        @dataset
        def kerneled():
            return trace(thrice, 1, watch=("y",))
        """
    )
    function = "def {0}(x):\n    y = 2 * x\n    return y\n"
    folder.write(f"{ARTICLE}/helper.py", function.format("twice"))
    folder.write("content/kernels/near.py", function.format("thrice"))
    keys = Keys(folder.tree())
    for name, traced in (
        ("own", "data:once"),
        ("helped", "helper:twice"),
        ("kerneled", "kernels.near:thrice"),
    ):
        found = folder.run(name)
        assert found.function == traced
        module, _, qualname = traced.partition(":")
        text = keys.text("one-two", module)
        assert text is not None
        lines = [text.splitlines()[n - 1] for n in trace_lines(text, qualname, found.ordinals)]
        assert lines[1] == "    return y"


def test_a_relative_root_will_do(folder: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.data(GOOD)
    monkeypatch.chdir(folder.root.parent)
    call = replace(folder.call("good"), root="site")
    (found,) = run([call])
    assert isinstance(found, Done)


def test_datasets_are_passed_as_parameters(folder: Site) -> None:
    folder.data(
        GOOD + "\n@dataset(units={'b': 's'})\ndef more(good):\n    return {'b': good.a.sum()}\n"
    )
    good = only(folder, "good")
    assert isinstance(good, Done)
    (found,) = run([folder.call("more", inputs=(("good", good.data),))])
    assert isinstance(found, Done) and decode(found.data).b == 4.5
    assert folder.run("more").b == 4.5


MAIN = """
    import sys
    from pathlib import Path
    from explainers.data.run import Call, run
    from explainers.errors import Span
    calls = [Call({root!r}, "one-two", "sleeps", Span("p"))] * 3
    print("running", flush=True)
    try:
        run(calls, workers=2, seconds=60)
    except KeyboardInterrupt:
        sys.exit(130)
"""


def alive(mark: str) -> list[str]:
    """Return the processes whose command line or environment has a mark."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and folder.name != str(os.getpid()):
            try:
                text = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if mark.encode() in text and state != "Z":
                found.append(folder.name)
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks processes up in /proc")
@pytest.mark.parametrize("signals", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_when_the_build_ends(
    folder: Site, tmp_path: Path, signals: signal.Signals
) -> None:
    folder.data(
        f"""
        import time
        @dataset
        def sleeps():
            open({str(tmp_path / "started")!r}, "w").close()
            time.sleep(60)
        """
    )
    mark = f"explainers-test-{tmp_path.name}-{os.getpid()}"
    script = textwrap.dedent(MAIN).format(root=str(folder.root))
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, "MARK": mark},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 20
    while not (tmp_path / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert alive(mark)
    if signals == signal.SIGINT:
        os.killpg(process.pid, signals)  # as a terminal does: to all of them
    else:
        process.send_signal(signals)
    _, errors = process.communicate(timeout=10)
    if signals == signal.SIGINT:
        assert process.returncode == 130
        assert errors == b""
    while alive(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert alive(mark) == []


def test_a_dataset_may_not_change_the_files_of_the_site(folder: Site, tmp_path: Path) -> None:
    folder.write(f"{ARTICLE}/table.csv", "1,2\n")
    changes = {
        "writes": "Path('made.csv').write_text('1')",
        "deletes": "Path('table.csv').unlink()",
        "renames": "Path('table.csv').rename('other.csv')",
        "makes": "Path('folder').mkdir()",
        "clears": "shutil.rmtree('.')",
        "saves": "np.save('made.npy', np.arange(3))",
        "hides": "quietly('made.csv')",
    }
    text = (
        "import shutil, tempfile\nfrom pathlib import Path\n\n"
        "def quietly(name):\n    try:\n        Path(name).write_text('1')\n"
        "    except OSError:\n        pass\n"
    )
    for name, change in changes.items():
        text += (
            f"\n@dataset(units={{'a': '1'}})\ndef {name}():\n    {change}\n    return {{'a': 1}}\n"
        )
    elsewhere = tmp_path / "elsewhere.txt"
    text += (
        "\n@dataset(units={'a': '1'})\ndef outside():\n"
        f"    Path({str(elsewhere)!r}).write_text('1')\n"
        "    with tempfile.TemporaryFile() as file:\n        file.write(b'1')\n"
        "    return {'a': len(Path('table.csv').read_text())}\n"
    )
    folder.data(text)
    before = sorted(folder.root.rglob("*"))
    results = run([folder.call(name) for name in (*changes, "outside")], workers=2)
    for name, result in zip(changes, results, strict=False):
        assert isinstance(result, Problem), name
        assert result.code == "dataset-raised"
        assert "may not change the site's files, here content/articles/one-two" in result.message
    assert isinstance(results[-1], Done)
    assert elsewhere.read_text() == "1"
    assert sorted(folder.root.rglob("*")) == before


def test_a_dataset_sees_the_environment_it_declares_as_it_is_now(
    folder: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.data(
        """
        import os
        @dataset(units={"a": "1"})
        def reads():
            return {"a": int(os.environ.get("TINY", -1))}
        """
    )
    found = []
    for env in ((("TINY", "3"),), (("TINY", None),), (("TINY", "4"),)):
        (result,) = run([folder.call("reads", env=env)], workers=1)
        assert isinstance(result, Done)
        found.append(decode(result.data).a)
    assert found == [3, -1, 4]
