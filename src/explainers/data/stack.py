"""Run a dataset's function for every state of its sweep, and stack what it returns."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import as_array, as_axis
from .dataset import Spec, origin_of
from .frames import pictured, with_picture
from .trace import Trace
from .values import RESERVED, STEP, About, Dataset, EncodingError, Field, plain

Array = npt.NDArray[Any]
State = Mapping[str, Any]

MOST_STATES = 20_000
MOST_BYTES = 512 << 20


def compute(
    function: Callable[..., Any],
    spec: Spec,
    inputs: Mapping[str, Dataset],
    *,
    xp: Any = None,
    entering: Callable[[State], None] = lambda state: None,
) -> Dataset:
    """Return the dataset that a marked function makes.

    Args:
        function: the function of data.py.
        spec: its mark.
        inputs: the datasets that its parameters name.
        xp: the array library for its parameter `xp`; None leaves its default.
        entering: told each state before the function runs for it.

    Raises:
        EncodingError: a result that cannot be kept, or that the mark does not describe.
    """
    sweep = {name: as_axis(name, values) for name, values in spec.sweep.items()}
    shape = tuple(len(values) for values in sweep.values())
    if math.prod(shape) > MOST_STATES:
        raise EncodingError(
            f"the sweep has {math.prod(shape):,} states, more than {MOST_STATES:,}",
            "sweep fewer values",
        )
    fixed = arguments(function, inputs, sweep, spec.seed, xp)
    results: list[Mapping[str, Any]] = []
    for values in itertools.product(*sweep.values()):
        state = dict(zip(sweep, values, strict=True))
        entering(state)
        results.append(_fields(pictured(function(**state, **fixed)), results[:1]))
    entering({})
    spec = with_picture(spec, results[0])
    origins = [given.origin for given in fixed.values() if isinstance(given, Dataset)]
    origin = origin_of(spec.needs, spec.origin, origins)
    return _stacked(function, spec, sweep, origin, results)


def arguments(
    function: Callable[..., Any],
    inputs: Mapping[str, Dataset],
    sweep: Mapping[str, Sequence[object]],
    seed: int | None,
    xp: Any,
) -> dict[str, Any]:
    """Return what the function gets beside the state."""
    parameters = inspect.signature(function).parameters
    for name in sweep:
        if name not in parameters:
            raise EncodingError(f'the sweep names "{name}", which is no parameter')
    given: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if name in sweep or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name == "xp" and (xp is not None or parameter.default is parameter.empty):
            given[name] = np if xp is None else xp
        elif name == "seed" and seed is not None:
            given[name] = seed
        elif name in inputs:
            given[name] = inputs[name]
        elif parameter.default is parameter.empty:
            raise EncodingError(
                f'nothing says what the parameter "{name}" gets',
                "it is neither in the sweep, nor another dataset's name, nor xp or seed",
            )
    return given


def _fields(result: Any, earlier: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if not isinstance(result, Mapping):
        raise EncodingError(
            f"the function returns {type(result).__name__}",
            'return a mapping from field to value: {"degree": degree}',
        )
    if not result:
        raise EncodingError("the function returns no field")
    if earlier and (
        list(result) != list(earlier[0])
        or isinstance(result, Trace) != isinstance(earlier[0], Trace)
    ):
        raise EncodingError(
            f"one state returns {', '.join(earlier[0])}, another {', '.join(map(str, result))}",
            "return the same fields in every state",
        )
    for name in result:
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
            raise EncodingError(f"{name!r} is no name for a field", "use a Python name")
        if name in RESERVED:
            raise EncodingError(
                f'a field cannot be called "{name}": every dataset has that itself', "rename it"
            )
    return result


def _stacked(
    function: Callable[..., Any],
    spec: Spec,
    sweep: Mapping[str, tuple[Any, ...]],
    origin: str,
    results: Sequence[Mapping[str, Any]],
) -> Dataset:
    first = results[0]
    shape = tuple(len(values) for values in sweep.values())
    named = (("dims", spec.dims), ("units", spec.units), ("wire", spec.wire))
    for what, names in (*named, ("nonfinite", spec.nonfinite)):
        for name in names:
            if name not in first:
                raise EncodingError(
                    f'{what} names a field "{name}" that the function does not return',
                    f"it returns {', '.join(first)}",
                )
    steps: Any = None
    ordinals: Any = None
    longest = 0
    if isinstance(first, Trace):
        traces = [result for result in results if isinstance(result, Trace)]
        longest = max(len(trace.at) for trace in traces)
        padded = [_pad(trace.at, longest, -1) for trace in traces]
        ordinals = np.stack(padded).reshape((*shape, longest))
        lengths = np.array([len(trace.at) for trace in traces], dtype=np.int32)
        steps = lengths.reshape(shape) if shape else longest
    fields = {}
    values = {}
    total = 0
    for name in first:
        arrays = [as_array(name, result[name]) for result in results]
        stepped = isinstance(first, Trace) and name in first.stepped
        dims = _dims(name, arrays[0], spec, stepped)
        if stepped:
            arrays = [_pad(array, longest) for array in arrays]
        array = _join(name, arrays).reshape((*shape, *arrays[0].shape))
        total += array.nbytes
        if total > MOST_BYTES:
            raise EncodingError(
                f'with field "{name}" the result is over {MOST_BYTES >> 20} MB',
                "sweep fewer values, or return less in each state",
            )
        fields[name] = Field((*sweep, *dims), spec.units.get(name, ""), spec.wire.get(name, ""))
        values[name] = plain(array)
    about = About(
        name=function.__name__,
        fields=fields,
        sweep=sweep,
        origin=origin,
        function=first.function if isinstance(first, Trace) else "",
        steps=steps,
        ordinals=ordinals,
        tolerance=spec.tolerance,
        nonfinite=spec.nonfinite,
    )
    return Dataset(about, values)


def _dims(name: str, array: Array, spec: Spec, stepped: bool) -> tuple[str, ...]:
    """Return the names of a field's axes; the step axis of a trace comes of itself."""
    dims = spec.dims.get(name)
    if dims is None:
        if not stepped and name not in spec.units:
            raise EncodingError(
                f'field "{name}" is named in neither dims nor units',
                f'say what it is: units={{"{name}": "…"}} or dims={{"{name}": (…)}}',
            )
        dims = ()
    if stepped and dims[:1] != (STEP,):
        dims = (STEP, *dims)
    if len(dims) != array.ndim:
        raise EncodingError(
            f'field "{name}" has {array.ndim} axes {array.shape}, dims names '
            f"{len(dims)}: ({', '.join(dims)})",
            f'give each axis a name: dims={{"{name}": (…)}}',
        )
    if len(set(dims)) < len(dims) or set(dims) & spec.sweep.keys():
        raise EncodingError(f'field "{name}" has two axes of one name: ({", ".join(dims)})')
    return dims


def _pad(array: Array, length: int, filler: Any = None) -> Array:
    if len(array) == length:
        return array
    if filler is None:
        filler = {"f": np.nan, "U": ""}.get(array.dtype.kind, 0)
    padded = np.full((length, *array.shape[1:]), filler, dtype=array.dtype)
    padded[: len(array)] = array
    return padded


def _join(name: str, arrays: Sequence[Array]) -> Array:
    shapes = sorted({array.shape for array in arrays})
    if len(shapes) > 1:
        raise EncodingError(
            f'field "{name}" has shape {shapes[0]} in one state and {shapes[-1]} in another',
            "pad it, and say how long it is in a further field",
        )
    dtype = np.result_type(*arrays)
    if {array.dtype.kind == "U" for array in arrays} == {True, False}:
        raise EncodingError(f'field "{name}" is text in one state and a number in another')
    joined = np.stack([array.astype(dtype) for array in arrays])
    for before, after in zip(arrays, joined, strict=True):
        if before.dtype != dtype and not np.array_equal(
            after.astype(before.dtype), before, equal_nan=before.dtype.kind == "f"
        ):
            raise EncodingError(
                f'field "{name}" is {before.dtype} in one state and {dtype} over all, '
                "which changes its numbers",
                "return one type in every state",
            )
    return joined
