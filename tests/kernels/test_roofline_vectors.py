"""The vectors of the JavaScript twin are what the Python kernel does today."""

import json
import runpy
from pathlib import Path

import pytest

MAKER = Path(__file__).parents[1] / "golden" / "make_roofline_vectors.py"


def test_the_committed_vectors_are_the_kernel_s():
    made = runpy.run_path(str(MAKER))
    committed = json.loads(made["TARGET"].read_text())
    expected = json.loads(made["text"]())
    assert committed["columns"] == expected["columns"]
    assert len(committed["cases"]) == len(expected["cases"]) == made["CASES"]
    for found, case in zip(committed["cases"], expected["cases"], strict=True):
        # The last digit of a power of ten differs from one CPU to another.
        assert found == pytest.approx(case, rel=1e-14, abs=0)
