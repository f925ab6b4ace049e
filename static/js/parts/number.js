// @ts-check
/** A number that a reader types. */
import { text } from "./text.js"

/** @param {import("../runtime/controls.js").Bound} bound @param {import("../runtime/figure.js").View} view */
const ends = (bound, view) => (typeof bound === "function" ? bound(view) : bound)

/**
 * A typed number within bounds.
 * @param {{label: string, min: import("../runtime/controls.js").Bound, max: import("../runtime/controls.js").Bound,
 *   step?: number, value: number, unit?: string, whole?: boolean,
 *   format?: (value: number) => string}} options
 * @returns {any} a Control
 */
export function number({ label, min, max, step = 1, value, unit = "", whole, format = String }) {
  const within = (
    /** @type {any} */ next,
    /** @type {import("../runtime/figure.js").View} */ view,
  ) =>
    typeof next === "number" &&
    next >= ends(min, view) &&
    next <= ends(max, view) &&
    (!whole || Number.isInteger(next))
      ? next
      : undefined
  const read = (/** @type {string} */ typed) =>
    typed.trim() === "" ? Number.NaN : Number(typed.replace("−", "-").replaceAll(",", ""))
  return text({
    label,
    unit,
    value,
    mode: "decimal",
    show: format,
    read,
    take: within,
    parse(typed, view) {
      const found = within(read(typed), view)
      const kind = whole ? "a whole number" : "a number"
      return found === undefined
        ? {
            problem: `Type ${kind} from ${format(ends(min, view))} to ${format(ends(max, view))}.`,
          }
        : { value: found }
    },
    nudge: (now, way, view) => within(Number((now + way * step).toPrecision(12)), view),
  })
}
