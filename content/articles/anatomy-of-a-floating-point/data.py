"""The datasets of "Anatomy of a floating point"."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset, trace
from explainers.kernels.float_adder import add
from explainers.kernels.float_rounding import encode, encode_ratio, exact_decimal, ratio
from explainers.kernels.float_sums import sum_kahan, sum_neumaier, sum_pairwise, sum_sequential
from explainers.kernels.floats import (
    LAYOUTS,
    Layout,
    classify,
    decode,
    decode_all,
    largest,
    neighbours,
    spacing,
    split,
)

Array = npt.NDArray[Any]


def each(names: str, what: Any) -> dict[str, Any]:
    """Return the same unit, type or axes for several fields."""
    return dict.fromkeys(names.split(), what)


BINARY32 = LAYOUTS["binary32"]

PATTERNS = {
    "0.15625": 0x3E200000,
    "0.1": 0x3DCCCCCD,
    "1": 0x3F800000,
    "-6.75": 0xC0D80000,
    "largest": 0x7F7FFFFF,
    "smallest normal": 0x00800000,
    "smallest": 0x00000001,
    "zero": 0x00000000,
    "negative zero": 0x80000000,
    "infinity": 0x7F800000,
    "NaN": 0x7FC00000,
}
"""Patterns of binary32 that the bit board offers."""


def near(pattern: int, layout: Layout = BINARY32) -> tuple[int, int]:
    """Return the patterns of the numbers below and above; -1 where there is none."""
    below, above = neighbours(np.array([pattern]), layout)
    return int(below[0]), int(above[0])


def gap_of(pattern: int, layout: Layout = BINARY32) -> float:
    """Return the gap from a number to the next one away from zero."""
    return float(spacing(np.array([pattern], dtype=np.uint64), layout)[0])


def typed(numerator: int, denominator: int = 1, layout: Layout = BINARY32) -> int:
    """Return the pattern that a typed number gets."""
    return encode_ratio(numerator, denominator, layout)


def value(pattern: int, layout: Layout = BINARY32) -> float:
    """Return the number that a pattern stands for."""
    return decode(pattern, layout)


@dataset(
    sweep={"pattern": list(PATTERNS)},
    units={"bits": "1", "exact": "1", "below": "1", "above": "1", "gap": "1"},
    nonfinite=["value", "gap"],
)
def decoded(pattern: str) -> Any:
    """A pattern of binary32 read field by field, its exact value, its neighbours, its gap."""
    bits = PATTERNS[pattern]
    below, above = near(bits)
    return trace(decode, bits, BINARY32, watch=("s", "E", "F", "value")) | {
        "bits": bits,
        "exact": exact_decimal(bits, BINARY32),
        "below": below,
        "above": above,
        "gap": gap_of(bits),
    }


@dataset(
    sweep={"layout": list(LAYOUTS)},
    units={
        **each("width exponent_bits mantissa_bits", "bit"),
        **each("bias largest smallest_normal smallest epsilon", "1"),
        **each("integers_to codes finite below_one", "1"),
    },
)
def widths(layout: str, xp: Any = np) -> dict[str, Any]:
    """What each way to divide a pattern can hold."""
    it = LAYOUTS[layout]
    width, top = 1 + it.exponent_bits + it.mantissa_bits, largest(it)
    one = int(encode(xp.asarray([1.0]), it, xp=xp)[0])
    # Try integers one by one where they are few, and around 2^(mantissa bits + 1) where not.
    end = 2.0 ** (it.mantissa_bits + 1)
    n = end + xp.arange(-min(end, 4096), 9)
    missing = n[decode_all(encode(n, it, xp=xp), it, xp=xp) != n]
    return {
        "width": width,
        "exponent_bits": it.exponent_bits,
        "mantissa_bits": it.mantissa_bits,
        "bias": it.bias,
        "largest": value(top, it),
        "smallest_normal": value(2**it.mantissa_bits, it),
        "smallest": value(1, it),
        "epsilon": gap_of(one, it),
        "integers_to": end if not len(missing) else float(missing[0]) - 1,
        "codes": 2.0**width,
        "finite": 2.0 * (top + 1),
        # Of the finite numbers that are not negative, the share that lies below 1.
        "below_one": one / (top + 1),
    }


@dataset(
    sweep={"layout": list(LAYOUTS)},
    units={
        **each("a b total c gap equal sum_at c_at total_at", "1"),
        **each("a_exact b_exact total_exact c_exact", "1"),
    },
)
def tenths(layout: str) -> dict[str, Any]:
    """0.1 + 0.2 beside 0.3, in each layout: every number typed, the sum rounded once."""
    it = LAYOUTS[layout]
    a, b, c = (typed(n, 10, it) for n in (1, 2, 3))
    (p, q), (r, s) = ratio(a, it), ratio(b, it)
    total = typed(p * s + r * q, q * s, it)
    gap, three = Fraction(gap_of(c, it)), Fraction(3, 10)

    def place(x: Fraction) -> float:
        return float((x - three) / gap)

    return {
        "a": value(a, it),
        "b": value(b, it),
        "total": value(total, it),
        "c": value(c, it),
        "gap": gap_of(c, it),
        "equal": total == c,
        # Where they lie, counted in gaps from a true 0.3: the sum before and after its rounding.
        "sum_at": place(Fraction(p, q) + Fraction(r, s)),
        "c_at": place(Fraction(*ratio(c, it))),
        "total_at": place(Fraction(*ratio(total, it))),
        "a_exact": exact_decimal(a, it),
        "b_exact": exact_decimal(b, it),
        "total_exact": exact_decimal(total, it),
        "c_exact": exact_decimal(c, it),
    }


@dataset(
    sweep={"exponent_bits": [2, 3, 4, 5]},
    dims={"value": ("code",), "kind": ("code",), "binade": ("code",)},
    units={"bias": "1", "largest": "1", "smallest": "1", "per_binade": "1", "binades": "1"},
    wire={"kind": "u8", "binade": "u8"},
    nonfinite=["value"],
)
def minifloats(exponent_bits: int, xp: Any = np) -> dict[str, Any]:
    """All numbers of an 8-bit layout that are not negative; its fields share seven bits."""
    mantissa_bits, bias = 7 - exponent_bits, 2 ** (exponent_bits - 1) - 1
    it = Layout(exponent_bits, mantissa_bits, bias)
    codes = xp.arange(128)
    return {
        "value": decode_all(codes, it, xp=xp),
        "kind": classify(codes, it, xp=xp),
        "binade": split(codes, it, xp=xp)[1],
        "bias": bias,
        "largest": value(largest(it), it),
        "smallest": value(1, it),
        "per_binade": 2**mantissa_bits,
        "binades": 2**exponent_bits - 2,
    }


@dataset(
    dims=each("e x gap below relative", ("power",)),
    wire={"e": "i16"},
)
def gaps(xp: Any = np) -> dict[str, Array]:
    """The gap above and below every power of two that binary32 holds."""
    e = xp.arange(-149, 128)  # (power,)
    x = xp.ldexp(xp.ones(len(e)), e.astype(xp.int32))  # (power,)
    patterns = encode(x, BINARY32, xp=xp).astype(xp.int64)  # (power,)
    sides = neighbours(patterns, BINARY32, xp=xp)
    below, above = (decode_all(side, BINARY32, xp=xp) for side in sides)
    return {
        "e": e,
        "x": x,
        "gap": above - x,
        "below": x - below,
        "relative": (above - x) / x,
    }


MARKS = {
    "1": 1.0,
    "1,000": 1000.0,
    "2^23": 2.0**23,
    "2^24": 2.0**24,
    "10^8": 1e8,
    "10^9": 1e9,
    "largest": float(np.finfo(np.float32).max),
}


@dataset(
    dims=each("label x gap relative one_more", ("mark",)),
)
def marks(xp: Any = np) -> dict[str, Array]:
    """Numbers worth knowing: the gap at each, and what adding 1 gives."""
    x = xp.asarray(list(MARKS.values()))  # (mark,)
    patterns = encode(x, BINARY32, xp=xp)  # (mark,)
    one = PATTERNS["1"]
    gap = spacing(patterns, BINARY32, xp=xp)  # (mark,)
    return {
        "label": np.array(list(MARKS)),
        "x": x,
        "gap": gap,
        "relative": gap / x,
        "one_more": np.array([value(add(int(p), one)) for p in patterns]),
    }


PAIRS = {
    "tie down": (0x4B800000, 0x3F800000),  # 2^24 + 1
    "tie up": (0x4B800000, 0x40400000),  # 2^24 + 3
    "sticky": (0x4B800000, 0x3F800054),  # 2^24 + 1.00001
    "tenths": (0x3DCCCCCD, 0x3E4CCCCD),  # 0.1 + 0.2
    "swallowed": (0x4CBEBC20, 0x40800000),  # 10^8 + 4
    "past half": (0x4CBEBC20, 0x40A00000),  # 10^8 + 5
    "carry": (0x3F800000, 0x3FC00000),  # 1 + 1.5
    "cancellation": (0x3F800000, 0xBF7FFFFF),  # 1 - (1 - 2^-24)
    "subnormals": (0x00400000, 0x00600000),  # 2^-127 + 1.5 2^-127
}
"""Pairs of patterns that the adder steps through."""

ADDER = ("exponent", "high", "lower", "low", "shift", "total", "move", "kept", "rest", "magnitude")


@dataset(
    sweep={"pair": list(PAIRS)},
    units=each("a b out a_exact b_exact exact out_exact", "1"),
)
def addition(pair: str) -> Any:
    """Two numbers of binary32 added as an adder does it, with guard, round and sticky bit."""
    a, b = PAIRS[pair]
    run = trace(add, a, b, watch=("large", "small", *ADDER))
    out = int(run.result)  # type: ignore[call-overload]
    (p, q), (r, s) = ratio(a, BINARY32), ratio(b, BINARY32)
    # Every binary32 is a float64, and these sums are too.
    exact = encode_ratio(p * s + r * q, q * s, LAYOUTS["binary64"])
    return run | {
        "a": a,
        "b": b,
        "out": out,
        "a_exact": exact_decimal(a, BINARY32),
        "b_exact": exact_decimal(b, BINARY32),
        "exact": exact_decimal(exact, LAYOUTS["binary64"]),
        "out_exact": exact_decimal(out, BINARY32),
    }


@dataset(units={"pairs": "1", "differing": "1"})
def machine_sums() -> dict[str, int]:
    """The adder beside this machine's own addition of float32, over random pairs and all edges."""
    rng = np.random.default_rng(754)
    n = 20_000
    a, b = rng.integers(0, 2**32, (2, n), dtype=np.uint32)  # (n,), (n,)
    # Half of the pairs get exponents within 30 of each other, or they would seldom meet.
    close = (a >> 23).astype(np.int64) % 256 + rng.integers(-30, 31, n)
    moved = (b & np.uint32(0x807FFFFF)) | (np.clip(close, 0, 255).astype(np.uint32) << 23)
    b = np.where(np.arange(n) % 2 == 0, moved, b)
    edges = np.array(list(PATTERNS.values()), dtype=np.uint32)
    edges = np.unique(np.concatenate([edges, edges ^ np.uint32(2**31)]))
    a = np.concatenate([a, np.repeat(edges, len(edges))])
    b = np.concatenate([b, np.tile(edges, len(edges))])
    with np.errstate(all="ignore"):
        theirs = a.view(np.float32) + b.view(np.float32)
    ours = np.array([add(int(x), int(y)) for x, y in zip(a, b, strict=True)])
    same = (ours == theirs.view(np.uint32)) | (np.isnan(theirs) & (ours % 2**31 > 0x7F800000))
    return {"pairs": len(a), "differing": int(np.sum(~same))}


SAMPLES = np.unique(np.round(np.geomspace(1, 10_000_000, 200)).astype(np.int64))
"""How many tenths have been added where the sums are read off."""


@dataset(
    dims={
        **each("n exact sequential pairwise kahan gap", ("sample",)),
        **each("error_sequential error_pairwise error_kahan", ("sample",)),
    },
    units={"terms": "1", "term": "1"},
    wire={"n": "i32"},
)
def long_sums() -> dict[str, Any]:
    """Ten million times 0.1 in binary32, added up in three ways, beside the exact sum."""
    n = int(SAMPLES[-1])
    terms = np.full(n, 0.1, dtype=np.float32)  # (n,)
    numerator, denominator = ratio(PATTERNS["0.1"], BINARY32)
    exact = np.array([float(int(k) * numerator) / denominator for k in SAMPLES])  # (sample,)
    sequential = sum_sequential(terms)[SAMPLES - 1].astype(np.float64)  # (sample,)
    pairwise = np.array([float(sum_pairwise(terms[:k])) for k in SAMPLES])  # (sample,)
    total, excess, done, kahan = np.float32(0), np.float32(0), 0, []
    for k in SAMPLES:
        total, excess = sum_kahan(terms[done:k], total, excess)
        done = int(k)
        kahan.append(float(total))
    held = {"sequential": sequential, "pairwise": pairwise, "kahan": np.array(kahan)}
    return {
        "n": SAMPLES,
        "exact": exact,
        **held,
        **{f"error_{name}": np.abs(sums / exact - 1) for name, sums in held.items()},
        "gap": spacing(encode(sequential, BINARY32), BINARY32),
        "terms": n,
        "term": value(PATTERNS["0.1"]),
    }


@dataset(
    units={
        **each("total additions gap ten64 meets_one", "1"),
        **each("ten32_exact after", "1"),
    }
)
def endless() -> dict[str, Any]:
    """0.1 added again and again in binary32: whether the sum meets 1, and where it ends."""
    sums = sum_sequential(np.full(30_000_000, 0.1, dtype=np.float32))  # (n,)
    still = int(np.argmax(sums == sums[-1]))
    ten = encode(sums[9:10].astype(np.float64), BINARY32)
    return {
        "total": float(sums[-1]),
        "additions": still + 1,
        "gap": gap_of(int(encode(sums[-1:].astype(np.float64), BINARY32)[0])),
        "ten32_exact": exact_decimal(int(ten[0]), BINARY32),
        "ten64": float(sum_sequential(np.full(10, 0.1))[-1]),
        "meets_one": bool(np.any(sums == 1)),
        "after": float(sums[10]),
    }


@dataset(
    units={
        **each("left right terms orders results spread", "1"),
        **each("bound naive kahan neumaier", "1"),
    }
)
def orders() -> dict[str, Any]:
    """The same terms in other orders: three of them, then 1,000 of them in 10,000 orders."""
    big, minus, one = (typed(x) for x in (10**8, -(10**8), 1))
    rng = np.random.default_rng(24)
    terms = rng.uniform(0, 1, 1000).astype(np.float32)  # (terms,)
    totals = []
    for _ in range(20):
        shuffled = rng.permuted(np.tile(terms, (500, 1)), axis=1)  # (500, terms)
        totals.append(np.cumsum(shuffled, axis=1, dtype=np.float32)[:, -1])  # (500,)
    total = np.concatenate(totals).astype(np.float64)  # (orders,)
    exact = math.fsum(terms.astype(np.float64).tolist())
    hard = np.array([1.0, 1e8, 1.0, -1e8], dtype=np.float32)  # (4,)
    return {
        "left": value(add(add(big, minus), one)),
        "right": value(add(big, add(minus, one))),
        "terms": len(terms),
        "orders": len(total),
        "results": len(np.unique(total)),
        "spread": float(np.max(np.abs(total / exact - 1))),
        # The bound for positive terms: a rounding of half a gap, 2^-24, at each addition.
        "bound": len(terms) * 2.0**-24,
        "naive": float(sum_sequential(hard)[-1]),
        "kahan": float(sum_kahan(hard)[0]),
        "neumaier": float(sum_neumaier(hard)),
    }


@dataset(units={"missing": "1", "checked": "1"})
def held_integers(xp: Any = np) -> dict[str, int]:
    """Every integer from 0 to 2^24, rounded to binary32: how many change."""
    missing, step = 0, 2**20
    for first in range(0, 2**24, step):
        n = xp.arange(first, first + step, dtype=xp.float64)  # (step,)
        held = decode_all(encode(n, BINARY32, xp=xp), BINARY32, xp=xp)  # (step,)
        missing += int(xp.sum(held != n))
    missing += int(value(typed(2**24)) != 2**24)
    return {"missing": missing, "checked": 2**24 + 1}


@dataset(units=each("drawn sorted halves_sorted all_sorted nan_share", "1"))
def ordering(xp: Any = np) -> dict[str, Any]:
    """Whether positive patterns, sorted as integers, are sorted as numbers."""
    rng = np.random.default_rng(32)
    # Both sides of every step to the next exponent, and random patterns between.
    edges = np.arange(255) << 23
    drawn = rng.integers(0, 0x7F800000, 1_000_000)
    patterns = xp.asarray(np.unique(np.concatenate([drawn, edges, edges[1:] - 1])))
    # Keys for numbers of both signs: turn all bits of a negative one, the sign alone of a positive.
    sign = 2**31
    keys = xp.concatenate([sign - 1 - patterns, sign + patterns])
    both = xp.concatenate([sign + patterns, patterns])
    in_order = decode_all(both[xp.argsort(keys)], BINARY32, xp=xp)
    half = LAYOUTS["binary16"]
    halves = xp.arange(largest(half) + 1)
    return {
        "drawn": len(patterns),
        "sorted": bool(xp.all(xp.diff(decode_all(patterns, BINARY32, xp=xp)) > 0)),
        "halves_sorted": bool(xp.all(xp.diff(decode_all(halves, half, xp=xp)) > 0)),
        "all_sorted": bool(xp.all(xp.diff(in_order) >= 0)),
        "nan_share": 2 * (2**31 - 0x7F800001) / 2**32,
    }


@dataset(units=each("once twice fused separate", "1"))
def roundings(xp: Any = np) -> dict[str, float]:
    """One rounding beside two: to bfloat16 by way of binary32, and a fused multiply-add."""
    bf = LAYOUTS["bfloat16"]
    x = xp.asarray([1 + 2.0**-8 + 2.0**-30])
    through = decode_all(encode(x, BINARY32, xp=xp), BINARY32, xp=xp)
    # a = 1 + 2^-12 and c = -(1 + 2^-11): a a + c, in units of 2^-24.
    a, c = 2**24 + 2**12, -(2**24 + 2**13)
    fused = typed(a * a + c * 2**24, 2**48)
    product = typed(a * a, 2**48)
    return {
        "once": float(decode_all(encode(x, bf, xp=xp), bf, xp=xp)[0]),
        "twice": float(decode_all(encode(through, bf, xp=xp), bf, xp=xp)[0]),
        "fused": value(fused),
        "separate": value(add(product, typed(c, 2**24))),
    }


@dataset(
    units={
        **each("pattern subnormal gap1000 absorbed absorbed_next cents", "1"),
        **each("one_up three_up four_up five_up a_million", "1"),
    }
)
def answers() -> dict[str, Any]:
    """What the self-checks and probes ask for."""
    big, base, even = typed(10**8), typed(2**24), typed(2**25)
    # The largest y that 2^25 swallows, between two patterns that do and do not.
    low, high = typed(1), typed(16)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if add(even, middle) == even else (low, middle)
    return {
        "pattern": value(PATTERNS["-6.75"]),
        "subnormal": value(0x00400000),
        "gap1000": gap_of(typed(1000)),
        "absorbed": value(low),
        "absorbed_next": value(add(even, high)),
        "cents": gap_of(typed(10**9)),
        "one_up": value(add(base, typed(1))),
        "three_up": value(add(base, typed(3))),
        "four_up": value(add(big, typed(4))),
        "five_up": value(add(big, typed(5))),
        # Two orders of a million positive terms: each may be off by a million half gaps.
        "a_million": 2 * 10**6 * 2.0**-24,
    }
