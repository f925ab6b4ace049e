// @ts-check
/**
 * A matrix as a field of ink, for each state of a sweep; one cell of it is read off.
 * Options: value (a field), label {x, y}, caption, labels (of axes), range [low, high].
 */
import { axis, figure, fixed, html, scale, sig, slider, ticks } from "explainers"
import { drag } from "explainers/parts/drag"
import { Heat, inked } from "explainers/parts/heat"
import { brief } from "explainers/parts/plane"
import { chosen, sweep } from "explainers/parts/sweep"

/** @typedef {import("../runtime/figure.js").View} View */

const [LEFT, TOP, SIDE] = [44, 28, 330]
const KEY = 402

/** The matrix shown: its rows one after the other. @param {View} view */
function now(view) {
  const rows = chosen(view)[view.options.value ?? "value"]
  return { rows, tall: rows.length, wide: rows[0].length }
}

/** @type {WeakMap<object, [number, number]>} */
const ends = new WeakMap()

/** The least and the most over all states, so that ink means the same in each. @param {View} view @returns {[number, number]} */
function range({ data, options }) {
  if (options.range) return options.range
  const known = ends.get(data)
  if (known) return known
  let [low, high] = [Infinity, -Infinity]
  const look = (/** @type {any} */ one) => {
    if (typeof one !== "number") for (const part of one) look(part)
    else if (Number.isFinite(one)) [low, high] = [Math.min(low, one), Math.max(high, one)]
  }
  look(data[options.value ?? "value"])
  const found = /** @type {[number, number]} */ ([Math.min(0, low), high])
  ends.set(data, found)
  return found
}

/** One column of ink from all to none: the key. */
const RULE = Uint8Array.from({ length: 64 }, (_, k) => Math.round(255 - (k * 255) / 63))

export default figure({
  needs: ({ options }) => ({ data: { [options.value ?? "value"]: "… h w" } }),

  controls: (view) => ({
    ...sweep(view),
    row: slider({
      label: view.options.label?.y ?? "row",
      min: 1,
      max: (given) => now(given).tall,
    }),
    column: slider({
      label: view.options.label?.x ?? "column",
      min: 1,
      max: (given) => now(given).wide,
    }),
  }),

  draw(scene) {
    const { id, ready, state, options } = scene
    const { rows, tall, wide } = now(scene)
    const [low, high] = range(scene)
    const size = SIDE / Math.max(tall, wide)
    const [width, height] = [size * wide, size * tall]
    const values = new Float64Array(tall * wide)
    rows.forEach((/** @type {any} */ row, /** @type {number} */ y) => {
      values.set(row, y * wide)
    })
    const down = scale([0.5, tall + 0.5], [TOP, TOP + height])
    const along = scale([0.5, wide + 0.5], [LEFT, LEFT + width])
    const up = scale([low, high], [TOP + height, TOP])
    const whole = (/** @type {number} */ n) => [
      1,
      ...ticks(1, n, 4).filter((v) => Number.isInteger(v) && v > 1),
    ]
    const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
      column: Math.min(wide, Math.max(1, 1 + Math.floor((x - LEFT) / size))),
      row: Math.min(tall, Math.max(1, 1 + Math.floor((y - TOP) / size))),
    })
    return html`<svg viewBox=${`0 0 480 ${TOP + height + 44}`} class="heat-map">
      <${axis} side="left" at=${LEFT} from=${TOP + height} to=${TOP} values=${whole(tall)} place=${down} words=${fixed} label=${options.label?.y ?? "row"} />
      <${axis} side="bottom" at=${TOP + height} from=${LEFT} to=${LEFT + width} values=${whole(wide)} place=${along} words=${fixed} label=${options.label?.x ?? "column"} />
      <${Heat} id=${id} ready=${ready} levels=${inked(values, low, high)} rows=${tall} columns=${wide} x=${LEFT} y=${TOP} width=${width} height=${height} />
      <${Heat} id=${id} name="key" ready=${ready} levels=${RULE} rows=${64} columns=${1} x=${KEY} y=${TOP} width=${12} height=${height} />
      <path class="frame" d=${`M${KEY} ${TOP}h12v${height}h-12z`} />
      <${axis} side="right" at=${KEY + 12} from=${TOP + height} to=${TOP} values=${ticks(low, high, 4)} place=${up} words=${brief} />
      <rect class="here" x=${LEFT + (state.column - 1) * size} y=${TOP + (state.row - 1) * size} width=${size} height=${size} />
      <rect class="drag both" x=${LEFT} y=${TOP} width=${width} height=${height} ...${drag(scene, at)} />
    </svg>`
  },

  describe(view) {
    const { data, options, state } = view
    const { rows } = now(view)
    const field = options.value ?? "value"
    const unit = data._unit(field)
    const name = `${options.label?.value ?? field.replaceAll("_", " ")}`
    const at = data.axes.map(
      (/** @type {string} */ one) =>
        `${options.labels?.[one] ?? one.replaceAll("_", " ")} ${state[one]}`,
    )
    const cell = `${options.label?.y ?? "row"} ${state.row}, ${options.label?.x ?? "column"} ${state.column}`
    const value = sig(rows[state.row - 1][state.column - 1], 4)
    return `${[...at, cell].join(", ")}: ${name} ${value}${unit && unit !== "1" ? ` ${unit}` : ""}.`
  },

  table(view) {
    const { rows } = now(view)
    const row = rows[view.state.row - 1]
    return {
      caption: `${view.options.label?.y ?? "Row"} ${view.state.row}`,
      columns: [view.options.label?.x ?? "column", view.options.value ?? "value"],
      rows: Array.from(row, (value, k) => [k + 1, sig(value, 4)]),
    }
  },
})
