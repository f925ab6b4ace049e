// @ts-check
/**
 * A row of bars for each state of a sweep; with a reference, its outlines behind them.
 * Options: value (a field), names (a field of words), reference (a field), label, labels (of axes).
 */
import { axis, figure, html, sig, toggle } from "explainers"
import { brief, ruledOnce } from "explainers/parts/plane"
import { chosen, sweep } from "explainers/parts/sweep"

/** @typedef {import("../runtime/figure.js").View} View */

const [LEFT, RIGHT, BASE, ROOF] = [40, 474, 244, 34]
/** Bars that still have room for their numbers. */
const ROOM = 14

/** @param {View} view */
function now(view) {
  const { options, state } = view
  const it = chosen(view)
  const values = Array.from(it[options.value ?? "value"])
  const order = values.map((_, k) => k)
  if (state.order === "size") order.sort((a, b) => values[b] - values[a] || a - b)
  const names = values.map((_, k) => (options.names ? String(it[options.names][k]) : String(k + 1)))
  const reference = options.reference ? Array.from(it[options.reference]) : null
  return { values, order, names, reference }
}

export default figure({
  needs: ({ options }) => ({
    data: Object.fromEntries(
      [options.value ?? "value", options.names, options.reference]
        .filter(Boolean)
        .map((field) => [field, "… n"]),
    ),
  }),

  controls: (view) => ({
    ...sweep(view),
    order: toggle({
      label: "in order of",
      options: [
        ["given", "place"],
        ["size", "size"],
      ],
    }),
  }),

  draw(view) {
    const { data, options } = view
    const { values, order, names, reference } = now(view)
    const fields = [options.value ?? "value", options.reference].filter(Boolean)
    const up = ruledOnce(data, fields, [BASE, ROOF], "linear", 5, [0])
    const slot = (RIGHT - LEFT) / values.length
    const zero = up.place(0)
    const wide = Math.min(48, slot * 0.64)
    return html`<svg viewBox="0 0 480 290" class="bars">
      <text class="name" x="0" y="12">${options.label ?? data._unit(fields[0])}</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${up.values} place=${up.place} words=${brief} />
      <path class="line" d=${`M${LEFT} ${zero}H${RIGHT}`} />
      ${order.map((k, place) => {
        const x = LEFT + slot * (place + 0.5)
        const y = up.place(values[k])
        return html`<g key=${k}>
          ${reference ? html`<rect class="exact" x=${x - wide / 2 - 3} width=${wide + 6} y=${Math.min(zero, up.place(reference[k]))} height=${Math.abs(zero - up.place(reference[k]))} />` : null}
          <rect class="bar" x=${x - wide / 2} width=${wide} y=${Math.min(zero, y)} height=${Math.abs(zero - y)} />
          ${values.length <= ROOM ? html`<text class="num halo" x=${x} y=${Math.min(zero, y)} dy="-0.4em" text-anchor="middle">${brief(values[k])}</text>` : null}
          ${values.length <= ROOM || place % Math.ceil(values.length / ROOM) === 0 ? html`<text x=${x} y=${BASE} dy="1.35em" text-anchor="middle">${names[k]}</text>` : null}
        </g>`
      })}
    </svg>`
  },

  describe(view) {
    const { data, options, state } = view
    const { values, names } = now(view)
    const at = data.axes.map(
      (/** @type {string} */ name) => `${options.labels?.[name] ?? name} ${state[name]}: `,
    )
    const most = values.indexOf(Math.max(...values))
    const total = values.reduce((sum, one) => sum + one, 0)
    return `${at.join("")}${values.length} bars, the largest ${names[most]} with ${sig(values[most], 3)}; together ${sig(total, 3)}.`
  },

  table(view) {
    const { values, order, names, reference } = now(view)
    const { options } = view
    return {
      caption: options.label ?? "The bars",
      columns: ["", options.value ?? "value", ...(reference ? [options.reference] : [])],
      rows: order.map((k) => [
        names[k],
        sig(values[k], 4),
        ...(reference ? [sig(reference[k], 4)] : []),
      ]),
    }
  },
})
