"""Make a value once for each key."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

from ..store import Store

Value = TypeVar("Value")


def remembered(store: Store, key: str, make: Callable[[], Value]) -> Value:
    """Return what was made under a key, or make it; it must be the same after JSON."""
    stored = store.shelf.get(key)
    if stored is not None:
        found: Value = json.loads(stored)
        return found
    value = make()
    store.shelf.put(key, json.dumps(value).encode())
    return value
