"""The warps of a transpose, against NumPy's own and against sets of sectors and banks, by hand."""

import functools
import itertools

import numpy as np
import pytest

from explainers.kernels import global_memory, shared_memory, transpose

SHAPES = [(1, 1), (1, 40), (31, 31), (31, 64), (33, 33), (32, 32), (64, 64), (100, 70)]
PLACES = {
    "pitch 32": functools.partial(shared_memory.pad, pitch=32),
    "pitch 33": functools.partial(shared_memory.pad, pitch=33),
    "pitch 34": functools.partial(shared_memory.pad, pitch=34),
    "pitch 40": functools.partial(shared_memory.pad, pitch=40),
    "swizzle": shared_memory.swizzle,
}
TRANSPOSES = {
    "scatter": lambda matrix: transpose.transpose_direct(matrix, "row"),
    "gather": lambda matrix: transpose.transpose_direct(matrix, "column"),
    **{
        name: functools.partial(transpose.transpose_tiled, place=place)
        for name, place in PLACES.items()
    },
}


def numbered(height, width):
    """A matrix in which every element differs, in an order that is not its own."""
    return np.random.default_rng(height * width).permutation(height * width).reshape(height, width)


def requested(table):
    """The lists of what each warp asked for, idle lanes left out."""
    return [[int(one) for one in row if one != transpose.IDLE] for row in table]


def sectors(elements, width=4):
    """Sectors of 32 bytes in which elements lie: a set of the places of their bytes."""
    return len({(width * one + byte) // 32 for one in elements for byte in range(width)})


def degree(words):
    """Distinct words in the busiest of 32 banks, in Python's own dictionaries."""
    banks = {}
    for word in words:
        banks.setdefault(word % 32, set()).add(word)
    return max(map(len, banks.values()))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", TRANSPOSES)
def test_it_is_numpy_s_transpose(name, shape):
    matrix = numbered(*shape)
    np.testing.assert_array_equal(TRANSPOSES[name](matrix).out, np.transpose(matrix))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_copy_is_the_matrix(shape):
    matrix = numbered(*shape).astype(np.float32)
    run = transpose.copy_direct(matrix)
    np.testing.assert_array_equal(run.out, matrix)
    np.testing.assert_array_equal(run.reads, run.writes)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", TRANSPOSES)
def test_every_element_is_read_once_and_written_once(name, shape):
    run = TRANSPOSES[name](numbered(*shape))
    for table in (run.reads, run.writes):
        assert table.shape[1] == 32
        assert sorted(itertools.chain(*requested(table))) == list(range(shape[0] * shape[1]))
        assert all(requested(table)), "a warp that is wholly idle asks for nothing"


@pytest.mark.parametrize("name", TRANSPOSES)
def test_the_requests_alone_make_the_transpose(name):
    """Replayed by hand: what is read goes to the tile's word, what is loaded to its place."""
    height, width = 70, 100
    matrix = numbered(height, width)
    run, out = TRANSPOSES[name](matrix), {}
    if run.stores is None:
        for read, write in zip(requested(run.reads), requested(run.writes), strict=True):
            for element, place in zip(read, write, strict=True):
                out[place] = matrix.flat[element]
    else:
        into = list(zip(requested(run.reads), requested(run.stores), strict=True))
        outof = list(zip(requested(run.writes), requested(run.loads), strict=True))
        for top in range(0, height, 32):
            for left in range(0, width, 32):
                rows, columns = min(32, height - top), min(32, width - left)
                tile = {}
                for _ in range(rows):
                    for element, word in zip(*into.pop(0), strict=True):
                        assert word not in tile
                        tile[word] = matrix.flat[element]
                for _ in range(columns):
                    for place, word in zip(*outof.pop(0), strict=True):
                        out[place] = tile[word]
        assert not into and not outof
    np.testing.assert_array_equal([out[k] for k in range(matrix.size)], matrix.T.ravel())


SECTORS = {
    "copy": ({4}, {4}),
    "scatter": ({4}, {32}),
    "gather": ({32}, {4}),
    "pitch 32": ({4}, {4}),
    "pitch 33": ({4}, {4}),
    "swizzle": ({4}, {4}),
}


@pytest.mark.parametrize("name", SECTORS)
def test_sectors_of_every_request(name):
    """The kernel of sectors, the set of bytes, and the closed form for a multiple of 32 agree."""
    kernels = TRANSPOSES | {"copy": transpose.copy_direct}
    run = kernels[name](numbered(64, 96))
    for table, expected in zip((run.reads, run.writes), SECTORS[name], strict=True):
        by_set = [sectors(row) for row in requested(table)]
        assert set(by_set) == expected
        assert global_memory.sectors(4 * table).tolist() == by_set


@pytest.mark.parametrize("name", PLACES)
def test_banks_of_every_request(name):
    run = TRANSPOSES[name](numbered(64, 64))
    worst = {"pitch 32": 32, "pitch 33": 1, "pitch 34": 2, "pitch 40": 8, "swizzle": 1}[name]
    for table, expected in ((run.stores, 1), (run.loads, worst)):
        by_hand = [degree(row) for row in requested(table)]
        assert set(by_hand) == {expected}
        assert shared_memory.conflict_degree(4 * table)[:, 0].tolist() == by_hand


def test_a_row_that_begins_inside_a_sector_touches_one_more():
    run = transpose.transpose_direct(numbered(64, 65), "row")
    counted = [sectors(row) for row in requested(run.reads) if len(row) == 32]
    assert set(counted) == {4, 5}


def test_lanes_have_two_ways():
    with pytest.raises(ValueError, match='lanes is "diagonal"'):
        transpose.transpose_direct(np.eye(2), "diagonal")
