// @ts-check
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import test from "node:test"
import {
  bitOf,
  extend,
  flip,
  negate,
  parse,
  READINGS,
  read,
  readSteps,
  rippleAdd,
  shiftRight,
  truncate,
  write,
} from "../../static/js/kernels/integers.js"

const vectors = JSON.parse(readFileSync(new URL("vectors/integers.json", import.meta.url), "utf8"))
const TWOS = "two's complement"

test("all 256 rows by the five readings", () => {
  for (const reading of READINGS)
    for (const [row, value] of vectors.readings[reading].entries())
      assert.equal(read(row, reading) + 0, value, `${row}, ${reading}`)
})

test("two readings have a negative zero", () => {
  const twice = READINGS.filter((reading) =>
    Array.from({ length: 256 }, (_, row) => read(row, reading)).some((x) => Object.is(x, -0)),
  )
  assert.deepEqual(twice, ["sign-magnitude", "ones' complement"])
})

for (const [width, rows] of Object.entries(vectors.rows)) {
  test(`the row of every integer at ${width} bits`, () => {
    const least = -(2 ** Number(width))
    for (const reading of READINGS)
      for (const [i, row] of rows[reading].entries())
        assert.equal(write(least + i, reading, Number(width)), row, `${least + i}, ${reading}`)
  })
}

/** @param {any} made @param {any[]} steps @param {string[]} locals @param {string} where */
function sameSteps(made, steps, locals, where) {
  assert.equal(made.length, steps.length, where)
  for (const [t, [name, ...left]] of steps.entries()) {
    const { name: ours, ...rest } = made[t]
    assert.equal(ours, name, where)
    const expected = Object.fromEntries(locals.map((local, k) => [local, left[k]]))
    assert.deepEqual(rest, expected, `${where}, step ${t}, ${name}`)
  }
}

test(`a row is read step by step, in ${vectors.reads.length} cases`, () => {
  for (const [row, signed, steps] of vectors.reads) {
    sameSteps(readSteps(row, 8, signed), steps, vectors.readLocals, `${row}, ${signed}`)
    const last = readSteps(row, 8, signed).at(-1)
    assert.equal(last?.total, read(row, signed ? TWOS : "unsigned"))
  }
})

test(`two rows are added step by step, in ${vectors.additions.length} cases`, () => {
  for (const [a, b, carry, steps] of vectors.additions) {
    const { steps: made } = rippleAdd(a, b, 8, carry)
    sameSteps(made, steps, vectors.addLocals, `${a} + ${b} + ${carry}`)
  }
})

for (const carry of [0, 1]) {
  test(`the sums of all 65,536 pairs, carry ${carry}`, () => {
    const bytes = new Uint8Array(5 * 65536)
    for (let pair = 0; pair < 65536; pair++) {
      const { row, C, V, Z, N } = rippleAdd(pair >> 8, pair & 255, 8, carry)
      bytes.set([row, C, V, Z, N], 5 * pair)
    }
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
    assert.equal(digest, vectors.sums[carry])
  })
}

test("rows are negated, widened, narrowed and shifted as the kernels do", () => {
  const twins = { negate, extend, truncate, shiftRight }
  for (const [name, amounts, expected] of vectors.moves) {
    const twin = /** @type {any} */ (twins)[name]
    const made = Array.from({ length: 256 }, (_, row) => twin(row, ...amounts))
    assert.deepEqual(made, expected, `${name} ${amounts}`)
  }
})

test("a bit is read and turned over, the 32nd too", () => {
  assert.equal(bitOf(2 ** 31, 31), 1)
  assert.equal(flip(2 ** 32 - 1, 31), 2 ** 31 - 1)
  assert.equal(flip(0, 31), 2 ** 31)
  const { row, C, V } = rippleAdd(2 ** 31 - 1, 1, 32)
  assert.deepEqual([row, C, V], [2 ** 31, 0, 1])
})

test("what is typed gives a row or a word", () => {
  const problem = (/** @type {string} */ text, reading = TWOS) => {
    const made = parse(text, reading)
    return "problem" in made ? made.problem : made.row
  }
  assert.deepEqual(parse("-76", TWOS), { row: 180 })
  assert.deepEqual(parse("−76", TWOS), { row: 180 })
  assert.deepEqual(parse(" 180 ", "unsigned"), { row: 180 })
  assert.deepEqual(parse("0xB4", TWOS), { row: 180 })
  assert.deepEqual(parse("0b1011_0100", TWOS), { row: 180 })
  assert.deepEqual(parse("0", "sign-magnitude"), { row: 0 })
  assert.deepEqual(parse("-0", "sign-magnitude"), { row: 128 })
  assert.deepEqual(parse("-0", "ones' complement"), { row: 255 })
  assert.deepEqual(parse("-0", TWOS), { row: 0 })
  assert.equal(problem("128"), "8 bits, two's complement, go from −128 to 127.")
  assert.equal(problem("-1", "unsigned"), "8 bits, unsigned, go from 0 to 255.")
  assert.equal(problem("1e400".repeat(3)), problem("nonsense"))
  assert.equal(problem("9".repeat(400)), "8 bits, two's complement, go from −128 to 127.")
  for (const text of ["", "1.5", "abc", "0x", "0b2", "0x1ff", "--1"])
    assert.match(String(problem(text)), /^[A-Z].+\.$/, text)
})

test("what the kernels refuse, the twins refuse", () => {
  assert.throws(() => readSteps(256), /8 bits/)
  assert.throws(() => read(0, "gray"), /no reading/)
  assert.throws(() => write(0, "gray"), /no reading/)
  assert.throws(() => extend(0, 8, 4), /narrowing/)
})
