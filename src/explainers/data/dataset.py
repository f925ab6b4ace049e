"""The mark that makes a function of data.py a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., object])

ATTRIBUTE = "__dataset__"


@dataclass(frozen=True, slots=True)
class Spec:
    """What a dataset says of its states and fields.

    `sweep` maps a parameter to its values; `dims` a field to the names of its axes, as the
    function returns it; `units` a field to its unit ("1" where it has none); `wire` a field to
    the narrower type that the browser gets.
    """

    sweep: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    dims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    wire: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None


@overload
def dataset(function: Function, /) -> Function: ...


@overload
def dataset(
    *,
    sweep: Mapping[str, Iterable[object]] | None = None,
    dims: Mapping[str, Iterable[str]] | None = None,
    units: Mapping[str, str] | None = None,
    wire: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> Callable[[Function], Function]: ...


def dataset(
    function: Function | None = None,
    /,
    *,
    sweep: Mapping[str, Iterable[object]] | None = None,
    dims: Mapping[str, Iterable[str]] | None = None,
    units: Mapping[str, str] | None = None,
    wire: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> Function | Callable[[Function], Function]:
    """Mark a function as a dataset of its article; its name is the dataset's name.

    The function stays what it is and can be called as before. Its parameters are the names of
    its sweep, other datasets of the article, `xp` (the array library) and `seed`.

    Args:
        function: the function, when the mark stands without parentheses.
        sweep: parameter -> its values; the function runs once for each combination.
        dims: field -> names of the axes it is returned with, e.g. `{"bank": ("lane",)}`.
        units: field -> unit; "1" for a number without one.
        wire: field -> type for the browser: f32, f64, i8, u8, i16, u16, i32, u32.
        seed: what the parameter `seed` gets, for functions that draw at random.
    """
    spec = Spec(
        sweep={name: tuple(values) for name, values in (sweep or {}).items()},
        dims={
            name: (axes,) if isinstance(axes, str) else tuple(axes)
            for name, axes in (dims or {}).items()
        },
        units=dict(units or {}),
        wire=dict(wire or {}),
        seed=seed,
    )

    def mark(marked: Function) -> Function:
        setattr(marked, ATTRIBUTE, spec)
        return marked

    return mark(function) if function is not None else mark


def spec_of(function: object) -> Spec | None:
    """Return what a function says of itself as a dataset, or None."""
    spec = getattr(function, ATTRIBUTE, None)
    return spec if isinstance(spec, Spec) else None
