"""The vectors of the JavaScript twin are what the Python kernels do today."""

import json
import runpy
from pathlib import Path

import pytest

MAKER = Path(__file__).parents[1] / "golden" / "make_ode_vectors.py"


def flat(value):
    """Every leaf of a JSON value in order."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return [leaf for item in value for leaf in flat(item)]
    return [value]


def test_the_committed_vectors_are_the_kernels():
    made = runpy.run_path(str(MAKER))
    committed, expected = json.loads(made["TARGET"].read_text()), json.loads(made["text"]())
    for name in ("velocities", "paths"):
        assert len(committed[name]) == len(expected[name]) == made[name.upper()]
    for found, value in zip(flat(committed), flat(expected), strict=True):
        # The last digits of a hyperbolic tangent differ from one CPU to another.
        assert found == (
            pytest.approx(value, rel=1e-9, abs=1e-9) if isinstance(value, float) else value
        )
