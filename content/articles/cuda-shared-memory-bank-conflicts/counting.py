"""Let a GPU's own counters count what accesses to shared memory did, by Nsight Compute.

Its `ncu` runs a second process, this file, that makes the launches: one warp each, in the order
of the plan it is given.
"""

import csv
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROUNDS = 64
FILLED = 256
"""Conflict-free stores with which a warp fills the memory before it begins: 8,192 words."""

COUNTERS = {
    "load_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",),
    "load_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",),
    "load_instructions": (
        "smsp__inst_executed_op_shared_ld.sum",
        "smsp__sass_inst_executed_op_shared_ld.sum",
        "sm__sass_inst_executed_op_shared_ld.sum",
    ),
    "store_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",),
    "store_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",),
    "store_instructions": (
        "smsp__inst_executed_op_shared_st.sum",
        "smsp__sass_inst_executed_op_shared_st.sum",
        "sm__sass_inst_executed_op_shared_st.sum",
    ),
}
"""What is counted, and the names that Nsight Compute may know it by."""


def profiler() -> str:
    """Return the path of ncu.

    Raises:
        RuntimeError: it is not installed.
    """
    places = [shutil.which("ncu") or ""]
    for pattern in ("local/cuda*/bin/ncu", "local/NVIDIA-Nsight-Compute*/ncu"):
        places += map(str, sorted(Path("/usr").glob(pattern)))
    places += map(str, sorted(Path("/opt/nvidia/nsight-compute").glob("*/ncu")))
    for place in places:
        if place and os.access(place, os.X_OK):
            return place
    raise RuntimeError("this needs ncu, of Nsight Compute, which is not installed")


def known(ncu: str) -> set[str]:
    """Return the base names of the counters of this device; none if it will not say."""
    said = subprocess.run([ncu, "--query-metrics"], capture_output=True, text=True, check=False)
    return {line.split()[0] for line in said.stdout.splitlines() if line.startswith(("l1", "sm"))}


def chosen(names: set[str]) -> dict[str, str]:
    """Return one counter for each thing counted, of those the device has."""
    found = {}
    for what, choices in COUNTERS.items():
        there = [name for name in choices if name.partition(".")[0] in names or not names]
        if there:
            found[what] = there[0]
    return found


def count(source: str, launches: Sequence[tuple[str, Sequence[int]]]) -> list[dict[str, float]]:
    """Return what was counted in each launch, less the filling of the memory; −1 where nothing is.

    Args:
        source: banks.cu.
        launches: the kernel's name, and the 32 elements.

    Raises:
        RuntimeError: ncu is missing, or failed.
    """
    ncu = profiler()
    metrics = chosen(known(ncu))
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        plan.write_text(json.dumps({"source": source, "launches": launches}))
        command = [
            *(
                ncu,
                "--target-processes",
                "all",
                "--clock-control",
                "none",
                "--cache-control",
                "none",
            ),
            *("--csv", "--page", "raw"),
            *("--print-units", "base", "--metrics", ",".join(metrics.values())),
            *(sys.executable, str(Path(__file__).resolve()), str(plan)),
        ]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = table(said.stdout, [name for name, _ in launches])
    if len(rows) != len(launches):
        end = (said.stdout[-1500:] + said.stderr[-1500:]).strip()
        raise RuntimeError(f"ncu counted {len(rows)} of {len(launches)} launches: {end}")
    return [
        {what: number(row.get(metrics.get(what, ""), "")) for what in COUNTERS}
        | ({"store_wavefronts": _less(row, metrics)} if "store_wavefronts" in metrics else {})
        for row in rows
    ]


def table(text: str, kernels: Sequence[str]) -> list[dict[str, str]]:
    """Return ncu's rows, in the order of the launches, without those of other kernels."""
    lines = text.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    rows = csv.DictReader(line for line in lines[start:] if line.startswith('"'))
    ours = [row for row in rows if row["ID"] and row["Kernel Name"].split("(")[0] in kernels]
    return sorted(ours, key=lambda row: int(row["ID"]))


def number(text: str) -> float:
    """Return a number as ncu writes it, with commas between thousands; −1 for none."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return -1.0


def _less(row: Mapping[str, str], metrics: Mapping[str, str]) -> float:
    return number(row.get(metrics["store_wavefronts"], "")) - FILLED


@functools.cache
def counted(
    widths: tuple[int, ...], elements: tuple[tuple[int, ...], ...]
) -> dict[tuple[str, int], list[dict[str, float]]]:
    """Count loads and stores of each width, in one run of the profiler."""
    kinds = [(kind, width) for kind in ("loads", "stores") for width in widths]
    launches = [(f"{kind}_{width}", one) for kind, width in kinds for one in elements]
    rows = count(Path("banks.cu").read_text(), launches)
    each = len(elements)
    return {kind: rows[k * each : (k + 1) * each] for k, kind in enumerate(kinds)}


def counters(
    width: int, widths: tuple[int, ...], elements: tuple[tuple[int, ...], ...]
) -> dict[str, Any]:
    """Return the counts of one warp's 512 accesses to elements of one width, by access.

    Args:
        width: bytes in an element.
        widths: all widths, which are counted together.
        elements: the elements of the 32 lanes, for each access.
    """
    found: dict[str, Any] = {}
    for kind, word in (("loads", "load"), ("stores", "store")):
        rows = counted(widths, elements)[kind, width]
        for what in ("wavefronts", "conflicts", "instructions"):
            found[f"{word}_{what}"] = np.array([row[f"{word}_{what}"] for row in rows])
    return found


def main(path: str) -> None:
    """Make the launches of a plan: this runs under ncu."""
    import cupy

    plan = json.loads(Path(path).read_text())
    module = cupy.RawModule(code=plan["source"], options=("--std=c++17",))
    out = cupy.empty(32, dtype=np.uint32)
    clocks = cupy.empty((32, 2), dtype=np.int64)
    for name, elements in plan["launches"]:
        wanted = cupy.asarray(np.array(elements, dtype=np.int32))
        module.get_function(name)((1,), (32,), (wanted, np.int32(ROUNDS), out, clocks))
    cupy.cuda.Device().synchronize()


if __name__ == "__main__":
    main(sys.argv[1])
