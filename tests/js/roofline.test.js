// @ts-check
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import { attainable, bestSeconds, CHECKED } from "../../static/js/kernels/roofline.js"

const { cases } = JSON.parse(
  readFileSync(new URL("vectors/roofline.json", import.meta.url), "utf8"),
)

/** @param {number} found @param {number} expected @param {string} where */
const near = (found, expected, where) =>
  assert.ok(Math.abs(found - expected) <= 1e-15 * expected, `${where}: ${found}, not ${expected}`)

test(`the twin bounds as the kernel does, in ${cases.length} cases`, () => {
  assert.equal(cases.length, CHECKED)
  for (const [n, [flop, moved, peak, bandwidth, rate, seconds]] of cases.entries()) {
    near(attainable(flop / moved, peak, bandwidth), rate, `case ${n}, rate`)
    near(bestSeconds(flop, moved, peak, bandwidth), seconds, `case ${n}, seconds`)
  }
})
