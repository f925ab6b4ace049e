"""Softmax of one row, three ways, and the rule that merges partial results.

T scores in a row, B of them in a block, R rows. `m` is the largest score so far and `l` the sum
of e^(score - m) over the same scores; the pair (m, l) is the *statistics* of a set of scores, and
(-inf, 0) those of none. The letters are FlashAttention's; Milakov and Gimelshein write d for l.
A score of -inf is *masked*: it weighs nothing. A result has the dtype of its scores, and every
step is rounded to that dtype.
"""

# l is the papers' letter for the sum, and the package's docstring tells what xp is. What xp returns
# depends on which library it is, so mypy sees Any.
# ruff: noqa: E741, D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Number = Any
"""A float, or an array without axes: what NumPy and CuPy return for one number."""
Namespace = Any
"""NumPy, or a module with NumPy's functions."""


def softmax_plain(scores: Array, *, xp: Namespace = np) -> Array:
    """Divide each e^score by the sum of them all: the formula, as written.

    It fails where the formula does: NaN where an e^score overflows, zeros where only their sum
    does, NaN where every e^score underflows or is masked.

    Args:
        scores: (T,) logits, dimensionless; T >= 1.

    Returns:
        (T,) probabilities, in the dtype of the scores.

    Source:
        milakov2018online, algorithm 1.

    Oracle:
        mpmath at 50 digits, where nothing overflows; relative 1e-12.
    """
    l = xp.exp(scores).sum()  # sweep 1
    return xp.exp(scores) / l  # (T,)  # sweep 2


def softmax_safe(scores: Array, *, xp: Namespace = np) -> Array:
    """Subtract the largest score first, so that no exponential exceeds 1.

    Args:
        scores: (T,) logits, dimensionless; T >= 1; -inf is masked.

    Returns:
        (T,) probabilities, in the dtype of the scores; zeros when all are masked.

    Raises:
        ValueError: a score is NaN or +inf.

    Source:
        milakov2018online, algorithm 2.

    Oracle:
        mpmath at 50 digits; relative 1e-12.
    """
    m = largest(scores, xp=xp)  # sweep 1
    l = weight(scores, m, xp=xp).sum()  # sweep 2
    return weight(scores, m, xp=xp) / xp.where(l > 0, l, 1)  # (T,)  # sweep 3


def softmax_online(scores: Array, block: int = 1, *, xp: Namespace = np) -> Array:
    """Find the largest score and the sum in one sweep, block by block.

    Args:
        scores: (T,) logits, dimensionless; T >= 1; -inf is masked.
        block: scores read at a time, at least 1; the last block may be shorter.

    Returns:
        (T,) probabilities, in the dtype of the scores; equals softmax_safe to 1e-12 in float64;
        zeros when all are masked.

    Raises:
        ValueError: block is below 1, or a score is NaN or +inf.

    Source:
        milakov2018online, algorithm 3.

    Oracle:
        mpmath at 50 digits; relative 1e-12.
    """
    if block < 1:
        raise ValueError(f"block is {block}, must be at least 1")
    m, l = -xp.inf, 0.0  # step: start
    for i in range(0, len(scores), block):
        x = scores[i : i + block]  # (B,)  # step: read
        m_new = xp.maximum(m, largest(x, xp=xp))  # step: maximum
        scale = weight(m, m_new, xp=xp)  # step: factor
        l = l * scale + weight(x, m_new, xp=xp).sum()  # step: sum
        m = m_new  # step: keep
    return weight(scores, m, xp=xp) / xp.where(l > 0, l, 1)  # (T,)  # step: write


def largest(scores: Array, *, xp: Namespace = np) -> Number:
    """Find the largest score, and refuse a row that has no softmax.

    Args:
        scores: (B,) logits, dimensionless; B >= 1; -inf is masked.

    Returns:
        The largest of them; -inf when all are masked.

    Raises:
        ValueError: a score is NaN or +inf.

    Source:
        milakov2018online, algorithm 2, lines 1 to 4.

    Oracle:
        the last of sorted(), in Python; exact.
    """
    m = scores.max()
    # NaN is neither below infinity nor above it, so one comparison refuses both.
    if not m < xp.inf:
        raise ValueError(f"a score is {float(m)}, must be a number or -inf")
    return m


def weight(x: Array | Number, m: Number, *, xp: Namespace = np) -> Array | Number:
    """Compute e^(x - m), and 0 where x is masked, even while m is -inf too.

    Args:
        x: scores, or a running maximum, of any shape, dimensionless; at most m.
        m: the maximum they are measured from.

    Returns:
        Weights of the shape of x, between 0 and 1.

    Source:
        milakov2018online, algorithm 3; the case of -inf less -inf is ours.

    Oracle:
        mpmath at 50 digits; relative 1e-13 where x - m is above -700.
    """
    return xp.exp(x - xp.where(m > -xp.inf, m, 0))


def merge(
    a: tuple[Number, Number], b: tuple[Number, Number], *, xp: Namespace = np
) -> tuple[Number, Number]:
    """Merge the statistics of two sets of scores into those of both together.

    Args:
        a: (m, l) of one set, dimensionless; (-inf, 0) for an empty or masked one.
        b: (m, l) of another, which shares no score with it.

    Returns:
        (m, l) of the two sets together.

    Source:
        milakov2018online, the parallel form.

    Oracle:
        math.fsum over both sets of scores; relative 1e-14.
    """
    (m_a, l_a), (m_b, l_b) = a, b
    m = xp.maximum(m_a, m_b)
    l = l_a * weight(m_a, m, xp=xp) + l_b * weight(m_b, m, xp=xp)
    return m, l


def merge_tree(scores: Array, pairs: Array, *, xp: Namespace = np) -> tuple[Array, Array]:
    """Merge single scores pair by pair, in any grouping, up to the statistics of the row.

    Args:
        scores: (T,) logits, dimensionless; T >= 1; -inf is masked.
        pairs: (T - 1, 2) nodes to merge, int: nodes 0 to T - 1 are the scores, and node T + k is
            the result of pair k.

    Returns:
        m: (2T - 1,) largest score below each node.
        l: (2T - 1,) sum below each node, measured from its own m.

    Raises:
        ValueError: pairs are not a tree: a node is used before it is made, twice, or never.

    Source:
        milakov2018online, the parallel form.

    Oracle:
        math.fsum over the scores below each node; relative 1e-14.
    """
    T = len(scores)
    used = [int(node) for pair in pairs for node in pair]
    made = all(node < T + k // 2 for k, node in enumerate(used))
    if not made or sorted(used) != list(range(2 * T - 2)):
        raise ValueError("pairs must use every node but the root once, after it is made")
    nodes = [(score, weight(score, score, xp=xp)) for score in scores]
    for a, b in pairs:
        nodes.append(merge(nodes[int(a)], nodes[int(b)], xp=xp))
    m, l = zip(*nodes, strict=True)
    return xp.stack(m), xp.stack(l)  # (2T - 1,), (2T - 1,)


def count_moves(rows: Array, *, xp: Namespace = np) -> Array:
    """Count how often the running maximum moves in each row, the first arrival included.

    Args:
        rows: (R, T) logits, dimensionless, in the order of their arrival; -inf is masked.

    Returns:
        (R,) moves, int64: 0 for a masked row, T for one that only climbs.

    Source:
        milakov2018online, algorithm 3, lines 4 and 5.

    Oracle:
        a loop in plain Python; exact. Their mean over random orders: the harmonic number.
    """
    m = xp.full(len(rows), -xp.inf)  # (R,)
    moves = xp.zeros(len(rows), dtype=xp.int64)  # (R,)
    for x in rows.T:
        m_new = xp.maximum(m, x)  # (R,)
        moves = moves + (m_new > m)  # (R,)
        m = m_new
    return moves
