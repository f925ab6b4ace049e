// @ts-check
/** Eight bits moved to a wider row, by the sign or by zeros, or to a narrower one. */
import { figure, html, select, slider } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const CELL = 28
const RIGHT = 470
const TALL = 28

/** @param {number} n */
const words = (n) => String(n).replace("-", "−")

/** @param {View} view */
const now = ({ data, state }) => ({
  ...Object.fromEntries(
    ["bits", "sign_row", "sign_value", "zero_row", "zero_value", "kept", "kept_zero"].map((key) => [
      key,
      data.at({ value: state.value, width: state.width })[key],
    ]),
  ),
  width: state.width,
  value: state.value,
})

/** Bit k of a row. @param {number} row @param {number} k */
const bit = (row, k) => Math.floor(row / 2 ** k) % 2

export default figure({
  needs: {
    data: ["bits", "sign_row", "sign_value", "zero_row", "zero_value", "kept", "kept_zero"],
  },
  controls: {
    value: select({
      label: "eight bits of",
      options: [
        ["-76", "−76"],
        ["100", "100"],
        ["-1", "−1"],
        ["-128", "−128"],
        ["5", "5"],
      ],
    }),
    width: slider({ label: "width of the new row", min: 4, max: 16, value: 16, unit: "bits" }),
  },

  draw(view) {
    const { id } = view
    /** @type {any} */
    const it = now(view)
    const { width } = it
    /** @param {number} k place from the right */
    const x = (k) => RIGHT - (k + 1) * CELL
    const rows = [
      { key: "from", name: "eight bits", y: 40, row: it.bits, to: 8, value: it.value, kept: true },
      {
        key: "sign",
        name: width > 8 ? "filled with the top bit" : "cut off at the left",
        y: 130,
        row: it.sign_row,
        to: width,
        value: it.sign_value,
        kept: it.kept,
      },
      {
        key: "zero",
        name: "filled with zeros",
        y: 220,
        row: it.zero_row,
        to: width,
        value: it.zero_value,
        kept: it.kept_zero,
      },
    ]
    return html`<svg viewBox="0 0 480 268" class="widen">
      <defs>
        <pattern id=${`${id}-hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="hatch" d="M0 0V6" />
        </pattern>
      </defs>
      ${rows.map(({ key, name, y, row, to, value, kept }) =>
        key === "zero" && width <= 8
          ? null
          : html`<g key=${key} class=${key}>
              <text class="name" x=${x(15)} y=${y - 9}>${name}</text>
              <text class="num" x=${RIGHT} y=${y - 9} text-anchor="end">${`${words(value)}${key === "from" ? "" : kept ? ", kept" : ", changed"}`}</text>
              ${Array.from({ length: Math.max(to, 8) }, (_, k) => {
                const lost = k >= to
                const added = k > 7
                const top = k === to - 1
                const on = lost ? bit(it.bits, k) : bit(row, k)
                return html`<g key=${k} class=${`cell ${lost ? "lost" : added ? "added" : ""} ${top ? "s" : "F"} ${on ? "set" : ""}`} data-term=${top ? "s" : "F"}>
                  <rect x=${x(k)} y=${y} width=${CELL - 3} height=${TALL} />
                  ${added && key === "zero" ? html`<path d=${`M${x(k)} ${y}h${CELL - 3}v${TALL}h${3 - CELL}z`} fill=${`url(#${id}-hatch)`} />` : null}
                  <text class="num halo" x=${x(k) + CELL / 2 - 1.5} y=${y + TALL / 2} dy="0.35em" text-anchor="middle">${String(on)}</text>
                  ${lost ? html`<path class="strike" d=${`M${x(k) - 1} ${y + TALL}l${CELL - 1} ${-TALL}`} />` : null}
                </g>`
              })}
              ${
                key === "from" || to < 1
                  ? null
                  : html`<text class="name" x=${x(to - 1)} y=${y + TALL} dy="1.3em">${`−2${[...String(to - 1)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("")}`}</text>`
              }
            </g>`,
      )}
    </svg>`
  },

  describe(view) {
    /** @type {any} */
    const it = now(view)
    if (it.width === 8) return "Eight bits in eight places: nothing changes."
    if (it.width < 8)
      return `Cut to ${it.width} bits, ${words(it.value)} reads ${words(it.sign_value)}: ${it.kept ? "it fits, and is kept" : "it does not fit"}.`
    return `At ${it.width} bits, filled with the top bit it reads ${words(it.sign_value)}; filled with zeros ${words(it.zero_value)}${it.kept_zero ? ", the same" : ""}.`
  },

  table({ data, state }) {
    return {
      caption: `Eight bits of ${words(state.value)} at other widths`,
      columns: ["width", "by the sign", "by zeros"],
      rows: data.axis("width").map((/** @type {number} */ width) => {
        const it = data.at({ value: state.value, width })
        return [width, words(it.sign_value), words(it.zero_value)]
      }),
    }
  },
})
