"""The banks of shared memory, against sets, the greatest common divisor, and NumPy's strides."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.kernels.shared_memory import (
    WIDTHS,
    conflict_degree,
    merge_pairs,
    pad,
    swizzle,
    turns,
    wavefronts,
    words,
)

LANE = np.arange(32)


@st.composite
def accesses(draw, most=300, widths=WIDTHS):
    """A width, and one element for each lane, as byte addresses: many meet, on purpose."""
    width = draw(st.sampled_from(widths))
    elements = draw(st.lists(st.integers(0, most), min_size=32, max_size=32))
    return width, np.array(elements) * width


def touched(address, width):
    """The words under an element, from the bytes that it covers."""
    return sorted({byte // 4 for byte in range(address, address + width)})


def brute_degrees(addresses, width, at_once=1):
    """Degrees by group: for every bank, the set of words that somebody in the group wants."""
    lanes = 32 if width <= 4 else 128 // width * at_once
    degrees = []
    for start in range(0, 32, lanes):
        wanted = {}
        for address in addresses[start : start + lanes]:
            for word in touched(int(address), width):
                wanted.setdefault(word % 32, set()).add(word)
        degrees.append(max(map(len, wanted.values())))
    return degrees


@given(accesses())
def test_degrees_are_the_largest_sets(access):
    width, addresses = access
    assert conflict_degree(addresses, width).tolist() == brute_degrees(addresses, width)
    assert wavefronts(addresses, width) == sum(brute_degrees(addresses, width))


@given(accesses())
def test_words_are_those_under_the_bytes(access):
    width, addresses = access
    expected = [word for address in addresses for word in touched(int(address), width)]
    found = words(addresses, width)
    assert found.shape == (max(1, width // 4), 32)
    assert found.ravel().tolist() == expected


@given(st.lists(st.integers(0, 200), min_size=32, max_size=32))
def test_words_queue_in_the_order_of_the_lanes(word):
    queues = {}
    expected = []
    for w in word:
        queue = queues.setdefault(w % 32, [])
        if w not in queue:
            queue.append(w)
        expected.append(queue.index(w))
    assert turns(np.array(word)).tolist() == expected


# Wider elements are served in groups of lanes, and there the order counts.
@given(accesses(widths=[w for w in WIDTHS if w <= 4]), st.permutations(range(32)))
def test_the_order_of_the_lanes_does_not_change_the_degree(access, order):
    width, addresses = access
    assert conflict_degree(addresses[list(order)], width) == conflict_degree(addresses, width)


def test_a_column_of_halves_depends_on_where_it_starts():
    # 66 bytes from row to row: an odd column starts in the middle of a word.
    assert conflict_degree(2 * pad(LANE, np.int64(4), 33), 2).tolist() == [1]
    assert conflict_degree(2 * pad(LANE, np.int64(5), 33), 2).tolist() == [2]


@given(accesses())
def test_a_turn_serves_one_word_of_each_bank(access):
    width, addresses = access
    for word, turn in zip(words(addresses, width), turns(words(addresses, width)), strict=True):
        served = {(w % 32, t): set() for w, t in zip(word.tolist(), turn.tolist(), strict=True)}
        for w, t in zip(word.tolist(), turn.tolist(), strict=True):
            served[w % 32, t].add(w)
        assert all(len(words_at_once) == 1 for words_at_once in served.values())
        # No turn is left out: whoever waits, waits for somebody.
        assert all((bank, t - 1) in served for bank, t in served if t)


@pytest.mark.parametrize("stride", range(1, 129))
def test_a_stride_has_the_degree_of_the_common_divisor(stride):
    assert conflict_degree(4 * stride * LANE).tolist() == [math.gcd(stride, 32)]
    assert conflict_degree(4 * stride * LANE + 4 * 7).tolist() == [math.gcd(stride, 32)]


@given(accesses(most=60), st.sampled_from([0, 1, 2, 3, 4, 16]))
def test_pairs_of_lanes_share_a_wide_load(access, bit):
    width, addresses = access
    # Lanes whose numbers differ by these bits alone are given one element.
    addresses = addresses[LANE & ~bit]
    pairs = list(enumerate(addresses))
    shared = any(all(addresses[lane ^ by] == a for lane, a in pairs) for by in (1, 2))
    at_once = 2 if shared and width > 4 else 1
    assert merge_pairs(addresses, width) == sum(brute_degrees(addresses, width, at_once))
    assert merge_pairs(addresses, width) <= wavefronts(addresses, width)


def test_many_warps_at_once_are_each_warp_alone():
    many = np.random.default_rng(0).integers(0, 500, (3, 5, 32)) * 16
    for width in WIDTHS:
        together = conflict_degree(many, width)
        alone = [[conflict_degree(warp, width) for warp in block] for block in many]
        np.testing.assert_array_equal(together, alone)
        assert wavefronts(many, width).shape == merge_pairs(many, width).shape == (3, 5)


# What a person can check by hand.
BY_HAND = {
    "one word for all": (0 * LANE, 4, [1]),
    "bytes of eight words": (LANE, 1, [1]),
    "halves of sixteen words": (2 * LANE, 2, [1]),
    "two words, one bank": (4 * 32 * (LANE // 16), 4, [2]),
    "eight bytes in a row": (8 * LANE, 8, [1, 1]),
    "sixteen bytes in a row": (16 * LANE, 16, [1, 1, 1, 1]),
    "one element of sixteen bytes": (0 * LANE, 16, [1, 1, 1, 1]),
    "every other double": (16 * LANE, 8, [2, 2]),
    "a column of doubles": (8 * 32 * LANE, 8, [16, 16]),
    "a column of sixteen bytes": (16 * 32 * LANE, 16, [8] * 4),
    "a column of halves": (2 * 32 * LANE, 2, [16]),
    "backwards": (4 * (31 - LANE), 4, [1]),
}


@pytest.mark.parametrize(("addresses", "width", "degrees"), BY_HAND.values(), ids=BY_HAND)
def test_patterns_by_hand(addresses, width, degrees):
    assert conflict_degree(addresses, width).tolist() == degrees


@pytest.mark.parametrize(
    ("pitch", "width", "degree"),
    [
        *((33, 4, 1), (34, 4, 2), (36, 4, 4), (40, 4, 8), (48, 4, 16), (32, 4, 32)),
        *((33, 2, 1), (34, 2, 1), (65, 2, 2), (65, 4, 1), (33, 8, 1), (33, 16, 1)),
    ],
)
def test_columns_of_padded_tiles(pitch, width, degree):
    column = pad(LANE, np.int64(4), pitch) * width
    assert max(conflict_degree(column, width)) == degree
    assert max(conflict_degree(pad(np.int64(5), LANE, pitch) * width, width)) == 1


@pytest.mark.parametrize(("pitch", "degree"), [(16, 8), (17, 2), (18, 1), (19, 2)])
def test_two_columns_of_a_small_tile(pitch, degree):
    assert conflict_degree(4 * pad(LANE % 16, LANE // 16, pitch)).tolist() == [degree]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 9))
def test_padding_is_a_view_of_a_wider_array(rows, columns, padding):
    wide = np.arange(rows * (columns + padding)).reshape(rows, columns + padding)
    row, column = np.mgrid[:rows, :columns]
    np.testing.assert_array_equal(pad(row, column, columns + padding), wide[:, :columns])


@pytest.mark.parametrize("columns", [1, 2, 8, 16, 32, 64])
def test_a_swizzle_keeps_each_row_and_flips_digits(columns):
    row, column = np.mgrid[:columns, :columns]
    index = swizzle(row, column, columns)
    assert sorted(index.ravel().tolist()) == list(range(columns**2))
    for r in range(columns):
        for c in range(columns):
            # Exclusive or, digit by digit.
            digits = [str(int(a != b)) for a, b in zip(f"{r:08b}", f"{c:08b}", strict=True)]
            assert index[r, c] == columns * r + int("".join(digits), 2)


def test_a_swizzled_tile_is_free_along_rows_and_columns():
    row, column = np.mgrid[:32, :32]
    index = 4 * swizzle(row, column)
    assert conflict_degree(index).max() == 1
    assert conflict_degree(index.T).max() == 1
    # The diagonal pays for it: column XOR row is 0 all along.
    assert conflict_degree(4 * swizzle(LANE, LANE)).tolist() == [32]


@pytest.mark.parametrize("width", [0, 3, 5, 32, -4])
def test_another_width_raises(width):
    with pytest.raises(ValueError, match="must be one of"):
        words(LANE * 32, width)


def test_an_address_off_its_width_raises():
    with pytest.raises(ValueError, match="no multiple of 8 bytes"):
        conflict_degree(4 * LANE, 8)


@pytest.mark.parametrize("columns", [0, 3, 12, -8])
def test_a_swizzle_of_other_columns_raises(columns):
    with pytest.raises(ValueError, match="power of two"):
        swizzle(LANE, LANE, columns)
