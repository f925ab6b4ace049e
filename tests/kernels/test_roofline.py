"""The roofline against oracles that share no code with it."""

# ruff: noqa: N803, N806 - M, N, K, A, B and C are what everybody calls them.

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.kernels.roofline import (
    attainable,
    best_seconds,
    matmul_cost,
    matmul_tiled,
)

RATES = st.floats(1e9, 1e16)
COUNTS = st.floats(1, 1e15)


def pipelined(chunks, peak, bandwidth):
    """Seconds until the last (FLOP, byte) chunk is done: moved in turn, worked on once it is here.

    Bytes move all the time; the arithmetic waits for them, and they never wait for it.
    """
    here = done = Fraction(0)
    for flop, moved in chunks:
        here += Fraction(moved) / Fraction(bandwidth)
        done = max(done, here) + Fraction(flop) / Fraction(peak)
    return done


@given(
    st.integers(1, 40), st.integers(0, 10**6), st.integers(1, 10**6),
    st.integers(1, 10**4), st.integers(1, 10**4),
)  # fmt: skip
def test_no_pipeline_beats_the_bound_and_an_even_one_nearly_meets_it(n, flop, moved, peak, width):
    seconds = pipelined([(flop, moved)] * n, peak, width)
    bound = float(best_seconds(float(n * flop), float(n * moved), peak, width))
    assert float(seconds) >= bound * (1 - 1e-12)
    # It differs by the chunk that fills the pipeline, or the one that drains it.
    chunk = max(Fraction(flop, peak), Fraction(moved, width))
    assert float(seconds) <= (bound + float(chunk)) * (1 + 1e-12)


@given(st.lists(st.tuples(st.integers(0, 999), st.integers(1, 999)), min_size=1, max_size=30))
def test_uneven_chunks_do_not_beat_it_either(chunks):
    flop, moved = (sum(column) for column in zip(*chunks, strict=True))
    bound = float(best_seconds(float(flop), float(moved), 7.0, 3.0))
    assert float(pipelined(chunks, 7, 3)) >= bound * (1 - 1e-12)


@given(COUNTS, COUNTS, RATES, RATES)
def test_the_ceiling_is_the_work_over_the_best_time(flop, moved, peak, bandwidth):
    exact = max(Fraction(flop) / Fraction(peak), Fraction(moved) / Fraction(bandwidth))
    seconds = float(best_seconds(flop, moved, peak, bandwidth))
    # A time may be as short as 1e-16 s.
    assert seconds == pytest.approx(float(exact), rel=1e-12, abs=0)
    rate = float(attainable(flop / moved, peak, bandwidth))
    assert rate == pytest.approx(float(Fraction(flop) / exact), rel=1e-12, abs=0)


@given(RATES, RATES)
def test_both_times_are_equal_where_the_ceilings_meet(peak, bandwidth):
    ridge = peak / bandwidth
    assert float(attainable(ridge, peak, bandwidth)) == pytest.approx(peak, rel=1e-12)
    assert float(attainable(ridge * 0.99, peak, bandwidth)) < peak
    assert float(attainable(ridge * 1.01, peak, bandwidth)) == peak


@given(st.floats(1e-6, 1e6), st.floats(1, 100), RATES, RATES)
def test_more_of_anything_is_never_slower(intensity, factor, peak, bandwidth):
    now = float(attainable(intensity, peak, bandwidth))
    for other in (
        attainable(intensity * factor, peak, bandwidth),
        attainable(intensity, peak * factor, bandwidth),
        attainable(intensity, peak, bandwidth * factor),
    ):
        assert now <= float(other) <= now * factor * (1 + 1e-12)


def test_an_array_gets_what_each_of_its_numbers_gets():
    intensity = np.array([[0.0, 0.5], [13.9, 1e4]])
    found = attainable(intensity, 67.0, 4.8)
    assert found.tolist() == [[0.0, 2.4], [13.9 * 4.8, 67.0]]
    assert best_seconds(np.array([4.0, 1.0]), np.array([1.0, 4.0]), 2.0, 1.0).tolist() == [2, 4]


class Counting:
    """A matrix that counts each number read or written, and the distinct ones."""

    def __init__(self, values):
        self.values, self.reads, self.seen = values, 0, set()
        self.shape, self.dtype = np.shape(values), np.asarray(values).dtype

    def __getitem__(self, place):
        part = self.values[place]
        self.reads += part.size
        rows, columns = (range(self.shape[n])[place[n]] for n in range(2))
        self.seen |= {(row, column) for row in rows for column in columns}
        return part


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 10))
def test_the_tiled_product_is_the_product_of_fractions(M, N, K, tile):
    rng = np.random.default_rng([M, N, K])
    A, B = rng.integers(-64, 64, (M, K)) / 8, rng.integers(-64, 64, (K, N)) / 8
    exact = [
        [sum(Fraction(A[i, k]) * Fraction(B[k, j]) for k in range(K)) for j in range(N)]
        for i in range(M)
    ]
    np.testing.assert_allclose(
        matmul_tiled(A, B, tile), np.array(exact, dtype=float), rtol=1e-12, atol=0
    )


@given(st.integers(1, 24), st.integers(1, 24), st.integers(1, 24), st.integers(1, 26))
def test_it_reads_a_once_for_each_column_of_tiles(M, N, K, tile):
    A, B = Counting(np.ones((M, K))), Counting(np.ones((K, N)))
    C = matmul_tiled(A, B, tile)
    assert C.tolist() == np.full((M, N), K).tolist()
    assert A.reads == M * K * -(-N // tile)
    assert B.reads == K * N * -(-M // tile)
    # Whatever the tile, each number is needed: that many bytes must cross at least.
    _, least = matmul_cost(M, N, K, 1)
    assert least == len(A.seen) + len(B.seen) + C.size
    assert A.reads + B.reads + C.size >= least
    if tile >= max(M, N):
        assert A.reads + B.reads + C.size == least


@pytest.mark.parametrize(("M", "N", "K"), [(1, 1, 1), (3, 5, 7), (8, 8, 8), (1, 9, 4)])
def test_the_operations_are_those_of_a_loop(M, N, K):
    flop, touched = 0, set()
    for i in range(M):
        for j in range(N):
            for k in range(K):
                flop += 2
                touched |= {("A", i, k), ("B", k, j), ("C", i, j)}
    assert matmul_cost(M, N, K, 4) == (flop, 4 * len(touched))
    many, moved = matmul_cost(np.array([M, 2 * M]), N, K, 1)
    assert many.tolist() == [flop, 2 * flop]
    assert moved.tolist() == [len(touched), M * K * 2 + K * N + 2 * M * N]


def test_what_it_refuses():
    with pytest.raises(ValueError, match="tile is 0, must be at least 1"):
        matmul_tiled(np.ones((2, 2)), np.ones((2, 2)), 0)
