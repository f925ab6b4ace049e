// @ts-check
/** All 256 rows of eight bits, read in five ways, strip under strip. */
import { figure, html, scale, slider } from "explainers"
import { READINGS, read } from "explainers/kernels/integers"
import { drag } from "explainers/parts/drag"

const FIELDS = /** @type {const} */ (["unsigned", "sign_magnitude", "ones", "twos", "offset"])
const LEFT = 122
const RIGHT = 424
const FIRST = 44
const APART = 58
const TALL = 42
const along = scale([0, 256], [LEFT, RIGHT])

/** @param {number} n */
const words = (n) => (Object.is(n, -0) ? "−0" : String(n).replace("-", "−"))
/** @param {number} row */
const bits = (row) => row.toString(2).padStart(8, "0")

/** The line of a strip; it breaks where the next row is not the next number. @param {ArrayLike<number>} values @param {(v: number) => number} up */
function path(values, up) {
  let d = ""
  for (let row = 0; row < values.length; row++) {
    const joined = row > 0 && Math.abs(values[row] - values[row - 1]) <= 1
    if (!joined) d += `M${along(row)} ${up(values[row])}`
    const next = row + 1 < values.length && Math.abs(values[row + 1] - values[row]) <= 1
    if (!next) d += `L${along(row + 1)} ${up(values[row])}`
  }
  return d
}

export default figure({
  needs: { data: [...FIELDS] },
  controls: {
    row: slider({
      label: "row",
      min: 0,
      max: 255,
      value: 180,
      format: bits,
    }),
  },

  draw(scene) {
    const { data, state } = scene
    const { row } = state
    const x = along(row + 0.5)
    return html`<svg viewBox="0 0 480 352" class="readings">
      <text class="num" x=${Math.min(Math.max(x, LEFT + 24), RIGHT - 24)} y="14" text-anchor="middle">${bits(row)}</text>
      ${FIELDS.map((field, k) => {
        const top = FIRST + APART * k
        const values = data[field]
        const up = scale([-128, 255], [top + TALL, top - 6])
        const zeros = Array.from({ length: 256 }, (_, r) => r).filter((r) => values[r] === 0)
        const value = read(row, READINGS[k])
        return html`<g key=${field} class="strip">
          <text class="name" x="0" y=${up(0)} dy="0.35em">${READINGS[k]}</text>
          ${[Math.min(...values), Math.max(...values)].map((end) => html`<text key=${end} class="name num" x=${LEFT - 8} y=${up(end)} dy="0.35em" text-anchor="end">${words(end)}</text>`)}
          <path class="zero" d=${`M${LEFT} ${up(0)}H${RIGHT}`} />
          <path class="stairs" d=${path(values, up)} />
          ${zeros.map((r) => html`<circle key=${r} class="null" cx=${along(r + 0.5)} cy=${up(0)} r="4.5" />`)}
          <circle class="grip" cx=${x} cy=${up(value)} r="5" />
          <text class="num value" x="478" y=${up(0)} dy="0.35em" text-anchor="end">${words(value)}</text>
        </g>`
      })}
      <path class="hair" d=${`M${x} 20V326`} />
      <text class="name" x=${LEFT} y="344" text-anchor="middle">00000000</text>
      <text class="name" x=${along(128)} y="344" text-anchor="middle">10000000</text>
      <text class="name" x=${RIGHT} y="344" text-anchor="middle">11111111</text>
      <rect class="reach drag" x=${LEFT - 12} y="16" width=${RIGHT - LEFT + 24} height="316" ...${drag(scene, (px) => ({ row: Math.floor(((px - LEFT) / (RIGHT - LEFT)) * 256) }))} />
    </svg>`
  },

  describe({ state }) {
    const { row } = state
    const all = READINGS.map((reading) => `${words(read(row, reading))} in ${reading}`)
    return `${bits(row)} is ${words(row)} unsigned; ${all.slice(1).join(", ")}.`
  },

  table({ data, state }) {
    const rows = [...new Set([0, 1, 127, 128, 129, 180, 255, state.row])]
    return {
      caption: "Rows and their five values",
      columns: ["row", ...READINGS],
      rows: rows.map((row) => [
        bits(row),
        ...FIELDS.map((field, k) =>
          data[field][row] === 0 ? words(read(row, READINGS[k])) : words(data[field][row]),
        ),
      ]),
    }
  },
})
