"""Softmax against oracles that share no code with it."""

# ruff: noqa: E741 - l is the papers' letter for the sum.

import inspect
import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.special

from explainers import trace
from explainers.data.steps import steps
from explainers.kernels import softmax
from explainers.kernels.softmax import (
    count_moves,
    largest,
    merge,
    merge_tree,
    softmax_online,
    softmax_plain,
    softmax_safe,
    weight,
)

INF = math.inf
LADDER = (softmax_plain, softmax_safe, softmax_online)
STABLE = (softmax_safe, softmax_online)
SIZES = (1, 7, 63, 500)


def tolerance(kernel):
    """The number that the kernel's own docstring promises."""
    return float(re.search(r"Oracle:\s[^;]*;\s*relative (\S+?)[\s.]", kernel.__doc__).group(1))


def exact(scores):
    """Softmax at 50 digits, straight from the formula."""
    with mpmath.workdps(50):
        e = [mpmath.mpf(0) if x == -INF else mpmath.exp(mpmath.mpf(float(x))) for x in scores]
        total = mpmath.fsum(e)
        return np.array([float(x / total) for x in e])


def statistics(scores):
    """(m, l) in two sweeps, the sum by math.fsum."""
    m = max(scores, default=-INF)
    return m, math.fsum(math.exp(x - m) for x in scores if x > -INF)


def normal(n, scale=5.0, seed=0):
    return np.random.default_rng([n, seed]).normal(0, scale, n)


def assert_softmax(kernel, scores, **options):
    """The kernel meets the oracle, element by element, and its row sums to 1."""
    y = kernel(np.array(scores, dtype=np.float64), **options)
    # Below the smallest normal number a float has fewer digits than the tolerance asks for.
    assert y == pytest.approx(exact(scores), rel=tolerance(softmax_online), abs=1e-290)
    assert math.fsum(y) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kernel", LADDER, ids=lambda kernel: kernel.__name__)
def test_every_rung_meets_fifty_digits(kernel, n):
    assert_softmax(kernel, normal(n))


@pytest.mark.parametrize("n", SIZES)
def test_the_ladder_agrees_with_itself_and_with_scipy(n):
    x = normal(n)
    expected = scipy.special.softmax(x)
    for kernel in LADDER:
        assert kernel(x) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("block", [1, 2, 3, 7, 64, 499, 500, 501, 10_000])
def test_any_block_gives_the_same_softmax_also_uneven_and_too_large(n, block):
    assert_softmax(softmax_online, normal(n), block=block)


HARD = {
    "masked first": [-INF, 1.0, 2.0],
    "masked prefix": [-INF, -INF, -INF, 0.5, 3.0, 2.0],
    "masked middle": [0.5, -INF, -INF, 3.0, 2.0],
    "masked suffix": [0.5, 3.0, 2.0, -INF, -INF],
    "one left": [-INF, -INF, 7.0, -INF],
    "high": [1e4, 1e4 - 1, 1e4 + 2.5],
    "low": [-1e4, -1e4 - 1, -1e4 + 2.5],
    "far apart": [1e4, -1e4, 0.0, 9999.5],
    "climbing far": [-1e4, 0.0, 1e4],
    "all equal": [2.0] * 9,
    "ties at the top": [3.0, 1.0, 3.0, 3.0],
    "negative zeros": [-0.0, 0.0],
}


@pytest.mark.parametrize("block", [1, 2, 3, 5])
@pytest.mark.parametrize("scores", HARD.values(), ids=HARD)
def test_hard_rows(scores, block):
    assert_softmax(softmax_online, scores, block=block)
    assert_softmax(softmax_safe, scores)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kernel", STABLE, ids=lambda kernel: kernel.__name__)
def test_a_row_without_a_score_gives_zeros(kernel, n):
    y = kernel(np.full(n, -INF))
    assert y.tolist() == [0.0] * n


def test_a_finite_mask_is_no_mask():
    # The trap: a row "masked" by a large negative number is a uniform row, not zeros.
    assert softmax_online(np.full(4, -1e4)).tolist() == [0.25] * 4


def ends(scores, block=1):
    """The statistics with which the sweep ends."""
    swept = trace(softmax_online, np.array(scores, dtype=float), block, watch=("m", "l"))
    return swept["m"][-1], swept["l"][-1]


def test_the_statistics_of_no_score_are_the_identity():
    assert ends([-INF] * 5) == (-INF, 0.0)
    assert ends([-INF] * 5, block=2) == (-INF, 0.0)


def test_the_statistics_of_the_article_s_row():
    m, l = ends([1, 3, 2, 5, 4, 0.5, 6, 2.5])
    assert m == 6
    assert f"{l:.6f}" == "1.612340"


@pytest.mark.parametrize("scores", [[0.0, math.nan], [math.nan, 0.0], [0.0, INF, 1.0], [INF]])
@pytest.mark.parametrize("kernel", STABLE, ids=lambda kernel: kernel.__name__)
def test_a_row_without_a_softmax_raises(kernel, scores):
    with pytest.raises(ValueError, match="must be a number or -inf"):
        kernel(np.array(scores))


def test_nan_deep_in_a_later_block_raises():
    x = normal(63)
    x[50] = math.nan
    for block in (1, 7, 63):
        with pytest.raises(ValueError, match="a score is nan"):
            softmax_online(x, block)


@pytest.mark.parametrize("block", [0, -1])
def test_a_block_below_one_raises(block):
    with pytest.raises(ValueError, match="must be at least 1"):
        softmax_online(np.zeros(3), block)


# ---- invariants: what holds at every step of the sweep -------------------------------------------


def swept_steps(x, block):
    """One dict a step of the sweep: its name in the listing, and the locals it left."""
    named = steps(inspect.getsource(softmax), "softmax_online")
    swept = trace(softmax_online, x, block, watch=("i", "m", "m_new", "scale", "l"))
    columns = {name: swept[name].tolist() for name in swept}
    names = [named[at].name for at in swept.at.tolist()]
    return [
        {"name": name, **{column: values[step] for column, values in columns.items()}}
        for step, name in enumerate(names)
    ]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("masked", [0, 5])
@pytest.mark.parametrize("block", [1, 4])
def test_after_every_step_l_is_the_sum_measured_from_the_maximum(n, masked, block):
    x = np.concatenate([np.full(masked, -INF), normal(n)])
    names = [step["name"] for step in swept_steps(x, block)]
    sweeps = math.ceil(len(x) / block)
    loop = ["", "read", "maximum", "factor", "sum", "keep"]
    assert names == ["", "start", *(loop * sweeps), "", "write"]

    before = -INF
    for step in swept_steps(x, block)[1:]:
        if step["name"] == "start":
            assert (step["m"], step["l"]) == (-INF, 0)
            continue
        # What has gone into l: all up to the last `sum`; m follows with the next `keep`.
        taken = int(step["i"]) + (block if step["name"] in ("sum", "keep") else 0)
        if step["name"] in ("", "write"):
            continue
        m, l = statistics(x[: int(step["i"]) + block].tolist())
        if step["name"] != "read":
            assert step["m_new"] == m
        if step["name"] in ("factor", "sum", "keep"):
            assert 0 <= step["scale"] <= 1
            assert step["scale"] == (0 if before == -INF else pytest.approx(math.exp(before - m)))
        if step["name"] == "keep":
            assert step["m"] == m
            before = m
        else:
            assert step["m"] == before
        m, l = statistics(x[:taken].tolist())
        assert step["l"] == pytest.approx(l, rel=1e-12)
        # The largest score weighs 1 and none weighs more.
        assert taken <= masked or 1 - 1e-12 <= step["l"] <= (taken - masked) * (1 + 1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_the_sweep_ends_where_scipy_does(n):
    x = normal(n)
    m, l = ends(x)
    assert m + math.log(l) == pytest.approx(float(scipy.special.logsumexp(x)), rel=1e-14)


@pytest.mark.parametrize("n", SIZES)
def test_a_constant_changes_nothing(n):
    x = np.round(normal(n) * 4) / 4  # Quarters, so that adding the constant is exact.
    for c in (-1000.0, -8.0, 0.25, 64.0, 1000.0):
        assert softmax_online(x + c) == pytest.approx(softmax_online(x), rel=1e-12)
        assert ends(x + c)[1] == pytest.approx(ends(x)[1], rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("kernel", LADDER, ids=lambda kernel: kernel.__name__)
def test_a_result_has_the_dtype_of_its_scores(kernel, dtype):
    x = np.array([1, 3, 2, 5, 4, 0.5, 6, 2.5], dtype=dtype)
    y = kernel(x)
    assert y.dtype == dtype
    assert y.astype(float) == pytest.approx(exact(x), rel=20 * float(np.finfo(dtype).eps))


def test_the_stable_rungs_hold_where_the_formula_breaks():
    for dtype, shift in ((np.float16, 6), (np.float32, 83), (np.float64, 704)):
        x = np.array([1, 3, 2, 5, 4, 0.5, 6, 2.5]).astype(dtype) + dtype(shift)
        with np.errstate(over="ignore", invalid="ignore"):
            assert np.isnan(softmax_plain(x)).any()
        for kernel in STABLE:
            assert kernel(x).astype(float) == pytest.approx(
                exact(x), rel=20 * float(np.finfo(dtype).eps)
            )


def test_the_formula_gives_zeros_when_only_the_sum_overflows():
    x = np.array([1, 3, 2, 5, 4, 0.5, 6, 2.5], dtype=np.float32) + np.float32(82.5)
    assert np.isfinite(np.exp(x)).all()
    with np.errstate(over="ignore"):
        assert softmax_plain(x).tolist() == [0.0] * 8


def test_a_kernel_leaves_its_scores_alone():
    x = normal(63)
    x.flags.writeable = False
    for kernel in LADDER:
        kernel(x)


# ---- mutants: each of these slips must be caught -------------------------------------------------

MUTANTS = {
    "the rescale is dropped": ("l * scale +", "l +"),
    "the factor is inverted": ("weight(m, m_new, xp=xp)", "1 / weight(m, m_new, xp=xp)"),
    "the factor is of the block": (
        "weight(m, m_new, xp=xp)",
        "weight(m, largest(x, xp=xp), xp=xp)",
    ),
    "the maximum never moves": ("m = m_new", "pass"),
    "the maximum is the block's": ("xp.maximum(m, largest(x, xp=xp))", "largest(x, xp=xp)"),
    "the new part is measured from the old maximum": ("weight(x, m_new", "weight(x, m"),
    "the sum forgets": ("l * scale +", "0 * scale +"),
    "the last block is lost": ("len(scores), block", "len(scores) - block + 1, block"),
    "blocks overlap": ("scores[i : i + block]", "scores[i : i + block + 1]"),
    "the maximum starts at zero": ("-xp.inf, 0.0", "0.0, 0.0"),
    "an empty sum divides": ("xp.where(l > 0, l, 1)", "l"),
    "the maximum is not subtracted": ("weight(scores, m, xp=xp)", "weight(scores, 0.0, xp=xp)"),
}


def examine(kernel):
    """Every promise of softmax_online in one go."""
    for scores, block in itertools.product([*HARD.values(), normal(63)], (1, 2, 5)):
        assert_softmax(kernel, scores, block=block)
    assert kernel(np.full(3, -INF)).tolist() == [0.0] * 3
    m, l = ends_of(kernel, [-3.0, -1.0, -2.0])
    assert (m, l) == (-1.0, pytest.approx(statistics([-3.0, -1.0, -2.0])[1], rel=1e-14))


def ends_of(kernel, scores):
    swept = trace(kernel, np.array(scores), watch=("m", "l"))
    return float(swept["m"][-1]), float(swept["l"][-1])


def mutant(tmp_path, old, new):
    """softmax_online with one slip, from a module of its own so that it can be traced."""
    source = inspect.getsource(softmax)
    before, rest = source.split("def softmax_online", 1)
    body, after = rest.split("\ndef ", 1)
    assert old in body, f"the kernel no longer has {old!r}: mend this list"
    path = tmp_path / "mutant.py"
    path.write_text(f"{before}def softmax_online{body.replace(old, new)}\ndef {after}")
    scope = {"__name__": "mutant"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["softmax_online"]


def test_the_kernel_passes_the_examination(tmp_path):
    examine(softmax_online)
    examine(mutant(tmp_path, "m = m_new", "m = m_new"))


@pytest.mark.parametrize(("old", "new"), MUTANTS.values(), ids=MUTANTS)
def test_a_slip_is_caught(tmp_path, old, new):
    with np.errstate(all="ignore"), pytest.raises((AssertionError, ValueError)):
        examine(mutant(tmp_path, old, new))


# ---- the parts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", SIZES)
def test_largest_is_the_last_of_the_sorted_scores(n):
    x = normal(n)
    assert largest(x) == sorted(x.tolist())[-1]


def test_weight_meets_fifty_digits_and_masks():
    for x, m in itertools.product([-650.0, -10.1, 0.0, 0.3, 2.0], [2.0, 2.5, 40.0]):
        with mpmath.workdps(50):
            expected = float(mpmath.exp(mpmath.mpf(x) - mpmath.mpf(m)))
        assert float(weight(x, m)) == pytest.approx(expected, rel=tolerance(weight))
    assert weight(-INF, -INF) == 0
    assert weight(-INF, 3.0) == 0
    assert weight(np.array([-INF, 1.0]), 1.0).tolist() == [0, 1]


def of(scores):
    """Statistics as merge takes them, by the oracle."""
    m, l = statistics(list(scores))
    return np.float64(m), np.float64(l)


@pytest.mark.parametrize("n", [2, 7, 63, 500])
@pytest.mark.parametrize("cut", [0, 1, 0.5, -1])
def test_merge_meets_fsum_wherever_the_row_is_cut(n, cut):
    x = normal(n).tolist()
    at = n // 2 if cut == 0.5 else cut
    m, l = merge(of(x[:at]), of(x[at:]))
    m_exact, l_exact = statistics(x)
    assert m == m_exact
    assert l == pytest.approx(l_exact, rel=tolerance(merge))


def test_merging_with_nothing_changes_nothing_to_the_bit():
    nothing = (-INF, 0.0)
    for state in ((3.0, 1.25), (-1e4, 7.0), nothing):
        assert merge(state, nothing) == state
        assert merge(nothing, state) == state


def test_merge_commutes_to_the_bit_and_associates_to_rounding():
    a, b, c = of(normal(7, seed=1)), of(normal(63, seed=2)), of(normal(9, 50, seed=3))
    assert merge(a, b) == merge(b, a)
    left, right = merge(merge(a, b), c), merge(a, merge(b, c))
    assert left[0] == right[0]
    assert left[1] == pytest.approx(right[1], rel=1e-14)


def test_merge_answers_the_self_checks():
    assert merge((2.0, 1.0), (2.0, 1.0)) == (2, 2)
    assert merge((0.0, 1.0), (math.log(2), 1.0)) == pytest.approx((math.log(2), 1.5), rel=1e-15)


def random_pairs(n, rng):
    loose, pairs = list(range(n)), []
    for k in range(n - 1):
        rng.shuffle(loose)
        pairs.append((loose.pop(), loose.pop()))
        loose.append(n + k)
    return np.array(pairs).reshape(n - 1, 2)


@pytest.mark.parametrize("n", [1, 2, 7, 63])
def test_every_node_of_any_tree_has_the_statistics_of_the_scores_below_it(n):
    rng = np.random.default_rng(n)
    for masked in (0, n // 3):
        x = normal(n)
        x[:masked] = -INF
        pairs = random_pairs(n, rng)
        m, l = merge_tree(x, pairs)
        below = [[value] for value in x.tolist()]
        for a, b in pairs:
            below.append(below[a] + below[b])
        assert m.shape == l.shape == (2 * n - 1,)
        for node, scores in enumerate(below):
            m_exact, l_exact = statistics(scores)
            assert m[node] == m_exact
            assert l[node] == pytest.approx(l_exact, rel=tolerance(merge_tree))


def test_a_left_deep_tree_is_the_sweep():
    x = normal(63)
    pairs = [(0, 1), *((62 + k, k + 1) for k in range(1, 62))]
    m, l = merge_tree(x, np.array(pairs))
    assert (m[-1], l[-1]) == ends(x)


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 1), (0, 2)],  # twice
        [(0, 1), (2, 4)],  # the root in itself
        [(0, 3), (1, 2)],  # before it is made
        [(0, 1)],  # a score is left over
        [(0, 1), (2, 3), (4, 5)],  # one too many
    ],
)
def test_what_is_not_a_tree_raises(pairs):
    with pytest.raises(ValueError, match="once, after it is made"):
        merge_tree(np.zeros(3), np.array(pairs))


def counted(scores):
    top, moves = -INF, 0
    for x in scores:
        if x > top:
            top, moves = x, moves + 1
    return moves


@pytest.mark.parametrize("n", SIZES)
def test_moves_are_counted_as_a_plain_loop_counts_them(n):
    rng = np.random.default_rng(n)
    rows = rng.integers(0, max(2, n // 2), (50, n)).astype(float)  # with ties
    rows[:, : n // 3] = -INF
    assert count_moves(rows).tolist() == [counted(row) for row in rows.tolist()]
    assert count_moves(np.full((2, n), -INF)).tolist() == [0, 0]


def test_moves_are_those_of_the_traced_sweep():
    x = normal(63)
    kept = trace(softmax_online, x, watch=("m",))["m"]
    assert count_moves(x[None])[0] == len(set(kept[1:].tolist()) - {-INF})


@pytest.mark.parametrize("n", SIZES)
def test_a_climb_moves_every_time_and_a_descent_once(n):
    x = np.arange(n, dtype=float)
    assert count_moves(np.array([x, x[::-1]])).tolist() == [n, 1]


def test_over_all_orders_the_mean_is_the_harmonic_number():
    moves = count_moves(np.array(list(itertools.permutations(range(7))), dtype=float))
    mean = Fraction(int(moves.sum()), len(moves))
    assert mean == sum(Fraction(1, k) for k in range(1, 8))
    # Unsigned Stirling numbers of the first kind, from a table.
    assert Counter(moves.tolist()) == {1: 720, 2: 1764, 3: 1624, 4: 735, 5: 175, 6: 21, 7: 1}


def test_kernels_use_the_library_they_are_given(monkeypatch):
    monkeypatch.setattr(softmax, "np", None)
    x = normal(7)
    for kernel in LADDER:
        kernel(x, xp=np)
    merge_tree(x, random_pairs(7, np.random.default_rng(0)), xp=np)
    count_moves(x[None], xp=np)
