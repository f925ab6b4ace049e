// @ts-check
/**
 * A table whose rows can be put in the order of any column.
 * Options: columns (fields, or {field, label, digits}), labels (of axes of the sweep).
 */
import { figure, fixed, html, select, sig, toggle } from "explainers"
import { chosen, sweep } from "explainers/parts/sweep"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {{field: string, label: string, digits?: number}} Column
 */

/** @param {{options: any}} view @returns {Column[]} */
const columns = ({ options }) =>
  (options.columns ?? []).map((/** @type {any} */ one) =>
    typeof one === "string" ? { field: one, label: one } : { label: one.field, ...one },
  )

/** @param {any} value @param {Column} column */
function text(value, { digits }) {
  if (typeof value !== "number") return String(value)
  if (digits !== undefined) return fixed(value, digits)
  return Number.isInteger(value) && Math.abs(value) < 1e7 ? fixed(value, 0) : sig(value, 4)
}

/** The rows in the order chosen. @param {View} view */
function rows(view) {
  const it = chosen(view)
  const { by, way } = view.state
  const count = it[columns(view)[0].field].length
  const order = Array.from({ length: count }, (_, k) => k)
  if (by === "given") return { it, order: way === "up" ? order : order.reverse() }
  const values = it[by]
  order.sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b))
  return { it, order: way === "up" ? order : order.reverse() }
}

export default figure({
  handles: true,
  needs: ({ options }) => {
    const fields = columns({ options }).map(({ field }) => field)
    return {
      data: Object.fromEntries(
        (fields.length ? fields : ["options columns: [field, …]"]).map((f) => [f, "… n"]),
      ),
    }
  },

  controls: (view) => ({
    ...sweep(view),
    by: select({
      label: "in order of",
      options: [
        ["given", "as given"],
        ...columns(view).map(
          ({ field, label }) => /** @type {[string, string]} */ ([field, label]),
        ),
      ],
    }),
    way: toggle({
      label: "from",
      options: [
        ["up", "least to most"],
        ["down", "most to least"],
      ],
    }),
  }),

  draw(view) {
    const { state, set, ready } = view
    const all = columns(view)
    const { it, order } = rows(view)
    const turn = (/** @type {string} */ field) => () =>
      set(
        state.by === field ? { way: state.way === "up" ? "down" : "up" } : { by: field, way: "up" },
      )
    return html`<section class="rows" tabindex="0" aria-label="rows"><table>
      <thead><tr>${all.map(({ field, label }) => {
        const sorted = state.by === field
        const sort = sorted ? (state.way === "up" ? "ascending" : "descending") : undefined
        return html`<th key=${field} scope="col" aria-sort=${sort}><button type="button" disabled=${!ready} onClick=${turn(field)}>${`${label}${sorted ? (state.way === "up" ? " ▴" : " ▾") : ""}`}</button></th>`
      })}</tr></thead>
      <tbody>${order.map(
        (k) =>
          html`<tr key=${k}>${all.map((column, c) => {
            const value = it[column.field][k]
            const cell = text(value, column)
            return c === 0
              ? html`<th key=${column.field} scope="row">${cell}</th>`
              : html`<td key=${column.field} class=${typeof value === "number" ? "num" : ""}>${cell}</td>`
          })}</tr>`,
      )}</tbody>
    </table></section>`
  },

  describe(view) {
    const all = columns(view)
    const { it, order } = rows(view)
    const by = all.find(({ field }) => field === view.state.by)
    const first = text(it[all[0].field][order[0]], all[0])
    const where = by
      ? `in order of ${by.label}, ${view.state.way === "up" ? "least" : "most"} first`
      : "as given"
    return `${order.length} rows, ${where}; the first is ${first}.`
  },

  table(view) {
    const all = columns(view)
    const { it, order } = rows(view)
    return {
      caption: "The rows in this order",
      columns: all.map(({ label }) => label),
      rows: order.map((k) => all.map((column) => text(it[column.field][k], column))),
    }
  },
})
