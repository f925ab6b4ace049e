"""The order of the stages: the one place that knows it."""

from __future__ import annotations

from .builder import Builder, Options, build

__all__ = ["Builder", "Options", "build"]
