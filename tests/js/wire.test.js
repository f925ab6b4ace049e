// @ts-check
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import { Dataset } from "../../static/js/runtime/dataset.js"

const vectors = JSON.parse(
  readFileSync(new URL("../data/vectors/wire.json", import.meta.url), "utf8"),
)

/** @type {Record<string, any>} */
const ARRAYS = { f64: Float64Array, f32: Float32Array, bool: Uint8Array }

/** Rows of a nested array, one after another. @param {any} value @param {number} axes @returns {any[]} */
const rows = (value, axes) =>
  axes > 1 ? value.flatMap((/** @type {any} */ inner) => rows(inner, axes - 1)) : [value]

/** The bytes of a typed array, or of a number as the type it was sent as. @param {any} value @param {string} dtype */
function hex(value, dtype) {
  const typed = ArrayBuffer.isView(value)
    ? value
    : new (ARRAYS[dtype] ?? { i32: Int32Array, f64: Float64Array }[dtype] ?? Float64Array)([value])
  return Buffer.from(typed.buffer, typed.byteOffset, typed.byteLength).toString("hex")
}

for (const [name, { sent, bits, texts }] of Object.entries(vectors)) {
  test(`decoded bit for bit: ${name}`, () => {
    const found = new Dataset({ name: "d", fields: { a: sent } }).a
    if (texts) {
      assert.deepEqual(sent.shape.length ? [...found] : [found], texts)
      return
    }
    const parts = rows(found, sent.shape.length)
    assert.equal(parts.map((part) => hex(part, sent.dtype)).join(""), bits)
    const lengths = parts.map((part) => part.length ?? 1)
    assert.ok(lengths.every((length) => length === (sent.shape.at(-1) ?? 1)))
  })
}
