// @ts-check
/** A control for each axis of a dataset's sweep, and the state they choose. */
import { select, slider } from "explainers"

/** @typedef {import("../runtime/figure.js").View} View */

/** An axis in words. @param {string} name */
const words = (name) => name.replaceAll("_", " ")

/**
 * Controls for the axes of the sweep, without those named; the author's `labels` name them.
 * @param {Pick<View, "data" | "options">} view @param {string[]} [without]
 * @returns {Record<string, import("../runtime/controls.js").Control>}
 */
export function sweep({ data, options }, without = []) {
  /** @type {string[]} */
  const axes = data.axes.filter((/** @type {string} */ name) => !without.includes(name))
  return Object.fromEntries(
    axes.map((name) => {
      const values = data.axis(name)
      const label = options.labels?.[name] ?? words(name)
      const numbers = values.every((/** @type {any} */ one) => typeof one === "number")
      const choices = values.map((/** @type {any} */ one) => [one, String(one)])
      return [
        name,
        numbers ? slider({ label, stops: () => values }) : select({ label, options: choices }),
      ]
    }),
  )
}

/** The dataset at the state that `sweep`'s controls chose. @param {View} view @returns {any} */
export function chosen({ data, state }) {
  const entries = data.axes.map((/** @type {string} */ name) => [name, state[name]])
  return entries.length ? data.at(Object.fromEntries(entries)) : data
}
