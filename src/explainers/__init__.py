"""Interactive explainer articles, built from the kernels they explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .data.dataset import dataset
    from .data.trace import trace

__version__ = "0.1.0"

__all__ = ["__version__", "dataset", "trace"]


def __getattr__(name: str) -> object:
    """Import what an article's data.py asks for when it asks: the site itself needs no NumPy."""
    if name == "dataset":
        from .data.dataset import dataset

        return dataset
    if name == "trace":
        from .data.trace import trace

        return trace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
