"""Results that a plain build cannot make: recorded where they can be, committed, and used here.

A recording is `recorded/NAME-N.json` beside the article. It holds the numbers with their raw
repetitions, how and where they were made, and the key of the code that made them: when that code
means something else now, the recording is stale. Comments and layout mean nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import BuildError, Problem, Span
from ..model import Tree, folder_of

if TYPE_CHECKING:
    from pathlib import Path

    from .values import Dataset

FORMAT = 1
AXIS = "recording"
"""The axis that a measured dataset gets in front of its own: 1 is the first recording."""

_HELD = ("key", "reads", "made", "data")


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded result: the key of its code, the files that code read, how it was made."""

    path: str
    key: str
    reads: Mapping[str, str]
    made: Mapping[str, Any]


def paths(tree: Tree, slug: str, name: str) -> tuple[str, ...]:
    """Return the recordings of a dataset, in the order of their numbers."""
    pattern = re.compile(rf"{re.escape(folder_of(slug))}/recorded/{re.escape(name)}-(\d+)\.json")
    found = [(int(match[1]), path) for path in tree.files if (match := pattern.fullmatch(path))]
    return tuple(path for _, path in sorted(found))


def read(tree: Tree, path: str) -> Recording:
    """Return what a recording says of itself.

    Raises:
        BuildError: the file is no recording.
    """
    try:
        held = json.loads(tree.read(path))
        if held["format"] != FORMAT or not all(held.get(part) for part in _HELD if part != "reads"):
            raise KeyError("format")
        return Recording(path, str(held["key"]), dict(held["reads"]), dict(held["made"]))
    except (ValueError, KeyError, TypeError) as error:
        message = "this is no recording"
        hint = "recordings are made by `explainers record`, and not by hand"
        raise BuildError([Problem("recording", message, Span(path), hint)]) from error


def missing(slug: str, name: str, needs: str, span: Span) -> Problem:
    """Return the problem of a dataset that was never recorded."""
    message = f'dataset "{name}" of {slug} needs {needs} and was never recorded'
    return Problem("not-recorded", message, span, _again(slug, name, needs))


def stale(slug: str, name: str, needs: str, recording: Recording, span: Span) -> Problem:
    """Return the problem of a recording whose code has changed since."""
    when = recording.made.get("date", "")
    message = f'the code of dataset "{name}" of {slug} has changed since it was recorded'
    if when:
        message += f" on {when}"
    return Problem("stale-recording", message, span, _again(slug, name, needs))


def _again(slug: str, name: str, needs: str) -> str:
    where = "" if needs == "minutes" else f", where there is {needs}"
    return f"explainers record {slug}/{name}{where}; then commit recorded/{name}-*.json"


# ---- the numbers: these need NumPy -------------------------------------------------------------


def load(root: Path, files: Sequence[str]) -> Dataset:
    """Return the dataset that recordings hold; measured ones are stacked along `recording`."""
    import numpy as np

    from .arrays import as_array
    from .values import About, Dataset, EncodingError, Field, plain

    held = [json.loads((root / path).read_bytes())["data"] for path in files]
    sets = [_dataset(data) for data in held]
    last = sets[-1]
    if last.origin != "measured":
        return last
    about = last.about
    for path, other in zip(files, sets, strict=True):
        shapes = {name: np.shape(other.read(name)) for name in other.fields}
        if other.sweep != last.sweep or shapes != {n: np.shape(last.read(n)) for n in last.fields}:
            raise EncodingError(f"{path} has other states or fields than {files[-1]}")
    values = {
        name: plain(np.stack([as_array(name, one.read(name)) for one in sets]))
        for name in last.fields
    }
    fields = {
        name: Field((AXIS, *field.dims), field.unit, field.wire)
        for name, field in about.fields.items()
    }
    sweep = {AXIS: tuple(range(1, len(sets) + 1)), **about.sweep}
    return Dataset(About(about.name, fields, sweep, about.origin), values)


def _dataset(data: Mapping[str, Any]) -> Dataset:
    import numpy as np

    from .values import About, Dataset, Field, plain

    def array(entry: Mapping[str, Any]) -> Any:
        dtype = np.str_ if entry["dtype"] == "str" else np.dtype(entry["dtype"])
        listed = entry["values"]
        if dtype != np.str_:
            listed = [float(v) if isinstance(v, str) else v for v in listed]
        return plain(np.array(listed, dtype=dtype).reshape(entry["shape"]))

    fields = data["fields"]
    about = About(
        name=data["name"],
        fields={n: Field(tuple(f["dims"]), f["unit"], f["wire"]) for n, f in fields.items()},
        sweep={name: tuple(values) for name, values in data["sweep"]},
        origin=data["origin"],
        function=data.get("function", ""),
        steps=array(data["steps"]) if data.get("steps") else None,
        ordinals=array(data["ordinals"]) if data.get("ordinals") else None,
    )
    return Dataset(about, {name: array(entry) for name, entry in fields.items()})


def dump(dataset: Dataset, key: str, reads: Mapping[str, str], made: Mapping[str, Any]) -> str:
    """Return the text of a recording; every number in it is exact, and can be read."""
    about = dataset.about
    data = {
        "name": about.name,
        "origin": about.origin,
        "sweep": [[name, list(values)] for name, values in about.sweep.items()],
        "fields": {
            name: {
                "dims": list(field.dims),
                "unit": field.unit,
                "wire": field.wire,
                **_listed(dataset.read(name)),
            }
            for name, field in about.fields.items()
        },
    }
    if about.function:
        data |= {
            "function": about.function,
            "steps": _listed(about.steps),
            "ordinals": _listed(about.ordinals),
        }
    held = {"format": FORMAT, "key": key, "reads": dict(reads), "made": dict(made), "data": data}
    text = json.dumps(held, indent=1, ensure_ascii=False)
    # A list of plain values takes one line: a diff shows which field changed.
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", _one_line, text) + "\n"


def _one_line(match: re.Match[str]) -> str:
    return "[" + re.sub(r",\n\s*", ", ", match[1]) + "]"


def _listed(value: Any) -> dict[str, Any]:
    import math

    import numpy as np

    array = np.asarray(value)
    if array.dtype.kind == "U":
        return {"dtype": "str", "shape": list(array.shape), "values": array.ravel().tolist()}
    values = [
        v if not isinstance(v, float) or math.isfinite(v) else str(v)
        for v in array.ravel().tolist()
    ]
    return {"dtype": array.dtype.str.lstrip("<|"), "shape": list(array.shape), "values": values}
