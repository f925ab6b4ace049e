"""The mark that makes a function of data.py a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., object])

ATTRIBUTE = "__dataset__"

NEEDS = ("cuda", "torch", "minutes")
"""What a dataset may need that a plain build does not have."""

CLOSE = 1e-12
"""How far floats may lie from the same made on another device, where a mark says nothing."""

ORIGINS = ("computed", "modelled", "measured", "cited", "sample")
"""Where numbers come from. What is made of others has the last of their origins in this order;
the last two are those of supplied files."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What a dataset says of its states and fields.

    `sweep` maps a parameter to its values; `dims` a field to the names of its axes, as the
    function returns it; `units` a field to its unit ("1" where it has none); `wire` a field to
    the narrower type that the browser gets. `needs` is what a plain build lacks to make it.
    `tolerance` has the name "" for all fields that it does not name. `env` are environment
    variables that the function reads, `nonfinite` the fields in which NaN and infinity are meant.
    """

    sweep: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    dims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    wire: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    needs: str = ""
    origin: str = ""
    tolerance: Mapping[str, float] = field(default_factory=dict)
    env: tuple[str, ...] = ()
    nonfinite: tuple[str, ...] = ()


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
    needs: str = "",
    origin: str = "",
    tolerance: float | Mapping[str, float] | None = None,
    env: Iterable[str] = (),
    nonfinite: Iterable[str] = (),
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
    needs: str = "",
    origin: str = "",
    tolerance: float | Mapping[str, float] | None = None,
    env: Iterable[str] = (),
    nonfinite: Iterable[str] = (),
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
        needs: "cuda", "torch" or "minutes": a plain build cannot make it, so it is recorded where
            that can be had, and the recording is committed.
        origin: "computed" or "modelled" where a function ran, "measured" where hardware was
            timed; by default measured when it needs cuda, else what its inputs are.
        tolerance: how far, relatively, numbers may lie from the same made on another device; one
            number for all floats, or field -> number. Without it: 1e-12, and whole numbers exact.
        env: names of environment variables that the function reads, written out as a list: it
            runs again when one of them changes.
        nonfinite: fields in which NaN and infinity are meant; elsewhere they are a mistake.
    """
    _check(needs, origin)
    spec = Spec(
        sweep={name: tuple(values) for name, values in (sweep or {}).items()},
        dims={
            name: (axes,) if isinstance(axes, str) else tuple(axes)
            for name, axes in (dims or {}).items()
        },
        units=dict(units or {}),
        wire=dict(wire or {}),
        seed=seed,
        needs=needs,
        origin=origin,
        tolerance=dict(tolerance)
        if isinstance(tolerance, Mapping)
        else {"": CLOSE if tolerance is None else tolerance},
        env=(env,) if isinstance(env, str) else tuple(env),
        nonfinite=(nonfinite,) if isinstance(nonfinite, str) else tuple(nonfinite),
    )

    def mark(marked: Function) -> Function:
        setattr(marked, ATTRIBUTE, spec)
        return marked

    return mark(function) if function is not None else mark


def spec_of(function: object) -> Spec | None:
    """Return what a function says of itself as a dataset, or None."""
    spec = getattr(function, ATTRIBUTE, None)
    return spec if isinstance(spec, Spec) else None


def origin_of(needs: str, origin: str, inputs: Iterable[str]) -> str:
    """Return where a dataset's numbers come from: what it says, else the least firm of its inputs.

    Args:
        needs: what a plain build lacks to make it.
        origin: what its mark says.
        inputs: the origins of the datasets it is made from.
    """
    inputs = tuple(inputs)
    if origin and "sample" not in inputs:
        return origin
    own = "measured" if needs == "cuda" else "computed"
    return max((own, *inputs), key=ORIGINS.index)


def _check(needs: str, origin: str) -> None:
    if needs and needs not in NEEDS:
        raise ValueError(f'needs="{needs}" is none of {", ".join(NEEDS)}')
    if origin and origin not in ORIGINS[:3]:
        raise ValueError(f'origin="{origin}" is none of {", ".join(ORIGINS[:3])}')
    if origin == "measured" and not needs:
        raise ValueError('origin="measured" goes with needs: a build measures nothing')
