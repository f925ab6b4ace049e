// @ts-check
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import { Dataset } from "../../static/js/runtime/dataset.js"

/** @param {any} array @param {number[]} shape @param {string} dtype @param {string[]} [dims] */
const field = (array, shape, dtype, dims = []) => ({
  dtype,
  shape,
  dims,
  base64: Buffer.from(array.buffer).toString("base64"),
})

const swept = {
  name: "strides",
  axes: ["stride"],
  sweep: { stride: [0, 1, 0.3] },
  fields: {
    bank: field(new Int32Array([0, 0, 0, 1, 0, 2]), [3, 2], "i32", ["stride", "lane"]),
    degree: field(new Float64Array([1, Number.NaN, -Infinity]), [3], "f64", ["stride"]),
    even: field(new Uint8Array([1, 0, 1]), [3], "bool", ["stride"]),
  },
}

test("one state of a sweep, by name", () => {
  const data = new Dataset(swept)
  assert.deepEqual(data.axis("stride"), [0, 1, 0.3])
  assert.deepEqual(Array.from(data.at({ stride: 1 }).bank), [0, 1])
  assert.equal(data.at({ stride: 1 }).degree, Number.NaN)
  assert.equal(data.at({ stride: 0.3 }).degree, -Infinity)
  assert.equal(data.at({ stride: 1 }).even, false)
  assert.deepEqual(Object.keys(data.at({ stride: 1 })), ["bank", "degree", "even"])
})

test("traces of unequal length are cut to their own", () => {
  const trace = new Dataset({
    name: "trace",
    axes: ["preset"],
    sweep: { preset: ["long", "short"] },
    steps: [3, 2],
    ordinals: field(new Int32Array([0, 1, 2, 0, 2, -1]), [2, 3], "i32"),
    fields: { m: field(new Float64Array([1, 2, 3, 4, 5, 0]), [2, 3], "f64", ["preset", "step"]) },
  })
  const short = trace.at({ preset: "short" })
  assert.equal(short.steps, 2)
  assert.deepEqual(Array.from(short.m), [4, 5])
  assert.deepEqual(Array.from(short.ordinals), [0, 2])
  assert.equal(trace.m[0].length, 3)
})

/** Special numbers are text in the vectors. @param {any} value @returns {any} */
const plain = (value) => {
  if (ArrayBuffer.isView(value) || Array.isArray(value))
    return Array.from(/** @type {any} */ (value), plain)
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value
}

test("a state is what it is in Python, and so is what is wrong with one", () => {
  const file = new URL("../data/vectors/at.json", import.meta.url)
  for (const { wire, at, field, expected, error } of JSON.parse(readFileSync(file, "utf8"))) {
    const where = `${wire.name}.at(${JSON.stringify(at)}).${field}`
    const read = () => new Dataset(wire).at(at)[field]
    if (error)
      assert.throws(read, (thrown) => /** @type {Error} */ (thrown).message === error, where)
    else assert.deepEqual(plain(read()), plain(expected), where)
  }
})

test("a dataset names its axes, one state of it has none", () => {
  const wire = { name: "d", axes: ["b", "a"], sweep: { a: [1], b: ["x"] }, fields: {} }
  assert.deepEqual(new Dataset(wire).axes, ["b", "a"])
  assert.deepEqual(new Dataset(wire).at({ a: 1, b: "x" }).axes, [])
})
