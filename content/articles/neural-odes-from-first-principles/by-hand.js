// @ts-check
/** Three steps of a solver, statement by statement: where it looks, what it finds, where it moves. */
import { figure, fixed, html, player, select, sig, slider } from "explainers"
import { line } from "explainers/parts/outline"
import { HUES, pointer, size, square } from "./plot.js"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

/**
 * @typedef {{name: string, moves: number, seen: {at: number[], slope: number[] | null}[],
 *   asked: number}} Step `seen` are the points of the running step with their slopes
 * @typedef {{all: Step[], stops: number[][], exact: number[][], reach: number}} Walk
 */

/** @type {WeakMap<object, Map<string, Walk>>} */
const known = new WeakMap()

/** @param {View} view @returns {Walk} */
function walked({ data, state, nameOf }) {
  const { solver, h } = state
  const kept = known.get(data) ?? new Map()
  known.set(data, kept)
  const key = `${solver} ${h}`
  let found = kept.get(key)
  if (!found) {
    const run = data.at({ solver, h })
    /** @type {Step[]} */
    const all = []
    const stops = [Array.from(run.z[0])]
    /** @type {Step["seen"]} */
    let seen = []
    let asked = 0
    for (let t = 0; t < run.steps; t++) {
      const name = nameOf(run.ordinals[t])
      if (!["look", "slope", "move"].includes(name)) continue
      if (name === "look") {
        if (all.at(-1)?.name === "move") seen = []
        seen = [...seen, { at: Array.from(run.y[t]), slope: null }]
      } else if (name === "slope") {
        asked += 1
        seen = [...seen.slice(0, -1), { ...seen[seen.length - 1], slope: Array.from(run.slope[t]) }]
      } else stops.push(Array.from(run.z[t]))
      all.push({ name, moves: stops.length - 1, seen, asked })
    }
    const looked = all.flatMap((one) => one.seen.map(({ at }) => at))
    const most = Math.max(2.4, ...[...stops, ...looked].flat().map(Math.abs))
    found = {
      all,
      stops,
      exact: run.exact.map((/** @type {any} */ at) => Array.from(at)),
      reach: 1.08 * most,
    }
    kept.set(key, found)
  }
  return found
}

/** @param {View} view */
function now(view) {
  const { all, stops, exact, reach } = walked(view)
  const at = Math.min(all.length, view.state.step)
  const current = at ? all[at - 1] : { name: "start", moves: 0, seen: [], asked: 0 }
  return { all, current, stops, shown: stops.slice(0, current.moves + 1), exact, reach }
}

/** @param {number[]} at */
const point = ([x, y]) => `(${fixed(x, 2)}, ${fixed(y, 2)})`

export default figure({
  needs: { data: ["y", "slope", "z", "exact"] },
  controls: {
    solver: {
      ...select({ label: "solver", options: ["Euler", "midpoint", "RK4"] }),
      also: { step: "last" },
    },
    h: slider({
      label: "length of a step, h",
      stops: ({ data }) => data.axis("h"),
      value: 0.5,
      also: { step: "last" },
      format: (h) => fixed(h, 1),
    }),
    step: player({ label: "statements", steps: (view) => walked(view).all.length, value: "last" }),
  },

  draw(view) {
    const { state, id } = view
    const { solver, h } = state
    const { current, shown, exact, reach } = now(view)
    const P = square({ left: 0, top: 8, side: 316, reach })
    const places = (/** @type {number[][]} */ all) => [
      P.acrosses(all.map(([x]) => x)),
      P.ups(all.map(([, y]) => y)),
    ]
    const [xs, ys] = places(shown)
    const [ex, ey] = places(exact)
    const upto = Math.round((exact.length - 1) * Math.min(1, current.moves / 3)) + 1
    const end = shown[shown.length - 1]
    const right = exact[upto - 1]
    const slopes = current.seen.map(({ slope }) => slope)
    const rows = [
      ["t", fixed(current.moves * h, 1)],
      ["evaluations", String(current.asked)],
      ["at", point(end)],
      ["exact", point(right)],
      ["apart", sig(size([end[0] - right[0], end[1] - right[1]]), 2)],
    ]
    return html`<svg viewBox="0 0 480 332" class="steps-by-hand" style=${`color: ${HUES[solver]}`}>
      <clipPath id=${`${id}-plane`}><rect x=${P.left} y=${P.top} width=${P.side} height=${P.side} /></clipPath>
      <path class="frame" d=${P.frame} />
      <g clip-path=${`url(#${id}-plane)`}>
        <path class="zero" d=${P.zero} />
        <path class="exact" d=${line(ex, ey)} />
        <circle class="right" cx=${ex[upto - 1]} cy=${ey[upto - 1]} r="4.5" />
        <path class="walk" d=${line(xs, ys)} />
        ${shown.map(([x, y], k) => html`<circle key=${k} class="stop" cx=${P.across(x)} cy=${P.up(y)} r="4.5" />`)}
        ${current.seen.map(({ at, slope }, k) => {
          const [x, y] = [P.across(at[0]), P.up(at[1])]
          const share = (P.unit * h) / 3
          return html`<g key=${k} class="look">
            <circle class=${slope ? "seen" : "seen asked"} cx=${x} cy=${y} r="6" />
            <path class="slope" d=${slope ? pointer(x, y, slope[0] * share, -slope[1] * share) : ""} />
            <text class="name halo" x=${x + 9} y=${y - 7}>${`k${k + 1}`}</text>
          </g>`
        })}
      </g>
      <text class="name halo" x="5" y="24">z₂</text>
      <text class="name halo" x=${P.right - 5} y=${P.foot - 6} text-anchor="end">z₁</text>
      <g class="sums">
        ${rows.map(
          ([name, value], k) => html`<g key=${name}>
          <text class="name" x="332" y=${24 + 40 * k}>${name}</text>
          <text class="num" x="332" y=${41 + 40 * k}>${value}</text>
        </g>`,
        )}
        ${slopes.map((slope, k) => html`<text key=${`k${k}`} class="num" x="332" y=${240 + 20 * k}>${`k${k + 1} ${slope ? point(slope) : "…"}`}</text>`)}
      </g>
    </svg>`
  },

  describe(view) {
    const { h, solver } = view.state
    const { current, shown, exact } = now(view)
    const end = shown[shown.length - 1]
    if (current.name === "start") return `${solver} stands at ${point(end)}, and knows nothing yet.`
    const { at, slope } = current.seen[current.seen.length - 1]
    const k = current.seen.length
    if (current.name === "look") return `Look at ${point(at)}, for slope k${k} of the next step.`
    if (current.name === "slope")
      return `The field says ${slope ? point(slope) : ""} there: k${k}, evaluation ${current.asked}.`
    const right = exact[Math.round((exact.length - 1) * (current.moves / 3))]
    const off = sig(size([end[0] - right[0], end[1] - right[1]]), 2)
    return `At t = ${fixed(current.moves * h, 1)}, after ${current.asked} evaluations, ${solver} stands at ${point(end)}, ${off} from the exact path.`
  },

  steps: (view) => walked(view).all.map(({ name }) => name),

  table(view) {
    const { solver, h } = view.state
    const { stops, exact, all } = now(view)
    const each = all[all.length - 1].asked / 3
    return {
      caption: `${solver} in steps of ${fixed(h, 1)}`,
      columns: ["t", "evaluations", "z₁", "z₂", "exact z₁", "z₂"],
      rows: stops.map(([x, y], k) => {
        const right = exact[(exact.length - 1) * (k / 3)]
        const numbers = [x, y, right[0], right[1]].map((v) => fixed(v, 4))
        return [fixed(k * h, 1), k * each, ...numbers]
      }),
    }
  },
})
