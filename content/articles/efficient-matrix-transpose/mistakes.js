// @ts-check
/** What comes out of four mistakes, beside what should. */
import { figure, fixed, html, select } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const WHAT = /** @type {Record<string, string>} */ ({
  "blocks stay": "Blocks keep their place on the way out",
  "tile as stored": "The tile is loaded as it was stored",
  "threads swap": "Threads swap their coordinates, blocks do not",
  "no barrier": "Without the barrier, its warps one after another",
})
const [SIDE, TOP] = [146, 24]

/** Cells of one value, as runs of a row. @param {ArrayLike<number>[]} values @param {number} wanted */
function shape(values, wanted) {
  let d = ""
  values.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== wanted) continue
      const from = x
      while (x < row.length && row[x] === wanted) x++
      d += `M${from} ${y}h${x - from}v1h${from - x}z`
    }
  })
  return d
}

/** @param {View} view */
function now({ data, state }) {
  const it = data.mistakes.at({ mistake: state.mistake })
  /** @type {number[][]} */
  const given = data.matrix.values.map((/** @type {ArrayLike<number>} */ row) => Array.from(row))
  const wanted = given[0].map((_, x) => given.map((row) => row[x]))
  return { it, given, wanted, all: given.length * given.length }
}

export default figure({
  needs: { mistakes: ["values", "sectors", "wrong"], matrix: ["values"] },
  controls: {
    mistake: select({
      label: "the mistake",
      options: [
        ["blocks stay", "blocks stay"],
        ["tile as stored", "tile as stored"],
        ["threads swap", "threads swap"],
        ["no barrier", "no barrier"],
      ],
    }),
  },

  draw(view) {
    const { it, given, wanted } = now(view)
    const cell = SIDE / given.length
    const panels = /** @type {[string, ArrayLike<number>[], number][]} */ ([
      ["matrix", given, 2],
      ["comes out", it.values, 167],
      ["should come out", wanted, 332],
    ])
    return html`<svg viewBox="0 0 480 176" class="mistakes">
      <defs><pattern id=${`${view.id}-stale`} width="2" height="2" patternUnits="userSpaceOnUse"><path class="stale" d="M0 2L2 0" /></pattern></defs>
      ${panels.map(
        ([name, values, x]) => html`<g key=${name}>
          <text class="name" x=${x} y="14">${name}</text>
          <g transform=${`translate(${x} ${TOP}) scale(${cell})`}>
            <path class="dark" d=${shape(values, 1)} />
            <path fill=${`url(#${view.id}-stale)`} d=${shape(values, 2)} />
            <path class="frame" d="M0 0H64V64H0ZM32 0V64M0 32H64" />
          </g>
        </g>`,
      )}
    </svg>`
  },

  describe(view) {
    const { it, all } = now(view)
    const right =
      it.wrong === 0
        ? "every float is where it should be"
        : `${fixed(it.wrong)} of ${fixed(all)} floats are not where they should be`
    return `${WHAT[view.state.mistake]}: ${right}, and a warp writes ${it.sectors} sectors at a time.`
  },

  table({ data }) {
    return {
      caption: "Four mistakes",
      columns: ["mistake", "floats in a wrong place", "sectors a warp writes"],
      rows: data.mistakes.axis("mistake").map((/** @type {string} */ mistake) => {
        const it = data.mistakes.at({ mistake })
        return [mistake, fixed(it.wrong), fixed(it.sectors)]
      }),
    }
  },
})
