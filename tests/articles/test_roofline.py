"""The datasets of the roofline against the recordings' own text, and against counting."""

import functools
import json
import statistics
from fractions import Fraction
from pathlib import Path

import pytest

from explainers.data.run import run_here

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "content" / "articles" / "roofline"


@functools.cache
def computed(name):
    return run_here(ROOT, "roofline", name)


@functools.cache
def raw(name):
    """What each recording holds: the sweep's values, and each field as rows of repetitions."""
    found = []
    for path in sorted((FOLDER / "recorded").glob(f"{name}-*.json")):
        data = json.loads(path.read_text())["data"]
        ((_, values),) = data["sweep"]
        fields = {}
        for field, held in data["fields"].items():
            each = len(held["values"]) // len(values)
            fields[field] = [held["values"][k * each : (k + 1) * each] for k in range(len(values))]
        found.append((values, fields))
    return found


def medians(name, field, value):
    return [statistics.median(fields[field][values.index(value)]) for values, fields in raw(name)]


def mean(values):
    return sum(values) / len(values)


def ends(name, field, value):
    """The shortest and the longest repetition of all recordings."""
    every = [one for values, fields in raw(name) for one in fields[field][values.index(value)]]
    return min(every), max(every)


def test_every_measurement_was_made_on_two_machines_with_repetitions_and_a_check():
    for name, times in (
        ("ladder", ["seconds"]),
        ("copies", ["seconds"]),
        ("squares", ["fp32", "tf32", "bf16"]),
        ("batches", ["bf16"]),
    ):
        recordings = raw(name)
        assert len(recordings) >= 2
        for _, fields in recordings:
            for field, rows in fields.items():
                if field in times:
                    assert all(len(row) >= 31 and min(row) > 0 for row in rows)
                else:
                    assert field.startswith("error")
                    assert all(0 <= row[0] < 1e-2 for row in rows)
        for path in (FOLDER / "recorded").glob(f"{name}-*.json"):
            made = json.loads(path.read_text())["made"]
            assert "H200" in made["device"]
            assert made["during"]["SM clock (MHz)"]


def test_the_rungs_are_the_medians_and_their_model_the_longer_of_two_times():
    rungs, numbers = computed("rungs"), 1 << 27
    copy, last = mean(medians("ladder", "seconds", 0)), mean(medians("ladder", "seconds", 1024))
    for fmas in rungs.axis("fmas"):
        rung = rungs.at(fmas=fmas)
        found = medians("ladder", "seconds", fmas)
        assert rung.ms == pytest.approx(mean(found) * 1e3)
        assert rung.spread == pytest.approx((max(found) - min(found)) / mean(found))
        shortest, longest = ends("ladder", "seconds", fmas)
        assert (rung.low, rung.high) == (shortest * 1e3, longest * 1e3)
        assert rung.model == pytest.approx(max(copy, last * fmas / 1024) * 1e3)
        # 4 bytes read and 4 written for 2 operations.
        assert rung.intensity == fmas / 4
        assert rung.rate == pytest.approx(2 * fmas * numbers / mean(found) / 1e12)


def test_the_batches_move_their_weights_rows_and_results_once():
    layers, roofs = computed("layers"), computed("roofs").at(type="bf16")
    for batch in layers.axis("batch"):
        layer = layers.at(batch=batch)
        seconds = mean(medians("batches", "bf16", batch))
        flop = sum(2 * 8192 * 8192 for _ in range(batch))
        moved = 2 * 8192 * 8192 + 2 * 2 * batch * 8192
        assert layer.ms == pytest.approx(seconds * 1e3)
        assert layer.intensity == pytest.approx(flop / moved)
        assert layer.rate == pytest.approx(flop / seconds / 1e12)
        limits = (flop / roofs.peak / 1e9, moved / roofs.bandwidth / 1e9)
        assert layer.model == pytest.approx(max(limits))


def test_the_ceilings_are_the_data_sheet_s_halved_where_it_counts_zeros_and_the_fastest_measured():
    sheet, roofs = computed("sheet"), computed("roofs")
    listed = {"fp32": Fraction(67), "tf32": Fraction(989, 2), "bf16": Fraction(1979, 2)}
    for type, peak in listed.items():
        state = sheet.at(type=type)
        assert state.peak == float(peak)
        assert state.ridge == pytest.approx(float(peak / Fraction("4.8")), rel=1e-14, abs=0)
        rates = [2 * n**3 / mean(medians("squares", type, n)) for n in raw("squares")[0][0]]
        if type == "bf16":
            rates += [
                2 * batch * 8192**2 / mean(medians("batches", "bf16", batch))
                for batch in raw("batches")[0][0]
            ]
        if type == "fp32":
            rates.append(2 * 1024 * 2**27 / mean(medians("ladder", "seconds", 1024)))
        found = roofs.at(type=type)
        assert found.peak == pytest.approx(max(rates) / 1e12)
        copy = 2**30 / mean(medians("ladder", "seconds", 0))
        assert found.bandwidth == pytest.approx(copy / 1e12)
        assert found.ridge == pytest.approx(max(rates) / copy)


def test_every_point_is_one_measured_kernel_and_none_is_above_the_roof():
    points, sheet = computed("points"), computed("sheet")
    assert len(points.type) == len(set(zip(points.type, points.kind, points.size, strict=True)))
    count = len(raw("ladder")[0][0]) - 1 + len(raw("batches")[0][0]) + 3 * len(raw("squares")[0][0])
    assert len(points.type) == count
    for type, intensity, rate in zip(points.type, points.intensity, points.rate, strict=True):
        roofs = sheet.at(type=str(type))
        assert 0 < rate < min(roofs.peak, intensity * roofs.bandwidth)


def test_the_copies_count_both_ways():
    rates = computed("copy_rates")
    for size in rates.axis("size"):
        state = rates.at(size=size)
        seconds = mean(medians("copies", "seconds", size))
        assert state.rate == pytest.approx(2 * size * 2**20 / seconds / 1e12)
        shortest, longest = ends("copies", "seconds", size)
        assert state.low == pytest.approx(2 * size * 2**20 / longest / 1e12)
        assert state.high == pytest.approx(2 * size * 2**20 / shortest / 1e12)


def test_the_tiles_move_what_a_loop_over_their_places_counts():
    tiles, n = computed("tiles"), 64
    for tile in tiles.axis("tile"):
        state = tiles.at(tile=tile)
        corners = range(0, n, tile)
        read = sum(2 * tile * tile for _ in corners for _ in corners for _ in corners)
        assert state.moved == read + n * n
        assert state.each == n // tile
        assert state.intensity == pytest.approx(float(Fraction(2 * n**3, 4 * (read + n * n))))
        assert state.deviation < 1e-12


def test_the_calculator_s_cases_are_exact():
    cases = computed("cases")

    def near(exact):
        return pytest.approx(float(exact), rel=1e-14, abs=0)

    for gflop in cases.axis("gflop"):
        for mb in cases.axis("mb"):
            for peak in cases.axis("peak"):
                for bandwidth in cases.axis("bandwidth"):
                    state = cases.at(gflop=gflop, mb=mb, peak=peak, bandwidth=bandwidth)
                    flop, moved = Fraction(gflop) * 10**9, Fraction(mb) * 10**6
                    arithmetic = flop / (Fraction(peak) * 10**12)
                    memory = moved / (Fraction(bandwidth) * 10**9)
                    best = max(arithmetic, memory)
                    assert state.arithmetic == near(arithmetic * 10**6)
                    assert state.memory == near(memory * 10**6)
                    assert state.best == near(best * 10**6)
                    assert state.rate == near(flop / best / 10**12)
                    assert state.intensity == near(flop / moved)
                    ridge = Fraction(peak) * 1000 / Fraction(bandwidth)
                    assert state.ridge == near(ridge)
