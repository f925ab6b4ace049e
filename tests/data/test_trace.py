# The functions here are made to be traced: they name what they need not, and keep what is not used.
# ruff: noqa: RET504, F841

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explainers import trace
from explainers.data.steps import extent, steps, trace_lines
from explainers.data.trace import Trace

SOURCE = Path(__file__).read_text(encoding="utf-8")


def marked(qualname: str, taken: Trace) -> str:
    """Return the marks of the lines that ran: one letter in a comment at the end of each."""
    lines = SOURCE.splitlines()
    ran = (lines[line - 1] for line in trace_lines(SOURCE, qualname, taken.at.tolist()))
    return "".join(line.rpartition("#")[2].strip() for line in ran)


def follow(function: Callable[..., object], *args: Any, **options: Any) -> tuple[str, Trace]:
    taken = trace(function, *args, **options)
    return marked(taken.function.partition(":")[2], taken), taken


def running_maximum(xs: list[float]) -> float:
    """Return the largest."""
    m = -np.inf  # a
    for x in xs:  # b
        m = max(m, x)  # c
    return m  # d


def test_each_statement_that_ran_is_a_step_with_what_it_left() -> None:
    ran, taken = follow(running_maximum, [1.0, 3.0], watch=("m", "x"))
    assert ran == "abcbcbd"
    assert taken["m"].tolist() == [-np.inf, -np.inf, 1, 1, 3, 3, 3]
    np.testing.assert_array_equal(taken["x"], [np.nan, 1, 1, 3, 3, 3, 3])
    assert taken.result == 3.0
    assert taken.function == f"{__name__}:running_maximum"
    assert taken.at.dtype == np.int32


def spread(xs: list[float]) -> list[float]:
    total = sum(  # a
        x for x in xs
    )
    shares = [  # b
        x / total for x in xs
    ]
    for i in range(  # c
        len(
            xs,
        ),
    ):
        shares[i] *= 2  # d
    return [  # e
        share + 0 for share in shares
    ]


def test_the_lines_of_one_statement_are_one_step() -> None:
    taken = trace(spread, [1.0, 3.0], watch=("total", "shares"))
    lines = [statement.line for statement in steps(SOURCE, "spread")]
    assert taken.at.tolist() == [0, 1, 2, 3, 2, 3, 2, 4]
    assert [SOURCE.splitlines()[line - 1].split()[0] for line in lines] == [
        "total", "shares", "for", "shares[i]", "return",
    ]  # fmt: skip
    np.testing.assert_array_equal(taken["shares"][:, 1], [np.nan, *[0.75] * 4, *[1.5] * 3])


def endless(n: int) -> int:
    k = 0  # a
    while True:  # b
        k += 1  # c
        if k == n:  # d
            break  # e
    return k  # f


def test_a_loop_that_comes_back_to_a_statement_is_a_new_step() -> None:
    ran, taken = follow(endless, 3, watch="k")
    # Whether `while True` itself is visited is up to the version of Python.
    assert ran.replace("b", "") == "acdcdcdef"
    assert taken["k"].tolist()[-1] == 3


def guarded(x: float) -> float:
    with np.errstate(  # a
        divide="ignore",
    ):
        y = np.float64(1) / x  # b
    try:  # c
        raise ValueError  # d
    except ValueError:
        y = y + 1  # e
    finally:
        y = y + 1  # f
    match y:  # g
        case np.inf:
            z = 0.0
        case _:
            z = 1.0  # h
    if z > 5:  # i
        z = 0.0
    elif z > 0:  # j
        z += 1  # k
    return z  # l


def test_with_try_match_and_elif_are_statements_too() -> None:
    ran, taken = follow(guarded, 2.0, watch=("y", "z"))
    assert ran == "abcdefghijkl"
    assert taken["y"][-1] == 2.5
    assert taken["z"][-1] == 2.0


def outer(n: int) -> int:
    def inner(k: int) -> int:  # a
        total = 0
        for i in range(k):
            total += i
        return total

    square = lambda v: v * v  # b # noqa: E731
    total = inner(n) + square(n)  # c
    if n > 1:  # d
        total += outer(n - 1)  # e
    return total  # f


def test_only_the_one_frame_is_followed() -> None:
    ran, _ = follow(outer, 3, watch=("total",))
    assert ran.replace(" noqa: E731", "").replace("noqa: E731", "b") == "abcdef"


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any:
        return function(*args, **options)

    return wrapper


@decorated
@decorated
def behind(x: int) -> int:
    """Doc."""
    y = x + 1  # a
    return y  # b


def test_decorators_and_partials_are_looked_through() -> None:
    assert follow(behind, 1, watch=("y",))[0] == "ab"
    partial = functools.partial(functools.partial(behind), 5)
    assert follow(partial, watch=("y",))[1]["y"].tolist() == [6, 6]
    found = extent(SOURCE, "behind")
    assert SOURCE.splitlines()[found.first - 1].startswith("def behind")
    assert SOURCE.splitlines()[found.last - 1].endswith("# b")
    assert found.docstring == (found.first + 1, found.first + 1)
    assert found.decorators == (found.first - 2, found.first - 1)


class Model:
    def step(self, x: int) -> int:
        y = x * 2  # a
        return y  # b


def test_a_method_can_be_traced() -> None:
    ran, taken = follow(Model().step, 4, watch=("x", "y"))
    assert ran == "ab"
    assert taken["x"].dtype.kind == "i"
    assert taken["x"].tolist() == [4, 4]


def filled(n: int) -> Any:
    row = np.zeros(n)  # a
    for i in range(n):  # b
        row[i] = i + 1  # c
    return row  # d


def test_arrays_are_copied_when_the_statement_has_run() -> None:
    _, taken = follow(filled, 2, watch=("row",))
    assert taken["row"].tolist() == [[0, 0], [0, 0], [1, 0], [1, 0], [1, 2], [1, 2], [1, 2]]


def late(flag: bool) -> str:
    if flag:  # a
        word = "so"  # b
        count = 3  # c
        is_set = True  # d
    return word  # e


def test_what_is_not_yet_set_is_nan_or_empty() -> None:
    _, taken = follow(late, True, watch=("word", "count", "is_set"))
    assert taken["word"].tolist() == ["", "so", "so", "so", "so"]
    np.testing.assert_array_equal(taken["count"], [np.nan, np.nan, 3, 3, 3])
    np.testing.assert_array_equal(taken["is_set"], [np.nan, np.nan, np.nan, 1, 1])


class OnDevice:
    """Stands for a CuPy array, which get() brings to this machine."""

    __cuda_array_interface__: Any = None

    def __init__(self, value: float) -> None:
        self.value = value

    def get(self) -> Any:
        return np.float64(self.value)


def on_device() -> None:
    a = OnDevice(1.5)  # a
    a = OnDevice(2.5)  # b


def test_arrays_of_a_device_are_fetched() -> None:
    assert follow(on_device, watch=("a",))[1]["a"].tolist() == [1.5, 2.5]


def shapes(n: int) -> None:
    a = np.zeros(n)  # a
    a = np.zeros(n + 1)  # b


def generator() -> Iterator[int]:
    yield 1


def crowded() -> int:
    a = 1; b = 2  # fmt: skip # noqa: E702
    return a + b


@pytest.mark.parametrize(
    ("function", "watch", "message"),
    [
        (functools.partial(shapes, 2), "a", r"changes its shape, from \(2,\) to \(3,\)"),
        (generator, "", "generator"),
        (crowded, "a", "two statements"),
        (functools.partial(late, True), "wrod", "no local 'wrod'; it has flag, word"),
        (len, "a", "not a Python function"),
        (functools.partial(endless, 1), "endless", "no local"),
    ],
)
def test_what_cannot_be_traced_is_refused(function: Any, watch: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        trace(function, watch=(watch,) if watch else ())


def failing(x: int) -> float:
    y = 1  # a
    return y / x  # b


def test_an_exception_passes_and_the_former_trace_function_comes_back() -> None:
    def former(*_: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(former)
    try:
        with pytest.raises(ZeroDivisionError):
            trace(failing, 0, watch=("y",))
        assert sys.gettrace() is former
        trace(failing, 1, watch=("y",))
        assert sys.gettrace() is former
    finally:
        sys.settrace(before)


def test_fields_can_be_added() -> None:
    taken = trace(endless, 2, watch=("k",))
    more = taken | {"x": np.arange(3)}
    assert list(more) == ["k", "x"]
    assert more.stepped == {"k"}
    assert list({"x": 1} | taken) == ["x", "k"]
    with pytest.raises(ValueError, match='"k" already'):
        taken | {"k": 1}
    with pytest.raises(TypeError, match="two traces"):
        taken | taken


NAMED = '''
@decorator(
    1,
)
def f(x):
    """Docstring."""
    # step: start
    # (a remark between)
    a = 1
    b = [  # step: fill
        1,
    ]
    "text alone"
    for i in range(3):
        # step: turn
        if i:
            a = 2  # not a step: no
    return a  # step:  the end


class C:
    def f(self):
        return 1  # step: of the class


def g():
    def f():
        pass  # step: inner
    f()
'''


def test_comments_name_steps() -> None:
    found = steps(NAMED, "f")
    assert [statement.name for statement in found] == ["start", "fill", "", "turn", "", "the end"]
    assert [statement.line for statement in found] == [9, 10, 14, 16, 17, 18]
    assert [statement.end_line for statement in found] == [9, 12, 14, 16, 17, 18]
    assert [statement.ordinal for statement in found] == [0, 1, 2, 3, 4, 5]
    assert steps(NAMED, "C.f")[0].name == "of the class"
    assert steps(NAMED, "g.<locals>.f")[0].name == "inner"
    with pytest.raises(LookupError, match='no function "h"'):
        steps(NAMED, "h")
    with pytest.raises(LookupError, match="not a function"):
        steps(NAMED, "C")


def test_a_comment_moves_lines_but_no_ordinal() -> None:
    moved = NAMED.replace("    b = [", "    # a remark\n\n    b = [")
    assert len(steps(moved, "f")) == len(steps(NAMED, "f"))
    assert trace_lines(moved, "f", [0, 1, 5]) == (9, 12, 20)
