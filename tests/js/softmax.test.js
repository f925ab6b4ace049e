// @ts-check
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import { CHECKED, softmaxOnline } from "../../static/js/kernels/softmax.js"

const { columns, cases } = JSON.parse(
  readFileSync(new URL("vectors/softmax.json", import.meta.url), "utf8"),
)

/** @param {any} value */
const number = (value) => (value === "-inf" ? -Infinity : value)

/** @param {number | null} actual @param {any} given @param {string} where */
function near(actual, given, where) {
  const expected = number(given)
  if (expected === null || !Number.isFinite(expected)) assert.equal(actual, expected, where)
  else
    assert.ok(
      Math.abs(Number(actual) - expected) <= 1e-15 * Math.abs(expected),
      `${where}: ${actual}, not ${expected}`,
    )
}

test(`the twin steps as the kernel did, in ${cases.length} cases`, () => {
  assert.equal(cases.length, CHECKED)
  for (const [n, { x, block, steps, y }] of cases.entries()) {
    const made = softmaxOnline(x.map(number), block)
    assert.equal(made.steps.length, steps.length, `case ${n}`)
    for (const [t, row] of steps.entries()) {
      const step = Object.fromEntries(
        columns.map((/** @type {string} */ name, /** @type {number} */ k) => [name, row[k]]),
      )
      const where = `case ${n}, step ${t}`
      const { name, i, m, m_new, scale, l } = made.steps[t]
      assert.deepEqual(
        [name, i, m, m_new],
        [step.name, step.i, number(step.m), number(step.m_new)],
        where,
      )
      near(scale, step.scale, `${where}, scale`)
      near(l, step.l, `${where}, l`)
    }
    for (const [i, p] of made.y.entries()) near(p, y[i], `case ${n}, y[${i}]`)
  }
})

test("what the kernel refuses, the twin refuses", () => {
  assert.throws(() => softmaxOnline([1, Number.NaN]), /must be a number/)
  assert.throws(() => softmaxOnline([1, Infinity]), /must be a number/)
  assert.throws(() => softmaxOnline([1], 0), /must be at least 1/)
})
