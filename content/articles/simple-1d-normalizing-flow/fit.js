// @ts-check
/** A stack of layers fitted to samples of two lumps, step by step. */
import { axis, figure, fixed, html, player, select, sig, toggle } from "explainers"
import { CHECKED, normalDensity, pushThrough } from "explainers/kernels/flows"
import { line, spaced } from "explainers/parts/outline"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const [LEFT, RIGHT] = [44, 448]
const [ROOF, BASE] = [26, 200]
const [HIGH, LOW] = [252, 322]
/** Where the labels of the losses stand, from 1 layer to 8. */
const LABELS = [LOW - 54, LOW - 38, LOW - 22, LOW - 6]
const MOST = 0.8
const [TENS_LOW, TENS_HIGH] = [-6, 0]
const X = spaced(-4, 4, 161)

/** @param {number} x */
const round = (x) => Math.round(x * 100) / 100
/** @param {number} x */
const along = (x) => round(LEFT + ((x + 4) / 8) * (RIGHT - LEFT))
/** @param {ArrayLike<number>} xs */
const places = (xs) => Float64Array.from(xs, along)

/** @param {string} scale @returns {(p: number) => number} */
const rising = (scale) =>
  scale === "log"
    ? (p) =>
        round(
          BASE -
            // What is lower leaves the picture, and does not run along its edge.
            ((Math.max(TENS_LOW - 1, Math.log10(p)) - TENS_LOW) / (TENS_HIGH - TENS_LOW)) *
              (BASE - ROOF),
        )
    : (p) => round(BASE - (Math.min(p, MOST) / MOST) * (BASE - ROOF))

/** The density that a stack from data to bell gives. @param {any} stack */
const density = (stack) =>
  X.map((x) => {
    const [z, logSlope] = pushThrough(x, stack)
    return normalDensity(z) * Math.exp(logSlope)
  })

/** Snapshots that stay in sight: step 0, and step 50. */
const EARLY = [0, 9]

/** Steps are shown evenly on a scale that opens up the first ones. @param {number} step */
const bend = (step) => Math.log10(1 + step / 10)

/** @param {View} view */
function now({ data, state }) {
  const layers = Number(state.layers)
  const run = data.fits.at({ layers })
  const k = Math.min(state.step, run.step.length - 1)
  return { layers, run, k, step: run.step[k], heights: density(run.stack[k]) }
}

export default figure({
  needs: {
    fits: ["step", "stack", "loss", "gap", "bridge"],
    target: ["x", "height", "left", "bars", "bin", "on_samples"],
  },
  controls: {
    layers: select({
      label: "layers",
      options: [
        ["1", "1"],
        ["2", "2"],
        ["4", "4"],
        ["8", "8"],
      ],
      value: "8",
    }),
    step: player({
      label: "snapshots of the training",
      steps: ({ data }) => data.fits.at({ layers: 1 }).step.length - 1,
      value: "last",
      pace: 250,
    }),
    scale: toggle({
      label: "heights",
      options: [
        ["even", "as they are"],
        ["log", "powers of ten"],
      ],
    }),
  },

  draw(view) {
    const { data, state, id } = view
    const { layers, run, k, heights } = now(view)
    const up = rising(state.scale)
    const { left, bars, bin, on_samples: floor, x, height } = data.target
    const log = state.scale === "log"
    const px = places(X)
    let found = `M${along(left[0])} ${BASE}`
    for (let i = 0; i < left.length; i++) {
      found += `V${bars[i] > 0 ? up(bars[i]) : BASE}H${along(left[i] + bin)}`
    }
    const losses = [1, 2, 4, 8].map((n) => ({ n, loss: data.fits.at({ layers: n }).loss }))
    const most = Math.max(...losses.map(({ loss }) => loss[0]))
    const least = floor - 0.05
    const drop = (/** @type {number} */ loss) =>
      round(HIGH + ((most - loss) / (most - least)) * (LOW - HIGH))
    const end = bend(run.step[run.step.length - 1])
    const time = (/** @type {number} */ step) => round(LEFT + (bend(step) / end) * (RIGHT - LEFT))
    const times = Float64Array.from(run.step, time)
    return html`<svg viewBox="0 0 480 362" class="fit">
      <text class="name" x="0" y="12">${log ? "density, powers of ten" : "density"}</text>
      <clipPath id=${`${id}-room`}><rect x=${LEFT} y=${ROOF - 4} width=${RIGHT - LEFT} height=${BASE - ROOF + 5} /></clipPath>
      <path class="found" d=${`${found}V${BASE}Z`} />
      <g clip-path=${`url(#${id}-room)`}>
      <path class="target" d=${line(
        places(x),
        Float64Array.from(height, (p) => up(p > 0 ? p : log ? 1e-9 : 0)),
      )} />
      ${EARLY.map((early) => html`<path key=${early} class="ghost" d=${line(px, Float64Array.from(density(run.stack[early]), up))} />`)}
      <path class="after" d=${line(px, Float64Array.from(heights, up))} />
      </g>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${log ? [1e-6, 1e-4, 0.01, 1] : [0, 0.2, 0.4, 0.6, 0.8]} place=${up} words=${(/** @type {number} */ v) => (log ? (v === 1 ? "1" : `10${v === 0.01 ? "⁻²" : v === 1e-4 ? "⁻⁴" : "⁻⁶"}`) : fixed(v, v ? 1 : 0))} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${[-4, -3, -2, -1, 0, 1, 2, 3, 4]} place=${along} words=${(/** @type {number} */ v) => fixed(v)} />

      <text class="name" x="0" y=${HIGH - 12}>loss, nats a sample</text>
      <path class="floor" d=${`M${LEFT} ${drop(floor)}H${RIGHT}`} />
      ${losses.map(
        ({ n, loss }) =>
          html`<path key=${n} class=${n === layers ? "loss chosen" : "loss"} d=${line(times, Float64Array.from(loss, drop))} />`,
      )}
      <text class="name halo" x=${LEFT + 8} y=${drop(floor)} dy="-0.4em">the true density</text>
      <text class="name" x="480" y=${HIGH - 12} text-anchor="end">layers</text>
      ${losses.map(
        ({ n, loss }, i) => html`<g key=${n}>
          <path class=${n === layers ? "lead chosen" : "lead"} d=${`M${RIGHT} ${drop(loss[loss.length - 1])}L${RIGHT + 14} ${LABELS[i]}`} />
          <text class=${n === layers ? "num" : "name"} x=${RIGHT + 18} y=${LABELS[i]} dy="0.35em">${n}</text>
        </g>`,
      )}
      <path class="level" d=${`M${time(run.step[k])} ${LOW}V${HIGH}`} />
      <circle class="dot" cx=${time(run.step[k])} cy=${drop(run.loss[k])} r="5" />
      <${axis} side="left" at=${LEFT} from=${LOW} to=${HIGH} values=${[1.2, 1.6, 2, 2.4].filter((v) => v < most)} place=${drop} words=${(/** @type {number} */ v) => fixed(v, 1)} />
      <${axis} side="bottom" at=${LOW} from=${LEFT} to=${RIGHT} values=${[0, 10, 50, 200, 1000, 2000]} place=${time} words=${(/** @type {number} */ v) => fixed(v)} label="step" />
    </svg>`
  },

  describe(view) {
    const { data } = view
    const { layers, run, k, step } = now(view)
    return `${layers} ${layers === 1 ? "layer" : "layers"}, step ${fixed(step)}: loss ${fixed(run.loss[k], 4)}; the true density has ${fixed(data.target.on_samples, 4)} on these samples. The gap holds ${sig(run.gap[k] * 100, 2)}%; the lowest height there is ${sig(run.bridge[k], 2)}.`
  },

  table(view) {
    const { data } = view
    const { layers, run } = now(view)
    return {
      caption: `Training with ${layers} ${layers === 1 ? "layer" : "layers"}; the true density has loss ${fixed(data.target.on_samples, 4)} on the samples`,
      columns: ["step", "loss", "probability in the gap", "lowest height there"],
      rows: Array.from(run.step, (step, k) => [
        fixed(/** @type {number} */ (step)),
        fixed(run.loss[k], 4),
        sig(run.gap[k], 3),
        sig(run.bridge[k], 3),
      ]),
    }
  },

  checked: () =>
    `The layers come from the training; their density is computed in your browser by functions that agree with the kernels on ${CHECKED.stacks} stacks.`,
})
