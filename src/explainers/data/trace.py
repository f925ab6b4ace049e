"""Follow one call of a kernel, which is not changed for it: what ran, and what it left."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from .steps import header, statements

Array = npt.NDArray[Any]

EXACT = 1 << 53
"""Whole numbers up to here are exact as float64."""


class Trace(Mapping[str, Array]):
    """What a traced call left after each statement: fields with the leading axis "step".

    `at` holds the ordinal of the statement of each step, `function` says whose they are
    ("module:qualname"), `result` is what the call returned. `trace | {"x": x}` adds fields that
    have no such axis.
    """

    __slots__ = ("_fields", "at", "function", "result", "stepped")

    def __init__(
        self,
        fields: Mapping[str, Any],
        at: Array,
        function: str,
        result: object = None,
        stepped: frozenset[str] | None = None,
    ) -> None:
        """Keep the fields; `stepped` names those with an axis of steps (all, when None)."""
        self._fields = dict(fields)
        self.at = at
        self.function = function
        self.result = result
        self.stepped = frozenset(fields) if stepped is None else stepped

    def __getitem__(self, name: str) -> Array:
        value: Array = self._fields[name]
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __or__(self, other: Mapping[str, Any]) -> Trace:
        """Return the trace with further fields."""
        return self._joined(other, {**self, **other})

    def __ror__(self, other: Mapping[str, Any]) -> Trace:
        """Return the trace with further fields before its own."""
        return self._joined(other, {**other, **self})

    def __repr__(self) -> str:
        return f"<Trace of {self.function}, {len(self.at)} steps: {', '.join(self)}>"

    def _joined(self, other: Mapping[str, Any], fields: Mapping[str, Any]) -> Trace:
        if isinstance(other, Trace):
            raise TypeError("two traces cannot share a dataset; make one dataset of each")
        if twice := sorted(self.keys() & other.keys()):
            raise ValueError(f'the trace has a field "{twice[0]}" already')
        return Trace(fields, self.at, self.function, self.result, self.stepped)


def trace(
    function: Callable[..., object], *args: Any, watch: Sequence[str] = (), **kwargs: Any
) -> Trace:
    """Call a function and record, for each statement that ran, the watched locals it left.

    Only the frame of this one call is followed; what it calls runs at full speed, and so does the
    function everywhere else. A local that is not yet set is NaN (so whole numbers become float64
    when some step lacks them), and "" where the others are text.

    Args:
        function: a plain Python function; decorators that keep `__wrapped__` are looked through.
        args: its positional arguments.
        watch: names of its parameters and local variables.
        kwargs: its keyword arguments.

    Raises:
        ValueError: a watched local does not exist or changes its shape, two statements share a
            line, or the function never ran.
    """
    watched = (watch,) if isinstance(watch, str) else tuple(watch)
    code, module = _code(function)
    if unknown := [name for name in watched if name not in _locals(code)]:
        known = ", ".join(_locals(code))
        raise ValueError(f"{code.co_qualname} has no local {unknown[0]!r}; it has {known}")
    recorder = _Recorder(code, watched)
    former = sys.gettrace()
    sys.settrace(recorder.enter)
    try:
        result = function(*args, **kwargs)
    finally:
        sys.settrace(former)
    if not recorder.entered:
        raise ValueError(f"{code.co_qualname} did not run, so there is nothing to trace")
    fields = {
        name: _stack(name, [values.get(name) for values in recorder.values]) for name in watched
    }
    at = np.array(recorder.ordinals, dtype=np.int32)
    return Trace(fields, at, f"{module}:{code.co_qualname}", result)


class _Recorder:
    """The two trace functions: one waits for the frame, the other follows it."""

    def __init__(self, code: CodeType, watch: tuple[str, ...]) -> None:
        self.code = code
        self.watch = watch
        self.map = _ordinals(code)
        self.entered = False
        self.ordinals: list[int] = []
        self.values: list[dict[str, Any]] = []
        self._current: int | None = None
        self._start = 0  # the instruction at which the running statement began
        self._entered: dict[int, int] = {}  # a block's ordinal -> the instruction that enters it

    def enter(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "call" and frame.f_code is self.code and not self.entered:
            self.entered = True
            return self.follow
        return None

    def follow(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            at = self.map.get(frame.f_lasti)
            if at is not None:
                self._arrive(frame, *at)
        elif event == "return":
            self._leave(frame)
        return self.follow

    def _arrive(self, frame: FrameType, ordinal: int, is_block: bool) -> None:
        here = frame.f_lasti
        # The lines of one statement are one step, unless a loop came back to its beginning.
        if ordinal == self._current and here > self._start:
            return
        if is_block and here > self._entered.setdefault(ordinal, here):
            # A `with` is visited again when it ends, a `try` at its handlers: these are no steps.
            self._leave(frame)
            return
        self._leave(frame)
        self._current = ordinal
        self._start = here

    def _leave(self, frame: FrameType) -> None:
        if self._current is None:
            return
        there = frame.f_locals
        self.ordinals.append(self._current)
        self.values.append({name: _copy(there[name]) for name in self.watch if name in there})
        self._current = None


def _code(function: Callable[..., object]) -> tuple[CodeType, str]:
    """Return the code that a call of the function reaches, and its module's name."""
    inner: Any = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    inner = inspect.unwrap(inner)
    inner = getattr(inner, "__func__", inner)
    code = getattr(inner, "__code__", None)
    if not isinstance(code, CodeType):
        raise ValueError(f"{function!r} is not a Python function, so it cannot be traced")
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise ValueError(f"{code.co_qualname} is a generator or coroutine; trace plain functions")
    return code, _module(str(inner.__globals__.get("__name__", "")))


def _module(name: str) -> str:
    """Return a module's name as the site knows it: an article's files by their own name."""
    parts = name.split(".")
    return ".".join(parts[2:]) if parts[0] == "explainers_articles" else name


def _locals(code: CodeType) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*code.co_varnames, *code.co_cellvars)))


@functools.lru_cache(maxsize=64)
def _ordinals(code: CodeType) -> dict[int, tuple[int, bool]]:
    """Return instruction -> the ordinal of its statement, and whether that is a `with` or `try`."""
    linecache.checkcache(code.co_filename)
    source = "".join(linecache.getlines(code.co_filename))
    function = next(
        (
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.name == code.co_name
            and code.co_firstlineno in (node.lineno, *(d.lineno for d in node.decorator_list))
        ),
        None,
    )
    if function is None:
        raise ValueError(f"the source of {code.co_qualname} is not at hand, so no line is known")
    body = list(statements(function))
    ends = 0
    for node in body:
        if node.lineno <= ends:
            raise ValueError(
                f"line {node.lineno} of {code.co_qualname} has two statements; a trace needs one "
                "a line"
            )
        ends = header(node)[1]
    found = {}
    for index, (line, *_) in enumerate(code.co_positions()):
        if line is None:
            continue
        # Statements come outermost first, so the last that holds the place is the innermost.
        holding = [
            (ordinal, isinstance(node, (ast.With, ast.AsyncWith, ast.Try, ast.TryStar)))
            for ordinal, node in enumerate(body)
            if node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        if holding:
            found[2 * index] = holding[-1]
    return found


def here(value: Any) -> Any:
    """Return a value in this machine's memory: CuPy's arrays are fetched from their device."""
    return value.get() if hasattr(type(value), "__cuda_array_interface__") else value


def _copy(value: Any) -> Any:
    return np.array(here(value), copy=True)


def _stack(name: str, values: Sequence[Array | None]) -> Array:
    """Return the values of one local, a row a step; where there was none, NaN."""
    held = [value for value in values if value is not None]
    if not held:
        raise ValueError(f"the traced call never set {name!r}")
    shapes = sorted({value.shape for value in held})
    if len(shapes) > 1:
        raise ValueError(
            f"{name!r} changes its shape, from {shapes[0]} to {shapes[-1]}; watch another local"
        )
    dtype = np.result_type(*held)
    if len(held) == len(values):
        return np.stack(held).astype(dtype, copy=False)
    if dtype.kind in "iub":
        if any(np.any(np.abs(value.astype(object)) > EXACT) for value in held):
            raise ValueError(f"{name!r} is not set in every step and too large to be float64")
        dtype = np.dtype(np.float64)
    missing: Any = "" if dtype.kind == "U" else np.nan
    stacked = np.full((len(values), *shapes[0]), missing, dtype=dtype)
    for step, value in enumerate(values):
        if value is not None:
            stacked[step] = value
    return stacked
