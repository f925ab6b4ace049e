// @ts-check
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import test from "node:test"
import { add } from "../../static/js/kernels/float-adder.js"
import { decodeSteps, encode } from "../../static/js/kernels/float-steps.js"
import {
  classify,
  decode,
  encodeRatio,
  exactDecimal,
  LAYOUTS,
  neighbours,
  parse,
  printed,
  ratio,
  shortest,
  spacing,
  split,
} from "../../static/js/kernels/floats.js"

const vectors = JSON.parse(readFileSync(new URL("vectors/floats.json", import.meta.url), "utf8"))
const KINDS = ["zero", "subnormal", "normal", "infinity", "NaN"]
const { binary32 } = LAYOUTS

/** n words of 32 bits: the counter from `first`, mixed as in make_float_vectors.py. @param {number} first @param {number} n */
function mixed(first, n) {
  return Uint32Array.from({ length: n }, (_, i) => {
    let h = first + i
    h ^= h >>> 16
    h = Math.imul(h, 0x85ebca6b)
    h ^= h >>> 13
    h = Math.imul(h, 0xc2b2ae35)
    return h ^ (h >>> 16)
  })
}

/** @param {(ArrayBufferView | string)[]} parts */
function digest(...parts) {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex").slice(0, 16)
}

/** The digest of all that the twins say about some patterns. @param {bigint[]} patterns @param {import("../../static/js/kernels/floats.js").Layout} layout */
function saidOf(patterns, layout) {
  const n = patterns.length
  const kinds = new Uint8Array(n)
  const [values, gaps] = [new Float64Array(n), new Float64Array(n)]
  const [belows, aboves] = [new BigInt64Array(n), new BigInt64Array(n)]
  const decimals = []
  for (const [i, pattern] of patterns.entries()) {
    kinds[i] = KINDS.indexOf(classify(pattern, layout))
    if (kinds[i] < 3) {
      values[i] = decode(pattern, layout)
      gaps[i] = spacing(pattern, layout)
    }
    const { below, above } = neighbours(pattern, layout)
    belows[i] = below ?? -1n
    aboves[i] = above ?? -1n
    if (i % 64 === 0) decimals.push(exactDecimal(pattern, layout))
  }
  return digest(kinds, values, gaps, belows, aboves, decimals.join(" "))
}

/** The number whose 64 bits are given. @param {string} bits */
function fromBits(bits) {
  return new Float64Array(BigUint64Array.of(BigInt(bits)).buffer)[0]
}

for (const [name, layout] of Object.entries(LAYOUTS)) {
  test(`${name}: fields, kind, value, gap, neighbours, decimal of ${vectors[name].length} patterns`, () => {
    for (const [text, s, E, F, kind, value, gap, below, above, decimal] of vectors[name]) {
      const pattern = BigInt(text)
      assert.deepEqual(split(pattern, layout), { s, E, F: BigInt(F) }, text)
      assert.equal(classify(pattern, layout), kind, text)
      if (kind !== "infinity" && kind !== "NaN") {
        assert.ok(Object.is(decode(pattern, layout), fromBits(value)), text)
        assert.equal(spacing(pattern, layout), 2 ** gap, text)
        const { numerator, denominator } = ratio(pattern, layout)
        const sign = s && numerator === 0n ? pattern : 0n
        assert.equal(encodeRatio(numerator, denominator, layout) + sign, pattern, text)
        assert.equal(encode(decode(pattern, layout), layout), pattern, text)
      }
      if (name !== "binary64") {
        const near = neighbours(pattern, layout)
        const known = [below, above].map((one) => (one ? BigInt(one) : null))
        assert.deepEqual([near.below, near.above], known, text)
      }
      if (decimal) assert.equal(exactDecimal(pattern, layout), decimal, text)
    }
  })
}

test(`a million patterns of binary32, in ${vectors.blocks.length} blocks`, () => {
  for (const [block, expected] of vectors.blocks.entries()) {
    const patterns = Array.from(mixed(block * vectors.block, vectors.block), BigInt)
    assert.equal(saidOf(patterns, binary32), expected, `block ${block}`)
  }
})

for (const [name, expected] of Object.entries(vectors.all)) {
  test(`all 65,536 patterns of ${name}`, () => {
    const patterns = Array.from({ length: 65536 }, (_, i) => BigInt(i))
    assert.equal(saidOf(patterns, LAYOUTS[name]), expected)
  })
}

/** The float64 numbers that the maker rounds. @param {number} n */
function doubles(n) {
  const [high, low] = [mixed(1e7, n), mixed(2e7, n)]
  const words = new Uint32Array(2 * n)
  for (let i = 0; i < n; i++) {
    const near = ((high[i] & 0x800fffff) | ((1023 - 160 + (high[i] % 320)) << 20)) >>> 0
    words[2 * i] = low[i]
    words[2 * i + 1] = i % 2 === 0 ? near : high[i]
  }
  return new Float64Array(words.buffer).map((x, i) => {
    if (i % 5 !== 0) return x
    const tied = Number.isFinite(x) ? Math.abs(x) % 4096 : 0
    return Math.floor(tied * 16) / 16
  })
}

for (const [name, expected] of Object.entries(vectors.rounded)) {
  test(`a hundred thousand roundings to ${name}`, () => {
    const patterns = BigUint64Array.from(doubles(100_000), (x) => encode(x, LAYOUTS[name]))
    assert.equal(digest(patterns), expected)
  })
}

test(`what is typed, in ${vectors.typed.length} cases`, () => {
  for (const [text, name, pattern, exact] of vectors.typed) {
    const read = parse(text, LAYOUTS[name])
    const where = `${text.slice(0, 40)} in ${name}`
    if (pattern) assert.deepEqual(read, { pattern: BigInt(pattern), exact }, where)
    else assert.match("problem" in read ? read.problem : "", /^[A-Z].+\.$/, where)
  }
})

test("what is too long to read is refused, and powers without end are not computed", () => {
  assert.ok("problem" in parse("1".repeat(6000), binary32))
  const started = performance.now()
  assert.deepEqual(parse(`1e${"9".repeat(400)}`, binary32), { pattern: 0x7f800000n, exact: false })
  assert.deepEqual(parse(`1e-${"9".repeat(400)}`, binary32), { pattern: 0n, exact: false })
  assert.ok(performance.now() - started < 100)
})

test(`the shortest decimal is as short as NumPy's, in ${vectors.shortest.length} cases`, () => {
  // Of two that are equally near, the languages may take different ones.
  const digits = (/** @type {string} */ text) =>
    text
      .replace(/e.*/, "")
      .replace(/\D/g, "")
      .replace(/^0+|0+$/g, "").length
  for (const [name, pattern, text] of vectors.shortest) {
    const ours = shortest(BigInt(pattern), LAYOUTS[name])
    const read = parse(ours, LAYOUTS[name])
    assert.equal("pattern" in read && read.pattern, BigInt(pattern), `${ours} in ${name}`)
    assert.equal(digits(ours), digits(text), `${ours}, not ${text}, in ${name}`)
  }
})

test("0.1 in binary32 is 0.100000001490116119384765625", () => {
  const read = parse("0.1", binary32)
  assert.ok("pattern" in read && !read.exact)
  assert.equal(exactDecimal(read.pattern, binary32), "0.100000001490116119384765625")
  assert.equal(shortest(read.pattern, binary32), "0.1")
})

test(`a pattern is read step by step, in ${vectors.decodings.length} cases`, () => {
  for (const [pattern, steps] of vectors.decodings) {
    const made = decodeSteps(BigInt(pattern), binary32)
    const expected = steps.map((/** @type {any[]} */ [name, s, E, F, value]) => ({
      ...{ name, s, E, F },
      value: { "-0.0": -0, inf: Infinity, "-inf": -Infinity }[value] ?? value,
    }))
    assert.deepEqual(made, expected, pattern.toString(16))
  }
})

test("decode names the line it took", () => {
  const taken = (/** @type {bigint} */ pattern) =>
    decodeSteps(pattern, binary32).map((step) => step.name)
  assert.deepEqual(taken(0x3e200000n), ["sign", "fields", "normal", "result"])
  assert.deepEqual(taken(1n), ["sign", "fields", "subnormal", "result"])
  assert.deepEqual(taken(0xff800000n), ["sign", "fields", "special", "result"])
  assert.equal(decodeSteps(0xff800000n, binary32)[3].value, -Infinity)
})

test(`the adder steps as the kernel did, in ${vectors.additions.length} cases`, () => {
  for (const [a, b, pattern, steps] of vectors.additions) {
    const where = `${a.toString(16)} + ${b.toString(16)}`
    const made = add(BigInt(a), BigInt(b))
    assert.equal(made.pattern, BigInt(pattern), where)
    assert.equal(made.steps.length, steps.length, where)
    for (const [t, [name, ...left]] of steps.entries()) {
      const step = made.steps[t]
      assert.equal(step.name, name, where)
      for (const [k, value] of left.entries()) {
        const local = /** @type {"large"} */ (vectors.locals[k])
        assert.equal(step[local], value, `${where}, ${name}, ${local}`)
      }
    }
  }
})

test(`the adder gives the machine's sum of ${vectors.pairs} pairs`, () => {
  const n = vectors.pairs
  const [a, b] = [mixed(5e7, n), mixed(6e7, n)]
  const sums = new Uint32Array(n)
  for (let i = 0; i < n; i++) {
    const exponent = Math.min(255, Math.max(0, ((a[i] >>> 23) % 256) + (b[i] % 61) - 30))
    const other = i % 4 > 0 ? ((b[i] & 0x807fffff) | (exponent << 23)) >>> 0 : b[i]
    const { pattern } = add(BigInt(a[i]), BigInt(other))
    sums[i] = classify(pattern, binary32) === "NaN" ? 0 : Number(pattern)
  }
  assert.equal(digest(sums), vectors.sums)
})

test("what the kernels refuse, the twins refuse", () => {
  assert.throws(() => ratio(0x7f800000n, binary32), /no finite number/)
  assert.throws(() => encodeRatio(1n, 0n, binary32), /above 0/)
})

test("what is printed is the number itself, or says that it is not", () => {
  const cases = /** @type {[string, string, boolean, string?][]} */ ([
    ["100000008", "100000008", true],
    ["134217728", "134217728", true],
    ["99999992", "99999992", true],
    ["0.1", "0.1", false],
    ["0.15625", "0.15625", true],
    ["0x1p60", "1.1529215e+18", false],
    ["0x1p-149", "1e-45", false],
    ["-6.75", "-6.75", true],
    ["inf", "inf", true],
    ["-0", "-0", true],
    ["300", "320", true, "e5m2"],
    ["0.1", "0.09375", true, "e5m2"],
    ["0x1p40", "1099511627776", true],
    ["0x1p50", "1.1258999e+15", false],
  ])
  for (const [text, expected, exact, name = "binary32"] of cases) {
    const layout = LAYOUTS[name]
    const found = parse(text, layout)
    assert.ok("pattern" in found, text)
    assert.deepEqual(printed(found.pattern, layout), { text: expected, exact }, text)
    // What stands in a field is typed again as the same pattern.
    assert.equal(/** @type {any} */ (parse(expected, layout)).pattern, found.pattern, text)
  }
})

test("what is printed as exact is, over all patterns of small layouts and many of binary32", () => {
  for (const [name, n] of /** @type {[string, number][]} */ ([
    ["e5m2", 256],
    ["e4m3fn", 256],
    ["binary32", 4000],
  ])) {
    const layout = LAYOUTS[name]
    const patterns = n > 256 ? mixed(7, n) : Uint32Array.from({ length: n }, (_, i) => i)
    for (const bits of patterns) {
      const pattern = BigInt(bits)
      const { text, exact } = printed(pattern, layout)
      const read = parse(text, layout)
      if (classify(pattern, layout) === "NaN") continue
      assert.ok("pattern" in read, text)
      assert.equal(read.pattern, pattern, text)
      assert.equal(read.exact, exact, text)
    }
  }
})
