"""A dataset as others read it: JSON with every number written out, and CSV where it is a table."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from .values import Dataset


def as_json(dataset: Dataset) -> str:
    """Return the dataset as JSON; NaN and the infinities, for which it has no word, are texts."""
    about = dataset.about
    told = {
        "name": about.name,
        "origin": about.origin,
        "sweep": {axis: list(values) for axis, values in about.sweep.items()},
        "fields": {
            name: {
                "dims": list(field.dims),
                "unit": field.unit,
                "values": _worded(np.asarray(dataset.read(name)).tolist()),
            }
            for name, field in about.fields.items()
        },
    }
    return json.dumps(told, ensure_ascii=False)


def as_csv(dataset: Dataset) -> str | None:
    """Return the dataset as CSV, a row for each state; None where a field is no single number."""
    about = dataset.about
    arrays = {name: np.asarray(dataset.read(name)) for name in about.fields}
    dims = {field.dims for field in about.fields.values()}
    if len(dims) != 1 or about.function or "picture" in about.fields:
        return None
    (axes,) = dims
    shape = next(iter(arrays.values())).shape
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    heads = [_headed(name, field.unit) for name, field in about.fields.items()]
    writer.writerow([*axes, *heads])
    for index in itertools.product(*map(range, shape)):
        # An axis of the sweep has values, another one only counts.
        place = [
            about.sweep[axis][at] if axis in about.sweep else at
            for axis, at in zip(axes, index, strict=True)
        ]
        writer.writerow([*place, *(array[index].item() for array in arrays.values())])
    return file.getvalue()


def _headed(name: str, unit: str) -> str:
    return name if unit in ("", "1") else f"{name} ({unit})"


def _worded(value: Any) -> Any:
    if isinstance(value, list):
        return list(_words(value))
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def _words(values: list[Any]) -> Iterator[Any]:
    return (_worded(value) for value in values)
