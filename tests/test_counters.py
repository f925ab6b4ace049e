"""Counters of a profiler, on a stand-in for it: what it is asked, what becomes of its table."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from explainers import counters

STAND_IN = Path(__file__).parent / "stand_in"
SOURCE = 'extern "C" __global__ void copy(const float* x, float* y) {} void fill(float* y) {}'
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
BYTES = "dram__bytes_read.sum"

NCU = """#!{python}
import pathlib, subprocess, sys
args = sys.argv[1:]
if args == ["--query-metrics"]:
    print("Device NVIDIA H200")
    print("dram__bytes_read                Counter  byte  # of bytes read")
    print("l1tex__t_sectors_pipe_lsu_mem_global_op_ld  Counter  sector  # of sectors")
    sys.exit()
metrics = args[args.index("--metrics") + 1].split(",")
pathlib.Path({asked!r}).write_text(" ".join(args))
done = subprocess.run(args[args.index("--metrics") + 2:], capture_output=True, text=True)
names = done.stdout.split()
rows = [["ID", "Kernel Name", *metrics], ["", "", *["unit"] * len(metrics)]]
for place, name in enumerate(names):
    rows.append([str(place), name, *[f"{{1000 * place + n:,}}" for n in range(len(metrics))]])
table = "\\n".join(",".join('"' + cell + '"' for cell in row) for row in rows)
log = pathlib.Path(args[args.index("--log-file") + 1])
log.write_text("==PROF== Profiling\\n" + (table if names else done.stderr))
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an `ncu` that runs what it is given, and keeps what it was asked."""
    ncu = tmp_path / "ncu"
    ncu.write_text(NCU.format(python=sys.executable, asked=str(tmp_path / "asked")))
    ncu.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(STAND_IN))
    return tmp_path / "asked"


def test_every_launch_has_its_counters_and_leaves_its_output(asked: Path) -> None:
    x = np.arange(6, dtype=np.float32)
    launch = counters.Launch("copy", (2,), (32,), (x, np.zeros(6, np.float32)), out=0)
    fill = counters.Launch("fill", (1,), (32,), (x,))
    counted = counters.count(SOURCE, {"first": launch, "second": fill, "third": launch})
    assert list(counted) == ["first", "second", "third"]
    # Of all metrics these two are the ones that this device has, in the order of METRICS.
    assert counted["first"].sums == {SECTORS: 0, BYTES: 1}
    assert counted["third"].sums == {SECTORS: 2000, BYTES: 2001}
    assert counted["second"].out is None
    np.testing.assert_array_equal(counted["third"].out, x)
    said = asked.read_text()
    assert "--clock-control none --csv --page raw --print-units base" in said
    assert "--kernel-name regex:^(copy|fill)$" in said


def test_a_launch_that_fails_is_told_with_the_reason(asked: Path) -> None:
    launch = counters.Launch("absent", (1,), (32,), ())
    with pytest.raises(RuntimeError, match=r"(?s)counted 0 of 1 launches.*KeyError: 'absent'"):
        counters.count(SOURCE, {"one": launch})


def test_without_a_profiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="ncu, NVIDIA's profiler, which is not installed"):
        counters.count(SOURCE, {})
