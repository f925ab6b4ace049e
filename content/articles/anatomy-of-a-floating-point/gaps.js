// @ts-check
/** The gap to the next binary32 number, from the smallest number to the largest. */
import { axis, figure, html, leader, power, scale, sig, slider } from "explainers"
import { encode } from "explainers/kernels/float-steps"
import { decode, LAYOUTS, largest, printed, spacing } from "explainers/kernels/floats"
import { drag } from "explainers/parts/drag"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const IT = LAYOUTS.binary32
const LOW = -149
const HIGH = 128
const along = scale([LOW, HIGH], [54, 300])
const up = scale([LOW, HIGH], [290, 44])
const CLOSE = 326
const WIDE = 122

/** A number in few characters, after what comes before one that is rounded. @param {bigint} pattern @param {string} [about] */
function short(pattern, about = "≈ ") {
  const { text, exact } = printed(pattern, IT)
  const digits = /^\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text
  return (exact ? "" : about) + digits.replaceAll("-", "−").replace("e+", "e")
}

/** @param {View} view */
function now({ state }) {
  const { e } = state
  const pattern = e === HIGH ? largest(IT) : encode(2 ** e, IT)
  const x = decode(pattern, IT)
  const gap = spacing(pattern, IT)
  const more = encode(x + 1, IT)
  // In float64 the sum is exact where the two are not far apart, and only there can it be a tie.
  const tie = gap > 1 && x < 2 ** 52 && ((x + 1) / gap) % 1 === 0.5
  return { e, pattern, x, gap, more, tie }
}

/** The gap at 2^e, as a power of two. @param {number} e */
const step = (e) => Math.max(Math.floor(e), -126) - 23

/** @param {number} e */
const name = (e) => (e === 0 ? "1" : power(2, e))

/** A gap in words: a power of two. @param {number} gap */
function wide(gap) {
  const few = gap > 1e-4 && gap < 1e6
  return few ? String(gap) : power(2, Math.log2(gap))
}

export default figure({
  needs: {
    gaps: ["e", "x", "gap", "relative"],
    marks: ["label", "x", "gap", "relative", "one_more"],
  },
  controls: {
    e: slider({
      label: "x, as 2 to the power",
      min: LOW,
      max: HIGH,
      step: 0.1,
      value: 0,
      format: (e) => (e === HIGH ? "the largest" : String(e).replace("-", "−")),
    }),
  },

  draw(scene) {
    const { data } = scene
    const { e, pattern, gap, more } = now(scene)
    const { exact } = printed(pattern, IT)
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
      { label: "largest", dx: -62, dy: -6 },
    ]

    return html`<svg viewBox="0 0 480 336" class="gaps">
      <text class="name" x="0" y="14">gap to the next number</text>
      <${axis} side="left" at=${54} from=${290} to=${44} values=${[-149, -100, -50, 0, 50, 104]} place=${up} words=${name} />
      <${axis} side="bottom" at=${290} from=${54} to=${300} values=${[-149, -75, 0, 75, 127]} place=${along} words=${name} />
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
      <${leader} from=${[along(-138), up(-149)]} to=${[along(-138), 214]} text="subnormals" />
      <path class="hair" d=${`M${along(e)} 290V44`} />
      <circle class="grip" cx=${along(e)} cy=${up(gaps)} r="6.5" />
      <path class="pointer" d=${`M${along(e)} 42l-6 -11h12Z`} />
      <rect class="reach drag" x="40" y="30" width="272" height="290" ...${drag(scene, (px) => ({ e: LOW + ((px - 54) / 246) * (HIGH - LOW) }))} />

      <g class="loupe">
        <text class="name" x=${CLOSE} y="14">${"close by: a step at"}</text>
        <text class="name" x=${CLOSE} y="30">${"each power of two"}</text>
        <path class="frame" d=${`M${CLOSE} 44H${CLOSE + WIDE}V290H${CLOSE}Z`} />
        <path class="ladder" d=${Array.from({ length: last - first + 1 }, (_, k) => `M${near(first + k)} 290V44`).join("")} />
        ${Array.from({ length: last - first + 1 }, (_, k) => first + k).map((k) =>
          k % 2 === 0 && near(k) > CLOSE + 12 && near(k) < CLOSE + WIDE - 12
            ? html`<text key=${k} class="name" x=${near(k)} y="290" dy="1.3em" text-anchor="middle">${name(k)}</text>`
            : null,
        )}
        ${[-3, -2, -1, 0, 1, 2, 3].map((k) => html`<text key=${k} class=${k ? "name" : "num"} x=${CLOSE + WIDE + 5} y=${rise(gaps + k)} dy="0.35em">${power(2, gaps + k)}</text>`)}
        <path class="stairs" d=${stairs} />
        <circle class="grip" cx=${near(e)} cy=${rise(gaps)} r="6.5" />
      </g>
      <text class="num" x="54" y="332">${`x ${exact ? "=" : "≈"} ${short(pattern, "")}`}</text>
      <text class="num" x="480" y="332" text-anchor="end">${more === pattern ? "x + 1 gives x" : `x + 1 gives ${short(more)}`}</text>
    </svg>`
  },

  describe(view) {
    const { e, pattern, x, gap, more, tie } = now(view)
    const one =
      more === pattern ? "adding 1 does nothing" : `adding 1 gives ${short(more, "about ")}`
    const away = e === HIGH ? "the number before is" : "the next number is"
    const sort = tie ? ", a tie that goes to the even neighbour" : ""
    return `At ${short(pattern, "about ")} ${away} ${wide(gap)} away, about ${sig(gap / x, 2)} of x; ${one}${sort}.`
  },

  table({ data }) {
    const { marks } = data
    return {
      caption: "The gap at some numbers",
      columns: ["x", "gap", "gap / x", "x + 1"],
      rows: Array.from(marks.label, (label, k) => [
        /** @type {string} */ (label),
        wide(marks.gap[k]),
        `${marks.relative[k] < 1e-3 ? "≈ " : ""}${sig(marks.relative[k], 3)}`,
        marks.one_more[k] === marks.x[k] ? "x" : short(encode(marks.one_more[k], IT)),
      ]),
    }
  },

  checked: () =>
    "Computed in your browser by a function checked on 1,000,000 patterns that Python made.",
})
