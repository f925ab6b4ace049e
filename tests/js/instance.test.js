// @ts-check
import assert from "node:assert/strict"
import test from "node:test"
import * as address from "../../static/js/runtime/address.js"
import { player, row, select, slider, toggle } from "../../static/js/runtime/controls.js"
import { instance } from "../../static/js/runtime/instance.js"

const definition = {
  controls: {
    kind: select({
      label: "kind",
      options: [
        ["a", "A"],
        ["b", "B"],
      ],
    }),
    x: row({
      label: "score",
      min: 0,
      max: 8,
      step: 0.5,
      follows: "kind",
      value: ({ state }) => (state.kind === "a" ? [1, 2] : [3, 4]),
    }),
    shift: slider({ label: "shift", stops: () => [0, 82.5, 4000] }),
    which: slider({ label: "which", min: 1, max: 12, also: { kind: "b" } }),
    mode: toggle({
      label: "mode",
      options: [
        ["f32", "float32"],
        ["f16", "float16"],
      ],
    }),
    step: player({ label: "steps", steps: ({ state }) => state.x.length * 10, value: "last" }),
  },
  draw: () => null,
  describe: () => "",
}

/** @param {Record<string, any>} [state] */
const make = (state) => instance(definition, { id: "f", state, data: {} })

test("the first state is the controls' own, then the author's", () => {
  assert.deepEqual(
    { ...make().state },
    { kind: "a", x: [1, 2], shift: 0, which: 1, mode: "f32", step: 20 },
  )
  assert.equal(make({ step: 3 }).state.step, 3)
  assert.equal(make({ shift: 82.5 }).state.shift, 82.5)
})

test("a state that a control cannot take is refused by name", () => {
  assert.deepEqual(make({ shift: 5, kind: "c", nothing: 1, step: "later" }).refused, [
    "nothing",
    "kind",
    "shift",
    "step",
  ])
})

test("a state is taken in the order of the controls, however it is written", () => {
  const long = { ...definition.controls }
  long.step = player({ label: "steps", steps: ({ state }) => state.which * 10 })
  const made = instance(
    { ...definition, controls: long },
    { id: "f", data: {}, state: { step: 30, which: 3 } },
  )
  assert.equal(made.state.step, 30)
})

test("values stay on the scale", () => {
  const self = make()
  self.set({ step: 99 })
  assert.equal(self.state.step, 20)
  self.set({ step: -3 })
  assert.equal(self.state.step, 0)
  self.set({ x: [0.3, 9] })
  assert.deepEqual(self.state.x, [0.5, 8])
  self.set({ x: [1] })
  assert.deepEqual(self.state.x, [0.5, 8])
})

test("a first state that names a control sets what follows it as well", () => {
  assert.deepEqual(make({ kind: "b" }).state.x, [3, 4])
  assert.deepEqual(make({ kind: "b", x: [5, 6] }).state.x, [5, 6])
})

test("what follows a control goes back with it, and moving one can move another", () => {
  const self = make()
  self.set({ x: [5, 5] })
  self.set({ kind: "b" })
  assert.deepEqual(self.state.x, [3, 4])
  self.set({ kind: "a" })
  self.set({ which: 4 })
  assert.equal(self.state.kind, "b")
})

test("an address holds what differs, and leads back to it", () => {
  const self = make({ step: 4 })
  assert.deepEqual(self.address(), [])
  self.set({ kind: "b" })
  assert.deepEqual(self.address(), [["kind", "b"]])
  self.set({ x: [-Infinity, 2.5], step: 7, mode: "f16" })
  const text = address.write("f", self.address())
  assert.equal(text, "#f?kind=b&x=-inf,2.5&mode=f16&step=7")
  const other = make({ step: 4 })
  other.restore(/** @type {any} */ (address.read(text)).entries)
  assert.deepEqual({ ...other.state }, { ...self.state })
})

test("unknown keys and senseless values of an address are dropped", () => {
  const self = make()
  self.restore(/** @type {any} */ (address.read("#f?nothing=1&step=soon&shift=7&mode=f16")).entries)
  assert.deepEqual(
    { ...self.state },
    { kind: "a", x: [1, 2], shift: 0, which: 1, mode: "f16", step: 20 },
  )
})

test("reset goes back to the built state", () => {
  const self = make({ step: 4 })
  self.set({ kind: "b", step: 9, x: [7, 7] })
  self.reset()
  assert.deepEqual(
    { ...self.state },
    { kind: "a", x: [1, 2], shift: 0, which: 1, mode: "f32", step: 4 },
  )
})

test("addresses that are no address are none", () => {
  assert.equal(address.read(""), null)
  assert.equal(address.read("#"), null)
  assert.equal(address.read("#%E0%A4%A"), null)
  assert.deepEqual(address.read("#merge"), { label: "merge", entries: [] })
})
