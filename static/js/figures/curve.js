// @ts-check
/**
 * Curves over x, drawn anew for each state of a sweep.
 * Options: x (a field), y (fields, or {field, label}), label {x, y}, scale {x, y}, labels (of axes).
 */
import { axis, figure, html, sig, slider } from "explainers"
import { apart, brief, path, ruledOnce } from "explainers/parts/plane"
import { chosen, sweep } from "explainers/parts/sweep"

/** @typedef {import("../runtime/figure.js").View} View */

const [LEFT, RIGHT, BASE, ROOF] = [40, 400, 262, 34]
const HUES = ["var(--hue-1)", "var(--hue-2)", "var(--hue-3)", "var(--hue-4)", "var(--hue-5)"]

/** @param {{options: any}} view @returns {{field: string, label: string, hue: string}[]} */
const lines = ({ options }) =>
  (options.y ?? []).map((/** @type {any} */ one, /** @type {number} */ k) => {
    const { field, label } = typeof one === "string" ? { field: one, label: one } : one
    return { field, label: label ?? field, hue: HUES[k % HUES.length] }
  })

/** @param {View} view @returns {number[]} */
const xs = (view) => Array.from(chosen(view)[view.options.x ?? "x"])

export default figure({
  needs: ({ options }) => ({
    data: Object.fromEntries(
      [options.x ?? "x", ...lines({ options }).map(({ field }) => field)].map((f) => [f, "… n"]),
    ),
  }),

  controls: (view) => ({
    ...sweep(view),
    point: slider({ label: "point read off", min: 0, max: (now) => xs(now).length - 1, value: 0 }),
  }),

  draw(view) {
    const { data, options, state, set } = view
    const x = options.x ?? "x"
    const it = chosen(view)
    const along = ruledOnce(data, [x], [LEFT, RIGHT], options.scale?.x)
    const all = lines(view)
    const fields = all.map(({ field }) => field)
    const up = ruledOnce(data, fields, [BASE, ROOF], options.scale?.y, 5)
    const px = xs(view).map(along.place)
    const end = px.length - 1
    const ends = all.map(({ field }) => up.place(it[field][end]))
    const labels = apart(ends, 16)
    const k = state.point
    const pick = (/** @type {any} */ event) => {
      const box = event.currentTarget.getBoundingClientRect()
      const at = along.place(along.low) + ((event.clientX - box.left) / box.width) * (RIGHT - LEFT)
      const gaps = px.map((place) => Math.abs(place - at))
      set({ point: gaps.indexOf(Math.min(...gaps)) })
    }
    return html`<svg viewBox="0 0 480 308" class="curve">
      <text class="name" x="0" y="12">${options.label?.y ?? ""}</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${up.values} place=${up.place} words=${brief} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${along.values} place=${along.place} words=${brief} label=${options.label?.x ?? x} />
      <path class="cursor" d=${`M${px[k]} ${BASE}V${ROOF}`} />
      ${all.map(({ field, label, hue }, s) => {
        const points = px.map(
          (place, i) => /** @type {[number, number]} */ ([place, up.place(it[field][i])]),
        )
        return html`<g key=${field} class="series" data-term=${field} style=${`color: ${hue}`}>
          <path class="through" d=${path(points)} />
          <circle class="here" cx=${px[k]} cy=${points[k][1]} r="4.5" />
          <text x=${RIGHT + 6} y=${labels[s]} dy="0.35em">${label}</text>
        </g>`
      })}
      <rect class="touch" x=${LEFT} y=${ROOF} width=${RIGHT - LEFT} height=${BASE - ROOF} onClick=${pick} />
    </svg>`
  },

  describe(view) {
    const { data, options, state } = view
    const it = chosen(view)
    const at = data.axes.map(
      (/** @type {string} */ name) => `${options.labels?.[name] ?? name} ${state[name]}`,
    )
    const here = `${options.label?.x ?? options.x ?? "x"} ${sig(xs(view)[state.point], 3)}`
    const all = lines(view).map(({ field, label }) => `${label} ${sig(it[field][state.point], 4)}`)
    return `${[...at, here].join(", ")}: ${all.join(", ")}.`
  },

  table(view) {
    const it = chosen(view)
    const x = xs(view)
    const all = lines(view)
    const every = Math.ceil(x.length / 24)
    return {
      caption: every > 1 ? `The curves at every ${every} points` : "The curves",
      columns: [view.options.label?.x ?? view.options.x ?? "x", ...all.map(({ label }) => label)],
      rows: x
        .map((at, k) => [sig(at, 4), ...all.map(({ field }) => sig(it[field][k], 4))])
        .filter((_, k) => k % every === 0),
    }
  },
})
