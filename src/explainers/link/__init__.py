"""Join the pages: what is published, in what order, and where every link leads."""

from __future__ import annotations

from .addresses import RESERVED
from .glossary import cards, users
from .links import FILE, link

__all__ = ["FILE", "RESERVED", "cards", "link", "users"]
