from __future__ import annotations

import json

import numpy as np
import pytest

from explainers.compute import Computer
from explainers.data import recorded
from explainers.data.codec import decode, encode
from explainers.data.key import Keys
from explainers.data.values import About, Dataset, Field
from explainers.errors import BuildError
from explainers.store import Store

from .conftest import ARTICLE, Site

DATA = """
from pathlib import Path
from .helper import twice

@dataset(needs="cuda", sweep={"k": [1, 2]}, dims={"raw": ("repetition",)}, units={"raw": "s"})
def times(k):
    # how long it takes
    source = Path("kernel.cu").read_text()
    return {"raw": [twice(k) * 1.0, np.nan, np.inf]}

@dataset(units={"best": "s"})
def best(times):
    return {"best": times.raw.min(axis=(1, 2))[0]}

@dataset(needs="minutes", units={"n": "1"})
def slow():
    return {"n": 3}
"""
CUDA = 'int f() { return 1; } // one\nconst char *s = "// no remark";\n'


def site(folder: Site) -> Site:
    folder.data(DATA)
    folder.write(f"{ARTICLE}/helper.py", "def twice(k):\n    return 2 * k\n")
    folder.write(f"{ARTICLE}/kernel.cu", CUDA)
    return folder


def record(folder: Site, name: str = "times", number: int = 1, scale: float = 1.0) -> None:
    """Write what `explainers record` would."""
    keys = Keys(folder.tree())
    if name == "times":
        raw = np.array([[1.0, np.nan, np.inf], [2, 3, -0.0]]) * scale
        fields = {"raw": Field(("k", "repetition"), "s")}
        dataset = Dataset(About("times", fields, {"k": (1, 2)}, "measured"), {"raw": raw})
        reads = {f"{ARTICLE}/kernel.cu": keys.code.meaning(f"{ARTICLE}/kernel.cu")}
    else:
        dataset = Dataset(About("slow", {"n": Field((), "1")}), {"n": 3})
        reads = {}
    made = {"date": "2026-11-30", "device": "a device"}
    text = recorded.dump(dataset, keys.meaning("one-two", name), reads, made)
    folder.write(f"{ARTICLE}/recorded/{name}-{number}.json", text)


def made(folder: Site, name: str = "times") -> Dataset:
    computer = Computer(folder.tree(), Store(folder.root.parent / "store"), "code", workers=1)
    span = computer.keys.datasets("one-two")[name].span
    return decode(computer.datasets([("one-two", name, span)])["one-two", name])


def code(folder: Site, name: str = "times") -> str:
    with pytest.raises(BuildError) as caught:
        made(folder, name)
    (problem,) = caught.value.problems
    assert problem.span is not None
    return problem.code


def test_a_recording_keeps_every_bit_and_can_be_read() -> None:
    raw = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, 0.1])
    values = {
        "raw": raw,
        "narrow": np.float32([0.1, 1e-45]),
        "whole": np.array([(1 << 63) - 1]),
        "text": np.array(["a,  b", "[c]", ""]),
        "truth": np.array([True, False]),
    }
    fields = {name: Field(("item" if name != "raw" else "point",), "s") for name in values}
    dataset = Dataset(About("d", fields, origin="computed"), values)
    text = recorded.dump(dataset, "key", {}, {"date": "today"})
    assert '"values": ["nan", "inf", "-inf", -0.0, 5e-324, 0.1]' in text
    assert encode(recorded._dataset(json.loads(text)["data"])) == encode(dataset)


def test_measurements_are_stacked_along_their_recordings(folder: Site) -> None:
    record(site(folder))
    found = made(folder)
    assert found.axis("recording") == (1,)
    assert found.origin == "measured"
    record(folder, number=2, scale=2)
    record(folder, number=10, scale=3)
    found = made(folder)
    assert found.dims["raw"] == ("recording", "k", "repetition")
    assert [found.at(recording=n, k=1).raw[0] for n in (1, 2, 3)] == [1.0, 2.0, 3.0]
    assert made(folder, "best").origin == "measured"
    assert folder.run("best").origin == "measured"
    assert folder.run("times").axis("recording") == (1, 2, 3)


def test_what_only_takes_long_has_no_axis_of_recordings(folder: Site) -> None:
    record(site(folder), "slow")
    assert (made(folder, "slow").n, made(folder, "slow").origin) == (3, "computed")


def test_what_was_never_recorded_is_an_error(folder: Site) -> None:
    assert code(site(folder)) == "not-recorded"
    assert code(folder, "best") == "not-recorded"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("data.py", "# how long it takes", "# another remark"),
        ("data.py", "    source =", '    """A docstring."""\n    source ='),
        ("data.py", 'return {"n": 3}', 'return {"n": 4}'),
        ("helper.py", "    return", "    # doubled\n    return"),
        ("kernel.cu", "// one", "/* two\n lines */\n"),
        ("kernel.cu", "int f() {", "int f()   {"),
    ],
)
def test_comments_and_other_functions_do_not_make_it_stale(
    folder: Site, path: str, before: str, after: str
) -> None:
    record(site(folder))
    first = made(folder)
    text = (folder.root / ARTICLE / path).read_text()
    assert before in text
    (folder.root / ARTICLE / path).write_text(text.replace(before, after))
    assert encode(made(folder)) == encode(first)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("data.py", "np.inf]", "-np.inf]"),
        ("data.py", "[1, 2]", "[1, 3]"),
        ("helper.py", "2 * k", "3 * k"),
        ("kernel.cu", "return 1", "return 2"),
        ("kernel.cu", "// no remark", "// no remarks"),
    ],
)
def test_a_change_of_the_code_makes_it_stale(
    folder: Site, path: str, before: str, after: str
) -> None:
    record(site(folder))
    made(folder)
    text = (folder.root / ARTICLE / path).read_text()
    assert before in text
    (folder.root / ARTICLE / path).write_text(text.replace(before, after))
    assert code(folder) == "stale-recording"
    assert code(folder, "best") == "stale-recording"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', '{"format": 1, "key": "a"}'])
def test_foreign_files_are_refused(folder: Site, text: str) -> None:
    site(folder).write(f"{ARTICLE}/recorded/times-1.json", text)
    assert code(folder) == "recording"


def test_recordings_of_other_shapes_are_refused(folder: Site) -> None:
    record(site(folder))
    record(folder, number=2)
    path = folder.root / ARTICLE / "recorded/times-2.json"
    held = json.loads(path.read_text())
    held["data"]["sweep"][0][1] = [1, 3]
    path.write_text(json.dumps(held))
    assert code(folder) == "dataset-result"


@pytest.mark.parametrize("mark", ['needs="gpu"', 'origin="measured"', 'origin="cited"'])
def test_a_mark_that_says_nonsense_is_refused(folder: Site, mark: str) -> None:
    folder.data(f"@dataset({mark})\ndef f():\n    return {{}}\n")
    with pytest.raises(ValueError, match=mark.split('"')[1]):
        folder.run("f")
