// @ts-check
import assert from "node:assert/strict"
import test from "node:test"
import { figure } from "../../static/js/runtime/figure.js"
import { html } from "../../static/js/runtime/html.js"
import { first } from "../../static/js/runtime/node.js"

/** @param {() => any} draw @param {object} [more] */
const drawn = (draw, more) =>
  first(figure({ draw, describe: () => "said", ...more }), { id: "f", state: {}, data: {} })

test("what would break at hydration is refused at build", () => {
  assert.throws(() => drawn(() => html`<text>x is ${1}</text>`), /2 pieces of text side by side/)
  assert.throws(() => drawn(() => html`<text>a&nbsp;b</text>`), /entity/)
  assert.throws(
    () => drawn(() => html`<rect strokeWidth="1" />`),
    /strokeWidth: write stroke-width/,
  )
  assert.throws(() => drawn(() => html`<rect className="a" />`), /className: write class$/)
  assert.throws(() => drawn(() => html`<rect id="other" />`), /begin it with the figure's own/)
})

test("what is right goes through", () => {
  const { html: text } = drawn(
    () =>
      html`<svg viewBox="0 0 1 1"><g id="f-a" stroke-width="1"><text>${"x is 1"}</text></g></svg>`,
  )
  assert.match(
    String(text),
    /<svg viewBox="0 0 1 1"><g id="f-a" stroke-width="1"><text>x is 1<\/text><\/g><\/svg>/,
  )
})

test("data that is not there, or lacks a field, is told by name", () => {
  const wire = {
    name: "strides",
    fields: { bank: { dtype: "i32", shape: [], base64: "AAAAAA==" } },
  }
  const definition = figure({
    needs: { a: ["bank", "degree"], b: [] },
    draw: () => null,
    describe: () => "",
  })
  const { faults } = first(definition, { id: "f", state: {}, data: { a: wire } })
  assert.deepEqual(
    faults?.map((fault) => fault.message),
    ['needs degree in dataset "strides", which has bank', 'needs data "b"; given: a'],
  )
})

test("a figure says what it is", () => {
  assert.throws(() => figure(/** @type {any} */ ({ draw: () => null })), /needs describe/)
})
