"""What a run left: the dataset that figures, claims and other datasets read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Value = Any
"""A read-only array, or a Python number, bool or str for a field without axes."""

STEP = "step"
"""The axis that a trace adds in front of the axes of its fields."""

NEAR = 1e-9
"""How far a number may lie from the value of an axis that it names."""

SHOWN = 20
"""Values of an axis that a message lists."""

_OURS = "at axis axes name sweep fields dims units wire steps function ordinals origin about read"

RESERVED = frozenset(re.findall(r"\w+", _OURS))
"""Names that a dataset uses for itself, here or in the browser."""


class EncodingError(ValueError):
    """A result that cannot be kept exactly or cannot be sent: one sentence, and a way out."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Keep the hint beside the sentence."""
        super().__init__(message)
        self.hint = hint


class StateError(LookupError):
    """A field, axis or state that the dataset does not have; the sentence lists what it has.

    `word` is what to look for in the expression that asked, `after` what follows it there.
    """

    def __init__(self, message: str, word: str = "", after: str = "") -> None:
        """Keep where to look."""
        super().__init__(message)
        self.word = word
        self.after = after


@dataclass(frozen=True, slots=True)
class Field:
    """One array of a dataset: its axes by name (the sweep's first), its unit, its wire type."""

    dims: tuple[str, ...]
    unit: str = ""
    wire: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """Everything a dataset is but its numbers.

    `steps` is the length of the trace, or one length for each state of the sweep; `ordinals`
    says which statement ran at each step. `tolerance` says how far fields may lie from the same
    made on another device; "" stands for those it does not name. In the fields `nonfinite`, NaN
    and infinity are meant.
    """

    name: str
    fields: Mapping[str, Field]
    sweep: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    origin: str = "computed"
    function: str = ""
    steps: Any = None
    ordinals: Any = None
    tolerance: Mapping[str, float] = field(default_factory=dict)
    nonfinite: tuple[str, ...] = ()


class Dataset:
    """A computed dataset: its fields are attributes, `at()` gives one state of the sweep."""

    __slots__ = ("_about", "_values")

    def __init__(self, about: About, values: Mapping[str, Value]) -> None:
        """Take the arrays as they are; those of a stored dataset cannot be written to."""
        self._about = about
        self._values = dict(values)

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.read(name)

    def read(self, name: str) -> Value:
        """Return a field, or the steps of a trace.

        Raises:
            FieldError: the dataset has no field of this name.
        """
        if name in self._values:
            return self._values[name]
        if name == "steps" and self._about.steps is not None:
            return self._about.steps
        known = ", ".join(self._values)
        near = get_close_matches(name, self._values, n=1)
        guess = f'; did you mean "{near[0]}"?' if near else ""
        message = f'{self.name} has no field "{name}"; it has {known}{guess}'
        raise FieldError(message, f".{name}")

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._values})

    def __repr__(self) -> str:
        axes = ", ".join(f"{name}×{len(values)}" for name, values in self.sweep.items())
        return f"<Dataset {self.name}({axes}): {', '.join(self._values)}>"

    @property
    def about(self) -> About:
        """Return everything but the numbers."""
        return self._about

    @property
    def name(self) -> str:
        """Return the dataset's name."""
        return self._about.name

    @property
    def sweep(self) -> Mapping[str, tuple[Any, ...]]:
        """Return the axes of the sweep and their values."""
        return self._about.sweep

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the names of the fields."""
        return tuple(self._values)

    @property
    def dims(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of each field's axes, the sweep's first."""
        return {name: about.dims for name, about in self._about.fields.items()}

    @property
    def units(self) -> Mapping[str, str]:
        """Return each field's unit."""
        return {name: about.unit for name, about in self._about.fields.items()}

    @property
    def origin(self) -> str:
        """Say where the numbers come from: computed, modelled or measured."""
        return self._about.origin

    @property
    def function(self) -> str:
        """Return the traced function, "module:qualname", or ""."""
        return self._about.function

    @property
    def steps(self) -> Any:
        """Return the length of the trace, or the length for each state, or None."""
        return self._about.steps

    @property
    def ordinals(self) -> Any:
        """Return the ordinal of the statement of each step, or None."""
        return self._about.ordinals

    def axis(self, name: str) -> tuple[Any, ...]:
        """Return the values of an axis of the sweep."""
        if name not in self.sweep:
            raise StateError(f'{self.name} has no axis "{name}"; {self._axes()}')
        return self.sweep[name]

    def at(self, **state: object) -> Dataset:
        """Return the dataset of one state: every axis by keyword, values that exist.

        A number names the nearest value of its axis within 1e-9. The padding of shorter traces
        is cut off.
        """
        for name in state:
            if name not in self.sweep:
                raise StateError(f'{self.name} has no axis "{name}"; {self._axes()}', name, "=")
        if missing := [name for name in self.sweep if name not in state]:
            raise StateError(f'at() needs a value for "{missing[0]}"; {self._axes()}', ".at")
        index = tuple(_position(name, vs, state[name]) for name, vs in self.sweep.items())
        about = self._about
        steps = about.steps if about.steps is None else int(np.asarray(about.steps)[index])
        values = {}
        for name, meta in about.fields.items():
            value = np.asarray(self._values[name])[index]
            if meta.dims[len(index) : len(index) + 1] == (STEP,):
                value = value[:steps]
            values[name] = plain(value)
        fields = {
            name: Field(meta.dims[len(index) :], meta.unit, meta.wire)
            for name, meta in about.fields.items()
        }
        ordinals = about.ordinals if about.ordinals is None else about.ordinals[index][:steps]
        return Dataset(
            About(
                name=about.name,
                fields=fields,
                origin=about.origin,
                function=about.function,
                steps=steps,
                ordinals=ordinals,
            ),
            values,
        )

    def _axes(self) -> str:
        if not self.sweep:
            return "it has no sweep"
        return "its axes are " + ", ".join(self.sweep)


class FieldError(StateError, AttributeError):
    """A field that the dataset does not have; also an AttributeError, for hasattr()."""


def plain(value: Any) -> Value:
    """Return a number, bool or str for a value without axes, else the array, read-only."""
    array = np.asarray(value)
    if array.ndim == 0:
        return array.item()
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def _position(axis: str, values: tuple[Any, ...], wanted: object) -> int:
    wanted = wanted.item() if isinstance(wanted, np.generic) else wanted
    for index, value in enumerate(values):
        if type(value) is type(wanted) and value == wanted:
            return index
    if _is_number(wanted):
        gaps = [(abs(v - wanted), i) for i, v in enumerate(values) if _is_number(v)]
        if gaps and min(gaps)[0] <= NEAR:
            return min(gaps)[1]
    listed = ", ".join(map(show, values[:SHOWN]))
    if len(values) > SHOWN:
        listed += f", … {show(values[-1])} ({len(values)} values)"
    after = f"={wanted}" if _is_number(wanted) else "="
    raise StateError(f"no state {axis}={show(wanted)}; {axis} is one of {listed}", axis, after)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def show(value: object) -> str:
    """Return a value of an axis as JavaScript would print it too."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (str, bool)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
