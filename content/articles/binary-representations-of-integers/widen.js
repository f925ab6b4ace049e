// @ts-check
/** Eight bits moved to a wider row, by the sign or by zeros, or to a narrower one; read in both ways. */
import { figure, fixed, html, power, select, slider } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const CELL = 28
const RIGHT = 470
const TALL = 28

/** @param {number} n */
const words = (n) => String(n).replace("-", "−")

const FIELDS = ["bits", "sign_row", "sign_value", "zero_row", "zero_value", "kept", "kept_zero"]

/** @param {View} view @returns {any} */
function now({ data, state }) {
  const { value, width } = state
  const given = data.at({ value, width })
  return { ...Object.fromEntries(FIELDS.map((key) => [key, given[key]])), width, value }
}

/** What both readings make of a row. @param {number} row @param {string | number} signed @param {boolean} [kept] @param {boolean} [keptSigned] */
function readAs(row, signed, kept, keptSigned) {
  const so = (/** @type {boolean | undefined} */ yes) =>
    yes === undefined ? "" : yes ? " kept" : " changed"
  return `unsigned ${fixed(row)}${so(kept)}, signed ${words(Number(signed))}${so(keptSigned)}`
}

/** Bit k of a row. @param {number} row @param {number} k */
const bit = (row, k) => Math.floor(row / 2 ** k) % 2

export default figure({
  needs: {
    data: FIELDS,
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
    const it = now(view)
    const { width } = it
    /** @param {number} k place from the right */
    const x = (k) => RIGHT - (k + 1) * CELL
    const rows = [
      {
        key: "from",
        name: "eight bits",
        y: 24,
        row: it.bits,
        to: 8,
        said: readAs(it.bits, it.value),
      },
      {
        key: "sign",
        name:
          width > 8 ? "filled with the top bit" : width < 8 ? "cut off at the left" : "as before",
        y: 118,
        row: it.sign_row,
        to: width,
        said: readAs(it.sign_row, it.sign_value, it.sign_row === it.bits, it.kept),
      },
      {
        key: "zero",
        name: "filled with zeros",
        y: 212,
        row: it.zero_row,
        to: width,
        said: readAs(it.zero_row, it.zero_value, it.zero_row === it.bits, it.kept_zero),
      },
    ]
    return html`<svg viewBox="0 0 480 268" class="widen">
      <defs>
        <pattern id=${`${id}-hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="hatch" d="M0 0V6" />
        </pattern>
      </defs>
      ${rows.map(({ key, name, y, row, to, said }) =>
        key === "zero" && width <= 8
          ? null
          : html`<g key=${key} class=${key}>
              <text class="name" x=${x(15)} y=${y - 9}>${name}</text>
              <text class="num" x=${RIGHT} y=${y + TALL} dy="1.3em" text-anchor="end">${said}</text>
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
              ${to > 14 ? html`<text class="num" x=${x(to - 1)} y=${y + TALL} dy="1.3em">${power("±2", to - 1)}</text>` : null}
            </g>`,
      )}
    </svg>`
  },

  describe(view) {
    const it = now(view)
    const { width, bits, value } = it
    if (width === 8) return "Eight bits in eight places: nothing changes."
    if (width < 8) {
      const fate = (/** @type {number} */ from, /** @type {number} */ to) =>
        from === to
          ? `${words(from)} fits and is kept`
          : `${words(from)} does not fit: it reads ${words(to)}`
      return `Cut to ${width} bits. Unsigned, ${fate(bits, it.zero_row)}. Signed, ${fate(Number(value), it.sign_value)}.`
    }
    if (it.kept_zero) return `At ${width} bits both ways give one row: it reads ${value} as before.`
    return `At ${width} bits, copies of the top bit keep the signed ${words(value)}; zeros keep the unsigned ${bits}.`
  },

  table({ data, state }) {
    return {
      caption: `Eight bits of ${words(state.value)} at other widths`,
      columns: ["width", "copies, signed", "copies, unsigned", "zeros, signed", "zeros, unsigned"],
      rows: data.axis("width").map((/** @type {number} */ width) => {
        const it = data.at({ value: state.value, width })
        return [width, words(it.sign_value), it.sign_row, words(it.zero_value), it.zero_row]
      }),
    }
  },
})
