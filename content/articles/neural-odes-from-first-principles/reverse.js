// @ts-check
/** A field that pulls everything together, followed forward and then back to where it began. */
import { axis, figure, fixed, html, sig, slider, toggle } from "explainers"
import { line, spaced } from "explainers/parts/outline"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const [LEFT, RIGHT, BASE, ROOF] = [34, 236, 262, 24]
const [FROM, TO] = [296, 456]
const TIME = 3
const DIGITS = ["float64", "float32"]
const HUE = /** @type {Record<string, string>} */ ({
  float64: "var(--hue-1)",
  float32: "var(--hue-2)",
})
const [LOW, HIGH] = [-9, 7]

/** @param {number} z */
const up = (z) =>
  Math.round((BASE + ((Math.max(-20, Math.min(20, z)) - 0) / 2.4) * (ROOF - BASE)) * 10) / 10
/** @param {number} t */
const along = (t) => Math.round((LEFT + ((RIGHT - LEFT) * t) / TIME) * 10) / 10
/** A power of ten, or what is too small for the scale at its foot. @param {number} x */
const high = (x) => {
  const power = Math.max(LOW, x > 0 ? Math.log10(x) : LOW)
  return Math.round((BASE + ((power - LOW) / (HIGH - LOW)) * (ROOF - BASE)) * 10) / 10
}
/** @param {number} k */
const across = (k) => Math.round((FROM + ((TO - FROM) * (k - 1)) / 9) * 10) / 10

/** @param {View} view */
function now({ data, state }) {
  const { k, digits } = state
  const { there, back, error } = data.at({ digits, k })
  return { k, digits, there, back, error }
}

export default figure({
  needs: { data: { there: "… n", back: "… n", error: "…", by_solver: "…", grown: "…" } },
  controls: {
    k: slider({ label: "how fast it contracts, k", min: 1, max: 10, step: 1, value: 5 }),
    digits: toggle({ label: "computed in", options: DIGITS, value: "float32" }),
  },

  draw(view) {
    const { data, id } = view
    const { k, digits, there, back } = now(view)
    const times = spaced(LEFT, RIGHT, there.length)
    const ks = data.axis("k")
    const of = (/** @type {string} */ name, /** @type {string} */ field) =>
      Float64Array.from(ks, (/** @type {any} */ one) =>
        high(data.at({ digits: name, k: one })[field]),
      )
    const xs = Float64Array.from(ks, across)
    return html`<svg viewBox="0 0 480 306" class="there-and-back">
      <clipPath id=${`${id}-plane`}><rect x=${LEFT} y=${ROOF - 14} width=${RIGHT - LEFT} height=${BASE - ROOF + 15} /></clipPath>
      <text class="name" x="0" y="12">z</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${[0, 1, 2]} place=${up} words=${(/** @type {number} */ v) => fixed(v)} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${[0, 1, 2, 3]} place=${along} words=${(/** @type {number} */ v) => fixed(v)} label="t" />
      <path class="rest" d=${`M${LEFT} ${up(1)}H${RIGHT}`} />
      <g clip-path=${`url(#${id}-plane)`} style=${`color: ${HUE[digits]}`}>
        <path class="there" data-term="there" d=${line(times, Float64Array.from(there, up))} />
        <path class="again" data-term="again" d=${line(times, Float64Array.from(back, up))} />
      </g>
      <circle class="start" cx=${LEFT} cy=${up(2)} r="4" />
      <text class="name" x="262" y="12">error on return</text>
      <${axis} side="left" at=${FROM - 8} from=${BASE} to=${ROOF} values=${[-8, -4, 0, 4]} place=${(/** @type {number} */ p) => high(10 ** p)} words=${(/** @type {number} */ p) => sig(10 ** p, 1)} />
      <${axis} side="bottom" at=${BASE} from=${FROM} to=${TO} values=${[1, 4, 7, 10]} place=${across} words=${(/** @type {number} */ v) => fixed(v)} label="k" />
      <path class="cursor" d=${`M${across(k)} ${BASE}V${ROOF}`} />
      <path class="alone" d=${line(xs, of("float64", "by_solver"))} />
      ${DIGITS.map((name) => {
        const ys = of(name, "error")
        return html`<g key=${name} class=${name === digits ? "one chosen" : "one"} style=${`color: ${HUE[name]}`}>
          <path class="line" d=${line(xs, ys)} />
          <path class="grown" d=${line(xs, of(name, "grown"))} />
          <circle class="here" cx=${across(k)} cy=${ys[k - 1]} r=${name === digits ? 5.5 : 3.5} />
        </g>`
      })}
      <text class="label halo" x=${FROM + 2} y="96" style=${`color: ${HUE.float32}`}>float32</text>
      <text class="label halo" x=${FROM + 92} y="190" style=${`color: ${HUE.float64}`}>float64</text>
    </svg>`
  },

  describe(view) {
    const { k, digits, error, there } = now(view)
    const end = there[there.length - 1]
    const near = Math.abs(end - 1)
    return `With k = ${k}, in ${digits}, the point comes within ${near > 0 ? sig(near, 2) : "0"} of 1. Followed back, it misses its start by ${error > 0 ? sig(error, 2) : "0"}.`
  },

  table(view) {
    const { data, state } = view
    return {
      caption: `Back at t = 0, computed in ${state.digits}`,
      columns: ["k", "error", "by the solver alone", "half the gap above 1, times eᵏᵀ"],
      rows: data.axis("k").map((/** @type {number} */ k) => {
        const one = data.at({ digits: state.digits, k })
        return [
          k,
          one.error > 0 ? sig(one.error, 3) : "0",
          sig(one.by_solver, 3),
          sig(one.grown, 3),
        ]
      }),
    }
  },
})
