// @ts-check
/** The float 0.1 added up ten million times, in three ways: how far each is off. */
import { axis, figure, fixed, html, power, scale, sig, slider } from "explainers"
import { drag } from "explainers/parts/drag"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const LEFT = 50
const RIGHT = 394
const BASE = 268
const TOP = 30
/** An error of nothing has no place on a logarithmic scale: it is drawn on the floor. */
const FLOOR = -9
const along = scale([0, 7], [LEFT, RIGHT])
const up = scale([FLOOR, 0], [BASE, TOP])
const WAYS = /** @type {const} */ ([
  ["sequential", "one by one"],
  ["pairwise", "pairs"],
  ["kahan", "Kahan"],
])

/** @param {number} error */
const high = (error) => up(error > 0 ? Math.max(FLOOR, Math.log10(error)) : FLOOR)

/** @param {number} error */
const share = (error) => (error === 0 ? "0" : sig(error, 2))

/** A tenth beside the gap of the sum. @param {number} n */
const gaps = (n) => (n < 100 ? `${sig(n, 2)} gaps` : `${fixed(n)} gaps`)

/** Seven or eight digits, as binary32 holds them. @param {number} x */
const total = (x) => fixed(x, Math.max(0, 7 - Math.floor(Math.log10(x) + 1)))

/** @param {View} view */
function now({ data, state }) {
  const k = Math.max(0, Array.from(data.n).indexOf(state.n))
  /** @param {string} way @returns {number} */
  const error = (way) => data[`error_${way}`][k]
  return { k, n: /** @type {number} */ (data.n[k]), error }
}

/** @param {View} view */
const stops = ({ data }) => /** @type {number[]} */ (Array.from(data.n))

/** @type {WeakMap<object, string[]>} */
const drawn = new WeakMap()

/** The three lines, drawn once. @param {View} view */
function curves(view) {
  const { data } = view
  const kept = drawn.get(data)
  if (kept) return kept
  const places = stops(view).map((one) => along(Math.log10(one)))
  const lines = WAYS.map(([way]) =>
    places.map((x, i) => `${i ? "L" : "M"}${x} ${high(data[`error_${way}`][i])}`).join(""),
  )
  drawn.set(data, lines)
  return lines
}

const counter = slider({ label: "additions", stops, format: (n) => fixed(n) })

export default figure({
  needs: {
    data: ["n", "exact", ...WAYS.flatMap(([way]) => [way, `error_${way}`]), "gap", "terms", "term"],
  },
  controls: {
    n: {
      ...counter,
      take: (next, view) => counter.take(next === "last" ? stops(view).at(-1) : next, view),
    },
  },

  draw(scene) {
    const { data } = scene
    const { k, n, error } = now(scene)
    const x = along(Math.log10(n))
    const all = stops(scene)
    const lines = curves(scene)
    const ends = WAYS.map(([way]) => high(data[`error_${way}`].at(-1)))

    return html`<svg viewBox="0 0 480 322" class="sums">
      <text class="name" x="0" y="14">relative error</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${TOP} values=${[-8, -6, -4, -2, 0]} place=${up} words=${(/** @type {number} */ v) => (v === 0 ? "1" : power(10, v))} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${[0, 1, 2, 3, 4, 5, 6, 7]} place=${along} words=${(/** @type {number} */ v) => (v === 0 ? "1" : power(10, v))} />
      <path class="half" d=${`M${LEFT} ${up(Math.log10(2 ** -24))}H${RIGHT}`} />
      <text class="name" x=${RIGHT + 6} y=${up(Math.log10(2 ** -24))} dy="0.35em">${"2⁻²⁴"}</text>
      <path class="hair" d=${`M${x} ${BASE}V${TOP}`} />
      ${WAYS.map(
        ([way, words], i) => html`<g key=${way} class=${`way ${way}`}>
        <path d=${lines[i]} />
        ${i ? html`<path d=${`M${RIGHT + 6} ${BASE - (i === 1 ? 22 : 6)}h14`} />` : null}
        <text class="halo" x=${RIGHT + (i ? 24 : 6)} y=${i === 0 ? ends[0] : BASE - (i === 1 ? 18 : 2)} dy="0.1em">${words}</text>
        <circle cx=${x} cy=${high(error(way))} r="4.5" />
      </g>`,
      )}
      <path class="pointer grip" d=${`M${x} ${TOP}l-6.5 -12h13Z`} />
      <rect class="reach drag" x=${LEFT - 12} y=${TOP - 16} width=${RIGHT - LEFT + 24} height=${BASE - TOP + 40} ...${drag(
        scene,
        (px) => {
          const wanted = ((px - LEFT) / (RIGHT - LEFT)) * 7
          const near = all.reduce((best, one) =>
            Math.abs(Math.log10(one) - wanted) < Math.abs(Math.log10(best) - wanted) ? one : best,
          )
          return { n: near }
        },
      )} />
      <text class="num" x="0" y="316">${`one by one: ${total(data.sequential[k])}`}</text>
      <text class="num" x="480" y="316" text-anchor="end">${`0.1 is ${gaps(data.term / data.gap[k])} there`}</text>
    </svg>`
  },

  describe(view) {
    const { n, error } = now(view)
    return `Relative error after ${fixed(n)} ${n === 1 ? "addition" : "additions"}: one by one ${share(error("sequential"))}, in pairs ${share(error("pairwise"))}, Kahan's loop ${share(error("kahan"))}.`
  },

  table({ data }) {
    const last = data.n.length - 1
    const shown = [0, 1, 2, 3, 4, 5, 6].map((ten) =>
      Array.from(data.n).findIndex((n) => /** @type {number} */ (n) >= 10 ** ten),
    )
    return {
      caption: "Sums of n times the float 0.1",
      columns: ["n", "one by one", "pairs", "Kahan", "exact"],
      rows: [...shown, last].map((k) => [
        fixed(data.n[k]),
        total(data.sequential[k]),
        total(data.pairwise[k]),
        total(data.kahan[k]),
        total(data.exact[k]),
      ]),
    }
  },
})
