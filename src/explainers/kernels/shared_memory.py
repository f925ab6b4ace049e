"""Banks of a GPU's shared memory: which words a warp asks for, and how long the queues are.

A warp is 32 lanes, which load or store together. Shared memory has 32 banks; a bank is a column
of 4-byte words, and serves one word at a time. All lanes that want that word get it at once. In
the shapes, `...` are any leading axes, for many warps at once.

An element is 1 to 16 bytes wide. 32 lanes of 4 bytes ask for 32 words; lanes of 8 bytes are
served by half warps, and lanes of 16 bytes by quarter warps, so that a *group* is never more than
32 words. A load of 8 or 16 bytes takes two groups at once where all lanes share their elements in
pairs; merge_pairs() says which.
"""

# The package's docstring tells what xp is. What xp returns depends on which library it is, so mypy
# sees Any.
# ruff: noqa: D417
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Namespace = Any
"""NumPy, or a module with NumPy's functions."""

LANES = 32
BANKS = 32
WORD = 4
"""Bytes in a word: what a bank serves at a time."""

WIDTHS = (1, 2, 4, 8, 16)
"""Bytes in an element that a lane loads or stores."""


def words(addresses: Array, width: int = 4, *, xp: Namespace = np) -> Array:
    """List the words that each group of lanes asks for.

    Args:
        addresses: (..., 32) first byte of each lane's element, in bytes, integers from 0; each
            a multiple of the width.
        width: bytes in an element: 1, 2, 4, 8 or 16.

    Returns:
        (..., G, 32) word numbers, lane by lane: G is 1 up to 4 bytes, 2 for 8, 4 for 16.

    Raises:
        ValueError: the width is another, or an address is no multiple of it.

    Source:
        nvidia2025cuda, shared memory; half warps: nvidia2012cuda, compute capability 2.x; quarter
        warps: as counters show.

    Oracle:
        a set of the bytes of each element, in Python; exact.
    """
    if width not in WIDTHS:
        raise ValueError(f"width is {width}, must be one of {WIDTHS}")
    if bool((addresses % width != 0).any()):
        raise ValueError(f"an address is no multiple of {width} bytes")
    each = max(1, width // WORD)  # words in an element
    word = addresses[..., None] // WORD + xp.arange(each)  # (..., 32, each)
    return word.reshape(*addresses.shape[:-1], each, LANES)  # (..., G, 32)


def turns(word: Array, *, xp: Namespace = np) -> Array:
    """Queue the words of each group at their banks, and tell each its place in the queue.

    A word that was asked for before shares the place it has. Words queue in the order of the
    lanes; another order would change who waits, not how long the queue is.

    Args:
        word: (..., K) word numbers, those of one group along the last axis.

    Returns:
        (..., K) turn in which each word is served, from 0.

    Source:
        nvidia2025cuda, shared memory.

    Oracle:
        lists in a dictionary, in Python; exact.
    """
    a, b = word[..., :, None], word[..., None, :]  # (..., K, 1), (..., 1, K)
    place = xp.arange(word.shape[-1])  # (K,)
    first = (a == b).argmax(axis=-1)  # (..., K) who asked for this word first
    is_new = first == place  # (..., K)
    ahead = (a % BANKS == b % BANKS) & is_new[..., None, :] & (place < first[..., :, None])
    return ahead.sum(axis=-1)  # (..., K)


def conflict_degree(addresses: Array, width: int = 4, *, xp: Namespace = np) -> Array:
    """Count the words in the longest queue of each group: 1 is conflict free.

    Args:
        addresses: (..., 32) first byte of each lane's element, in bytes.
        width: bytes in an element: 1, 2, 4, 8 or 16.

    Returns:
        (..., G) degree of each group of lanes, 1 to 32.

    Raises:
        ValueError: as words().

    Source:
        nvidia2025cuda, shared memory.

    Oracle:
        sets in a dictionary, in Python, and gcd(stride, 32) for a stride in words; exact.
    """
    word = words(addresses, width, xp=xp)  # (..., G, 32)
    return turns(word, xp=xp).max(axis=-1) + 1  # (..., G)


def wavefronts(addresses: Array, width: int = 4, *, xp: Namespace = np) -> Array:
    """Count the passes over the banks that serve a whole warp: the groups' degrees, added up.

    Args:
        addresses: (..., 32) first byte of each lane's element, in bytes.
        width: bytes in an element: 1, 2, 4, 8 or 16.

    Returns:
        (...) passes, 1 to 32.

    Raises:
        ValueError: as words().

    Source:
        nvidia2025cuda, shared memory; half warps: nvidia2012cuda, compute capability 2.x; quarter
        warps: as counters show.

    Oracle:
        sets in a dictionary, in Python; exact. A GPU's counters, where they are recorded.
    """
    return conflict_degree(addresses, width, xp=xp).sum(axis=-1)  # (...)


def merge_pairs(addresses: Array, width: int = 4, *, xp: Namespace = np) -> Array:
    """Count the passes that a load takes where pairs of lanes may share what they get.

    A wide load takes two groups at once, the first and the second, the third and the fourth, if
    each lane of the warp wants the same element as lane XOR 1, or if each wants the same as
    lane XOR 2: all 32 in one way. Its degree is then that of the 64 words. Stores do not merge.

    Args:
        addresses: (..., 32) first byte of each lane's element, in bytes.
        width: bytes in an element: 1, 2, 4, 8 or 16.

    Returns:
        (...) passes, 1 to 32; at most wavefronts().

    Raises:
        ValueError: as words().

    Source:
        nvidiapairs, for compute capability 7.0 to 7.5; on 9.0 it is what counters show.

    Oracle:
        sets in a dictionary, in Python; exact. A GPU's counters, where they are recorded.
    """
    plain = wavefronts(addresses, width, xp=xp)  # (...)
    if width <= WORD:
        return plain
    word = words(addresses, width, xp=xp)  # (..., G, 32)
    word = word.reshape(*word.shape[:-2], -1, 2 * LANES)  # (..., G / 2, 64)
    merged = (turns(word, xp=xp).max(axis=-1) + 1).sum(axis=-1)  # (...)
    lane = xp.arange(LANES)
    next_to = (addresses == addresses[..., lane ^ 1]).all(axis=-1)  # (...)
    two_on = (addresses == addresses[..., lane ^ 2]).all(axis=-1)  # (...)
    return xp.where(next_to | two_on, merged, plain)  # (...)


def pad(row: Array | int, column: Array | int, pitch: int, *, xp: Namespace = np) -> Array:
    """Lay a tile out row after row, `pitch` elements from one row's start to the next.

    Args:
        row: (...) row in the tile, integers from 0.
        column: (...) column in the tile, integers from 0.
        pitch: elements from row to row: the tile's columns and any padding.

    Returns:
        (...) index of the element in memory, in elements.

    Source:
        nvidia2025practices, shared memory in matrix multiplication.

    Oracle:
        the strides of a NumPy view of a wider array; exact.
    """
    return xp.asarray(row) * pitch + column  # (...)


def swizzle(row: Array, column: Array, columns: int = 32, *, xp: Namespace = np) -> Array:
    """Lay a tile out row after row without a gap, each row's columns in another order.

    Args:
        row: (...) row in the tile, integers from 0.
        column: (...) column in the tile, integers from 0 to below `columns`.
        columns: columns of the tile, a power of two.

    Returns:
        (...) index of the element in memory, in elements.

    Raises:
        ValueError: columns is no power of two.

    Source:
        nvidia2025cutlass, cute/swizzle.hpp; this is the case of one element a step.

    Oracle:
        digits of the numbers in Python, and each row a permutation of its columns; exact.
    """
    if columns < 1 or columns & (columns - 1):
        raise ValueError(f"columns is {columns}, must be a power of two")
    row, column = xp.asarray(row), xp.asarray(column)
    return row * columns + (column ^ row % columns)  # (...)
