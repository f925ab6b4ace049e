// @ts-check
/** A figure with typed inputs and computed outputs: the browser's twin of a kernel, under the hand. */
import { figure, fixed, html, sig } from "explainers"
import { number } from "explainers/parts/number"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {import("../runtime/figure.js").Scene} Scene
 * @typedef {Record<string, number>} Given the inputs, by name
 * @typedef {Record<string, any>} Found the outputs, by name: numbers, or words
 * @typedef {{label: string, min: number, max: number, value: number, unit?: string, step?: number,
 *   whole?: boolean, format?: (value: number) => string}} Input
 * @typedef {{label: string, unit?: string, digits?: number, format?: (value: any) => string,
 *   worked?: (given: Given, found: Found) => string}} Output `digits` count, the leading ones first;
 *   `worked` is the formula with the numbers in it
 */

/** A value in words. @param {any} value @param {Output} output @returns {string} */
function words(value, { digits = 4, format }) {
  if (format) return format(value)
  if (typeof value !== "number") return String(value)
  return Number.isInteger(value) && Math.abs(value) < 1e6 ? fixed(value) : sig(value, digits)
}

/** With its unit. @param {any} value @param {Output} output */
const told = (value, output) => `${words(value, output)}${output.unit ? ` ${output.unit}` : ""}`

/** The dataset of cases. @param {any} data */
const casesOf = (data) => data.cases ?? data

/** Each case that the kernel computed: its inputs and its outputs. @param {any} data @param {string[]} names @returns {{given: Given, found: Found}[]} */
function cases(data, names) {
  const all = casesOf(data)
  /** @type {Given[]} */
  let states = [{}]
  for (const axis of all.axes) {
    states = states.flatMap((state) =>
      all.axis(axis).map((/** @type {number} */ value) => ({ ...state, [axis]: value })),
    )
  }
  return states.map((state) => {
    const found = all.axes.length ? all.at(state) : all
    return { given: Object.fromEntries(names.map((name) => [name, state[name]])), found }
  })
}

/** @param {any} a @param {any} b @param {number} tolerance */
const near = (a, b, tolerance) =>
  Object.is(a, b) || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b))

/**
 * A calculator. `of` is a pure function of the inputs, made of twins of kernels; the figure's
 * dataset (`cases`, if it has several) is a sweep over all inputs that the kernel itself computed,
 * with a field for each output. The build runs `of` on every case, and refuses one that differs by
 * more than `tolerance` of its size.
 * @param {{of: (given: Given) => Found, inputs: Record<string, Input>,
 *   outputs: Record<string, Output>, tolerance?: number,
 *   describe?: (given: Given, found: Found) => string,
 *   picture?: (scene: Scene, given: Given, found: Found) => any}} it
 */
export function calculator({ of, inputs, outputs, tolerance = 1e-12, describe, picture }) {
  const asked = Object.keys(inputs)
  const answered = Object.entries(outputs)
  const now = (/** @type {View} */ { state }) => {
    const given = Object.fromEntries(asked.map((name) => [name, state[name]]))
    return { given, found: of(given) }
  }
  const show = (/** @type {string} */ name, /** @type {number} */ value) => {
    const { unit, format = String } = inputs[name]
    return `${format(value)}${unit ? ` ${unit}` : ""}`
  }
  return figure({
    needs({ data }) {
      const all = data.cases ?? data.data
      const lacking = asked.filter((name) => !all?.axes.includes(name))
      const wanted = [...lacking.map((name) => `the axis ${name}`), ...Object.keys(outputs)]
      return { [data.cases ? "cases" : "data"]: wanted }
    },

    proven({ data }) {
      for (const { given, found } of cases(data, asked)) {
        const ours = of(given)
        for (const [name] of answered) {
          if (near(ours[name], found[name], tolerance)) continue
          const where = asked.map((key) => `${key} = ${given[key]}`).join(", ")
          return `computes ${name} = ${ours[name]} for ${where}; dataset "${casesOf(data).name}" has ${found[name]}`
        }
      }
      return ""
    },

    controls: Object.fromEntries(asked.map((name) => [name, number(inputs[name])])),

    draw(scene) {
      const { given, found } = now(scene)
      if (picture) return picture(scene, given, found)
      const tall = answered.some(([, { worked }]) => worked) ? 72 : 52
      return html`<svg viewBox=${`0 0 480 ${tall * answered.length + 4}`} class="calculator">
        ${answered.map(
          ([name, output], k) => html`<g key=${name} data-term=${name}>
            <path class="line" d=${`M0 ${tall * k + 40}H480`} />
            <text class="name" x="0" y=${tall * k + 30}>${output.label}</text>
            <text class="num" x="480" y=${tall * k + 30} text-anchor="end"><tspan class="result">${words(found[name], output)}</tspan>${output.unit ? html`<tspan class="name" dx="0.5em">${output.unit}</tspan>` : null}</text>
            ${output.worked ? html`<text class="num name" x="480" y=${tall * k + 58} text-anchor="end">${output.worked(given, found)}</text>` : null}
          </g>`,
        )}
      </svg>`
    },

    describe(view) {
      const { given, found } = now(view)
      if (describe) return describe(given, found)
      const from = asked.map((name) => `${inputs[name].label} = ${show(name, given[name])}`)
      const to = answered.map(([name, output]) => `${output.label} = ${told(found[name], output)}`)
      return `${from.join(", ")}: ${to.join(", ")}.`
    },

    table(view) {
      const { given, found } = now(view)
      return {
        caption: "What is given, and what follows",
        columns: ["quantity", "value"],
        rows: [
          ...asked.map((name) => [inputs[name].label, show(name, given[name])]),
          ...answered.map(([name, output]) => [output.label, told(found[name], output)]),
        ],
      }
    },

    checked: ({ data }) =>
      `Computed in your browser by a function that agrees with the kernel on ${cases(data, asked).length} cases.`,
  })
}
