"""The datasets of "efficient matrix transpose" against oracles that share no code with them."""

import functools
import math
from pathlib import Path

import numpy as np
import pytest

from explainers.data.run import run_here

ROOT = Path(__file__).parents[2]
N, TILE = 64, 32


@functools.cache
def computed(name):
    return run_here(ROOT, "efficient-matrix-transpose", name)


def sectors(elements):
    """Sectors of 32 bytes that hold some floats, by the places of their bytes."""
    return len({byte // 32 for one in elements for byte in range(4 * one, 4 * one + 4)})


def passes(words):
    """Distinct words of the busiest of 32 banks."""
    banks = {}
    for word in words:
        banks.setdefault(word % 32, set()).add(word)
    return max(map(len, banks.values()))


def test_the_letter_is_not_its_own_transpose():
    values = computed("matrix").values
    assert values.shape == (N, N)
    assert np.any(values != values.T)


@pytest.mark.parametrize("lanes", ["row", "column"])
def test_the_requests_of_the_first_figure_are_a_transpose(lanes):
    state = computed("direct").at(lanes=lanes)
    by = {
        int(to): int(of)
        for r, w in zip(state.reads, state.writes, strict=True)
        for of, to in zip(r, w, strict=True)
    }
    assert by == {x * N + y: y * N + x for y in range(N) for x in range(N)}
    assert [sectors(map(int, row)) for row in state.reads] == state.read_sectors.tolist()
    assert [sectors(map(int, row)) for row in state.writes] == state.write_sectors.tolist()


def test_the_requests_of_the_tiled_figure_are_a_transpose_for_every_layout():
    moves = computed("staged")
    for layout in computed("tiles").axis("layout"):
        tile, out = computed("tiles").at(layout=layout), {}
        for block in range(0, len(moves.reads), TILE):
            held = {}
            for k in range(TILE):
                held |= zip(tile.stores[k].tolist(), moves.reads[block + k].tolist(), strict=True)
            assert len(held) == TILE * TILE, "no two cells share a word"
            for k in range(TILE):
                words, places = tile.loads[k].tolist(), moves.writes[block + k].tolist()
                out |= {to: held[word] for to, word in zip(places, words, strict=True)}
        assert out == {x * N + y: y * N + x for y in range(N) for x in range(N)}
        assert [passes(row) for row in tile.stores.tolist()] == tile.store_passes.tolist()
        assert [passes(row) for row in tile.loads.tolist()] == tile.load_passes.tolist()
        assert max(tile.stores.max(), tile.loads.max()) < TILE * tile.pitch
        assert tile.bytes == TILE * tile.pitch * 4


def test_a_column_queues_as_often_as_pitch_and_banks_have_a_common_divisor():
    pitches = computed("pitches")
    for pitch in pitches.axis("pitch"):
        column = pitches.at(side="loading a column", pitch=pitch)
        row = pitches.at(side="storing a row", pitch=pitch)
        assert column.degree == math.gcd(pitch, 32) == passes(column.word.tolist())
        assert row.degree == 1
        assert column.word.tolist() == [lane * pitch + 5 for lane in range(32)]
        assert row.word.tolist() == [5 * pitch + lane for lane in range(32)]
        assert column.read("pass").max() == column.degree - 1


def test_the_work_of_each_version_is_the_closed_form():
    found = {v: computed("work").at(version=v) for v in computed("work").axis("version")}
    assert {v: (s.reads, s.writes) for v, s in found.items()} == {
        "copy": (4, 4), "scatter": (4, 32), "gather": (32, 4), "tiled": (4, 4),
        "padded": (4, 4), "padded34": (4, 4), "swizzled": (4, 4),
    }  # fmt: skip
    assert {v: (s.stores, s.loads) for v, s in found.items() if s.stores} == {
        "tiled": (1, 32), "padded": (1, 1), "padded34": (1, 2), "swizzled": (1, 1),
    }  # fmt: skip
    assert all(state.right for state in found.values())
    assert found["scatter"].share == found["gather"].share == pytest.approx(8 / 36)


def test_four_mistakes_write_what_their_indices_say():
    letter, mistakes = computed("matrix").values, computed("mistakes")
    half = TILE
    quarters = {
        (i, j): letter[i * half : i * half + half, j * half : j * half + half]
        for i in (0, 1)
        for j in (0, 1)
    }

    def made(tile):
        return np.block([[tile(i, j) for j in (0, 1)] for i in (0, 1)])

    expected = {
        # Two tiles of four belong where they were; of each, a diagonal belongs as it was stored.
        "blocks stay": (made(lambda i, j: quarters[i, j].T), N * N // 2),
        "tile as stored": (made(lambda i, j: quarters[j, i]), N * N - 4 * TILE),
        "threads swap": (letter.T, 0),
    }
    for mistake, (out, wrong) in expected.items():
        state = mistakes.at(mistake=mistake)
        np.testing.assert_array_equal(state.values, out)
        assert state.wrong == wrong
    # Warp w of 8 finds the columns of warps 0 to w, 4 each: of 32, 28 - 4w are missing, 4 times.
    missing = sum(4 * (28 - 4 * warp) for warp in range(8))
    assert mistakes.at(mistake="no barrier").wrong == 4 * missing
    assert [mistakes.at(mistake=m).sectors for m in mistakes.axis("mistake")] == [4, 4, 32, 4]


def test_without_the_barrier_a_warp_finds_its_own_and_earlier_rows():
    values, right = (
        computed("mistakes").at(mistake="no barrier").values,
        computed("matrix").values.T,
    )
    for y in range(N):
        for x in range(N):
            # Row y of the output is column y of the tile, loaded by warp y mod 8.
            expected = right[y, x] if x % TILE % 8 <= y % TILE % 8 else 2
            assert values[y, x] == expected


def test_the_questions_answers():
    answers = computed("answers")
    assert answers.padded_bytes == 4224
    assert answers.every_second == sectors(range(0, 64, 2)) == 8
    assert answers.pitch40 == passes([40 * lane for lane in range(32)]) == 8

    def worst(pitch, width):
        """Passes of the worst column for narrow elements: distinct words in one bank."""
        columns = ([width * (lane * pitch + c) // 4 for lane in range(32)] for c in range(32))
        return max(map(passes, columns))

    assert (answers.half32, answers.half33, answers.half34) == tuple(
        worst(p, 2) for p in (32, 33, 34)
    )
    halves = [[2 * (lane * 33 + 5) + k for lane in half for k in (0, 1)]
              for half in (range(16), range(16, 32))]  # fmt: skip
    assert answers.double == sum(map(passes, halves))


def test_rates_are_bytes_over_the_median_of_the_recorded_seconds():
    timings, speeds = computed("timings"), computed("speeds")

    def sorted_runs(version, n):
        return [
            sorted(timings.at(recording=r, n=n).read(version).tolist())
            for r in timings.axis("recording")
        ]

    def rates(runs, n):
        return [8 * n * n / run[len(run) // 2] / 1e9 for run in runs]

    for n in speeds.axis("n"):
        copies = rates(sorted_runs("copy", n), n)
        for version in speeds.axis("version"):
            runs = sorted_runs(version, n)
            medians = rates(runs, n)
            state = speeds.at(version=version, n=n)
            assert state.rate == pytest.approx(math.fsum(medians) / len(medians))
            assert state.low == pytest.approx(8 * n * n / max(run[-1] for run in runs) / 1e9)
            assert state.high == pytest.approx(8 * n * n / min(run[0] for run in runs) / 1e9)
            shares = [rate / copy for rate, copy in zip(medians, copies, strict=True)]
            assert state.share == pytest.approx(math.fsum(shares) / len(shares))
            assert (state.share_low, state.share_high) == pytest.approx((min(shares), max(shares)))


def test_the_times_beside_the_counts_are_of_the_same_kernels():
    times, speeds, counts = computed("tile_time"), computed("speeds"), computed("counts")
    took = {
        "copy": times.took_copy,
        "gather": times.took_gather,
        "tiled": times.took,
        "padded": times.took_padded,
    }
    for version, seconds in took.items():
        rate = speeds.at(version=version, n=4096).rate  # a mean of rates, not the rate of a mean
        assert seconds == pytest.approx(8 * 4096**2 / (1e3 * rate), rel=1e-3)
    assert times.requests == 4096 * 4096 / 32
    assert times.sectors_gathered == 32 * times.requests
    versions = list(computed("work").axis("version"))
    for version, field in (("tiled", "passes"), ("padded", "passes_padded")):
        at = versions.index(version)
        runs = [counts.at(recording=r) for r in counts.axis("recording")]
        every = [float(x.shared_store_passes[at] + x.shared_load_passes[at]) for x in runs]
        assert times.read(field) == pytest.approx(math.fsum(every) / len(every))


def test_nothing_was_in_a_wrong_place_when_it_was_timed_or_counted():
    for name, axis in (
        ("timings", "n"),
        ("neighbours", "n"),
        ("blocks", "rows"),
        ("libraries", "n"),
    ):
        data = computed(name)
        for r in data.axis("recording"):
            assert all(data.at(**{"recording": r, axis: at}).wrong == 0 for at in data.axis(axis))
    counts = computed("counts")
    assert all(counts.at(recording=r).wrong == 0 for r in counts.axis("recording"))


def test_no_rate_exceeds_what_the_memory_can_move():
    speeds = computed("speeds")
    # 4.8 TB/s is the data sheet's; what stays in the cache at the end of a launch may add a little.
    assert all(
        speeds.at(version=v, n=n).high < 4800
        for v in speeds.axis("version")
        for n in speeds.axis("n")
    )


def test_the_counters_are_the_model_s_where_the_model_speaks():
    counted, work = computed("counted_work"), computed("work")
    for version in work.axis("version"):
        seen, said = counted.at(version=version), work.at(version=version)
        assert (seen.reads, seen.writes) == pytest.approx((said.reads, said.writes), rel=1e-3)
        assert said.loads <= seen.loads <= 1.25 * said.loads
        assert said.stores <= seen.stores <= 1.25 * said.stores
        # Every launch reads the matrix from memory at least once, less what its caches held.
        assert 0.98 < seen.memory_read < 1.5
