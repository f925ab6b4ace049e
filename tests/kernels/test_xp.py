"""Every kernel of arrays does its work through `xp`: on a stand-in here, on CuPy where it is.

Run as a program, it prints how far CuPy lies from NumPy, kernel by kernel, as Markdown.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from typing import Any

import numpy as np
import pytest

from explainers import kernels
from explainers.kernels import (
    adjoint,
    densities,
    float_rounding,
    float_sums,
    floats,
    flow_fit,
    flows,
    global_memory,
    integer_adder,
    integers,
    neural_fields,
    odes,
    roofline,
    shared_memory,
    softmax,
    stability,
    transpose,
)

RNG = np.random.default_rng(5)
ROW = RNG.normal(0, 3, 63)
PAIRS = np.array([(2 * k, 2 * k + 1) for k in range(62)])
HALF = floats.LAYOUTS["binary16"]
PATTERNS = np.arange(0, 1 << 16, 37, dtype=np.uint64)
BYTES = np.arange(256, dtype=np.uint64)
MATRIX = RNG.normal(size=(40, 35))


def place(row, column):
    return row * 33 + column


WARPS = RNG.integers(0, 400, (5, 32)) * 16

LUMPS = np.array([[0.6, -1.7, 1.3], [0.4, 1.5, 0.9]])
LAYERS = np.array([[2.0, 1.5, 0.0], [-0.5, 1.2, 0.4]])

THETA = RNG.normal(0, 0.5, neural_fields.WEIGHTS)
STATES = RNG.normal(size=(6, 2))


def turning(t, z):
    return z[..., ::-1] * (1 + t)


def weighted(t, z, theta):
    return z * theta * (1 + t)


def weighted_pull(t, z, theta, a):
    return a * theta * (1 + t), a * z * (1 + t)


def twice(z):
    return 2 * z


CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "softmax.softmax_plain": (softmax.softmax_plain, (ROW,)),
    "softmax.softmax_safe": (softmax.softmax_safe, (ROW,)),
    "softmax.softmax_online": (softmax.softmax_online, (ROW, 4)),
    "softmax.largest": (softmax.largest, (ROW,)),
    "softmax.weight": (softmax.weight, (ROW, ROW.max())),
    "softmax.merge": (softmax.merge, ((ROW, ROW + 9), (ROW[::-1], ROW + 8))),
    "softmax.merge_tree": (softmax.merge_tree, (ROW, PAIRS)),
    "softmax.count_moves": (softmax.count_moves, (RNG.normal(size=(40, 30)),)),
    "transpose.copy_direct": (transpose.copy_direct, (MATRIX,)),
    "transpose.transpose_direct": (transpose.transpose_direct, (MATRIX, "column")),
    "transpose.transpose_tiled": (transpose.transpose_tiled, (MATRIX, place)),
    "float_sums.sum_sequential": (float_sums.sum_sequential, (ROW,)),
    "float_sums.sum_pairwise": (float_sums.sum_pairwise, (ROW,)),
    "float_sums.sum_kahan": (float_sums.sum_kahan, (ROW,)),
    "float_sums.sum_neumaier": (float_sums.sum_neumaier, (ROW,)),
    "floats.decode_all": (floats.decode_all, (PATTERNS, HALF)),
    "floats.split": (floats.split, (PATTERNS, HALF)),
    "floats.classify": (floats.classify, (PATTERNS, HALF)),
    "floats.spacing": (floats.spacing, (PATTERNS[:800], HALF)),
    "floats.neighbours": (floats.neighbours, (PATTERNS[1:800], HALF)),
    "float_rounding.encode": (float_rounding.encode, (ROW, HALF)),
    "integers.read": (integers.read, (BYTES, "two's complement")),
    "integers.write": (integers.write, (np.arange(-128, 128), "two's complement")),
    "integers.negate": (integers.negate, (BYTES,)),
    "integers.extend": (integers.extend, (BYTES, 8, 16)),
    "integers.truncate": (integers.truncate, (BYTES, 4)),
    "integers.shift_right": (integers.shift_right, (BYTES, 3, 8, True)),
    "roofline.attainable": (roofline.attainable, (np.abs(ROW), 6.7e13, 4.8e12)),
    "roofline.best_seconds": (roofline.best_seconds, (np.abs(ROW), ROW**2, 6.7e13, 4.8e12)),
    "roofline.matmul_cost": (roofline.matmul_cost, (np.arange(1, 9), 64, 32, 2)),
    "roofline.matmul_tiled": (
        roofline.matmul_tiled,
        (RNG.normal(size=(12, 9)), RNG.normal(size=(9, 7)), 4),
    ),
    "densities.normal_log_density": (densities.normal_log_density, (ROW, 1.0, 2.0)),
    "densities.normal_density": (densities.normal_density, (ROW,)),
    "densities.moved_log_density": (densities.moved_log_density, (ROW, ROW[::-1].copy())),
    "densities.lump_density": (densities.lump_density, (ROW, 0.5, 3.0)),
    "densities.lumps_density": (densities.lumps_density, (ROW, LUMPS)),
    "densities.lumps_samples": (densities.lumps_samples, (RNG.random((50, 4)), LUMPS)),
    "densities.histogram_density": (densities.histogram_density, (ROW, np.arange(-9.0, 9.0))),
    "densities.area": (densities.area, (ROW, np.linspace(0, 1, 63))),
    "flows.planar": (flows.planar, (ROW, 2.0, 1.5, 0.3)),
    "flows.planar_slope": (flows.planar_slope, (ROW, 2.0, 1.5, 0.3)),
    "flows.planar_inverse": (flows.planar_inverse, (ROW, 2.0, 1.5, 0.3)),
    "flows.planar_log_density": (flows.planar_log_density, (ROW, 2.0, 1.5, 0.3)),
    "flows.push_through": (flows.push_through, (ROW, LAYERS)),
    "flows.pull_back": (flows.pull_back, (ROW, LAYERS)),
    "flows.fold_turns": (flows.fold_turns, (-1.0, 1.5, 0.3)),
    "flows.fold_preimages": (flows.fold_preimages, (ROW, -1.0, 1.5, 0.3)),
    "flows.fold_density": (flows.fold_density, (ROW, -1.0, 1.5, 0.3)),
    "flow_fit.log_likelihood": (flow_fit.log_likelihood, (ROW, LAYERS)),
    "flow_fit.loss": (flow_fit.loss, (ROW, LAYERS)),
    "flow_fit.loss_gradient": (flow_fit.loss_gradient, (ROW, LAYERS)),
    "flow_fit.bound_layers": (flow_fit.bound_layers, (LAYERS,)),
    "flow_fit.free_gradient": (flow_fit.free_gradient, (ROW, LAYERS)),
    "flow_fit.fit": (flow_fit.fit, (ROW, LAYERS, 5)),
    "neural_fields.linear_field": (neural_fields.linear_field, (STATES, THETA[:4])),
    "neural_fields.linear_pull": (neural_fields.linear_pull, (STATES, THETA[:4], STATES * 2)),
    "neural_fields.tanh_field": (neural_fields.tanh_field, (STATES, THETA)),
    "neural_fields.tanh_pull": (neural_fields.tanh_pull, (STATES, THETA, STATES * 2)),
    "neural_fields.pendulum_field": (neural_fields.pendulum_field, (STATES,)),
    "odes.rk4_step": (odes.rk4_step, (turning, 0.5, STATES, 0.1)),
    "odes.combine": (odes.combine, ((0.5, 0.0, 2.0), [ROW, ROW, ROW])),
    "odes.solve": (odes.solve, (turning, STATES, 0.0, 1.0, 4, odes.RK4)),
    "odes.solve_adaptive": (odes.solve_adaptive, (turning, STATES, 0.0, 1.0, 1e-6)),
    "stability.amplification": (stability.amplification, (ROW, odes.DORMAND_PRINCE)),
    "stability.stability_limit": (stability.stability_limit, (-1 + 2j, odes.RK4)),
    "adjoint.adjoint_gradient": (
        adjoint.adjoint_gradient,
        (weighted, weighted_pull, ROW[:3], ROW[3:6], ROW[6:9], 0.0, 1.0, 3, odes.RK4),
    ),
    "adjoint.discrete_gradient": (
        adjoint.discrete_gradient,
        (weighted, weighted_pull, twice, ROW[:3], ROW[6:9], 0.0, 1.0, 3, odes.RK4),
    ),
    "integer_adder.add_rows": (integer_adder.add_rows, (BYTES, BYTES[::-1].copy())),
    "shared_memory.words": (shared_memory.words, (WARPS, 8)),
    "shared_memory.turns": (shared_memory.turns, (WARPS // 4,)),
    "shared_memory.conflict_degree": (shared_memory.conflict_degree, (WARPS, 16)),
    "shared_memory.wavefronts": (shared_memory.wavefronts, (WARPS,)),
    "shared_memory.merge_pairs": (shared_memory.merge_pairs, (WARPS, 8)),
    "shared_memory.pad": (shared_memory.pad, (WARPS // 32, WARPS % 32, 33)),
    "shared_memory.swizzle": (shared_memory.swizzle, (WARPS // 32, WARPS % 32)),
    "global_memory.blocks": (global_memory.blocks, (WARPS, 32)),
    "global_memory.distinct": (global_memory.distinct, (WARPS,)),
    "global_memory.sectors": (global_memory.sectors, (WARPS,)),
    "global_memory.lines": (global_memory.lines, (WARPS,)),
    "global_memory.useful": (global_memory.useful, (WARPS,)),
}

OPERATORS = {
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power"),
    "square",  # what ** 2 calls
    *("negative", "positive", "absolute", "matmul", "divmod", "invert"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"),
}
"""Functions that Python's own signs call: arrays of every library have them."""


class Foreign(np.ndarray):
    """An array that only its own library's functions take, as CuPy's are."""

    __cuda_array_interface__ = None

    def get(self):
        return self.view(np.ndarray)

    def __array_function__(self, function, types, args, kwargs):
        raise TypeError(f"numpy.{function.__name__} was called, not xp's")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method == "__call__" and ufunc.__name__ not in OPERATORS:
            raise TypeError(f"numpy.{ufunc.__name__} was called, not xp's")
        result = getattr(ufunc, method)(*map(home, inputs), **kwargs)
        return tuple(map(away, result)) if isinstance(result, tuple) else away(result)


def home(value: Any) -> Any:
    if isinstance(value, Foreign):
        return value.view(np.ndarray)
    return type(value)(map(home, value)) if type(value) in (tuple, list) else value


def away(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value).view(Foreign)
    return type(value)(map(away, value)) if type(value) in (tuple, list) else value


class Library:
    """NumPy's functions for foreign arrays."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if not callable(found) or isinstance(found, type):
            return found

        def call(*args: Any, **options: Any) -> Any:
            given = {key: home(value) for key, value in options.items()}
            return away(found(*map(home, args), **given))

        return call


def arrays(result: Any) -> list[Any]:
    parts = result if isinstance(result, (tuple, list)) else [result]
    # CuPy hands its arrays over only when asked.
    return [part.get() if hasattr(part, "get") else part for part in parts if part is not None]


def difference(found: Any, expected: Any) -> float:
    """Return the largest distance, relative to the largest number, infinite for other kinds."""
    worst = 0.0
    for a, b in zip(arrays(found), arrays(expected), strict=True):
        a, b = np.asarray(home(a)), np.asarray(b)
        assert a.shape == b.shape
        if b.dtype.kind != "f":
            np.testing.assert_array_equal(a, b)
            continue
        odd = ~np.isfinite(b)
        np.testing.assert_array_equal(a[odd], b[odd])
        if (~odd).any():
            off = np.abs(a[~odd].astype("f8") - b[~odd].astype("f8")).max()
            worst = max(worst, float(off / max(1e-300, np.abs(b[~odd]).max())))
    return worst


def on(library: Any, take: Any, name: str) -> float:
    """Return how far a kernel on a library's arrays lies from the same on NumPy's."""
    function, args = CASES[name]
    given = [take(arg) for arg in args]
    with np.errstate(all="ignore"):
        return difference(function(*given, xp=library), function(*args))


@pytest.mark.parametrize("name", CASES)
def test_a_kernel_calls_no_library_but_the_one_it_was_given(name: str) -> None:
    def take(arg: Any) -> Any:
        return away(arg) if isinstance(arg, (np.ndarray, list)) or type(arg) is tuple else arg

    assert on(Library(), take, name) == 0.0


def test_another_library_is_noticed() -> None:
    x = away(np.ones(2))
    for call in (lambda: np.exp(x), lambda: np.where(x, x, x), lambda: np.stack([x, x])):
        with pytest.raises(TypeError, match="not xp's"):
            call()


if importlib.util.find_spec("cupy"):  # only a machine with a GPU has it

    @pytest.mark.parametrize("name", CASES)
    def test_on_cupy_it_gives_the_same(name: str) -> None:
        cupy = importlib.import_module("cupy")
        assert on(cupy, _to(cupy), name) <= 1e-12


def _to(cupy: Any) -> Any:
    def take(arg: Any) -> Any:
        if isinstance(arg, np.ndarray):
            return cupy.asarray(arg)
        return tuple(map(take, arg)) if type(arg) is tuple else arg

    return take


def test_every_kernel_of_arrays_is_among_the_cases() -> None:
    known = {function for function, _ in CASES.values()}
    for module in pkgutil.iter_modules(kernels.__path__):
        found = importlib.import_module(f"explainers.kernels.{module.name}")
        for name, function in inspect.getmembers(found, inspect.isfunction):
            said = str(inspect.signature(function))
            if function.__module__ == found.__name__ and name[0] != "_" and "Array" in said:
                assert function in known, f"{module.name}.{name} is in no case"


def main() -> None:
    cupy = importlib.import_module("cupy")
    print("| kernel | largest difference |\n|---|---|")  # noqa: T201
    for name in CASES:
        try:
            said = f"{on(cupy, _to(cupy), name):.1e}"
        except Exception as error:
            said = f"{type(error).__name__}: {' '.join(str(error).split())[:90]}"
        print(f"| `{name}` | {said} |")  # noqa: T201


if __name__ == "__main__":
    main()
