// @ts-check
/** From the end back to the start: the path found again, the adjoint on it, the growing integral. */
import { axis, figure, fixed, html, kept, player, sig, slider } from "explainers"
import { line, spaced } from "explainers/parts/outline"
import { pointer, square } from "./plot.js"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */
/** @typedef {{z: number[][], a: number[][], g: number[][]}} Run one entry a step, from the end on */

const P = square({ left: 0, top: 8, side: 256, reach: 2.5 })
const [STRIP, END] = [296, 452]
const TIME = 6
const ENTRIES = ["A₁₁", "A₁₂", "A₂₁", "A₂₂"]
const STRIPS = [
  { field: "z", middle: 54, unit: 18, values: [-2, 0, 2], label: "state z" },
  { field: "a", middle: 158, unit: 36, values: [-1, 0, 1], label: "adjoint a" },
  { field: "g", middle: 266, unit: 13, values: [-3, 0, 3], label: "gradient so far" },
].map((strip) => ({
  ...strip,
  up: (/** @type {number} */ v) => Math.round((strip.middle - strip.unit * v) * 10) / 10,
}))
const TIMES = [0, 2, 4, 6]

/** A whole number of an axis. @param {number} v */
const words = (v) => fixed(v)
/** @param {number} t */
const along = (t) => Math.round((STRIP + ((END - STRIP) * t) / TIME) * 10) / 10
/** A path through points of the plane. @param {ArrayLike<number>[]} points */
const places = (points) => line(P.acrosses(points.map((p) => p[0])), P.ups(points.map((p) => p[1])))

/** What no hand moves. */
const Ground = kept(({ truth, exact, id }) => {
  const up = STRIPS[2].up
  return html`<g>
    <path class="frame" d=${P.frame} />
    <g clip-path=${`url(#${id}-plane)`}>
      <path class="zero" d=${P.zero} />
      <path class="exact" d=${places(truth)} />
      <path class="goal" d=${`M${P.across(0) - 5} ${P.up(1) - 5}l10 10m0 -10l-10 10`} />
    </g>
    <text class="name halo" x=${P.across(0) + 10} y=${P.up(1) + 4}>y</text>
    <text class="name halo" x="5" y="24">z₂</text>
    <text class="name halo" x=${P.right - 5} y=${P.foot - 6} text-anchor="end">z₁</text>
    ${STRIPS.map(
      (strip) => html`<g key=${strip.field} class="strip">
        <text class="name" x=${END} y=${strip.middle - 42} text-anchor="end">${strip.label}</text>
        <${axis} side="left" at=${STRIP - 6} from=${strip.up(strip.values[0])} to=${strip.up(strip.values[2])} values=${strip.values} place=${strip.up} words=${words} />
        <path class="zero" d=${`M${STRIP} ${strip.middle}H${END}`} />
      </g>`,
    )}
    <g class="strip">
      ${Array.from(exact, (v, i) => html`<path key=${i} class="exact" d=${`M${STRIP - 4} ${up(Number(v))}h12`} />`)}
    </g>
    <${axis} side="bottom" at="312" from=${STRIP} to=${END} values=${TIMES} place=${along} words=${words} />
    <text class="name" x=${END + 8} y="316">t</text>
    <text class="name" x="0" y="286">gradient by</text>
    <text class="name" x="0" y="306">so far</text>
    <text class="name" x="0" y="326">exact</text>
    ${ENTRIES.map(
      (name, i) => html`<g key=${name} class="sums">
        <text class="name" x=${112 + 48 * i} y="286" text-anchor="end">${name}</text>
        <text class="num" x=${112 + 48 * i} y="326" text-anchor="end">${fixed(Number(exact[i]), 2)}</text>
      </g>`,
    )}
  </g>`
})

/** @type {WeakMap<object, Map<number, Run>>} */
const known = new WeakMap()

/** @param {View} view @returns {Run} */
function run({ data, state, nameOf }) {
  const runs = known.get(data) ?? new Map()
  known.set(data, runs)
  let found = runs.get(state.n)
  if (!found) {
    const one = data.trace.at({ n: state.n })
    found = { z: [], a: [], g: [] }
    for (let t = 0; t < one.steps; t++) {
      if (!["begin", "back"].includes(nameOf(one.ordinals[t]))) continue
      for (const field of /** @type {const} */ (["z", "a", "g"])) found[field].push(one[field][t])
    }
    runs.set(state.n, found)
  }
  return found
}

/** @param {View} view */
function now(view) {
  const all = run(view)
  const { n, step } = view.state
  const k = Math.max(0, Math.min(n, step - 1))
  return { all, n, k, t: TIME * (1 - k / n), z: all.z[k], a: all.a[k], g: all.g[k] }
}

/** @param {ArrayLike<number>} at */
const point = ({ 0: x, 1: y }) => `(${fixed(x, 2)}, ${fixed(y, 2)})`

export default figure({
  needs: { trace: ["z", "a", "g"], path: ["path"], fine: ["exact"] },
  controls: {
    n: slider({
      label: "steps",
      stops: ({ data }) => data.trace.axis("n"),
      value: 24,
      also: { step: "last" },
    }),
    step: player({
      label: "statements, backwards in time",
      steps: (view) => view.state.n + 1,
      value: "last",
    }),
  },

  draw(view) {
    const { data, id } = view
    const { all, n, k, t, z, a } = now(view)
    const times = spaced(END, STRIP, n + 1).subarray(0, k + 1)
    const [x, y] = [P.across(z[0]), P.up(z[1])]
    return html`<svg viewBox="0 0 480 338" class="homeward">
      <clipPath id=${`${id}-plane`}><rect x=${P.left} y=${P.top} width=${P.side} height=${P.side} /></clipPath>
      <${Ground} truth=${data.path.path} exact=${data.fine.exact} id=${id} />
      <g clip-path=${`url(#${id}-plane)`}>
        <path class="z" data-term="z" d=${places(all.z.slice(0, k + 1))} />
        <circle class="here" cx=${x} cy=${y} r="5" />
        <path class="a" data-term="a" d=${pointer(x, y, a[0] * P.unit, -a[1] * P.unit)} />
      </g>
      ${STRIPS.map(({ field, up }) => {
        const rows = /** @type {any} */ (all)[field].slice(0, k + 1)
        return html`<g key=${field} class="strip">
          ${Array.from({ length: field === "g" ? 4 : 2 }, (_, i) => {
            const ys = Float64Array.from(rows, (/** @type {any} */ row) => up(row[i]))
            return html`<path key=${i} class=${`${field} of${i}`} data-term=${field} d=${line(times, ys)} />`
          })}
        </g>`
      })}
      <path class="cursor" d=${`M${along(t)} 14V312`} />
      <g class="sums">
        ${ENTRIES.map((name, i) => html`<text key=${name} class="num so-far" x=${112 + 48 * i} y="306" text-anchor="end">${fixed(all.g[k][i], 2)}</text>`)}
      </g>
    </svg>`
  },

  describe(view) {
    const { all, k, n, t, z, a, g } = now(view)
    const exact = fixed(Number(view.data.fine.exact[0]), 2)
    const radius = (/** @type {number[]} */ [x, y]) => fixed(Math.sqrt(x * x + y * y), 2)
    if (k === 0)
      return `At t = 6 the state is ${point(z)}, and a = z − y = ${point(a)}. The integral is still 0.`
    if (k < n)
      return `Back at t = ${fixed(t, 2)} the state is ${point(z)} and the adjoint ${point(a)}. The first entry of the gradient has come to ${fixed(g[0], 2)}.`
    const off = Math.sqrt((z[0] - 2) ** 2 + z[1] ** 2)
    return `Back at t = 0 the state is ${sig(off, 2)} away from where the path began. The way there had ended at radius ${radius(all.z[0])}. The gradient by A₁₁ has come to ${fixed(g[0], 2)}, the exact one is ${exact}.`
  },

  steps: (view) => ["begin", ...Array.from({ length: view.state.n }, () => "back")],

  table(view) {
    const { all, n } = now(view)
    const every = Math.max(1, n / 12)
    return {
      caption: `Backwards in ${n} steps of RK4`,
      columns: ["t", "z₁", "z₂", "a₁", "a₂", ...ENTRIES],
      rows: Array.from({ length: Math.floor(n / every) + 1 }, (_, i) => i * every).map((i) => [
        fixed(TIME * (1 - i / n), 2),
        ...[...all.z[i], ...all.a[i], ...all.g[i]].map((v) => fixed(v, 3)),
      ]),
    }
  },
})
