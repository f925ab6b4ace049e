"""Make tests/js/vectors/floats.json: what the kernels do, for their JavaScript twins to repeat.

    python tests/golden/make_float_vectors.py

Small layouts are written out code by code, larger ones at every exponent. A million patterns are
not stored: both languages draw them from the same mixing function, and the file has one digest of
what the kernels say about each block of 10,000. Patterns and rows of 64 bits are text.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import trace
from explainers.data.steps import steps
from explainers.kernels import float_adder, floats
from explainers.kernels.float_rounding import encode, encode_ratio, exact_decimal, ratio
from explainers.kernels.floats import (
    KINDS,
    LAYOUTS,
    Layout,
    classify,
    decode,
    decode_all,
    neighbours,
    spacing,
    split,
)

TARGET = Path(__file__).parents[1] / "js" / "vectors" / "floats.json"
BLOCK = 10_000
BLOCKS = 100
PAIRS = 200_000
WATCH = (
    *("large", "small", "exponent", "high", "lower", "low"),
    *("shift", "total", "move", "kept", "rest", "magnitude"),
)
"""The locals of the adder, in the order of the columns."""

Array = npt.NDArray[Any]

TYPED = [
    *("0.1", "0.2", "0.3", "0.15625", "-6.75", "1", "-1", "+1", ".5", "5.", "1e0", "1E3", "007"),
    *("0", "-0", "+0", "-0.0", "0e999999", "0x0p0", "inf", "-inf", "Infinity", "nan", "-nan"),
    *("1e-45", "7e-46", "7.1e-46", "1e-46", "1e-324", "5e-324", "2.4703282292062327e-324"),
    *(
        "3.4028235e38",
        "3.4028236e38",
        "3.5e38",
        "1e39",
        "65504",
        "65519",
        "65520",
        "57344",
        "61440",
    ),
    *("448", "449", "464", "464.0000001", "480", "1e9", "240", "256", "2049", "2051", "257", "17"),
    *("16777216", "16777217", "16777218", "16777219", "9007199254740993", "9007199254740995"),
    *("0x1p-126", "0x1.8p-3", "0x.8p1", "0xffffffp104", "0x1.fffffep127", "0x1p-149", "0x1p-150"),
    *("0x1.000001p-150", "-0x1p-1074", "0x1p1024", "0x1p99999999999", "0x1p-99999999999"),
    *("1.00390625000000001", "1.00390625", "1.0039062500931322574615478515625"),
    *("2.98023223876953125e-8", "2.980232238769531911744e-8", "1e400", "-1e400", "1e-400"),
    *("1e999999999999", "1e-999999999999", "−2.5", "1_000_000", " 42 "),
    "0." + "3" * 400,
    "1" * 400,
    "0." + "0" * 400 + "1",
    "1." + "0" * 398 + "1",
    "0.1000000014901161193847656250" + "0" * 380,
    "0." + "0" * 44 + "7006492321624085354618" + "0" * 340,
]
"""Texts whose number is known to Python's fractions, in every layout."""

PATTERNS = ["0x0", "0x3dcccccd", "0x7f", "0b0011", "0xff", "0xffff", "0x7f800001", "0x1_00"]
NONSENSE = [
    "",
    "  ",
    "abc",
    "1e",
    "--1",
    "1.2.3",
    "0x",
    "1,000",
    "1,000.5",
    "e5",
    ".",
    "1 2",
    "0xg",
]


def mixed(first: int, n: int) -> Array:
    """Return n words of 32 bits: the counter from `first`, mixed as murmur3 ends."""
    h = np.arange(first, first + n, dtype=np.uint32)
    h ^= h >> np.uint32(16)
    h *= np.uint32(0x85EBCA6B)
    h ^= h >> np.uint32(13)
    h *= np.uint32(0xC2B2AE35)
    return h ^ (h >> np.uint32(16))


def digest(*parts: bytes) -> str:
    """Return the start of a SHA-256."""
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def said_of(patterns: Array, layout: Layout) -> str:
    """Digest all that the kernels say about some patterns; exact decimals of each 64th one."""
    kind = classify(patterns, layout)
    finite = kind < 3
    below, above = neighbours(patterns, layout)
    decimals = [exact_decimal(int(pattern), layout) for pattern in patterns[::64]]
    return digest(
        kind.astype("u1").tobytes(),
        np.where(finite, decode_all(patterns, layout), 0).astype("<f8").tobytes(),
        np.where(finite, spacing(patterns, layout), 0).astype("<f8").tobytes(),
        below.astype("<i8").tobytes(),
        above.astype("<i8").tobytes(),
        " ".join(decimals).encode(),
    )


def blocks() -> list[str]:
    """Return one digest a block of a million patterns of binary32."""
    return [said_of(mixed(block * BLOCK, BLOCK), LAYOUTS["binary32"]) for block in range(BLOCKS)]


def doubles(n: int) -> Array:
    """Return n float64 numbers: any bits, and half of them near the range of the layouts."""
    high, low = mixed(10**7, n).astype(np.uint64), mixed(2 * 10**7, n).astype(np.uint64)
    near = (high & np.uint64(0x800FFFFF)) | ((1023 - 160 + high % np.uint64(320)) << np.uint64(20))
    high = np.where(np.arange(n) % 2 == 0, near, high)
    return ((high << np.uint64(32)) | low).view(np.float64)


def rounded() -> dict[str, str]:
    """Return the digest of 100,000 roundings to each layout, ties among them."""
    x = doubles(100_000)
    tied = np.abs(np.where(np.isfinite(x), x, 0)) % 4096
    x = np.where(np.arange(len(x)) % 5 == 0, np.floor(tied * 16) / 16, x)
    return {
        name: digest(encode(x, layout).astype("<u8").tobytes()) for name, layout in LAYOUTS.items()
    }


def chosen(layout: Layout) -> list[int]:
    """Return patterns at every exponent, or all codes of a small layout."""
    exponent_bits, mantissa_bits, *_ = layout
    bits = 1 + exponent_bits + mantissa_bits
    if bits <= 8:
        return list(range(2**bits))
    last = 2**mantissa_bits - 1
    # In binary64 the decimals grow to a thousand digits, and 16 bits have a digest of all codes.
    every = range(0, 2**exponent_bits, {64: 73, 32: 1, 16: 5}[bits])
    exponents = sorted({*every, 1, 2**exponent_bits - 2, 2**exponent_bits - 1})
    fractions = (0, 1, last // 3, last)
    return [
        sign * 2 ** (bits - 1) + exponent * 2**mantissa_bits + fraction
        for sign in (0, 1)
        for exponent in exponents
        for fraction in (fractions if bits < 64 else (0, last // 3))
    ]


def cases(layout: Layout) -> Iterator[list[Any]]:
    """Yield pattern, fields, kind, value, gap, neighbours and decimal of each chosen pattern."""
    for pattern in chosen(layout):
        one = np.array([pattern], dtype=np.uint64)
        fields = [int(field[0]) for field in split(one, layout)]
        kind = KINDS[int(classify(one, layout)[0])]
        number = kind not in ("infinity", "NaN")
        wide = layout.mantissa_bits > 40
        below, above = (-1, -1) if wide else (int(n[0]) for n in neighbours(one, layout))
        yield [
            hex(pattern),
            *fields[:2],
            hex(fields[2]),
            kind,
            hex(int(np.float64(decode(pattern, layout)).view(np.uint64))) if number else "",
            math.frexp(float(spacing(one, layout)[0]))[1] - 1 if number else 0,
            hex(below) if below >= 0 else "",
            hex(above) if above >= 0 else "",
            exact_decimal(pattern, layout) if pattern < 2 ** (sum(layout[:2])) else "",
        ]


def fraction_of(text: str) -> Fraction:
    """Return the number that a text spells, exactly; powers are cut where nothing is left."""
    plain = text.strip().lower().replace("−", "-").replace("_", "").removeprefix("+")
    if "p" in plain:
        significand, power = plain.replace("0x", "").split("p")
        whole, _, part = significand.lstrip("-").partition(".")
        size = Fraction(int(whole + part or "0", 16), 16 ** len(part))
        size *= Fraction(2) ** max(min(int(power), 3000), -3000)
        return -size if significand.startswith("-") else size
    significand, _, power = plain.partition("e")
    return Fraction(significand) * Fraction(10) ** max(min(int(power or "0"), 900), -900)


def typed() -> Iterator[list[Any]]:
    """Yield text, layout, pattern ("" where the text is refused), whether nothing was rounded."""
    for name, layout in LAYOUTS.items():
        sign = 2 ** sum(layout[:2])
        infinity = encode_ratio(2**2000, 1, layout)
        quiet = int(encode(np.array([math.nan]), layout)[0])
        for text in TYPED:
            low = text.strip().lower()
            negative = sign if low.startswith(("-", "−")) else 0
            if "inf" in low:
                refused = layout.specials == "fn"
                yield [text, name, "" if refused else hex(infinity + negative), not refused]
            elif "nan" in low:
                yield [text, name, hex(quiet + negative), True]
            else:
                number = fraction_of(text)
                magnitude = encode_ratio(*abs(number).as_integer_ratio(), layout)
                exact = magnitude < infinity and Fraction(*ratio(magnitude, layout)) == abs(number)
                yield [text, name, hex(magnitude + negative), exact]
        for text in PATTERNS:
            pattern = int(text, 0)
            fits = pattern < 2 * sign
            yield [text, name, hex(pattern) if fits else "", fits]
        for text in NONSENSE:
            yield [text, name, "", False]


def shortest() -> Iterator[list[str]]:
    """Yield layout, pattern and the shortest decimal that NumPy prints for it."""
    types = {"binary16": ("u2", "f2"), "binary32": ("u4", "f4"), "binary64": ("u8", "f8")}
    for name, (row, number) in types.items():
        words = mixed(3 * 10**7, 700).astype(np.uint64) << np.uint64(32) | mixed(4 * 10**7, 700)
        size = np.dtype(row).itemsize * 8
        powers = np.array([2.0**e for e in range(-14, 16)]).astype(number).view(row)
        small = np.arange(1, 40).astype(row)
        tenths = (np.arange(1, 100) / 10).astype(number).view(row)
        drawn = (words >> np.uint64(64 - size)).astype(row)
        for pattern in (*drawn, *powers, *small, *tenths):
            x = pattern.view(number)
            if np.isfinite(x):
                yield [name, hex(int(pattern)), np.format_float_scientific(x, unique=True)]


def pairs(n: int) -> tuple[Array, Array]:
    """Return n pairs of binary32 patterns; of most, the exponents lie near each other."""
    a, b = mixed(5 * 10**7, n), mixed(6 * 10**7, n)
    exponent = (a >> np.uint32(23)).astype(np.int64) % 256 + b.astype(np.int64) % 61 - 30
    near = (b & np.uint32(0x807FFFFF)) | (exponent.clip(0, 255).astype(np.uint32) << np.uint32(23))
    return a, np.where(np.arange(n) % 4 > 0, near, b)


def sums() -> str:
    """Return the digest of the machine's own sums of 200,000 pairs, NaN as the kernel's."""
    a, b = pairs(PAIRS)
    with np.errstate(all="ignore"):
        total = a.view(np.float32) + b.view(np.float32)
    # The machine keeps bits of a NaN that came in; so does the kernel, and neither is compared.
    return digest(np.where(np.isnan(total), 0, total.view(np.uint32)).astype("<u4").tobytes())


def additions() -> Iterator[list[Any]]:
    """Yield a, b, their sum and the named steps of the kernel."""
    names = [step.name for step in steps(Path(float_adder.__file__).read_text(), "add")]
    fixed = [
        *((0x4B800000, 0x3F800000), (0x4B800000, 0x40400000), (0x3DCCCCCD, 0x3E4CCCCD)),
        *((0x3F800000, 0xBF7FFFFF), (0x3F800000, 0xBF800000), (0x80000000, 0x80000000)),
        *((0x80000000, 0), (1, 1), (0x007FFFFF, 1), (0x00800000, 0x80000001)),
        *((0x7F7FFFFF, 0x7F7FFFFF), (0x7F7FFFFF, 0x73000000), (0x7F7FFFFF, 0x72FFFFFF)),
        *(
            (0x7F800000, 0x3F800000),
            (0x7F800000, 0xFF800000),
            (0x7FC00000, 0),
            (0x4CBEBC20, 0x40800000),
        ),
        *((0x4CBEBC20, 0x40800001), (0x4CBEBC20, 0xCCBEBC20), (0x3F800000, 0x33800000)),
    ]
    drawn = zip(*(side[:300].tolist() for side in pairs(300)), strict=True)
    for a, b in [*fixed, *drawn]:
        run = trace(float_adder.add, a, b, watch=watched(a, b))
        columns = {name: run[name].astype(float).tolist() for name in run}
        yield [
            a,
            b,
            run.result,
            [
                [names[at], *(plain(columns[name][step]) for name in columns)]
                for step, at in enumerate(run.at.tolist())
                if names[at]
            ],
        ]


def decodings() -> Iterator[list[Any]]:
    """Yield pattern of binary32 and the named steps of the kernel that reads it."""
    names = [step.name for step in steps(Path(floats.__file__).read_text(), "decode")]
    fixed = [0x3E200000, 0xC0D80000, 1, 0x807FFFFF, 0x80000000, 0xFF800000, 0x7F7FFFFF]
    for pattern in [*fixed, *mixed(7 * 10**7, 60).tolist()]:
        if pattern % 2**31 > 0x7F800000:
            continue  # JSON has no NaN
        run = trace(decode, pattern, LAYOUTS["binary32"], watch=("s", "E", "F", "value"))
        columns = [run[name].astype(float).tolist() for name in ("s", "E", "F", "value")]
        yield [
            pattern,
            [
                [names[at], *(None if math.isnan(c[t]) else shown(c[t]) for c in columns)]
                for t, at in enumerate(run.at.tolist())
                if names[at]
            ],
        ]


def shown(value: float) -> float | int | str:
    """Return a number as JSON can hold it; -0 and infinities are text."""
    if math.isinf(value) or (value == 0 and math.copysign(1, value) < 0):
        return str(value)
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def watched(a: int, b: int) -> tuple[str, ...]:
    """Return the locals that the adder sets for this pair: it may end early."""
    if any(one % 2**31 >= 0x7F800000 for one in (a, b)):
        return ()
    return WATCH[:8] if a ^ b == 2**31 or (a | b) % 2**31 == 0 else WATCH


def plain(value: float) -> int | None:
    """Return a local as JSON holds it; one not yet set is null."""
    return None if math.isnan(value) else int(value)


def lines(rows: Iterator[Any]) -> str:
    """Return a JSON list with one row a line."""
    return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]"


def text() -> str:
    """Return the file's text; a test holds the committed file to it."""
    parts = {
        "block": json.dumps(BLOCK),
        "blocks": json.dumps(blocks()),
        "rounded": json.dumps(rounded()),
        "pairs": json.dumps(PAIRS),
        "sums": json.dumps(sums()),
        "locals": json.dumps(WATCH),
        "decodings": lines(decodings()),
        "additions": lines(additions()),
        "typed": lines(typed()),
        "shortest": lines(shortest()),
        "all": json.dumps(
            {
                name: said_of(np.arange(2**16, dtype=np.uint64), LAYOUTS[name])
                for name in ("binary16", "bfloat16")
            }
        ),
        **{name: lines(cases(layout)) for name, layout in LAYOUTS.items()},
    }
    return "{\n" + ",\n".join(f'"{name}": {part}' for name, part in parts.items()) + "\n}\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text())
