"""Count what a GPU's own counters see of a kernel: the launches run a second time, under ncu.

    counted = counters.count(source, {"copy": counters.Launch("copy", (64,), (256,), (x, y))})
    counted["copy"].sums["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]

A profiler replays each launch until every counter has been read, so nothing is timed here. It
empties the caches before each replay, and the clocks stay as they are.
"""

from __future__ import annotations

import csv
import importlib
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

METRICS = (
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_shared.sum",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "dram__sectors_read.sum",
    "dram__sectors_write.sum",
)
"""Sectors and requests of global memory, wavefronts, conflicts and warp instructions of shared
memory, and what the second-level cache and the memory moved."""

SECONDS = 120
"""How long the profiler may take."""

OPTIONS = ("--std=c++17",)


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch: a kernel of the source, its grid and block, its arguments.

    `args` are NumPy arrays, which go to the GPU anew for each launch, and NumPy scalars. `out` is
    the place among them of the array that comes back, to be checked.
    """

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    args: tuple[Any, ...]
    out: int | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """The counters of one launch, summed over the chip, and the array it left."""

    sums: Mapping[str, float] = field(default_factory=dict)
    out: Array | None = None


def count(
    source: str, launches: Mapping[str, Launch], metrics: Iterable[str] = METRICS
) -> dict[str, Counted]:
    """Launch each kernel once under NVIDIA's profiler, in a process of its own.

    Args:
        source: CUDA C++, as `recording.compile` takes it.
        launches: what to launch, by name; they follow each other in this order.
        metrics: counters to read; those that the device does not have are left out.

    Raises:
        RuntimeError: ncu is missing, may not read the counters, or one of the launches failed.
    """
    ncu = shutil.which("ncu")
    if ncu is None:
        raise RuntimeError("counters are read by ncu, NVIDIA's profiler, which is not installed")
    wanted = _known(ncu, tuple(metrics))
    kernels = "|".join(sorted({launch.kernel for launch in launches.values()}))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        job = (source, [(x.kernel, x.grid, x.block, x.args, x.out) for x in launches.values()])
        (folder / "job").write_bytes(pickle.dumps(job))
        log = folder / "log"
        told = _run(
            [
                *(ncu, "--clock-control", "none", "--csv", "--page", "raw"),
                *("--print-units", "base", "--log-file", str(log)),
                *("--kernel-name", f"regex:^({kernels})$", "--metrics", ",".join(wanted)),
                *(sys.executable, "-P", __file__, name),
            ]
        )
        rows = _rows(log.read_text() if log.is_file() else "")
        if len(rows) != len(launches):
            said = (told + (log.read_text() if log.is_file() else "")).strip()
            raise RuntimeError(
                f"ncu counted {len(rows)} of {len(launches)} launches; it said: {said[-800:]}"
            )
        return {
            launch: Counted(sums, _left(folder / f"{place}.npy"))
            for place, (launch, sums) in enumerate(zip(launches, rows, strict=True))
        }


def _known(ncu: str, metrics: Sequence[str]) -> list[str]:
    """Return those of the metrics that the device has."""
    listed = set(re.findall(r"^(\w+__\w+)", _run([ncu, "--query-metrics"]), re.MULTILINE))
    known = [metric for metric in metrics if metric.split(".")[0] in listed]
    # Where the list cannot be had, ncu itself says what is unknown.
    return known or list(metrics)


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"ncu took more than {SECONDS} seconds") from None
    return done.stdout + done.stderr


def _rows(log: str) -> list[dict[str, float]]:
    """Return the metrics of each launch from the profiler's table: names, units, then rows."""
    lines = [line for line in log.splitlines() if line.startswith('"')]
    if len(lines) < 2:
        return []
    names, _, *rows = csv.reader(lines)
    return [
        {
            name: float(text.replace(",", ""))
            for name, text in zip(names, row, strict=True)
            if "__" in name and re.fullmatch(r"[\d,.]+(e[+-]?\d+)?", text)
        }
        for row in rows
    ]


def _left(path: Path) -> Array | None:
    return np.load(path) if path.is_file() else None


def _launch(folder: Path) -> None:
    """Run the launches of a job: what the profiled process does."""
    cupy: Any = importlib.import_module("cupy")
    source, launches = pickle.loads((folder / "job").read_bytes())
    module = cupy.RawModule(code=source, options=OPTIONS)
    for place, (kernel, grid, block, args, out) in enumerate(launches):
        given = [cupy.asarray(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
        module.get_function(kernel)(grid, block, tuple(given))
        cupy.cuda.Device().synchronize()
        if out is not None:
            np.save(folder / f"{place}.npy", cupy.asnumpy(given[out]))


if __name__ == "__main__":
    _launch(Path(sys.argv[1]))
