// @ts-check
/** First frames, at build. */
import { options } from "preact"
import { renderToString } from "preact-render-to-string"
import { Dataset } from "./dataset.js"
import { html } from "./html.js"
import { instance } from "./instance.js"
import { lit } from "./listing.js"
import { Plate } from "./plate.js"
import { check } from "./rules.js"

export * from "./index.js"

/**
 * @typedef {{kind: string, message: string, about?: string}} Fault
 * @typedef {{id: string, state: Record<string, any>,
 *   options?: Record<string, any>, data: Record<string, import("./dataset.js").Wire>,
 *   listing?: any, made?: string}} Order
 */

/** @param {import("./figure.js").Figure} definition @param {Record<string, Dataset>} data @returns {Fault[]} */
function missing(definition, data) {
  /** @type {Fault[]} */
  const faults = []
  for (const [name, fields] of Object.entries(definition.needs ?? {})) {
    const dataset = data[name]
    if (!dataset) {
      const given = Object.keys(data).join(", ") || "none"
      faults.push({ kind: "data", about: name, message: `needs data "${name}"; given: ${given}` })
      continue
    }
    const lacks = fields.filter((field) => !(field in dataset))
    if (lacks.length) {
      const has = Object.keys(dataset).join(", ") || "no fields"
      const message = `needs ${lacks.join(", ")} in dataset "${dataset.name}", which has ${has}`
      faults.push({ kind: "data", about: name, message })
    }
  }
  return faults
}

/** @param {any} control */
function takes(control) {
  if (control.options) return control.options.map((/** @type {any} */ [value]) => value).join(" | ")
  if (control.kind === "row") return "a list of numbers"
  return "a number"
}

/** A listing's line without the comment that names its step: that one is for the tool. @param {string} line */
const shown = (line) =>
  line
    .replace(/\s*# step: [^<]*(?=<|$)/, "")
    .replace(/\s*<span class="c1"><\/span>$/, "")
    .trimEnd()

/**
 * The HTML of a figure in its first state, or what is wrong with what it was given.
 * @param {import("./figure.js").Figure} definition @param {Order} order
 */
export function first(definition, { id, state, options: chosen, data, listing, made }) {
  const wires = Object.entries(data)
  const given = Object.fromEntries(wires.map(([name, wire]) => [name, new Dataset(wire)]))
  const faults = missing(definition, given)
  if (faults.length) return { faults }
  const self = instance(definition, {
    ...listing,
    id,
    state,
    options: chosen,
    made,
    lines: listing?.lines?.map(shown),
    data: given.data ?? given,
  })
  for (const key of self.refused) {
    const control = self.controls[key]
    const keys = Object.keys(self.controls).join(", ")
    const message = control
      ? `"${key}" cannot be ${JSON.stringify(state[key])}; it takes ${takes(control)}`
      : `has no state "${key}"; it has ${keys}`
    faults.push({ kind: "state", about: key, message })
  }
  if (faults.length) return { faults }
  const before = options.vnode
  options.vnode = (vnode) => {
    check(vnode, id)
    before?.(vnode)
  }
  try {
    return {
      html: renderToString(html`<${Plate} self=${self} />`),
      describe: definition.describe(self.view),
      lit: lit(self),
    }
  } finally {
    options.vnode = before
  }
}
