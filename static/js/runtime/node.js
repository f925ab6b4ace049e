// @ts-check
/** First frames, at build. */
import { options } from "preact"
import { renderToString } from "preact-render-to-string"
import { Dataset } from "./dataset.js"
import { html } from "./html.js"
import { instance } from "./instance.js"
import { lit } from "./listing.js"
import { Plate } from "./plate.js"
import { check, held } from "./rules.js"

export * from "./index.js"

/**
 * @typedef {{kind: string, message: string, about?: string}} Fault
 * @typedef {{id: string, state: Record<string, any>,
 *   options?: Record<string, any>, data: Record<string, import("./dataset.js").Wire>,
 *   listing?: any, made?: string, moves?: [string, string | null][][]}} Order
 */

/**
 * What is wrong with the shapes of a dataset's fields; the same letter is the same length.
 * @param {Dataset} dataset @param {Record<string, string>} shapes
 */
function unlike(dataset, shapes) {
  /** @type {Record<string, [number, string]>} */
  const lengths = {}
  const show = (/** @type {any[]} */ shape) => `(${shape.join(", ")})`
  for (const [field, words] of Object.entries(shapes)) {
    let found = dataset._shape(field)
    let wanted = words.split(" ").filter(Boolean)
    const said = `field "${field}" of dataset "${dataset.name}"`
    if (wanted[0] === "…") {
      wanted = wanted.slice(1)
      found = found.slice(dataset.axes.length)
    }
    if (found.length !== wanted.length) {
      return `needs ${said} with the shape ${show(wanted)}; found ${show(found)}`
    }
    for (const [i, letter] of wanted.entries()) {
      lengths[letter] ??= [found[i], field]
      const [length, other] = lengths[letter]
      if (length !== found[i]) {
        return `needs ${said} as long as "${other}", ${letter} = ${length}; found ${show(found)}`
      }
    }
  }
  return ""
}

/**
 * @param {import("./figure.js").Figure} definition @param {Record<string, Dataset>} data
 * @param {Record<string, any>} options @returns {Fault[]}
 */
function missing(definition, data, options) {
  /** @type {Fault[]} */
  const faults = []
  const { needs = {} } = definition
  const wanted = typeof needs === "function" ? needs({ data, options }) : needs
  for (const [name, shapes] of Object.entries(wanted)) {
    const fields = Array.isArray(shapes) ? shapes : Object.keys(shapes)
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
      continue
    }
    const message = Array.isArray(shapes) ? "" : unlike(dataset, shapes)
    if (message) faults.push({ kind: "data", about: name, message })
  }
  return faults
}

/** @param {any} control */
function takes(control) {
  if (control.options) return control.options.map((/** @type {any} */ [value]) => value).join(" | ")
  if (control.kind === "row") return "a list of numbers"
  return "a number"
}

const DRAGGED = ["slider", "player", "number"]

/** Whether a number was taken as it is, neither moved onto the scale nor into its bounds. @param {any} given @param {any} taken @returns {boolean} */
const whole = (given, taken) =>
  Array.isArray(given)
    ? given.every((one, i) => whole(one, taken[i]))
    : typeof given !== "number" || given === taken || Math.abs(given - taken) < 1e-9

/**
 * What words of the page ask of the figure that it cannot do.
 * @param {import("./figure.js").Figure} definition @param {import("./instance.js").Instance} self
 * @param {[string, string | null][][]} moves
 */
function unmoved(definition, self, moves) {
  /** @type {Fault[]} */
  const faults = []
  if (!moves.length) return faults
  const other = instance(definition, self.parts)
  const keys = Object.keys(other.controls).join(", ")
  for (const [index, entries] of moves.entries()) {
    const fault = (/** @type {string} */ message) =>
      faults.push({ kind: "move", about: String(index), message })
    const unknown = entries.filter(([key]) => !(key in other.controls))
    for (const [key] of unknown) fault(`has no state "${key}"; it has ${keys}`)
    if (unknown.length) continue
    other.restore(/** @type {[string, string][]} */ (entries.filter(([, text]) => text !== null)))
    for (const [key, text] of entries) {
      const control = other.controls[key]
      if (text === null) {
        if (!DRAGGED.includes(control.kind)) fault(`has a "${key}" that is no number to drag`)
        continue
      }
      const wanted = control.read(text)
      const taken = other.signals[key].peek()
      const refused = wanted === undefined || control.take(wanted, other.view) === undefined
      if (refused) fault(`cannot have ${key}=${text}; it takes ${takes(control)}`)
      else if (!whole(wanted, taken)) fault(`cannot have ${key}=${text}; it would have ${taken}`)
    }
  }
  return faults
}

/** A listing's line without the comment that names its step: that one is for the tool. @param {string} line */
const shown = (line) =>
  line
    .replace(/\s*# step: [^<]*(?=<|$)/, "")
    .replace(/\s*<span class="c1"><\/span>$/, "")
    .trimEnd()

/**
 * The HTML of a figure in its first state, or what is wrong with what it was given.
 * @param {any} exported what the module exports @param {Order} order
 */
export function first(exported, { id, state, options: chosen, data, listing, made, moves }) {
  const definition = held(exported)
  const wires = Object.entries(data)
  const given = Object.fromEntries(wires.map(([name, wire]) => [name, new Dataset(wire)]))
  const faults = missing(definition, given, chosen ?? {})
  if (faults.length) return { faults }
  const differs = definition.proven?.({ data: given.data ?? given, options: chosen ?? {} })
  if (differs) {
    const about = wires.find(([name]) => name === "cases")?.[0] ?? "data"
    return { faults: [{ kind: "data", about, message: differs }] }
  }
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
  for (const [key, value] of Object.entries(state)) {
    const taken = self.built[key]
    if (!self.refused.includes(key) && !whole(value, taken)) {
      const message = `cannot have "${key}" ${JSON.stringify(value)}; it would have ${taken}`
      faults.push({ kind: "state", about: key, message })
    }
  }
  faults.push(...unmoved(definition, self, moves ?? []))
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
