// @ts-check
/** The gap to the next binary32 number, from the smallest number to the largest. */
import { axis, figure, fixed, html, leader, power, scale, sig, slider } from "explainers"
import { encode } from "explainers/kernels/float-steps"
import { decode, LAYOUTS, shortest, spacing } from "explainers/kernels/floats"
import { drag } from "explainers/parts/drag"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const IT = LAYOUTS.binary32
const LOW = -149
const HIGH = 128
const along = scale([LOW, HIGH], [54, 300])
const up = scale([LOW, HIGH], [290, 44])
const CLOSE = 318
const WIDE = 156

/** @param {View} view */
function now({ state }) {
  const { e } = state
  const pattern = encode(2 ** e, IT)
  const x = decode(pattern, IT)
  const gap = spacing(pattern, IT)
  const more = decode(encode(x + 1, IT), IT)
  return { e, x, gap, more, words: shortest(pattern, IT).replace("e+", "e") }
}

/** The gap at 2^e, as a power of two. @param {number} e */
const step = (e) => Math.max(Math.floor(e), -126) - 23

/** @param {number} e */
const name = (e) => (e === 0 ? "1" : power(2, e))

/** @param {number} x */
const written = (x) => (Number.isInteger(x) && x < 1e10 ? fixed(x) : sig(x, 4))

export default figure({
  needs: {
    gaps: ["e", "x", "gap", "relative"],
    marks: ["label", "x", "gap", "relative", "one_more"],
  },
  controls: {
    e: slider({
      label: "x, as a power of two",
      min: LOW,
      max: 127.9,
      step: 0.1,
      value: 0,
      format: (e) => (Number.isInteger(e) ? power(2, e) : `2^${fixed(e, 1)}`),
    }),
  },

  draw(scene) {
    const { data } = scene
    const { e, x, gap, more, words } = now(scene)
    const gaps = Math.log2(gap)
    // The loupe: three powers of two on either side.
    const near = scale([e - 3.2, e + 3.2], [CLOSE, CLOSE + WIDE])
    const rise = scale([gaps - 4.2, gaps + 4.2], [290, 44])
    const first = Math.max(LOW, Math.ceil(e - 3.2))
    const last = Math.min(HIGH - 1, Math.floor(e + 3.2))
    let stairs = ""
    for (let k = first - 1; k <= last; k++) {
      if (k < LOW) continue
      const from = Math.max(near(k), CLOSE)
      const to = Math.min(near(k + 1), CLOSE + WIDE)
      stairs += `${stairs ? "V" : `M${from} `}${rise(step(k))}H${to}`
    }
    const floor = `M${along(LOW)} ${up(step(LOW))}H${along(-126)}L${along(HIGH)} ${up(104)}`
    const marks = Array.from(data.marks.label, (label, k) => ({
      label: /** @type {string} */ (label),
      e: Math.log2(data.marks.x[k]),
      gap: Math.log2(data.marks.gap[k]),
    }))
    const called = [
      { label: "1", dx: -38, dy: -34 },
      { label: "2^24", dx: -42, dy: -36 },
      { label: "largest", dx: -58, dy: 0 },
    ]

    return html`<svg viewBox="0 0 480 336" class="gaps">
      <text class="name" x="0" y="14">gap to the next number</text>
      <${axis} side="left" at=${54} from=${290} to=${44} values=${[-149, -100, -50, 0, 50, 104]} place=${up} words=${name} />
      <${axis} side="bottom" at=${290} from=${54} to=${300} values=${[-149, -75, 0, 75, 127]} place=${along} words=${name} label="x" />
      <path class="stairs" d=${floor} />
      ${called.map(({ label, dx, dy }) => {
        const mark = marks.find((one) => one.label === label)
        if (!mark) return null
        const from = /** @type {[number, number]} */ ([along(mark.e), up(mark.gap)])
        return html`<g key=${label}>
          <circle class="dot" cx=${from[0]} cy=${from[1]} r="2.5" />
          <${leader} from=${from} to=${[from[0] + dx, from[1] + dy]} text=${label === "2^24" ? "2²⁴" : label} anchor="end" />
        </g>`
      })}
      <${leader} from=${[along(-138), up(-149)]} to=${[along(-138), 222]} text="subnormals" />
      <path class="hair" d=${`M${along(e)} 290V44`} />
      <circle class="grip" cx=${along(e)} cy=${up(gaps)} r="6.5" />
      <path class="pointer" d=${`M${along(e)} 42l-6 -11h12Z`} />
      <rect class="reach drag" x="40" y="30" width="272" height="290" ...${drag(scene, (px) => ({ e: LOW + ((px - 54) / 246) * (HIGH - LOW) }))} />

      <g class="loupe">
        <text class="name" x=${CLOSE} y="14">${"close by: a step at each"}</text>
        <text class="name" x=${CLOSE} y="30">${"power of two"}</text>
        <path class="frame" d=${`M${CLOSE} 44H${CLOSE + WIDE}V290H${CLOSE}Z`} />
        <path class="ladder" d=${Array.from({ length: last - first + 1 }, (_, k) => `M${near(first + k)} 290V44`).join("")} />
        ${Array.from({ length: last - first + 1 }, (_, k) => first + k).map((k) =>
          k % 2 === 0
            ? html`<text key=${k} class="name" x=${near(k)} y="290" dy="1.3em" text-anchor="middle">${name(k)}</text>`
            : null,
        )}
        <path class="stairs" d=${stairs} />
        <circle class="grip" cx=${near(e)} cy=${rise(gaps)} r="6.5" />
        <text class="num halo" x=${near(e) + 10} y=${rise(gaps)} dy="-0.7em" text-anchor=${"start"}>${power(2, gaps)}</text>
      </g>
      <text class="num" x="54" y="332">${`x = ${words}`}</text>
      <text class="num" x="480" y="332" text-anchor="end">${`x + 1 = ${more === x ? "x" : written(more)}`}</text>
    </svg>`
  },

  describe(view) {
    const { x, gap, more } = now(view)
    const one = more === x ? "adding 1 does nothing" : `adding 1 gives ${written(more)}`
    return `At ${written(x)} the next number is ${written(gap)} away, ${sig(gap / x, 3)} of x; ${one}.`
  },

  table({ data }) {
    const { marks } = data
    return {
      caption: "The gap at some numbers",
      columns: ["x", "gap", "gap / x", "x + 1"],
      rows: Array.from(marks.label, (label, k) => [
        /** @type {string} */ (label),
        written(marks.gap[k]),
        sig(marks.relative[k], 3),
        marks.one_more[k] === marks.x[k] ? "x" : written(marks.one_more[k]),
      ]),
    }
  },

  checked: () =>
    "Computed in your browser by a function checked on 1,000,000 patterns that Python made.",
})
