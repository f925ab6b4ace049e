// @ts-check
import assert from "node:assert/strict"
import test from "node:test"
import { select, slider } from "../../static/js/runtime/controls.js"
import { figure } from "../../static/js/runtime/figure.js"
import { html } from "../../static/js/runtime/html.js"
import { first } from "../../static/js/runtime/node.js"

test("values that are words themselves need no words", () => {
  const plain = select({ label: "sides", options: ["21 x 13", 4, ["c", "the third"]] })
  assert.deepEqual(plain.options, [
    ["21 x 13", "21 x 13"],
    ["4", "4"],
    ["c", "the third"],
  ])
  assert.equal(plain.first(/** @type {any} */ ({})), "21 x 13")
  assert.equal(plain.take(4, /** @type {any} */ ({})), "4")
})

test("a control that means nothing yet is marked in the first frame", () => {
  const definition = figure({
    controls: {
      order: select({ label: "order", options: ["given", "shuffled"] }),
      shuffle: slider({
        label: "shuffle",
        min: 1,
        max: 9,
        when: ({ state }) => state.order === "shuffled",
      }),
    },
    draw: () => html`<svg viewBox="0 0 1 1" />`,
    describe: ({ state }) => state.order,
  })
  const drawn = (/** @type {object} */ state) =>
    String(first(definition, { id: "f", state, data: {} }).html)
  assert.match(drawn({}), /class="control slider" data-still/)
  assert.doesNotMatch(drawn({ order: "shuffled" }), /data-still/)
})
