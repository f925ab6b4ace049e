// @ts-check
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import { fixed, percent, sig } from "../../static/js/runtime/format.js"

const cases = JSON.parse(readFileSync(new URL("vectors/format.json", import.meta.url), "utf8"))

test("numbers read as Python writes them", () => {
  for (const { x: given, n, ...expected } of cases) {
    const x = typeof given === "string" ? Number(given.replace("inf", "Infinity")) : given
    const made = {
      fixed: fixed(x, n),
      sig: sig(x, n + 1),
      percent: expected.percent && percent(x, n),
    }
    assert.deepEqual(made, expected, `${x} with ${n} digits`)
  }
})
