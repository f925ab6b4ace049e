// @ts-check
/** Points through four layers, one statement at a time, and the log-slopes that add up. */
import { axis, figure, fixed, html, player, slider } from "explainers"
import { normalDensity } from "explainers/kernels/flows"
import { line, strings } from "explainers/parts/outline"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const UNIT = 36
const MIDDLE = 184
const [LEFT, RIGHT] = [4, 364]
const TOP = 62
const ROW = 80
const SLANT = 26
const TALL = 80
const EVERY = 8

/** @param {number} x */
const along = (x) => Math.round((MIDDLE + UNIT * x) * 100) / 100
/** @param {ArrayLike<number>} xs */
const places = (xs) => Float64Array.from(xs, (x) => MIDDLE + UNIT * x)
/** @param {ArrayLike<number>} xs */
const few = (xs) =>
  Float64Array.from({ length: Math.ceil(xs.length / EVERY) }, (_, k) => xs[k * EVERY])
/** @param {number} k */
const base = (k) => TOP + ROW * k

/**
 * @typedef {{name: string, done: number, x: ArrayLike<number>, sum: ArrayLike<number>,
 *   layer: number[]}} Step with u, w and b of its layer
 * @typedef {{x: ArrayLike<number>, sum: ArrayLike<number>, heights: Float64Array, curve: string,
 *   fan: string}} Row what stands in a row when its layer is done
 */

/** @type {WeakMap<object, {all: Step[], rows: Row[]}>} */
const known = new WeakMap()

/** The named statements of the trace with the layers done after each, and the rows. @param {View} view */
function made({ data, nameOf }) {
  let found = known.get(data)
  if (!found) {
    /** @type {Step[]} */
    const all = []
    let done = 0
    for (let t = 0; t < data.steps; t++) {
      const name = nameOf(data.ordinals[t])
      if (!["start", "add", "move"].includes(name)) continue
      if (name === "move") done += 1
      all.push({
        name,
        done,
        x: data.x[t],
        sum: data.log_slope[t],
        layer: [data.u[t], data.w[t], data.b[t]],
      })
    }
    const z = all[0].x
    const ended = all.filter(({ name }) => name !== "add")
    const rows = ended.map(({ x, sum }, k) => {
      const heights = Float64Array.from(z, (one, i) => normalDensity(one) * Math.exp(-sum[i]))
      const curve = line(
        places(x),
        heights.map((p) => base(k) - TALL * p),
      )
      const [from, to] = [few(places(ended[Math.max(0, k - 1)].x)), few(places(x))]
      const [above, bend] = [base(k - 1), base(k - 1) + SLANT]
      const fan = k ? strings(from, above, to, bend) + strings(to, bend, to, base(k)) : ""
      return { x, sum, heights, curve, fan }
    })
    found = { all, rows }
    known.set(data, found)
  }
  return found
}

/** @param {View} view */
function now(view) {
  const { all, rows } = made(view)
  const { step, point } = view.state
  const current = all[Math.max(0, Math.min(all.length, step) - 1)]
  const shown = rows.slice(0, current.done + 1)
  const adding = current.name === "add"
  const added = current.sum[point] - shown[shown.length - 1].sum[point]
  return { all, current, rows: shown, point, adding, added }
}

/** @param {number} x with its sign */
const signed = (x) => {
  const text = fixed(x, 2)
  return text.startsWith("−") ? text : `+${text}`
}

export default figure({
  needs: { data: ["x", "log_slope", "u", "w", "b"] },
  controls: {
    step: player({
      label: "statements of the loop",
      steps: (view) => made(view).all.length,
      value: "last",
    }),
    point: slider({
      label: "one point, by its z",
      min: 0,
      max: ({ data }) => data.x[0].length - 1,
      step: 4,
      value: 64,
      format: (k) => fixed(-3.2 + 0.05 * k, 1),
    }),
  },

  draw(view) {
    const { rows, point, adding, added, current } = now(view)
    return html`<svg viewBox="0 0 480 406" class="stack">
      <text class="name" x="480" y="14" text-anchor="end">log-slopes</text>
      ${[0, 1, 2, 3, 4].map((k) => {
        const row = rows[k]
        const was = rows[k - 1]
        const y = base(k)
        const next = k === current.done + 1 && adding
        return html`<g key=${k} class=${row ? "row" : "row yet"}>
          <path class="ground" d=${`M${LEFT} ${y}H${RIGHT}`} />
          <text class="name" x="480" y=${y - (k ? 48 : 4)} text-anchor="end">${k ? `layer ${k}` : "bell"}</text>
          ${
            row
              ? html`<g>
                  ${was ? html`<path class="fan" d=${row.fan} />` : null}
                  <path class=${k === 0 ? "before room" : "after room"} d=${`${row.curve}V${y}Z`} />
                  <path class=${k === 0 ? "before" : "after"} d=${row.curve} />
                  ${was ? html`<path class="way" d=${`M${along(was.x[point])} ${base(k - 1)}L${along(row.x[point])} ${base(k - 1) + SLANT}V${y}`} />` : null}
                  <circle class="dot" cx=${along(row.x[point])} cy=${y} r="5" />
                  ${was ? html`<text class="num" x="480" y=${y - 26} text-anchor="end">${signed(row.sum[point] - was.sum[point])}</text>` : null}
                  ${k ? html`<text class="num sum" x="480" y=${y - 4} text-anchor="end">${`= ${signed(row.sum[point])}`}</text>` : null}
                </g>`
              : null
          }
          ${next ? html`<text class="num now" x="480" y=${y - 26} text-anchor="end">${signed(added)}</text>` : null}
        </g>`
      })}
      <${axis} side="bottom" at=${base(4)} from=${LEFT} to=${RIGHT} values=${[-4, -2, 0, 2, 4]} place=${along} words=${(/** @type {number} */ v) => fixed(v)} />
    </svg>`
  },

  describe(view) {
    const { rows, point, adding, added, current, all } = now(view)
    const z = fixed(all[0].x[point], 1)
    const { x, sum, heights } = rows[rows.length - 1]
    if (adding) {
      const before = sum[point]
      const [u, w, b] = current.layer
      return `Layer ${current.done + 1} (u = ${fixed(u, 1)}, w = ${fixed(w, 1)}, b = ${fixed(b, 1)}) meets the point at ${fixed(x[point], 2)}, where its slope is ${fixed(Math.exp(added), 2)}. The logarithm ${signed(added)} makes the sum ${signed(before + added)}.`
    }
    if (current.done === 0)
      return `Nothing has moved. The point stands at ${z}, and the sum of log-slopes is 0.`
    const bell = Math.log(normalDensity(all[0].x[point]))
    const left = `${fixed(bell, 2)} ${sum[point] < 0 ? "+" : "−"} ${fixed(Math.abs(sum[point]), 2)}`
    return `After layer ${current.done} the point that began at ${z} stands at ${fixed(x[point], 2)}. Take the sum from the bell’s log p: ${left} = ${fixed(bell - sum[point], 2)}, a height of ${fixed(heights[point], 3)}.`
  },

  steps: (view) => made(view).all.map(({ name }) => name),

  table(view) {
    const { point, all } = now(view)
    return {
      caption: `The point that starts at z = ${fixed(all[0].x[point], 1)}`,
      columns: ["after", "u, w, b", "x", "sum of log-slopes", "height"],
      rows: all
        .filter(({ name }) => name !== "add")
        .map(({ x, sum, done, layer }) => [
          done ? `layer ${done}` : "bell",
          done ? layer.map((one) => fixed(one, 1)).join(", ") : "",
          fixed(x[point], 3),
          fixed(sum[point], 3),
          fixed(normalDensity(all[0].x[point]) * Math.exp(-sum[point]), 4),
        ]),
    }
  },
})
