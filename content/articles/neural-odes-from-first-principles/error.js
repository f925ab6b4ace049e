// @ts-check
/** What a solver gets wrong, against the length of its steps or its cost; and its path beside it. */
import { axis, figure, fixed, html, select, sig, slider, toggle } from "explainers"
import { CHECKED, linear, SOLVERS, solve } from "explainers/kernels/odes"
import { line } from "explainers/parts/outline"
import { ruled } from "explainers/parts/plane"
import { HUES, size, square } from "./plot.js"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const NAMES = ["Euler", "midpoint", "RK4"]
const [LEFT, RIGHT, BASE, ROOF] = [42, 290, 286, 24]
const TIME = 6
const MOST = 240
/** The point of each line beside which its name stands. */
const NAMED = 8
const P = square({ left: 316, top: 24, side: 164, reach: 2.6 })
const POWERS = [-12, -9, -6, -3, 0, 3]
const UP = (/** @type {number} */ error) =>
  Math.round((BASE + ((Math.log10(error) + 13) / 16.2) * (ROOF - BASE)) * 10) / 10

/** @param {View} view */
function now({ data, state }) {
  const { solver, n, across, digits } = state
  const one = data.errors.at({ digits })
  const k = Array.from(one.n).indexOf(n)
  const cost = (/** @type {string} */ name) => SOLVERS[name].b.length
  const place = (/** @type {string} */ name, /** @type {number} */ h) =>
    across === "step" ? h : (cost(name) * TIME) / h
  const rule = ruled(across === "step" ? [5e-4, 5] : [3, 5e4], [LEFT, RIGHT], "log", 6)
  const which = NAMES.indexOf(solver)
  const limit = data.solvers.at({ solver }).limit
  return {
    one,
    k,
    n,
    solver,
    across,
    place,
    rule,
    cost,
    limit,
    error: one.error[which][k],
    h: TIME / n,
  }
}

export default figure({
  needs: { errors: ["n", "h", "error"], solvers: ["limit"], spiral: ["theta", "path"] },
  controls: {
    n: slider({
      label: "steps from 0 to 6",
      stops: ({ data }) => Array.from(data.errors.at({ digits: "float64" }).n),
      value: 60,
      format: (n) => `${n}, h = ${sig(TIME / n, 2)}`,
    }),
    solver: select({ label: "solver", options: NAMES }),
    across: toggle({
      label: "across",
      options: [
        ["step", "length of a step"],
        ["cost", "evaluations"],
      ],
    }),
    digits: toggle({ label: "computed in", options: ["float64", "float32"] }),
  },

  draw(view) {
    const { data, id } = view
    const it = now(view)
    const { one, k, n, solver, place, rule, across } = it
    const { theta, path } = data.spiral
    const few = Math.min(n, MOST)
    const walk = solve(linear(theta), [path[0][0], path[0][1]], TIME, few, SOLVERS[solver])
    const truth = [
      path.map((/** @type {any} */ z) => z[0]),
      path.map((/** @type {any} */ z) => z[1]),
    ]
    const end = size([walk.xs[few], walk.ys[few]])
    return html`<svg viewBox="0 0 480 326" class="errors-and-path">
      <clipPath id=${`${id}-plane`}><rect x=${P.left} y=${P.top} width=${P.side} height=${P.side} /></clipPath>
      <text class="name" x="0" y="12">error at t = 6</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${POWERS} place=${(/** @type {number} */ p) => UP(10 ** p)} words=${(/** @type {number} */ p) => sig(10 ** p, 1)} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${rule.values} place=${rule.place} words=${(/** @type {number} */ v) => (v < 1 ? sig(v, 1) : fixed(v))} label=${across === "step" ? "h" : "evaluations"} />
      ${NAMES.map((name, s) => {
        const xs = Float64Array.from(one.h, (h) => rule.place(place(name, h)))
        const ys = Float64Array.from(one.error[s], UP)
        const bound = rule.place(place(name, data.solvers.at({ solver: name }).limit))
        return html`<g key=${name} class=${name === solver ? "one chosen" : "one"} style=${`color: ${HUES[name]}`}>
          <path class="limit" d=${`M${bound} ${BASE}V${ROOF}`} />
          <path class="line" d=${line(xs, ys)} />
          ${Array.from(xs, (x, i) => html`<circle key=${i} class="dot" cx=${x} cy=${ys[i]} r="2.5" />`)}
          <circle class="here" cx=${xs[k]} cy=${ys[k]} r=${name === solver ? 6 : 0} />
          <text class="label halo" text-anchor=${across === "step" ? "end" : "start"} x=${xs[NAMED] + (across === "step" ? -7 : 7)} y=${ys[NAMED] - 7}>${name}</text>
        </g>`
      })}
      <path class="frame" d=${P.frame} />
      <g clip-path=${`url(#${id}-plane)`} style=${`color: ${HUES[solver]}`}>
        <path class="zero" d=${P.zero} />
        <path class="exact" d=${line(P.acrosses(truth[0]), P.ups(truth[1]))} />
        <path class="walk" d=${line(P.acrosses(walk.xs), P.ups(walk.ys))} />
        <circle class="stop" cx=${P.across(walk.xs[few])} cy=${P.up(walk.ys[few])} r="4" />
      </g>
      <g class="sums">
        <text class="name" x="316" y="212">error</text>
        <text class="num" x="480" y="212" text-anchor="end">${sig(it.error, 2)}</text>
        <text class="name" x="316" y="234">radius at the end</text>
        <text class="num" x="480" y="234" text-anchor="end">${end < 1e4 ? fixed(end, 2) : sig(end, 2)}</text>
        <text class="name" x="316" y="256">exact</text>
        <text class="num" x="480" y="256" text-anchor="end">${fixed(2 * Math.exp(-0.6), 2)}</text>
        <text class="name" x="316" y="278">evaluations</text>
        <text class="num" x="480" y="278" text-anchor="end">${fixed(n * it.cost(solver))}</text>
      </g>
    </svg>`
  },

  describe(view) {
    const { n, h, solver, error, cost, limit } = now(view)
    const way = h > limit ? "above" : "below"
    return `${solver} in ${fixed(n)} steps of ${sig(h, 2)}: ${fixed(n * cost(solver))} evaluations, an error of ${sig(error, 2)}. The step is ${way} its stability limit, ${fixed(limit, 3)}.`
  },

  table(view) {
    const { one } = now(view)
    return {
      caption: `Distance from the exact end, in ${view.state.digits}`,
      columns: ["steps", "h", ...NAMES],
      rows: Array.from(one.n, (n, k) => [
        fixed(Number(n)),
        sig(one.h[k], 3),
        ...NAMES.map((_, s) => sig(one.error[s][k], 3)),
      ]),
    }
  },

  checked: () =>
    `The path is computed in your browser by functions that agree with the kernels on ${CHECKED.paths} paths; beyond ${MOST} steps it is drawn in ${MOST}.`,
})
