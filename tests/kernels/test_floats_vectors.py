"""The vectors of the JavaScript twins are what the Python kernels do today."""

import runpy
from pathlib import Path

import pytest

MAKERS = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("maker", ["make_float_vectors.py", "make_integer_vectors.py"])
def test_the_committed_vectors_are_the_kernels(maker):
    made = runpy.run_path(str(MAKERS / maker))
    committed = made["TARGET"].read_text()
    assert len(committed) < 1_000_000
    # Every number is exact: nothing depends on the machine.
    assert committed == made["text"]()
