// @ts-check
/** Two kernels timed on a device: milliseconds against the length of a row. */
import { axis, figure, fixed, html, scale, slider } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const LEFT = 34
const RIGHT = 470
const BASE = 252
const ROOF = 34

/** The second-level cache of the device, in MiB. */
const CACHE = 60

const KERNELS = [
  { name: "safe", words: "safe: three sweeps", hue: "var(--hue-2)" },
  { name: "online", words: "online: two sweeps", hue: "var(--hue-1)" },
]

/** @param {View} view */
function places({ data }) {
  /** @type {number[]} */
  const rows = data.axis("row")
  const last = rows.length - 1
  const most = Math.ceil(Math.max(...data.safe_high, ...data.online_high) * 10 + 1) / 10
  const across = scale([Math.log2(rows[0]), Math.log2(rows[last])], [LEFT + 14, RIGHT - 96])
  const along = (/** @type {number} */ row) => across(Math.log2(row))
  // All rows at work take 1 MiB more for every so many scores: the cache is full at this length.
  const full = (CACHE / data.resident[last]) * rows[last]
  return { rows, last, most, along, up: scale([0, most], [BASE, ROOF]), full }
}

/** @param {View} view */
const index = ({ data, state }) => data.axis("row").indexOf(state.row)

/** @param {number} row */
const length = (row) => (row < 1024 ? String(row) : `${row / 1024}Ki`)

export default figure({
  needs: {
    data: [
      ...["safe", "safe_low", "safe_high", "online", "online_low", "online_high"],
      ...["ratio", "ratio_low", "ratio_high", "resident", "repetitions"],
    ],
  },
  controls: {
    row: slider({
      label: "scores in a row",
      stops: ({ data }) => data.axis("row"),
      format: (row) => fixed(row, 0),
    }),
  },

  draw(view) {
    const { data, set } = view
    const { rows, last, most, along, up, full } = places(view)
    const here = index(view)
    const half = (along(rows[1]) - along(rows[0])) / 2
    return html`<svg viewBox="0 0 480 300">
      <text class="name" x="0" y="12">milliseconds for 2²⁸ scores</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${up(most)} values=${[0, 0.25, 0.5, 0.75, 1]} place=${up} words=${(/** @type {number} */ v) => String(v)} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${along(rows[last])} values=${rows.filter((_, k) => k % 2 === 0)} place=${along} words=${length} label="scores in a row" />
      <g class="leader">
        <path d=${`M${along(full)} ${BASE}V${ROOF - 2}`} />
        <text x=${along(full)} y=${ROOF - 8} text-anchor="middle">${`${CACHE} MiB of cache full`}</text>
      </g>
      <path d=${`M${along(rows[here])} ${BASE}V${up(data.safe[here])}`} style="stroke: var(--ink-3); stroke-dasharray: 2 3" />
      ${KERNELS.map(({ name, words, hue }) => {
        const middle = data[name]
        const low = data[`${name}_low`]
        const high = data[`${name}_high`]
        const spots = rows.map((row, k) => ({ x: along(row), y: up(middle[k]), k }))
        return html`<g key=${name} style=${`color: ${hue}`}>
          <path d=${spots.map(({ x, y }, k) => `${k ? "L" : "M"}${x} ${y}`).join("")} style="fill: none; stroke: currentColor; stroke-width: 1.5" />
          <path d=${spots.map(({ x, k }) => `M${x} ${up(low[k])}V${up(high[k])}M${x - 3} ${up(low[k])}h6M${x - 3} ${up(high[k])}h6`).join("")} style="stroke: currentColor" />
          ${spots.map(({ x, y, k }) => html`<circle key=${k} cx=${x} cy=${y} r=${k === here ? 5 : 3} style=${`fill: ${k === here ? "currentColor" : "var(--paper)"}; stroke: currentColor; stroke-width: 1.5`} />`)}
          <text x=${along(rows[last]) + 10} y=${up(middle[last])} dy="0.35em">${words.split(": ")[0]}</text>
          <text class="name" x=${along(rows[last]) + 10} y=${up(middle[last])} dy="1.6em">${words.split(": ")[1]}</text>
        </g>`
      })}
      ${rows.map(
        (row, k) =>
          html`<rect key=${k} x=${along(row) - half} y=${ROOF} width=${2 * half} height=${BASE - ROOF} style="fill: transparent" onPointerEnter=${() => set({ row })} onClick=${() => set({ row })} />`,
      )}
    </svg>`
  },

  describe(view) {
    const { data } = view
    const k = index(view)
    const ms = (/** @type {string} */ name) => fixed(data[name][k], 3)
    return `Rows of ${fixed(data.axis("row")[k], 0)} scores: safe ${ms("safe")} ms, online ${ms("online")} ms, ${fixed(data.ratio[k], 2)} times as fast. At any time ${fixed(data.resident[k], data.resident[k] < 10 ? 1 : 0)} MiB of rows are being worked on.`
  },

  table(view) {
    const { data } = view
    const range = (/** @type {string} */ name, /** @type {number} */ k) =>
      `${fixed(data[name][k], 3)} (${fixed(data[`${name}_low`][k], 3)} to ${fixed(data[`${name}_high`][k], 3)})`
    return {
      caption: `Milliseconds for 2²⁸ scores: median (least to most) of ${data.repetitions[0]} launches`,
      columns: ["scores in a row", "safe", "online", "safe over online"],
      rows: data
        .axis("row")
        .map((/** @type {number} */ row, /** @type {number} */ k) => [
          fixed(row, 0),
          range("safe", k),
          range("online", k),
          fixed(data.ratio[k], 3),
        ]),
    }
  },
})
