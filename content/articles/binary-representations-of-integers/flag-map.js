// @ts-check
/** Which of all 65,536 pairs of rows set the carry and the overflow flag. */
import { figure, fixed, html, slider } from "explainers"
import { drag } from "explainers/parts/drag"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const SIDE = 200
const TOP = 40
const PANELS = /** @type {const} */ ([
  ["carry", "C, carry", 34],
  ["overflow", "V, overflow", 278],
])

/** @param {any} map @param {number} a @param {number} b @returns {number} */
const flag = (map, a, b) => (map[a][b >> 3] >> (7 - (b & 7))) & 1

/** @type {WeakMap<object, string>} */
const drawn = new WeakMap()

/** The pairs that set a flag, as one shape in a square of 256: runs of a row, rows alike joined. @param {any} map */
function shape(map) {
  const kept = drawn.get(map)
  if (kept !== undefined) return kept
  let d = ""
  for (let a = 0; a < 256; a++) {
    for (let b = 0; b < 256; b++) {
      if (!flag(map, a, b)) continue
      const from = b
      while (b < 256 && flag(map, a, b)) b++
      d += `M${from} ${a}h${b - from}v1h${from - b}z`
    }
  }
  drawn.set(map, d)
  return d
}

/** @param {View} view */
function now({ data, state }) {
  const { a, b } = state
  return { a, b, C: flag(data.carry, a, b), V: flag(data.overflow, a, b) }
}

/** @param {number} row */
const signed = (row) => (row < 128 ? String(row) : `−${256 - row}`)

export default figure({
  needs: { data: ["carry", "overflow", "carries", "overflows", "both", "neither", "pairs"] },
  controls: {
    a: slider({ label: "a, down", min: 0, max: 255, value: 100 }),
    b: slider({ label: "b, across", min: 0, max: 255, value: 100 }),
  },

  draw(scene) {
    const { data } = scene
    const { a, b, C, V } = now(scene)
    /** @param {number} row */
    const at = (row) => Math.round(((row + 0.5) / 256) * SIDE * 100) / 100
    return html`<svg viewBox="0 0 480 288" class="flag-map">
      ${PANELS.map(([field, name, left]) => {
        const set = field === "carry" ? C : V
        return html`<g key=${field} class=${field}>
          <text class="name" x=${left} y="14">${name}</text>
          <text class="num state" x=${left + SIDE} y="14" text-anchor="end">${set ? "set" : "clear"}</text>
          <svg x=${left} y=${TOP} width=${SIDE} height=${SIDE} viewBox="0 0 256 256" preserveAspectRatio="none"><path class="set" d=${shape(data[field])} /></svg>
          <path class="frame" d=${`M${left} ${TOP}h${SIDE}v${SIDE}h${-SIDE}Z`} />
          <path class="frame" d=${`M${left + SIDE / 2} ${TOP}v-5M${left} ${TOP + SIDE / 2}h-5`} />
          <text class="name" x=${left + 2} y="33">0</text>
          <text class="name" x=${left + SIDE / 4} y="33" text-anchor="middle">b</text>
          <text class="name" x=${left + SIDE / 2} y="33" text-anchor="middle">128</text>
          <text class="name" x=${left + SIDE} y="33" text-anchor="end">255</text>
          ${[
            ["a", SIDE / 4],
            ["128", SIDE / 2],
            ["255", SIDE - 4],
          ].map(
            ([words, down]) =>
              html`<text key=${words} class="name" x=${left - 8} y=${TOP + Number(down)} dy="0.35em" text-anchor="end">${words}</text>`,
          )}
          <path class="hair" d=${`M${left + at(b)} ${TOP}v${SIDE}M${left} ${TOP + at(a)}h${SIDE}`} />
          <circle class="grip" cx=${left + at(b)} cy=${TOP + at(a)} r="6.5" />
          <text class="name" x=${left} y=${TOP + SIDE} dy="1.4em">${`${fixed(field === "carry" ? data.carries : data.overflows)} of ${fixed(data.pairs)} pairs`}</text>
          <rect class="reach drag both" x=${left} y=${TOP} width=${SIDE} height=${SIDE} ...${drag(
            scene,
            (x, y) => ({
              a: Math.floor(((y - TOP) / SIDE) * 256),
              b: Math.floor(((x - left) / SIDE) * 256),
            }),
          )} />
        </g>`
      })}
    </svg>`
  },

  describe(view) {
    const { a, b, C, V } = now(view)
    const words =
      C && V
        ? "both flags are set"
        : C
          ? "only C is set"
          : V
            ? "only V is set"
            : "neither flag is set"
    return `${a} + ${b}, signed ${signed(a)} + ${signed(b)}: ${words}.`
  },

  table({ data }) {
    return {
      caption: "All pairs of two rows",
      columns: ["flags", "pairs"],
      rows: [
        ["C set", fixed(data.carries)],
        ["V set", fixed(data.overflows)],
        ["both", fixed(data.both)],
        ["only C", fixed(data.carries - data.both)],
        ["only V", fixed(data.overflows - data.both)],
        ["neither", fixed(data.neither)],
        ["all", fixed(data.pairs)],
      ],
    }
  },
})
