// @ts-check
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import { CHECKED, FIELDS, SOLVERS, solve } from "../../static/js/kernels/odes.js"

const { velocities, paths } = JSON.parse(
  readFileSync(new URL("vectors/odes.json", import.meta.url), "utf8"),
)

/** @param {number} found @param {number} expected @param {string} where @param {number} [off] */
const near = (found, expected, where, off = 1e-12) =>
  assert.ok(
    Math.abs(found - expected) <= off * Math.max(1, Math.abs(expected)),
    `${where}: ${found}, not ${expected}`,
  )

test(`the twin's fields are the kernels', in ${velocities.length} cases`, () => {
  assert.equal(velocities.length, CHECKED.velocities)
  const seen = new Set()
  for (const [n, [name, theta, x, y, u, v]] of velocities.entries()) {
    const found = FIELDS[name](theta)(x, y)
    near(found[0], u, `case ${n}, first`)
    near(found[1], v, `case ${n}, second`)
    seen.add(name)
  }
  assert.deepEqual([...seen].sort(), Object.keys(FIELDS).sort())
})

test(`the twin solves as the kernel does, in ${paths.length} cases`, () => {
  assert.equal(paths.length, CHECKED.paths)
  const seen = new Set()
  for (const [n, [name, theta, x, y, time, steps, solver, points]] of paths.entries()) {
    const { xs, ys } = solve(FIELDS[name](theta), [x, y], time, steps, SOLVERS[solver])
    assert.equal(xs.length, points.length)
    for (const [k, [a, b]] of points.entries()) {
      near(xs[k], a, `case ${n}, step ${k}`, 1e-11)
      near(ys[k], b, `case ${n}, step ${k}`, 1e-11)
    }
    seen.add(`${name} ${solver}`)
  }
  assert.equal(seen.size, Object.keys(FIELDS).length * Object.keys(SOLVERS).length)
})
