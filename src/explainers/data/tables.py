"""Read a supplied file's numbers: CSV, JSON or NumPy's npz, as a dataset."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import as_array, as_axis
from .supplied import Supply
from .values import RESERVED, About, Dataset, EncodingError, Field, plain

Array = npt.NDArray[Any]

ROW = "row"
"""The axis of a table's columns."""

_TRUTHS = {"true": True, "false": False}
_MISSING = frozenset(("", "na", "n/a", "nan", "null", "-"))


class TableError(EncodingError):
    """A supplied file that cannot be read; `line` is where, counted from 1."""

    def __init__(
        self, message: str, line: int = 1, hint: str | None = None, path: str = ""
    ) -> None:
        """Keep the place."""
        super().__init__(message, hint)
        self.line, self.place = line, (path, line)


def load(root: Path, supply: Supply) -> Dataset:
    """Return the dataset that a supplied file holds.

    Raises:
        TableError: it is not what its name or its provenance file says.
    """
    path = root / supply.path
    try:
        return _load(path, supply)
    except EncodingError as error:
        line = error.line if isinstance(error, TableError) else 1
        raise TableError(str(error), line, error.hint, str(path)) from error


def _load(path: Path, supply: Supply) -> Dataset:
    readers = {".csv": _csv, ".json": _json, ".npz": _npz}
    values = readers[path.suffix](path)
    named = {supply.columns.get(name, name): value for name, value in values.items()}
    for what, names in (("units", supply.units), ("dims", supply.dims)):
        for name in names:
            if name not in named:
                known = ", ".join(named)
                raise TableError(f'{what} names "{name}", which is not there; there are {known}')
    sweep: dict[str, tuple[Any, ...]] = {}
    if supply.axis:
        if supply.axis not in named:
            raise TableError(f'no column "{supply.axis}" for the axis')
        column = as_array(supply.axis, named.pop(supply.axis))
        sweep = {supply.axis: as_axis(supply.axis, column.tolist())}
    fields, arrays = {}, {}
    for name, value in named.items():
        array = as_array(_checked(name), value)
        dims = _dims(name, array, supply, tuple(sweep))
        unit = supply.units.get(name, "")
        if not unit and array.dtype.kind in "iuf":
            hint = f'in {supply.name}.yaml: units: {{{name}: …}}, "1" where there is none'
            raise TableError(f'nothing says the unit of "{name}"', hint=hint)
        fields[name] = Field(dims, unit)
        arrays[name] = plain(array)
    if not fields:
        raise TableError("the file holds no numbers beside its axis")
    return Dataset(About(supply.name, fields, sweep, supply.origin), arrays)


def _checked(name: str) -> str:
    if not name.isidentifier() or name.startswith("_") or name in RESERVED:
        raise TableError(
            f'"{name}" is no name for a field', hint=f'columns: {{"{name}": a_python_name}}'
        )
    return name


def _dims(name: str, array: Array, supply: Supply, axes: tuple[str, ...]) -> tuple[str, ...]:
    if name in supply.dims:
        dims = supply.dims[name]
    else:
        dims = axes if axes and array.ndim else (ROW,) * min(array.ndim, 1)
    if len(dims) != array.ndim:
        hint = f"dims: {{{name}: [{', '.join(f'axis{n}' for n in range(array.ndim))}]}}"
        raise TableError(f'"{name}" has {array.ndim} axes; give each a name', hint=hint)
    return dims


def _csv(path: Path) -> Mapping[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableError("this is no UTF-8") from error
    reader = csv.reader(io.StringIO(text), strict=True)
    lines: list[int] = []
    rows: list[list[str]] = []
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise TableError(f"this is no CSV: {error}", reader.line_num) from error
    if len(rows) < 2:
        raise TableError("a table has a row of names, and then rows of values")
    names = [name.strip() for name in rows[0]]
    if len(set(names)) < len(names):
        raise TableError("two columns have one name")
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(names):
            raise TableError(f"this row has {len(row)} values for {len(names)} columns", line)
    columns = zip(*rows[1:], strict=True)
    return {
        name: _column([cell.strip() for cell in column])
        for name, column in zip(names, columns, strict=True)
    }


def _column(cells: Sequence[str]) -> Array:
    """Return a column in the narrowest sense that all its cells allow: bool, whole, float, text."""
    if all(cell.lower() in _TRUTHS for cell in cells):
        return np.array([_TRUTHS[cell.lower()] for cell in cells])
    for kind in (int, float):
        try:
            # float() takes underscores, and int() a leading zero that is part of a code.
            return np.array([_number(cell, kind) for cell in cells])
        except (ValueError, OverflowError):
            continue
    return np.array(cells, dtype=np.str_)


def _number(cell: str, kind: type[int] | type[float]) -> int | float:
    if kind is float and cell.lower() in _MISSING:
        return float("nan")
    digits = cell.lstrip("+-")
    if "_" in cell or (len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()):
        raise ValueError(cell)
    number = kind(cell)
    if kind is int and abs(number) >= 1 << 63:
        raise OverflowError(cell)
    return number


def _json(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise TableError("this is no UTF-8") from error
    except json.JSONDecodeError as error:
        raise TableError(f"this is no JSON: {error.msg}", error.lineno) from error
    if isinstance(found, list) and found and all(isinstance(row, dict) for row in found):
        names = list(found[0])
        for number, row in enumerate(found):
            if list(row) != names:
                raise TableError(f"object {number + 1} has other names than the first")
        return {name: list(_filled(row[name] for row in found)) for name in names}
    if not isinstance(found, dict):
        raise TableError("this is neither an object of fields nor a list of like objects")
    return {
        name: list(_filled(value)) if isinstance(value, list) else value
        for name, value in found.items()
    }


def _filled(values: Iterator[Any] | list[Any]) -> Iterator[Any]:
    """Yield the values, NaN for those that are missing."""
    return (float("nan") if value is None else value for value in values)


def _npz(path: Path) -> Mapping[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as found:
            return dict(found)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise TableError(f"NumPy cannot read this: {' '.join(str(error).split())}") from error
