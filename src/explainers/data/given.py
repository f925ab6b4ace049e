"""Load what no function of data.py makes: supplied files and recordings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import recorded
from .supplied import Supply

if TYPE_CHECKING:
    from .key import Declaration, Keys
    from .values import Dataset


def of_supply(supply: Supply) -> str:
    """Return, as text that crosses processes, how to load a supplied file."""
    return json.dumps({"supply": supply.json()})


def of_recordings(files: Sequence[str]) -> str:
    """Return, as text that crosses processes, how to load recordings."""
    return json.dumps({"recordings": list(files)})


def load(root: Path, given: str) -> Dataset:
    """Return the dataset that one of the above tells of."""
    told = json.loads(given)
    if "recordings" in told:
        return recorded.load(root, told["recordings"])
    from .tables import load

    return load(root, Supply.of(told["supply"]))


def stands_in(keys: Keys, slug: str, declared: Declaration) -> str:
    """Return how to load a dataset that no function makes here, else "".

    Raises:
        BuildError: it should be recorded, and is not, or its code has changed since.
    """
    if declared.supply:
        return of_supply(declared.supply)
    if declared.recorded:
        recordings = keys.recordings(slug, declared.name)
        return of_recordings([recording.path for recording in recordings])
    return ""
