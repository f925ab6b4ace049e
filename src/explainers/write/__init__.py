"""Write the finished site: only what changed, each file whole, nothing left over."""

from __future__ import annotations

from .folder import MARK, Folder
from .memory import Memory
from .sink import Last, NotOursError, Sink

__all__ = ["MARK", "Folder", "Last", "Memory", "NotOursError", "Sink"]
