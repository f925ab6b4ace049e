// @ts-check
/** Rows of bits in a picture, each bit a switch: one tab stop a row, arrows move, Space flips. */
import { signal } from "explainers"

/** The switch of each row that the Tab key reaches. @type {Map<string, import("@preact/signals").Signal<number>>} */
const stops = new Map()

/**
 * What makes a `<button>` one switch of a row: spread it on. Arrow up and down set it, 1 and 0 set
 * it and go on to the right.
 * @param {import("../runtime/figure.js").Scene} scene
 * @param {{row?: string, at: number, on: boolean | number, words: string, flip: () => void,
 *   class?: string}} it `at` is its place from the left
 * @returns {Record<string, any>}
 */
export function bit({ id, ready }, { row = "bits", at, on, words, flip, class: more = "" }) {
  const name = `${id} ${row}`
  const stop = stops.get(name) ?? signal(0)
  stops.set(name, stop)
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const here = /** @type {HTMLElement} */ (event.currentTarget)
    const all = /** @type {HTMLElement[]} */ ([
      ...(here.closest(".picture")?.querySelectorAll(`[data-row="${row}"]`) ?? []),
    ])
    const last = all.length - 1
    const { key } = event
    const wanted = { ArrowUp: true, 1: true, ArrowDown: false, 0: false }[key]
    if (wanted !== undefined && wanted !== Boolean(on)) flip()
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, 0: at + 1, 1: at + 1, Home: 0, End: last }[
      key
    ]
    if (to !== undefined) all[Math.max(0, Math.min(last, to))]?.focus({ preventScroll: true })
    else if (wanted === undefined) return
    event.preventDefault()
  }
  return {
    type: "button",
    role: "switch",
    class: `bit ${on ? "on" : "off"} ${more}`,
    "aria-checked": on ? "true" : "false",
    "aria-label": words,
    "data-row": row,
    disabled: !ready,
    tabindex: stop.value === at ? 0 : -1,
    onFocus: () => {
      stop.value = at
    },
    onClick: flip,
    onKeyDown: press,
  }
}
