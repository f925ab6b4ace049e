"""Let a GPU count what the kernels of transpose.cu ask of its memories."""

from pathlib import Path
from typing import Any

import numpy as np

from explainers import counters

from .timing import ROWS, TILE, VERSIONS, grid, wrong

FIELDS = {
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "shared_load_passes": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_passes": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "shared_loads": "smsp__inst_executed_op_shared_ld.sum",
    "shared_stores": "smsp__inst_executed_op_shared_st.sum",
    "cache_read": "lts__t_sectors_op_read.sum",
    "cache_written": "lts__t_sectors_op_write.sum",
    "memory_read": "dram__bytes_read.sum",
    "memory_written": "dram__bytes_write.sum",
}
"""What the page calls a counter, and what the profiler calls it."""


def counted(n: int) -> dict[str, Any]:
    """Return the counters of one launch of each kernel over n × n floats, in their order.

    A counter that the device does not have is NaN. Every result is compared with NumPy's.
    """
    source = Path("transpose.cu").read_text()
    matrix = np.random.default_rng(n).random((n, n), dtype=np.float32)
    poisoned = np.full_like(matrix, np.nan)
    args, size = (matrix, poisoned), np.int32(n)
    launches = {
        kernel: counters.Launch(kernel, grid(n), (TILE, ROWS), (*args, size, size), out=1)
        for kernel in VERSIONS
    }
    found = counters.count(source, launches)
    misplaced = sum(wrong(kernel, matrix, found[kernel].out, np) for kernel in VERSIONS)
    series = {
        field: np.array([found[kernel].sums.get(metric, np.nan) for kernel in VERSIONS])
        for field, metric in FIELDS.items()
    }
    return {**series, "n": n, "wrong": misplaced}
