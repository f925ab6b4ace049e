"""Sectors and lines of global memory, against sets of bytes."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.kernels.global_memory import (
    LINE,
    SECTOR,
    blocks,
    distinct,
    lines,
    sectors,
    useful,
)

LANE = np.arange(32)


@st.composite
def accesses(draw, most=400):
    """A width, and one element for each lane, as byte addresses."""
    width = draw(st.sampled_from([1, 2, 4, 8, 16, 32]))
    elements = draw(st.lists(st.integers(0, most), min_size=1, max_size=32))
    return width, np.array(elements) * width


def covered(addresses, width):
    """Every byte that some lane asks for."""
    return {byte for a in addresses.tolist() for byte in range(a, a + width)}


@given(accesses())
def test_blocks_are_those_of_every_byte(access):
    width, addresses = access
    asked = covered(addresses, width)
    assert sectors(addresses, width) == len({byte // 32 for byte in asked})
    assert lines(addresses, width) == len({byte // 128 for byte in asked})
    moved = len({byte // 32 for byte in asked}) * 32
    assert useful(addresses, width) == float(Fraction(len(asked), moved))
    for size in (SECTOR, LINE):
        for address, block in zip(addresses, blocks(addresses, size, width), strict=True):
            assert block * size <= address < address + width <= (block + 1) * size


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40))
def test_distinct_is_the_size_of_the_set(values):
    assert distinct(np.array(values)) == len(set(values))


@pytest.mark.parametrize(
    ("stride", "count"), [(0, 1), (1, 4), (2, 8), (3, 12), (5, 20), (8, 32), (9, 32), (100, 32)]
)
def test_sectors_of_strides(stride, count):
    assert sectors(4 * stride * LANE) == count


def test_what_is_off_by_one_element_touches_one_sector_more():
    assert [int(sectors(4 * (LANE + offset))) for offset in range(9)] == [4, *[5] * 7, 4]
    assert [int(lines(4 * (LANE + offset))) for offset in (0, 1, 31, 32)] == [1, 2, 2, 1]


def test_the_order_of_the_lanes_costs_nothing():
    order = np.random.default_rng(0).permutation(32)
    assert sectors(4 * order) == 4
    assert useful(4 * order) == 1
    assert useful(8 * LANE, 4) == 0.5


def test_many_warps_at_once_are_each_warp_alone():
    many = np.random.default_rng(1).integers(0, 500, (4, 6, 32)) * 4
    for kernel in (sectors, lines, useful):
        alone = [[kernel(warp) for warp in block] for block in many]
        np.testing.assert_array_equal(kernel(many), alone)


@pytest.mark.parametrize("width", [0, 3, 24, 64, -4])
def test_a_width_that_no_sector_holds_raises(width):
    with pytest.raises(ValueError, match="must be a power of two of at most 32"):
        sectors(LANE * 192, width)


def test_an_address_off_its_width_raises():
    with pytest.raises(ValueError, match="no multiple of 8 bytes"):
        lines(4 * LANE, 8)
