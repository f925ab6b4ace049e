"""Run datasets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from .dataset import spec_of
from .load import article


def run_here(root: Path, slug: str, name: str) -> object:
    """Compute one dataset in this process, with the datasets it needs; no limits."""
    from .stack import compute
    from .values import Dataset

    def one(module: ModuleType, name: str) -> Dataset:
        function = getattr(module, name)
        spec = spec_of(function)
        assert spec is not None, f"{name} is not marked @dataset"
        import inspect

        inputs: Mapping[str, Dataset] = {
            other: one(module, other)
            for other in inspect.signature(function).parameters
            if other not in spec.sweep and spec_of(getattr(module, other, None)) is not None
        }
        return compute(function, spec, inputs)

    with article(Path(root), slug) as module:
        return one(module, name)
