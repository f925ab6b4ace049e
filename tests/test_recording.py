from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from explainers import device, recording

STAND_IN = Path(__file__).parent / "stand_in"


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(STAND_IN)
    monkeypatch.setattr(recording, "FLUSHED", 1 << 12)
    yield
    sys.modules.pop("cupy", None)


def test_without_cupy_it_says_what_is_missing() -> None:
    with pytest.raises(RuntimeError, match="CuPy, which is not installed"):
        recording.measure({"a": lambda: None})


@pytest.mark.usefixtures("cupy")
class TestMeasuring:
    def test_variants_take_turns_after_their_warm_ups_and_the_first_is_dropped(self) -> None:
        told: list[str] = []

        def launch(name: str) -> None:
            told.append(name)
            time.sleep(0.02 if told.count(name) <= 4 else 0.001)

        times = recording.measure(
            {"a": lambda: launch("a"), "b": lambda: launch("b")}, repeats=5, cold=True
        )
        assert told == ["a"] * 3 + ["b"] * 3 + ["a", "b"] * 6
        assert {name: len(series) for name, series in times.items()} == {"a": 5, "b": 5}
        assert all(float(series.max()) < 0.02 for series in times.values())

    def test_short_launches_must_be_captured(self) -> None:
        with pytest.raises(ValueError, match="inner=20"):
            recording.measure({"a": lambda: None})
        times = recording.measure({"a": lambda: None}, inner=20, repeats=3)
        assert times["a"].shape == (3,)
        assert 1e-6 < times["a"].min() < 1e-3

    def test_what_is_captured_cannot_be_cold(self) -> None:
        with pytest.raises(ValueError, match="cannot be cold"):
            recording.measure({"a": lambda: None}, inner=2, cold=True)

    def test_kernels_come_by_their_names(self) -> None:
        source = "extern void f(int); extern void g(int);"
        assert recording.compile(source, "f", "g") == {"f": "f", "g": "g"}

    def test_the_device_tells_its_facts(self) -> None:
        found = device.facts("cuda")
        assert (found["device"], found["cuda"]) == ("Stand-in", "13.0")
        assert found["versions"]["numpy"] == np.__version__


def test_a_poisoned_place_never_passes_the_check() -> None:
    for dtype in ("f2", "f4", "f8", "i4", "u1", "i8"):
        out = np.zeros(4, dtype)
        recording.poison(out)
        out[1:] = 1
        with pytest.raises(ValueError, match="kernel is off"):
            recording.check("kernel", out, np.ones(4), 1e-3)
    assert recording.check("kernel", np.float32([1, 2]), [1, 2 + 2e-7], 1e-6) < 1e-6


def test_a_summary_is_median_and_extremes() -> None:
    assert recording.summary([3, 1, 2]) == {"median": 2.0, "low": 1.0, "high": 3.0}


def test_what_nvidia_smi_wrote_is_summed_up() -> None:
    text = "1980, 3201, 412.5, 45\n1755, 3201, 690.1, 51\n[N/A], 1, 2, 3\n1965, 32"
    found = device.summarised(text)
    assert found["SM clock (MHz)"] == [1755, 1867.5, 1980]
    assert list(found) == list(device.WATCHED.values())
    assert device.summarised("") == {}


def test_a_watch_without_nvidia_smi_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device.shutil, "which", lambda _: None)
    with device.Watch() as watch:
        pass
    assert watch.seen() == {}


def test_a_processor_has_a_name() -> None:
    assert device.processor()
    assert device.facts("minutes")["device"] == device.processor()


def test_no_build_imports_cupy_unasked(tmp_path: Path) -> None:
    trap = tmp_path / "trap" / "cupy"
    trap.mkdir(parents=True)
    mark = tmp_path / "imported"
    (trap / "__init__.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    folder = tmp_path / "site" / "content" / "articles" / "a"
    folder.mkdir(parents=True)
    (tmp_path / "site/content/site.yaml").write_text("title: T\n")
    (folder / "data.py").write_text(
        "import numpy as np\n"
        "from explainers import dataset, recording\n"
        "from explainers.kernels.softmax import softmax_online\n\n\n"
        "@dataset(dims={'y': ('item',)})\ndef d(xp=np):\n"
        "    return {'y': softmax_online(xp.arange(3.0), xp=xp)}\n\n\n"
        "@dataset(needs='cuda', units={'t': 's'})\ndef timed():\n"
        "    return {'t': recording.cupy().cuda}\n"
    )
    path = os.pathsep.join([str(trap.parent), str(Path(device.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": path}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "explainers", *arguments],
            cwd=tmp_path / "site",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    for arguments in (["build"], ["data", "a/d"], ["check", "--recompute"], ["data", "a"]):
        assert run(*arguments).returncode == 0
    assert not mark.exists()
    assert run("record", "a/timed").returncode == 1
    assert mark.exists()
