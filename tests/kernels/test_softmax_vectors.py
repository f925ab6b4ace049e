"""The vectors of the JavaScript twin are what the Python kernel does today."""

import json
import runpy
from pathlib import Path

import pytest

MAKER = Path(__file__).parents[1] / "golden" / "make_softmax_vectors.py"


def flat(value):
    """Every leaf of a JSON value in order."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return [leaf for item in value for leaf in flat(item)]
    return [value]


def test_the_committed_vectors_are_the_kernel_s():
    made = runpy.run_path(str(MAKER))
    committed = json.loads(made["TARGET"].read_text())
    assert len(committed["cases"]) >= 500
    expected, found = flat(json.loads(made["text"]())), flat(committed)
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        # The last digit of an exponential differs from one CPU to another.
        assert a == (pytest.approx(b, rel=1e-14, abs=0) if isinstance(b, float) else b)
