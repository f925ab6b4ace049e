// @ts-check
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import {
  area,
  CHECKED,
  foldPreimages,
  foldTurns,
  normalDensity,
  planar,
  planarInverse,
  planarSlope,
  pushThrough,
} from "../../static/js/kernels/flows.js"

const { layers, stacks, folds, areas } = JSON.parse(
  readFileSync(new URL("vectors/flows.json", import.meta.url), "utf8"),
)

/** @param {number} found @param {number} expected @param {string} where @param {number} [off] */
const near = (found, expected, where, off = 1e-14) =>
  assert.ok(
    Math.abs(found - expected) <= off * Math.max(1, Math.abs(expected)),
    `${where}: ${found}, not ${expected}`,
  )

test(`the twin moves as the kernel does, in ${layers.length} cases`, () => {
  assert.equal(layers.length, CHECKED.layers)
  for (const [n, [z, u, w, b, height, image, slope, behind]] of layers.entries()) {
    near(normalDensity(z), height, `case ${n}, height`)
    near(planar(z, u, w, b), image, `case ${n}, image`)
    near(planarSlope(z, u, w, b), slope, `case ${n}, slope`)
    near(planarInverse(z, u, w, b), behind, `case ${n}, inverse`, 1e-12)
  }
})

test(`the twin stacks as the kernel does, in ${stacks.length} cases`, () => {
  assert.equal(stacks.length, CHECKED.stacks)
  for (const [n, [z, stack, end, logSlope]] of stacks.entries()) {
    const found = pushThrough(z, stack)
    near(found[0], end, `case ${n}, end`, 1e-13)
    near(found[1], logSlope, `case ${n}, log-slope`, 1e-12)
  }
})

test(`the twin folds as the kernel does, in ${folds.length} cases`, () => {
  assert.equal(folds.length, CHECKED.folds)
  const counts = new Set()
  for (const [n, [x, u, w, b, left, right, ...behind]] of folds.entries()) {
    const turns = foldTurns(u, w, b)
    near(turns[0], left, `case ${n}, left turn`)
    near(turns[1], right, `case ${n}, right turn`)
    const found = foldPreimages(x, u, w, b)
    for (const [piece, z] of behind.entries()) {
      if (z === null) assert.ok(Number.isNaN(found[piece]), `case ${n}, piece ${piece}`)
      else near(found[piece], z, `case ${n}, piece ${piece}`, 1e-9)
    }
    counts.add(found.filter((z) => !Number.isNaN(z)).length)
  }
  assert.deepEqual([...counts].sort(), [1, 3])
})

test(`the twin measures areas as the kernel does, in ${areas.length} cases`, () => {
  assert.equal(areas.length, CHECKED.areas)
  for (const [n, [width, heights, total]] of areas.entries()) {
    near(area(heights, width), total, `case ${n}`)
  }
})

test("what the kernels refuse, the twin refuses", () => {
  assert.throws(() => planarInverse(0, -1, 1.5, 0), /must be at least -1/)
  assert.throws(() => foldTurns(-0.5, 1.5, 0), /must be below -1/)
  assert.throws(() => area([1, 2], 1), /odd number/)
})
