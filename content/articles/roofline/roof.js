// @ts-check
/** Two ceilings on logarithmic axes, the kernels measured below them, and a point to drag. */
import { axis, figure, fixed, html, select, sig, slider } from "explainers"
import { attainable } from "explainers/kernels/roofline"
import { drag } from "explainers/parts/drag"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const [LEFT, RIGHT, BASE, ROOF] = [44, 462, 288, 22]
const [LOWEST, HIGHEST] = [0.1, 10000]
const [SLOWEST, FASTEST] = [0.3, 2000]
const NEAR = 1.06
/** Where the key stands: below the roof, where no kernel is. */
const KEY = [262, 222]

/** Two an octave, from 1/8 to 8,192. */
const STOPS = Array.from({ length: 33 }, (_, k) => 2 ** Math.floor(k / 2 - 3) * (k % 2 ? 1.5 : 1))

/** @param {number} x */
const round = (x) => Math.round(x * 100) / 100
/** @param {number} x */
const along = (x) =>
  round(LEFT + (Math.log10(x / LOWEST) / Math.log10(HIGHEST / LOWEST)) * (RIGHT - LEFT))
/** @param {number} y */
const up = (y) =>
  round(BASE - (Math.log10(y / SLOWEST) / Math.log10(FASTEST / SLOWEST)) * (BASE - ROOF))

/** The stop nearest to a place of the picture. @param {number} x */
function nearest(x) {
  const gaps = STOPS.map((stop) => Math.abs(along(stop) - x))
  return STOPS[gaps.indexOf(Math.min(...gaps))]
}

/** @param {number} x */
const number = (x) =>
  (x >= 9.95 ? fixed(x, 0) : sig(x, 2)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")
/** @param {number} x */
const whole = (x) => (x < 1 ? String(x) : fixed(x, Number.isInteger(x) ? 0 : 1))

/** @param {string} kind @param {number} size */
function named(kind, size) {
  if (kind === "rung") return `${fixed(size, 0)} multiply-add${size === 1 ? "" : "s"} a number`
  if (kind === "batch") return `a batch of ${fixed(size, 0)}`
  return `a product of side ${fixed(size, 0)}`
}

/** Measured kernels of a type. @param {View} view */
function measured({ data, state }) {
  const { type, kind, size, intensity, rate } = data.points
  return Array.from(/** @type {string[]} */ (type), (of, k) => ({
    of,
    kind: kind[k],
    size: size[k],
    intensity: intensity[k],
    rate: rate[k],
  })).filter(({ of }) => of === state.type)
}

/** @param {View} view */
function now(view) {
  const { data, state } = view
  const { intensity, type } = state
  const { peak, bandwidth, ridge } = data.sheet.at({ type })
  const best = attainable(intensity, peak, bandwidth)
  const points = measured(view)
  const far = points.map((p) => Math.max(p.intensity / intensity, intensity / p.intensity))
  // Where two kernels have one intensity, the faster one.
  const near = points
    .filter((_, k) => far[k] < NEAR)
    .sort((a, b) => b.rate - a.rate)
    .at(0)
  return { intensity, type, peak, bandwidth, ridge, best, points, near }
}

/** The two ceilings as one line. @param {{peak: number, bandwidth: number, ridge: number}} roofs */
const line = ({ peak, bandwidth, ridge }) => {
  const from = Math.max(LOWEST, SLOWEST / bandwidth)
  return `M${along(from)} ${up(from * bandwidth)}L${along(ridge)} ${up(peak)}H${RIGHT}`
}

/** @param {{kind: string, intensity: number, rate: number}} point */
function mark({ kind, intensity, rate }) {
  const [x, y] = [along(intensity), up(rate)]
  if (kind === "rung") return `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z`
  if (kind === "batch") return `M${x} ${y - 4.5}l4.5 8h-9Z`
  return `M${x - 3.5} ${y - 3.5}h7v7h-7Z`
}

/** @type {[string, string][]} */
const TYPES = [
  ["fp32", "float32"],
  ["tf32", "TF32"],
  ["bf16", "bfloat16"],
]

const KINDS = [
  ["rung", "multiply-adds on each number"],
  ["batch", "a batch of rows, 8,192² weights"],
  ["square", "two square matrices"],
]

export default figure({
  needs: {
    sheet: ["peak", "bandwidth", "ridge"],
    roofs: ["peak", "bandwidth", "ridge"],
    points: { type: "n", kind: "n", size: "n", intensity: "n", rate: "n" },
  },
  handles: true,
  controls: {
    intensity: slider({
      label: "intensity, in FLOP per byte",
      stops: () => STOPS,
      value: 4,
      format: whole,
    }),
    type: select({
      label: "type of the numbers",
      options: TYPES,
    }),
  },

  draw(view) {
    const { data, set } = view
    const it = now(view)
    const { intensity, ridge, peak, best, type } = it
    const below = intensity < ridge
    const [x, y] = [along(intensity), up(best)]
    const kinds = KINDS.filter(([kind]) => it.points.some((point) => point.kind === kind))
    return html`<svg viewBox="0 0 480 330" class="roof">
      <text class="name" x="0" y="12">TFLOP/s</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${[1, 10, 100, 1000]} place=${up} words=${(/** @type {number} */ v) => fixed(v, 0)} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${[0.1, 1, 10, 100, 1000, 10000]} place=${along} words=${(/** @type {number} */ v) => (v < 1 ? "0.1" : fixed(v, 0))} label="intensity, FLOP per byte" />

      <g class="others">
        ${TYPES.map(([other]) => other)
          .filter((other) => other !== type)
          .map((other) => html`<path key=${other} d=${line(data.sheet.at({ type: other }))} />`)}
      </g>
      <path class="room" d=${`${line(it)}V${BASE}H${along(LOWEST)}Z`} />
      <path class="found" d=${line(data.roofs.at({ type }))} />
      <path class=${below ? "sheet slope now" : "sheet slope"} data-term="bandwidth" d=${`M${along(LOWEST)} ${up(LOWEST * it.bandwidth)}L${along(ridge)} ${up(peak)}`} />
      <path class=${below ? "sheet flat" : "sheet flat now"} data-term="peak" d=${`M${along(ridge)} ${up(peak)}H${RIGHT}`} />
      <text class="ceiling" x=${RIGHT} y=${up(peak)} dy="-0.5em" text-anchor="end">${`${number(peak)} TFLOP/s`}</text>
      <text class="ceiling" x=${along(0.2) - 4} y=${up(0.2 * it.bandwidth)} dy="-0.7em" transform=${`rotate(${round((Math.atan2(up(1) - up(10), along(1) - along(10)) * 180) / Math.PI + 180)} ${along(0.2) - 4} ${up(0.2 * it.bandwidth)})`}>${`${it.bandwidth} TB/s`}</text>
      <g class="ridge" data-term="ridge">
        <path d=${`M${along(ridge)} ${up(peak)}V${BASE}`} />
        <text class="halo" x=${along(ridge)} y=${BASE} dx=${ridge > 50 ? -5 : 5} dy="-0.6em" text-anchor=${ridge > 50 ? "end" : "start"}>${`ridge ${number(ridge)}`}</text>
      </g>

      <g class="points">
        ${it.points.map(
          (point) => html`<path
            key=${point.kind + point.size}
            class=${`${point.kind} ${it.near === point ? "here" : ""}`}
            d=${mark(point)}
            onClick=${() => set({ intensity: nearest(along(point.intensity)) })}
          />`,
        )}
      </g>
      <path class="drop" d=${`M${x} ${BASE}V${y}H${LEFT}`} />
      <g class="key">
        ${kinds.map(
          ([kind, words], k) => html`<g key=${kind}>
            <path class=${kind} transform=${`translate(${KEY[0] - 10 - along(1)} ${KEY[1] + 18 * k - up(1)})`} d=${mark({ kind, intensity: 1, rate: 1 })} />
            <text class="name halo" x=${KEY[0]} y=${KEY[1] + 18 * k} dy="0.35em">${words}</text>
          </g>`,
        )}
      </g>
      <text class="num halo" x=${LEFT} y=${y} dx="5" dy="-0.4em">${number(best)}</text>
      <g class="point">
        <circle class="grip" cx=${x} cy=${y} r="6.5" />
        <circle ...${drag(view, (at) => ({ intensity: nearest(at) }))} class="reach drag" cx=${x} cy=${y} r="22" />
      </g>
    </svg>`
  },

  describe(view) {
    const { intensity, type, peak, best, ridge, near } = now(view)
    const who = intensity < ridge ? "memory sets the pace" : "arithmetic sets the pace"
    const share = best / peak
    const top =
      share < 1 ? `, ${fixed(share * 100, share < 0.1 ? 1 : 0)}% of the peak` : ", the peak"
    const found = near
      ? ` ${named(near.kind, near.size).replace(/^a/, "A")} ${near.kind === "rung" && near.size > 1 ? "reach" : "reaches"} ${number(near.rate)}: ${fixed((near.rate / best) * 100, 0)}% of that.`
      : ""
    return `${whole(intensity)} FLOP per byte, ${Object.fromEntries(TYPES)[type]}: ${who}, at most ${number(best)} TFLOP/s${top}.${found}`
  },

  table(view) {
    const { data } = view
    const { points, peak, bandwidth, type } = now(view)
    return {
      caption: `Measured in ${Object.fromEntries(TYPES)[type]}, and the lower ceiling of the data sheet`,
      columns: ["kernel", "FLOP per byte", "measured, TFLOP/s", "ceiling, TFLOP/s"],
      rows: [
        ...points.map(({ kind, size, intensity, rate }) => [
          named(kind, size),
          sig(intensity, 3),
          sig(rate, 3),
          sig(attainable(intensity, peak, bandwidth), 3),
        ]),
        ["fastest product, fastest copy", "", sig(data.roofs.at({ type }).peak, 3), sig(peak, 3)],
      ],
    }
  },
})
