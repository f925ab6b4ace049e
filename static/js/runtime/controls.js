// @ts-check
/** What a reader can move. Each control owns one key of the state. */

/**
 * @typedef {import("./figure.js").View} View
 * @typedef {object} Control
 * @property {string} kind
 * @property {string} label in words, with its unit
 * @property {(view: View) => any} first the value when nothing else says one
 * @property {(value: any, view: View) => any} take the value made possible, or undefined
 * @property {(value: any) => string} text for an address
 * @property {(text: string) => any} read from an address; undefined when it means nothing
 * @property {any} [part] what draws it, for a control that does not come with the runtime
 * @property {any} [min] @property {any} [max] @property {any} [step]
 * @property {any} [format] @property {string} [unit]
 * @property {[string, string][]} [options]
 * @property {any} [words] @property {any} [stops]
 * @property {Record<string, any>} [also] what moving this one sets as well
 * @property {(view: View) => boolean} [changed]
 * @property {(view: View) => boolean} [when] it can be moved
 * @property {string} [follows] the key that sets this one back when it moves
 */

/** A number, or how to find it. @typedef {number | ((view: View) => number)} Bound */

/** @param {Bound} bound @param {View} view */
export const bound = (bound, view) => (typeof bound === "function" ? bound(view) : bound)

const MASKED = "-inf"

/** @param {string} text */
const number = (text) =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined

/** The nearest value on the scale. @param {any} value @param {number} min @param {number} max @param {number} step */
function nearest(value, min, max, step) {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined
  const places = (String(step).split(".")[1] ?? "").length
  const snapped = min + Math.round((value - min) / step) * step
  return Number(Math.min(max, Math.max(min, snapped)).toFixed(Math.max(places, 0)))
}

/**
 * A ruled scale with a pointer, from `min` to `max` or along uneven `stops`. `also` is state that
 * moving it sets as well; it moves only `when` that holds.
 * @param {{label: string, min?: Bound, max?: Bound, step?: number, value?: number, unit?: string,
 *   stops?: (view: View) => number[], format?: (value: number, view?: View) => string,
 *   also?: Record<string, any>, when?: (view: View) => boolean}} options @returns {Control}
 */
export function slider({
  label,
  min = 0,
  max = 1,
  step = 1,
  value,
  unit = "",
  stops,
  also,
  when,
  format = String,
}) {
  const own = { label, unit, stops, also, when, format }
  const shared = { kind: "slider", ...own, text: String, read: number }
  if (stops) {
    return {
      ...shared,
      min: 0,
      max: (/** @type {View} */ view) => stops(view).length - 1,
      step: 1,
      first: (view) => value ?? stops(view)[0],
      take: (next, view) => stops(view).find((stop) => Math.abs(stop - next) < 1e-9),
    }
  }
  return {
    ...shared,
    min,
    max,
    step,
    first: (view) => value ?? bound(min, view),
    take: (next, view) => nearest(next, bound(min, view), bound(max, view), step),
  }
}

/**
 * Play, step and scrub on one clock: a click-stop strip from 0 to `steps`.
 * @param {{label: string, steps: Bound, value?: number | "last", pace?: number}} options
 *   `pace` is the time a step stands while playing, in milliseconds
 * @returns {Control}
 */
export function player({ label, steps, value = 0, pace = 700 }) {
  return {
    kind: "player",
    label,
    min: 0,
    max: steps,
    step: 1,
    format: pace,
    first: (view) => (value === "last" ? bound(steps, view) : value),
    take(next, view) {
      const last = bound(steps, view)
      return next === "last" ? last : nearest(next, 0, last, 1)
    },
    text: String,
    read: number,
  }
}

/**
 * @typedef {{label: string, options: ([any, string] | string | number)[], value?: any,
 *   changed?: (view: View) => boolean}} Choice `options` are values with their words, or values
 *   that are words themselves; `changed` says that what was chosen was then altered
 */

/** @param {string} kind @param {Choice} choice @returns {Control} */
function choice(kind, { label, options, value, changed }) {
  const pairs = options.map((one) => (Array.isArray(one) ? one : [one, String(one)]))
  const values = pairs.map(([name]) => String(name))
  return {
    kind,
    label,
    changed,
    options: pairs.map(([name, words]) => [String(name), String(words)]),
    first: () => (value === undefined ? values[0] : String(value)),
    take: (next) => (values.includes(String(next)) ? String(next) : undefined),
    text: String,
    read: (text) => (values.includes(text) ? text : undefined),
  }
}

/** A switch with two positions. @param {Choice} options */
export const toggle = (options) => choice("toggle", options)

/** One of a few as a strip of positions, one of many as a menu. @param {Choice} options */
export const select = (options) => choice("select", options)

/**
 * A row of like numbers that the picture itself lets the reader drag, with `hold`. One of them
 * may be -Infinity: masked until it is moved.
 * @param {{label: string, min: number, max: number, step?: number, follows?: string,
 *   value: (view: View) => ArrayLike<number>, words?: (index: number) => string}} options
 * @returns {Control}
 */
export function row({ label, min, max, step = 1, follows, value, words }) {
  return {
    kind: "row",
    label,
    min,
    max,
    step,
    follows,
    words: words ?? ((/** @type {number} */ i) => `${label} ${i + 1}`),
    first: (view) => Array.from(value(view)),
    take(next, view) {
      if (!Array.isArray(next) || next.length !== value(view).length) return undefined
      const values = next.map((/** @type {any} */ one) =>
        one === -Infinity ? one : nearest(one, min, max, step),
      )
      return values.includes(undefined) ? undefined : values
    },
    text: (values) =>
      values.map((/** @type {number} */ one) => (one === -Infinity ? MASKED : one)).join(","),
    read(text) {
      const values = text.split(",").map((one) => (one === MASKED ? -Infinity : number(one)))
      return values.includes(undefined) ? undefined : values
    },
  }
}
