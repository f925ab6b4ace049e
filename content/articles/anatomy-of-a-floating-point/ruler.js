// @ts-check
/** All numbers of an 8-bit layout on one line, while bits move from the mantissa to the exponent. */
import { figure, fixed, html, power, scale, slider } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const LEFT = 6
const RIGHT = 474
/** Powers of two that the second line spans, the same for every layout. */
const ENDS = /** @type {[number, number]} */ ([-17, 17])

/** @param {View} view */
function now({ data, state }) {
  const bits = state.exponent_bits
  const it = data.at({ exponent_bits: bits })
  // The finite numbers, by stretches that share a gap; 0 and the subnormals are the first.
  /** @type {number[][]} */
  const stretches = []
  Array.from(it.value).forEach((value, code) => {
    if (it.kind[code] > 2) return
    const at = Math.max(0, it.binade[code])
    stretches[at] ??= []
    stretches[at].push(/** @type {number} */ (value))
  })
  return { bits, it, stretches }
}

/** @param {number} x */
const short = (x) => {
  if (Number.isInteger(x)) return fixed(x)
  return String(x).length < 9 ? String(x) : power(2, Math.log2(x))
}

/**
 * Ticks of one stretch; the stretches take turns in shade and height.
 * @param {number[]} values @param {number} at @param {(value: number) => number} place @param {number} floor @param {string[]} names
 */
function marks(values, at, place, floor, names) {
  const tall = at % 2 ? 26 : 18
  const d = values.map((v) => `M${place(v)} ${floor}v${-tall}`).join("")
  return html`<path key=${at} class=${names[at === 0 ? 0 : 1 + (at % 2)]} d=${d} />`
}

const NAMES = ["sub", "even", "odd"]

export default figure({
  needs: {
    data: ["value", "kind", "binade", "bias", "largest", "smallest", "per_binade", "binades"],
  },
  controls: {
    exponent_bits: slider({ label: "exponent bits, of seven", min: 2, max: 5, value: 3 }),
  },

  draw(view) {
    const { bits, it, stretches } = now(view)
    const all = scale([0, it.largest], [LEFT, RIGHT])
    const zoomed = scale([0, 1], [LEFT, RIGHT])
    const log = scale(ENDS, [LEFT, RIGHT])
    const size = 28
    const names = ["s", ...Array(bits).fill("E"), ...Array(7 - bits).fill("F")]
    const least = log(Math.log2(it.smallest))
    const most = log(Math.log2(it.largest))
    /** @param {number} x */
    const inside = (x) => Math.min(Math.max(x, 40), 440)

    return html`<svg viewBox="0 0 480 322" class="ruler-figure">
      <g class="layout">
        ${names.map(
          (name, k) =>
            html`<g key=${k} class=${`cell ${name}`} data-term=${name}>
              <rect x=${LEFT + k * size} y="18" width=${size - 4} height="20" />
              <text class="num" x=${LEFT + k * size + size / 2 - 2} y="28" dy="0.35em" text-anchor="middle">${name}</text>
            </g>`,
        )}
        <text class="name" x="240" y="20" dy="0.35em">${`${it.binades} stretches of ${it.per_binade} numbers; bias ${it.bias}`}</text>
        <text class="name" x="240" y="38" dy="0.35em">${`${it.per_binade} next to 0, ${it.per_binade} for ∞ and NaN`}</text>
      </g>

      <g class="ticks" >
        <text class="name" x=${LEFT} y="72">by size: every number, 0 to the largest</text>
        ${stretches.map((values, at) => marks(values, at, all, 112, NAMES))}
        <path class="line" d=${`M${LEFT} 112H${RIGHT}`} />
        <text class="num" x=${LEFT} y="112" dy="1.3em">0</text>
        <text class="num" x=${RIGHT} y="112" dy="1.3em" text-anchor="end">${short(it.largest)}</text>
      </g>

      <g class="ticks">
        <text class="name" x=${LEFT} y="158">the same, 0 to 1 alone</text>
        ${stretches.map((values, at) =>
          marks(
            values.filter((v) => v <= 1),
            at,
            zoomed,
            198,
            NAMES,
          ),
        )}
        <path class="line" d=${`M${LEFT} 198H${RIGHT}`} />
        <text class="num" x=${LEFT} y="198" dy="1.3em">0</text>
        <text class="num" x=${RIGHT} y="198" dy="1.3em" text-anchor="end">1</text>
      </g>

      <g class="ticks">
        <text class="name" x=${LEFT} y="238">by powers of two</text>
        ${stretches.map((values, at) =>
          marks(
            values.filter((v) => v > 0),
            at,
            (v) => log(Math.log2(v)),
            286,
            NAMES,
          ),
        )}
        <path class="line" d=${`M${LEFT} 286H${RIGHT}${[-16, -8, 0, 8, 16].map((e) => `M${log(e)} 286v5`).join("")}`} />
        ${[-16, -8, 0, 8, 16].map((e) => html`<text key=${e} class="name" x=${log(e)} y="288" dy="1.3em" text-anchor="middle">${e === 0 ? "1" : power(2, e)}</text>`)}
        <text class="num halo" x=${inside(least)} y="251" dy="0.4em" text-anchor="middle">${short(it.smallest)}</text>
        <text class="num halo" x=${inside(most)} y="251" dy="0.4em" text-anchor="middle">${short(it.largest)}</text>
      </g>
    </svg>`
  },

  describe(view) {
    const { bits, it } = now(view)
    return `${bits} exponent bits and ${7 - bits} of mantissa: from ${short(it.smallest)} to ${short(it.largest)}, with ${it.per_binade} numbers from one power of two to the next.`
  },

  table({ data }) {
    return {
      caption: "8 bits: one sign, and seven shared out",
      columns: ["exponent", "mantissa", "smallest", "largest", "in a stretch", "stretches"],
      rows: data.axis("exponent_bits").map((/** @type {number} */ bits) => {
        const it = data.at({ exponent_bits: bits })
        return [bits, 7 - bits, short(it.smallest), short(it.largest), it.per_binade, it.binades]
      }),
    }
  },
})
