"""The datasets of "online softmax" against oracles that share no code with its kernels."""

# ruff: noqa: E741 - l is the papers' letter for the sum.

import functools
import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

from explainers.data.run import run_here
from explainers.kernels import softmax

ROOT = Path(__file__).parents[2]
INF = math.inf


@functools.cache
def computed(name):
    return run_here(ROOT, "online-softmax", name)


@pytest.fixture
def rows():
    return computed("rows")


@pytest.fixture
def overflow():
    return computed("overflow")


PRESETS = ["given", "ascending", "descending", "equal", "late peak", "masked"]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_sweep_holds_what_two_sweeps_give_and_fifty_digits_confirm(preset, rows):
    swept, twice = computed("states").at(preset=preset), rows.at(preset=preset)
    x = twice.x.tolist()
    for read in range(len(x)):
        seen = [score for score in x[: read + 1] if score > -INF]
        m = max(seen, default=-INF)
        with mpmath.workdps(50):
            l = float(mpmath.fsum(mpmath.exp(mpmath.mpf(score) - m) for score in seen))
        assert swept.m[read] == twice.m[read] == m
        assert swept.l[read] == pytest.approx(l, rel=1e-14)
        assert twice.l[read] == pytest.approx(l, rel=1e-14)
        assert twice.parts[read].sum() == pytest.approx(l, rel=1e-14)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_trace_ends_with_the_states_and_its_factors_are_at_most_one(preset):
    swept, states = computed("one_sweep").at(preset=preset), computed("states").at(preset=preset)
    assert (swept.m[-1], swept.l[-1]) == (states.m[-1], states.l[-1])
    scale = swept.scale[~np.isnan(swept.scale)]
    assert np.all((scale >= 0) & (scale <= 1))


def test_the_article_s_numbers(rows):
    given = rows.at(preset="given")
    assert given.x.tolist() == [1, 3, 2, 5, 4, 0.5, 6, 2.5]
    assert given.m.tolist() == [1, 3, 3, 5, 5, 5, 6, 6]
    assert f"{given.l[-1]:.6f}" == "1.612340"


def test_every_order_moves_the_maximum_as_a_plain_loop_counts_it():
    orders = computed("orders")
    for order in orders.axis("order"):
        state = orders.at(order=order)
        x = state.x.tolist()
        assert sorted(x) == sorted([1, 3, 2, 5, 4, 0.5, 6, 2.5])
        moved = [all(earlier < x[i] for earlier in x[:i]) for i in range(len(x))]
        assert state.moved.tolist() == moved
        assert state.moves == sum(moved)
        # A move shrinks something when scores were read before it.
        assert state.shrinks == sum(moved[1:])
        assert state.m.tolist() == [max(x[: i + 1]) for i in range(len(x))]


def test_random_orders_have_the_exact_distribution():
    orders = computed("random_orders")
    for n in (8, 64, 1024):
        state = orders.at(n=n)
        harmonic = sum(Fraction(1, k) for k in range(1, n + 1))
        assert state.harmonic == pytest.approx(float(harmonic), rel=1e-15)
        assert abs(state.mean - state.harmonic) < 3 * state.error
        assert state.frequency.sum() == pytest.approx(1)
        assert state.exact.sum() == pytest.approx(1, abs=1e-6)
        # Five standard errors of a share, and one shuffle more or less.
        error = np.sqrt(state.exact * (1 - state.exact) / state.shuffles)
        assert np.all(np.abs(state.frequency - state.exact) < 5 * error + 2e-5)
    counts = [0] * 24
    for order in itertools.permutations(range(8)):
        counts[sum(max(order[: i + 1]) == order[i] for i in range(8))] += 1
    exact = [count / math.factorial(8) for count in counts]
    assert orders.at(n=8).exact == pytest.approx(exact, abs=1e-15)


def test_every_tree_merges_all_scores_once_and_its_nodes_are_their_leaves():
    trees = computed("trees")
    depths = {"left-deep": 7, "right-deep": 7, "balanced": 3, "lanes": 3}
    for tree in trees.axis("tree"):
        state = trees.at(tree=tree)
        below = [[x] for x in state.x.tolist()]
        deep = [0] * 8
        for a, b in state.pairs.tolist():
            below.append(below[a] + below[b])
            deep.append(1 + max(deep[a], deep[b]))
        assert sorted(below[-1]) == sorted(state.x.tolist())
        assert state.depth == deep[-1] == depths.get(tree, 4)
        for node, scores in enumerate(below):
            assert state.m[node] == max(scores)
            expected = math.fsum(math.exp(x - max(scores)) for x in scores)
            assert state.l[node] == pytest.approx(expected, rel=1e-15)
        assert state.deviation < 1e-15


def test_overflow_strikes_where_the_limits_say(overflow):
    for dtype, zeros, nan in (("float16", 5, 6), ("float32", 82.5, 83), ("float64", 703.5, 704)):
        fine, silent, loud = (overflow.at(dtype=dtype, shift=shift) for shift in (0, zeros, nan))
        assert fine.total == pytest.approx(1, abs=1e-3)
        assert silent.plain.tolist() == [0] * 8
        assert (fine.nans, silent.nans) == (0, 0)
        assert loud.nans == sum(map(math.isnan, loud.plain)) > 0
        limit = math.log(float(np.finfo(dtype).max))
        assert 6 + zeros < limit < 6 + nan


def test_the_stable_kernels_are_right_about_the_row_they_received(overflow):
    for dtype in overflow.axis("dtype"):
        for shift in overflow.axis("shift"):
            state = overflow.at(dtype=dtype, shift=shift)
            with mpmath.workdps(50):
                e = [mpmath.exp(mpmath.mpf(x)) for x in state.received.tolist()]
                exact = [float(x / mpmath.fsum(e)) for x in e]
            near = 10 * float(np.finfo(dtype).eps)
            assert state.safe == pytest.approx(exact, rel=near)
            assert state.online == pytest.approx(exact, rel=near)
            assert state.total_online == pytest.approx(1, abs=near)


def test_limits_are_the_logarithm_of_the_largest_number():
    limits = computed("limits")
    for dtype in limits.axis("dtype"):
        state = limits.at(dtype=dtype)
        with mpmath.workdps(50):
            # What rounds to infinity lies half a unit above the largest number.
            info = np.finfo(dtype)
            edge = mpmath.log(mpmath.mpf(float(info.max)) * (1 + mpmath.mpf(float(info.eps)) / 4))
        assert state.last < edge <= state.first_over
        assert np.nextafter(np.dtype(dtype).type(state.last), np.inf) == state.first_over


def test_plain_softmax_gives_zeros_from_where_the_sum_overflows():
    given = [1, 3, 2, 5, 4, 0.5, 6, 2.5]
    limits = computed("limits")
    for dtype in limits.axis("dtype"):
        with mpmath.workdps(50):
            l = mpmath.fsum(mpmath.exp(mpmath.mpf(x) - 6) for x in given)
            edge = float(mpmath.log(mpmath.mpf(float(np.finfo(dtype).max)) / l))
        # The row itself is rounded, to half a unit in the last place of its largest score.
        assert abs(limits.at(dtype=dtype).zeros - edge) <= np.spacing(np.dtype(dtype).type(edge))
    # Every float16 near the edge, one by one: it is crossed once.
    failed = []
    for k in range(64):
        row = np.array(given) - 6 + 10.375 + k / 128
        with np.errstate(over="ignore"):
            failed.append(not softmax.softmax_plain(row.astype(np.float16)).any())
    assert failed == sorted(failed)
    first = 10.375 + failed.index(True) / 128
    assert first - 1 / 128 < limits.at(dtype="float16").zeros <= first


def test_the_cost_is_that_of_the_algorithms_of_the_paper():
    traffic = computed("traffic")
    counted = {}
    for kernel in traffic.axis("kernel"):
        cost = traffic.at(kernel=kernel)
        assert cost.accesses == cost.reads + cost.writes
        counted[kernel] = (cost.reads, cost.writes, cost.exponentials)
    assert counted == {"plain": (2, 1, 2), "safe": (3, 1, 2), "online": (2, 1, 3)}


def test_a_block_of_scores_needs_one_factor():
    blocks = computed("blocks")
    for block in blocks.axis("block"):
        cost = blocks.at(block=block)
        assert (cost.accesses, cost.exponentials) == (3, 2 + 1 / block)


def test_the_self_checks_have_their_answers():
    answers = computed("answers")
    assert (answers.next_m, answers.next_l) == (4, pytest.approx(math.exp(-3) + math.exp(-1) + 1))
    e = [math.exp(x + 5) for x in (1, 3, 2, 5, 4, 0.5, 6, 2.5)]
    assert (answers.term, answers.sum) == (max(e), pytest.approx(math.fsum(e)))
    assert answers.e1 == pytest.approx(1 / math.e)
    assert (answers.merged_m, answers.merged_l) == pytest.approx((math.log(2), 1.5))
    assert answers.finite_mask == 1 / 8


@pytest.mark.parametrize("name", ["agreement", "random_trees", "shifts", "orders", "overflow"])
def test_a_second_run_gives_the_same_numbers(name):
    first, second = computed(name), run_here(ROOT, "online-softmax", name)
    for field in first.fields:
        assert np.array_equal(getattr(first, field), getattr(second, field), equal_nan=True)


def test_the_measured_times_are_medians_of_every_launch_that_was_recorded():
    times, timings = computed("times"), computed("timings")
    assert times.origin == timings.origin == "measured"
    recordings = timings.axis("recording")
    assert len(recordings) >= 2
    for at, length in enumerate(times.axis("row")):
        ratios = []
        for kernel in ("safe", "online"):
            launches = [
                sorted(timings.at(recording=n, row=length).read(kernel).tolist())
                for n in recordings
            ]
            assert all(len(series) % 2 for series in launches)
            medians = [series[len(series) // 2] * 1e3 for series in launches]
            ratios.append(medians)
            assert times.read(kernel)[at] == pytest.approx(math.fsum(medians) / len(medians))
            assert times.read(f"{kernel}_low")[at] == min(s[0] for s in launches) * 1e3
            assert times.read(f"{kernel}_high")[at] == max(s[-1] for s in launches) * 1e3
        found = [safe / online for safe, online in zip(*ratios, strict=True)]
        assert times.ratio_low[at] == pytest.approx(min(found))
        assert times.ratio_high[at] == pytest.approx(max(found))


def test_each_recorded_kernel_met_float64_and_its_recording_says_where():
    for path in (ROOT / "content/articles/online-softmax/recorded").glob("*.json"):
        made = json.loads(path.read_text())["made"]
        assert {"device", "driver", "cuda", "date", "versions", "during"} <= made.keys()
    assert computed("times").error.max() < 1e-6
