"""The datasets of "Binary representations of integers", against Python's and NumPy's integers."""

import functools
from pathlib import Path

import numpy as np
import pytest

from explainers.data.run import run_here

ROOT = Path(__file__).parents[2]


@functools.cache
def computed(name):
    return run_here(ROOT, "binary-representations-of-integers", name)


def signed(row, width=8):
    """A row in two's complement, by Python's own conversion of bytes."""
    wide = row | (-1 << width) if row >> (width - 1) else row
    return int.from_bytes((wide % 2**32).to_bytes(4), signed=True)


def test_rows_are_summed_to_what_python_reads():
    places = computed("place_values")
    for row in places.axis("row"):
        for sign in ("unsigned", "signed"):
            state = places.at(row=row, sign=sign)
            expected = signed(int(row, 2)) if sign == "signed" else int(row, 2)
            assert state.bits == int(row, 2)
            assert state.result == state.total[-1] == expected
            # The running sum never looks at the top bit before the end.
            assert np.nanmax(state.total[:-2]) == int(row[1:], 2)


def test_readings_are_those_of_text():
    readings = computed("readings")
    for row in range(256):
        text = f"{row:08b}"
        flipped = text.translate(str.maketrans("01", "10"))
        negative = text[0] == "1"
        size = int(text[1:], 2)
        assert readings.unsigned[row] == row
        assert readings.sign_magnitude[row] == (-size if negative else size)
        assert readings.ones[row] == (-int(flipped, 2) if negative else row)
        assert readings.twos[row] == np.uint8(row).astype(np.int8)
        assert readings.offset[row] == row - 128
    assert readings.given == 180
    assert (readings.given_sign_magnitude, readings.given_ones) == (-52, -75)
    assert (readings.given_twos, readings.given_offset) == (-76, 52)


def test_what_the_readings_cost():
    compared, readings = computed("compared"), computed("readings")
    fields = ("unsigned", "sign_magnitude", "ones", "twos", "offset")
    for reading, field in zip(compared.axis("reading"), fields, strict=True):
        state, values = compared.at(reading=reading), getattr(readings, field).tolist()
        fits = right = 0
        for a in range(256):
            for b in range(256):
                total = values[a] + values[b]
                if min(values) <= total <= max(values):
                    fits += 1
                    right += values[(a + b) % 256] == total
        assert state.adds == right / fits
        assert state.zeros == values.count(0)
        assert (state.least, state.most) == (min(values), max(values))
        assert state.sorts == (values == sorted(values))
        assert state.flips == all(values[255 - row] == -values[row] for row in range(256))


def test_the_wheel_has_two_labels():
    wheel = computed("wheel")
    assert wheel.four.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1]
    assert np.array_equal(wheel.eight, np.arange(256, dtype=np.uint8).view(np.int8))


def test_the_adder_s_pairs_and_flags():
    ripple = computed("ripple")
    for pair in ripple.axis("pair"):
        state = ripple.at(pair=pair)
        a, word, b = pair.split()
        a, b = int(a), int(b)
        total = a - b if word == "minus" else a + b
        assert state.result == total % 256 == state.row[-1]
        assert state.signed_result == signed(total % 256)
        wide = signed(a) - signed(b) if word == "minus" else signed(a) + signed(b)
        assert state.signed_sum == wide
        flags = (state.C[-1], state.V[-1], state.Z[-1], state.N[-1])
        carry = a >= b if word == "minus" else a + b > 255
        assert flags == (
            carry,
            not -128 <= wide <= 127,
            total % 256 == 0,
            total % 256 > 127,
        )


def test_the_map_of_flags_is_a_range_test_on_every_pair():
    flags = computed("flag_map")
    carry = np.unpackbits(flags.carry, axis=1)
    overflow = np.unpackbits(flags.overflow, axis=1)
    for a in range(256):
        for b in range(256):
            assert carry[a, b] == (a + b > 255)
            assert overflow[a, b] == (not -128 <= signed(a) + signed(b) <= 127)
    assert (flags.carries, flags.overflows, flags.both, flags.neither) == (
        32_640,
        16_384,
        int(np.sum(carry & overflow)),
        int(np.sum(1 - (carry | overflow))),
    )
    assert (flags.wrong_sums, flags.wrong_rule, flags.wrong_hand) == (0, 0, 0)


def test_widening_is_python_s_shift_and_mask():
    widening = computed("widening")
    for value in widening.axis("value"):
        for width in widening.axis("width"):
            state, number = widening.at(value=value, width=width), int(value)
            assert state.bits == number % 256
            assert state.sign_row == number % 2**width
            zero = number % 256 % 2**width
            assert state.zero_row == zero
            assert state.sign_value == signed(number % 2**width, width)
            assert state.zero_value == signed(zero, width)
            assert state.kept == (-(2 ** (width - 1)) <= number < 2 ** (width - 1))
            assert state.kept_zero == (state.zero_value == number)


def test_the_top_place_against_the_rest():
    weights = computed("weights")
    assert weights.width.tolist() == list(range(2, 17))
    for n, below, top in zip(weights.width, weights.below, weights.top, strict=True):
        assert below == sum(2**i for i in range(n - 1))
        assert top == int("1" + "0" * int(n - 1), 2)


def test_rules_and_answers():
    rules, answers = computed("rules"), computed("answers")
    assert (rules.itself, rules.itself_value, rules.lowest_abs) == (1, -128, -128)
    assert (rules.negated, rules.wide_kept) == (255, 256)
    kept = sum(signed(row % 256) == signed(row, 16) for row in range(65_536))
    assert (rules.narrow_kept, rules.narrow_fits, rules.narrow_wrong) == (kept, 256, 0)
    alike = [row for row in range(65_536) if len(set(f"{row:016b}"[:9])) == 1]
    assert all(signed(row % 256) == signed(row, 16) for row in alike)
    assert (len(alike), rules.narrow_dropped) == (256, 0)
    assert (answers.top_row, answers.widened, answers.flipped) == (-127, 255, 76)
    assert (answers.halved, answers.logical) == (-1 >> 1, 255 >> 1)
    assert answers.divided == int(-1 / 2)
    assert signed(0b10011100) == -100
    assert (answers.carry_both, answers.overflow_both) == (2 * 0b10011100 > 255, 2 * -100 < -128)
    assert (f"{answers.row_201:08d}", f"{answers.row_minus_100:08d}") == (
        format(201, "08b"),
        format(-100 % 256, "08b"),
    )
    assert answers.narrowed == np.int16(200).astype(np.int8) == -56
    assert (answers.below_wrong, answers.below_carry_wrong) == (0, 0)
    negabinary = {
        sum((-2) ** i for i, bit in enumerate(f"{row:08b}"[::-1]) if bit == "1")
        for row in range(256)
    }
    assert (answers.negabinary_least, answers.negabinary_most) == (min(negabinary), max(negabinary))
    assert answers.negabinary_distinct == len(negabinary)


@pytest.mark.parametrize("name", ["flag_map", "ripple", "widening"])
def test_a_second_run_gives_the_same_numbers(name):
    first, second = computed(name), run_here(ROOT, "binary-representations-of-integers", name)
    for field in first.fields:
        one, two = np.asarray(getattr(first, field)), np.asarray(getattr(second, field))
        assert np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
