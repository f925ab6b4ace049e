// @ts-check
/** The same scores in another order: how often the running maximum moves. */
import { axis, figure, fixed, html, scale, select, slider } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const SLOT = 44
const LEFT = 34
const BASE = 128
const TOP = 34
const up = scale([0, 6], [BASE, TOP])
const FLOOR = 322
const ROOF = 206

/** @param {number} k */
const middle = (k) => LEFT + SLOT * (k + 0.5)

/** @param {View} view */
function now({ data, state }) {
  const order = state.order === "shuffle" ? `shuffle ${state.shuffle}` : state.order
  return { order, row: data.orders.at({ order }), random: data.random.at({ n: Number(state.n) }) }
}

/** @param {number} x */
const score = (x) => fixed(x, Number.isInteger(x) ? 0 : 1)

/** The words of the control that chose it. @param {string} n */
const many = (n) => (n === "1024" ? "1,024" : n)

/** @param {number} n @param {string} word */
const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`

export default figure({
  needs: {
    orders: ["x", "m", "moved", "moves", "shrinks", "l"],
    random: ["frequency", "exact", "mean", "harmonic"],
  },
  controls: {
    order: select({
      label: "order of arrival",
      options: [
        ["given", "given"],
        ["ascending", "ascending"],
        ["descending", "descending"],
        ["shuffle", "shuffled"],
      ],
    }),
    shuffle: slider({
      label: "a shuffle, by its number",
      min: 1,
      max: ({ data }) => data.orders.axis("order").length - 3,
      also: { order: "shuffle" },
      when: ({ state }) => state.order === "shuffle",
    }),
    n: select({
      label: "scores in a shuffled row",
      options: [
        ["8", "8"],
        ["64", "64"],
        ["1024", "1,024"],
      ],
    }),
  },

  draw(view) {
    const { row, random } = now(view)
    const { n } = view.state
    /** @type {number[]} */
    const frequency = Array.from(random.frequency)
    const last = Math.max(9, frequency.findLastIndex((p) => p >= 0.0005) + 1)
    const along = scale([0, last], [LEFT, 474])
    const most = Math.max(...frequency, ...random.exact)
    const tall = scale([0, most], [FLOOR, ROOF])
    const wide = (along(1) - along(0)) * 0.62
    const pointed = n === "8"
    const mean = along(random.harmonic)

    return html`<svg viewBox="0 0 480 362" class="arrival">
      <g class="row">
        <text class="name" x="0" y="12">${n === "8" ? "scores in the order of arrival" : "our eight scores, in the order of arrival"}</text>
        ${Array.from(row.x).map((value, k) => {
          const x = /** @type {number} */ (value)
          const moved = row.moved[k]
          return html`<g key=${k} class=${moved ? "moved" : ""}>
            <rect class="bar" data-term="x" x=${middle(k) - 12} width="24" y=${up(x)} height=${BASE - up(x)} />
            ${moved ? html`<path class="mark" d=${`M${middle(k)} ${up(x) - 3}l-6 -10h12Z`} />` : null}
            <text class="num" x=${middle(k)} y=${BASE} dy="1.3em" text-anchor="middle">${score(x)}</text>
          </g>`
        })}
        <path
          class="maximum"
          data-term="m"
          d=${Array.from(row.m)
            .map(
              (m, k) =>
                `${k ? "" : `M${LEFT} ${up(/** @type {number} */ (m))}`}V${up(/** @type {number} */ (m))}H${LEFT + SLOT * (k + 1)}`,
            )
            .join("")}
        />
        <text class="num count" x="472" y=${BASE} text-anchor="end">${row.moves}</text>
        <text class="name" x="472" y=${BASE} dy="1.3em" text-anchor="end">${row.moves === 1 ? "move" : "moves"}</text>
      </g>

      <g class="histogram">
        <text class="name" x="0" y="166">${`share of 100,000 shuffles of ${n === "8" ? "8" : `${many(n)} other`} scores`}</text>
        <g class="mean">
          <path d=${`M${mean} ${FLOOR}V${ROOF - 20}H330`} />
          <text x="336" y=${ROOF - 20} dy="0.35em">${`mean ${fixed(random.harmonic, 3)}, exact`}</text>
          <text class="name" x="336" y=${ROOF - 20} dy="2.85em">outlined: exact</text>
          <text class="name" x="336" y=${ROOF - 20} dy="1.6em">${`measured ${fixed(random.mean, 3)}`}</text>
        </g>
        ${frequency.slice(0, last).map((p, k) =>
          k === 0
            ? null
            : html`<g key=${k} class=${pointed && k === row.moves ? "here" : ""}>
                <rect class="bar" x=${along(k) - wide / 3} width=${(wide * 2) / 3} y=${tall(p)} height=${FLOOR - tall(p)} />
                <rect class="exact" x=${along(k) - wide / 2} width=${wide} y=${tall(random.exact[k])} height=${FLOOR - tall(random.exact[k])} />
                ${p >= 0.005 ? html`<text class="num halo" x=${along(k)} y=${Math.min(tall(p), tall(random.exact[k]))} dy="-0.4em" text-anchor="middle">${fixed(p, 2).replace(/^0/, "")}</text>` : null}
              </g>`,
        )}
        <${axis}
          side="bottom"
          at=${FLOOR}
          from=${LEFT}
          to=${474}
          values=${Array.from({ length: last - 1 }, (_, k) => k + 1)}
          place=${along}
        />
        <text class="name" x="474" y=${FLOOR} dy="2.5em" text-anchor="end">moves of the maximum</text>
      </g>
    </svg>`
  },

  describe(view) {
    const { row, random } = now(view)
    const { order, n, shuffle } = view.state
    const words = {
      given: "As given",
      ascending: "Ascending",
      descending: "Descending",
      shuffle: `Shuffle ${shuffle}`,
    }[/** @type {string} */ (order)]
    const moves =
      row.shrinks === 0
        ? `${count(row.moves, "move")} of the maximum, which finds no sum to shrink`
        : `${count(row.moves, "move")} of the maximum, ${row.shrinks} of which ${row.shrinks === 1 ? "shrinks" : "shrink"} the sum`
    const mean =
      n === "8" && order !== "shuffle"
        ? ""
        : ` ${many(n)} scores in random order: ${fixed(random.mean, 3)} moves on average.`
    return `${words}: ${moves}; l ends at ${fixed(row.l, 6)}.${mean}`
  },

  table({ data }) {
    const names = data.orders.axis("order")
    return {
      caption: "Moves of the maximum, by order of arrival",
      columns: ["order", "scores", "moves", "l"],
      rows: names.map((/** @type {string} */ order) => {
        const row = data.orders.at({ order })
        return [
          order,
          Array.from(row.x, (x) => score(/** @type {number} */ (x))).join(" "),
          row.moves,
          fixed(row.l, 6),
        ]
      }),
    }
  },
})
