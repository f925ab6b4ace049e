"""The datasets of "shared memory bank conflicts" against sets, Python's integers and records."""

import functools
import json
import math
import runpy
import statistics
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.data.run import run_here

ROOT = Path(__file__).parents[2]
SLUG = "cuda-shared-memory-bank-conflicts"
degree = runpy.run_path(str(ROOT / "content/articles" / SLUG / "degree.py"))["degree"]
RECORDED = ROOT / "content/articles" / SLUG / "recorded"
WIDTHS = (4, 8, 16)
WARPS = (1, 2, 4, 8, 16, 32)
TIMED, COUNTED = 2048, 512
"""Accesses of a warp in a launch."""


@functools.cache
def computed(name):
    return run_here(ROOT, SLUG, name)


def fullest(words):
    """How many different words the fullest bank is asked for: a set for each bank."""
    banks = [set() for _ in range(32)]
    for word in words:
        banks[word % 32].add(word)
    return max(map(len, banks))


def groups(elements, width, at_once=1):
    """The words under the bytes of each group of lanes that is served together."""
    lanes = 32 if width <= 4 else 128 // width * at_once
    for start in range(0, 32, lanes):
        yield {
            byte // 4
            for element in elements[start : start + lanes]
            for byte in range(element * width, element * width + width)
        }


def load_passes(elements, width):
    """Passes of a load; pairs of lanes with one element let wide loads take two groups."""
    shared = any(all(elements[i] == elements[i ^ by] for i in range(32)) for by in (1, 2))
    return sum(map(fullest, groups(elements, width, 2 if shared and width > 4 else 1)))


def store_passes(elements, width):
    return sum(map(fullest, groups(elements, width)))


def assert_served(state, elements, width=4):
    """The figure's words are the elements', and each pass serves one word of a bank at most."""
    used = [k for k, word in enumerate(state.word.tolist()) if word >= 0]
    words, passes = state.word[used].tolist(), getattr(state, "pass")[used].tolist()
    each = max(1, width // 4)
    assert words == [e * width // 4 + part for e in elements for part in range(each)]
    assert state.passes == load_passes(elements, width) == 1 + max(passes)
    for at in range(state.passes):
        served = [word for word, p in zip(words, passes, strict=True) if p == at]
        assert served
        assert fullest(served) == 1
    # Before a lane's word is served, its bank is busy with others of its group.
    waited = {(word % 32, p) for word, p in zip(words, passes, strict=True)}
    if width == 4:
        assert all((bank, p - 1) in waited for bank, p in waited if p)


@pytest.mark.parametrize("stride", range(34))
def test_strides_are_served_as_sets_say(stride):
    state = computed("strides").at(stride=stride)
    assert_served(state, [stride * lane for lane in range(32)])
    assert state.degree == state.passes == (math.gcd(stride, 32) if stride else 1)
    sectors = computed("sectors").at(stride=stride)
    asked = {4 * stride * lane + byte for lane in range(32) for byte in range(4)}
    moved = {byte // 32 for byte in asked}
    assert (sectors.sectors, sectors.lines) == (len(moved), len({s // 4 for s in moved}))
    assert sectors.useful == len(asked) / (32 * len(moved))


def test_a_padded_tile_is_a_view_of_a_wider_array():
    tile = computed("tile")
    for length in range(30, 49):
        memory = np.arange(80 * length)
        rows = np.lib.stride_tricks.as_strided(
            memory, (32, 32), (length * memory.itemsize, memory.itemsize)
        )
        for access, cells in (
            ("row 5", rows[5]),
            ("column 5", rows[:, 5]),
            ("the diagonal", rows.diagonal()),
        ):
            assert_served(tile.at(access=access, length=length), cells.tolist())
        assert tile.at(access="column 5", length=length).passes == math.gcd(length, 32)
        assert tile.at(access="the diagonal", length=length).passes == math.gcd(length + 1, 32)


def test_layouts_keep_every_word_once_and_cost_what_they_need():
    layouts = computed("layouts")
    for layout, pitch in (("rows of 32", 32), ("rows of 33", 33), ("rows of 32, swizzled", 32)):
        rows, columns, diagonals = (
            [layouts.at(layout=layout, access=access, number=n) for n in range(32)]
            for access in ("row", "column", "diagonal")
        )
        grid = [state.word.tolist() for state in rows]
        assert len({word for row in grid for word in row}) == 1024
        for n in range(32):
            assert_served(rows[n], grid[n])
            assert_served(columns[n], [row[n] for row in grid])
            assert_served(diagonals[n], [row[(r + n) % 32] for r, row in enumerate(grid)])
            assert all(word // pitch == n for word in grid[n])
            assert rows[n].passes == 1
            assert columns[n].passes == (32 if layout == "rows of 32" else 1)
            assert rows[n].bytes == columns[n].bytes == 4 * 32 * pitch
    swizzled = [
        layouts.at(layout="rows of 32, swizzled", access="row", number=r).word for r in range(32)
    ]
    assert computed("answers").diagonal == fullest([int(swizzled[r][r]) for r in range(32)])


def test_narrow_columns_are_those_of_a_wider_array():
    narrow = computed("narrow")
    shapes = {"1 column": 32, "2 columns": 16, "4 columns": 8}
    assert list(narrow.axis("columns")) == list(shapes)
    for columns, rows in shapes.items():
        for length in narrow.axis("length"):
            words = [row * length + column for column in range(32 // rows) for row in range(rows)]
            state = narrow.at(columns=columns, length=length)
            assert_served(state, words)
            assert (state.passes == 1) == (length % (64 // rows) == 32 // rows)


SHARED = {
    "an element each": lambda lane: lane,
    "every other element": lambda lane: 2 * lane,
    "one a pair, lanes 0 and 1": lambda lane: lane // 2,
    "one a pair, lanes 0 and 2": lambda lane: lane // 4 * 2 + lane % 2,
    "one a pair, lanes 0 and 4": lambda lane: lane // 8 * 4 + lane % 4,
    "one a pair, lanes 0 and 16": lambda lane: lane % 16,
    "one for all": lambda lane: 0,
}


def test_wide_loads_are_served_in_groups_that_pairs_merge():
    wide = computed("wide")
    assert list(wide.axis("lanes")) == list(SHARED)
    for lanes, element in SHARED.items():
        for size in wide.axis("element"):
            width = int(size.split()[0])
            state = wide.at(element=size, lanes=lanes)
            wanted = [element(lane) for lane in range(32)]
            assert_served(state, wanted, width)
            assert state.groups == store_passes(wanted, width)
            assert (state.word[32 * max(1, width // 4) :] == -1).all()


def test_the_law_is_that_of_sets():
    law = computed("law")
    for width in WIDTHS:
        state = law.at(width=width)
        assert state.stride.tolist() == list(range(65))
        expected = [load_passes([s * lane for lane in range(32)], width) for s in range(65)]
        assert state.passes.tolist() == expected


def test_the_answers_are_counted_by_hand():
    answers = computed("answers")
    assert answers.law == answers.strides == 128
    assert (answers.rows, answers.columns, answers.diagonal) == (1, 1, 32)
    assert (answers.stride24, answers.word7, answers.apart, answers.doubles) == (8, 1, 2, 1)
    lengths = [(rows, n) for rows in (32, 16, 8) for n in range(32 // rows, 129)]
    assert answers.narrow_law == answers.narrow_all == len(lengths)
    free = {
        (rows, n)
        for rows, n in lengths
        if fullest([lane % rows * n + lane // rows for lane in range(32)]) == 1
    }
    assert free == {
        (rows, n) for rows, n in lengths if n // (32 // rows) % 2 and n % (32 // rows) == 0
    }


@given(st.lists(st.integers(0, 4000), min_size=32, max_size=32))
def test_the_program_of_the_text_finds_the_fullest_bank(addresses):
    assert degree(addresses) == fullest([address // 4 for address in addresses])


@pytest.mark.parametrize("stride", range(1, 129))
def test_the_program_of_the_text_knows_the_common_divisor(stride):
    assert degree([4 * stride * lane for lane in range(32)]) == math.gcd(stride, 32)


# ---- what was measured -------------------------------------------------------------------------


@functools.cache
def raw(name):
    """Every recording's fields as arrays, read from the files."""
    found = []
    for path in sorted(RECORDED.glob(f"{name}-*.json")):
        fields = json.loads(path.read_text())["data"]["fields"]
        found.append({k: np.array(f["values"]).reshape(f["shape"]) for k, f in fields.items()})
    return found


@functools.cache
def accesses():
    """The elements of every recorded access, from the list that the recording used."""
    found = runpy.run_path(str(ROOT / "content/articles" / SLUG / "accesses.py"))["ELEMENTS"]
    return found.tolist()


def test_each_recording_says_where_it_was_made_and_there_are_two():
    for name in ("timed", "counts"):
        paths = list(RECORDED.glob(f"{name}-*.json"))
        assert len(paths) >= 2
        for path in paths:
            made = json.loads(path.read_text())["made"]
            assert {"device", "driver", "cuda", "date", "versions", "during"} <= made.keys()


def test_the_counters_agree_with_sets():
    off = 0
    for run in raw("counts"):
        for k, width in enumerate(WIDTHS):
            for access in range(len(accesses())):
                loads = load_passes(accesses()[access], width)
                stores = store_passes(accesses()[access], width)
                assert run["loads_wavefronts"][k, access] == COUNTED * loads
                assert run["stores_wavefronts"][k, access] == COUNTED * stores
                assert run["loads_instructions"][k, access] == COUNTED
                assert run["stores_instructions"][k, access] == COUNTED
                if width == 4:
                    assert run["loads_conflicts"][k, access] == COUNTED * (loads - 1)
                off += loads != stores
    against = computed("against")
    recordings = len(raw("counts"))
    assert against.loads == against.stores == against.accesses
    assert against.accesses == recordings * len(WIDTHS) * len(accesses())
    assert against.pairs * recordings == off


def test_costs_are_the_medians_of_every_launch_that_was_recorded():
    cost = computed("cost")
    assert cost.origin == "measured"
    for k, width in enumerate(WIDTHS):
        for w, warps in enumerate(WARPS):
            state = cost.at(width=width, warps=warps)
            for stride in (0, 1, 6, 32, 33, 64):
                each = [
                    [cycles / (TIMED * warps) for cycles in run["loads"][k, w, stride].tolist()]
                    for run in raw("timed")
                ]
                expected = math.fsum(map(statistics.median, each)) / len(each)
                assert state.cycles[stride] == pytest.approx(expected)
                assert state.low[stride] == pytest.approx(min(map(min, each)))
                assert state.high[stride] == pytest.approx(max(map(max, each)))


def test_the_price_of_a_degree_is_that_of_its_strides():
    price = computed("price")
    for degree in price.axis("degree"):
        strides = [s for s in range(1, 65) if math.gcd(s, 32) == degree]
        state = price.at(degree=degree)
        found = {
            "many": [run["loads"][0, 5, strides] / 32 for run in raw("timed")],
            "alone": [run["loads"][0, 0, strides] for run in raw("timed")],
            "chain": [run["chain"][0, strides] for run in raw("timed")],
        }
        for name, cycles in found.items():
            values = [(one / TIMED).ravel().tolist() for one in cycles]
            expected = math.fsum(map(statistics.median, values)) / len(values)
            assert state.read(name) == pytest.approx(expected)
            assert state.read(f"{name}_low") == pytest.approx(min(map(min, values)))
            assert state.read(f"{name}_high") == pytest.approx(max(map(max, values)))


def test_the_model_s_bounds_are_the_extremes_of_all_launches():
    held = computed("held")
    extra, ratio = [], []
    for run in raw("timed"):
        for k, width in enumerate(WIDTHS):
            for access in range(len(accesses())):
                for kind, rule in (("loads", load_passes), ("stores", store_passes)):
                    passes = rule(accesses()[access], width)
                    for w, warps in enumerate(WARPS):
                        if warps < 8:
                            continue
                        for cycles in run[kind][k, w, access].tolist():
                            extra.append(cycles - TIMED * warps * passes)
                            ratio.append(cycles / (TIMED * warps * passes))
    assert (held.extra_low, held.extra_high) == (min(extra), max(extra))
    assert (held.ratio_low, held.ratio_high) == pytest.approx((min(ratio), max(ratio)))
    ones = [run["chain"][0, 1].mean() / TIMED for run in raw("timed")]
    assert held.first == pytest.approx(math.fsum(ones) / len(ones))


def test_what_lanes_share_is_as_the_counters_saw_it():
    sharing = computed("sharing")
    assert list(sharing.axis("lanes")) == list(SHARED)
    for lanes, element in SHARED.items():
        wanted = [element(lane) for lane in range(32)]
        for k, width in enumerate(WIDTHS):
            state = sharing.at(lanes=lanes, width=width)
            assert state.rule == state.stores == store_passes(wanted, width)
            assert state.loads == load_passes(wanted, width)
            at = accesses().index(wanted)
            for run in raw("counts"):
                assert run["loads_wavefronts"][k, at] == COUNTED * state.loads
