// @ts-check
/** What each version reads and writes in a second, beside a copy and what its sectors allow. */
import { axis, figure, fixed, html, percent, scale, slider, ticks } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const NAMES = /** @type {Record<string, string>} */ ({
  copy: "copy",
  scatter: "scatter",
  gather: "gather",
  tiled: "tile, pitch 32",
  padded: "tile, pitch 33",
  padded34: "tile, pitch 34",
  swizzled: "tile, swizzled",
})
const [LEFT, RIGHT, TOP, ROW, TALL] = [124, 404, 12, 34, 20]

/** @param {View} view */
function now({ data, state }) {
  const { speeds, work } = data
  const versions = speeds.axis("version")
  const rows = versions.map((/** @type {string} */ version) => ({
    version,
    ...pick(speeds.at({ version, n: state.n }), ["rate", "low", "high", "share"]),
    allowed: work.at({ version }).share,
  }))
  const most = Math.max(
    ...versions.flatMap((/** @type {string} */ version) =>
      speeds.axis("n").map((/** @type {number} */ n) => speeds.at({ version, n }).high),
    ),
  )
  return { rows, most: Math.ceil(most / 500) * 500 }
}

/** @param {any} from @param {string[]} names @returns {any} */
const pick = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]))

export default figure({
  needs: { speeds: ["rate", "low", "high", "share"], work: ["share"] },
  controls: {
    n: slider({
      label: "rows and columns",
      stops: ({ data }) => data.speeds.axis("n"),
      format: (n) => fixed(n),
      value: 8192,
    }),
  },

  draw(view) {
    const { rows, most } = now(view)
    const along = scale([0, most], [LEFT, RIGHT])
    const base = TOP + rows.length * ROW
    const copy = rows[0].rate
    return html`<svg viewBox="0 0 480 296" class="ladder">
      <path class="copied" d=${`M${along(copy)} ${TOP}V${base}`} />
      ${rows.map(
        (
          /** @type {any} */ { version, rate, low, high, share, allowed },
          /** @type {number} */ k,
        ) => {
          const y = TOP + ROW * k
          return html`<g key=${version} class=${version === "copy" ? "yardstick" : "row"}>
          <text class="name" x="0" y=${y + TALL / 2} dy="0.35em">${NAMES[version]}</text>
          <rect class="bar" x=${LEFT} width=${along(rate) - LEFT} y=${y} height=${TALL} />
          ${version === "copy" ? null : html`<rect class="allowed" x=${LEFT} width=${along(allowed * copy) - LEFT} y=${y - 3} height=${TALL + 6} />`}
          <path class="spread" d=${`M${along(low)} ${y + TALL / 2}H${along(high)}M${along(low)} ${y + 6}v8M${along(high)} ${y + 6}v8`} />
          <text class="num share" x="480" y=${y + TALL / 2} dy="0.35em" text-anchor="end">${percent(share, 0)}</text>
        </g>`
        },
      )}
      <${axis} side="bottom" at=${base + 2} from=${LEFT} to=${RIGHT} values=${ticks(0, most, 5)} place=${along} label="GB/s read and written" />
    </svg>`
  },

  describe(view) {
    const { rows } = now(view)
    const told = rows.map(
      (/** @type {any} */ { version, rate, share }) =>
        `${NAMES[version].replace(",", "")} at ${fixed(rate)}${version === "copy" ? " GB/s" : ` (${percent(share, 0)})`}`,
    )
    return `${fixed(view.state.n)} rows: ${told.join(", ")}.`
  },

  table(view) {
    const { rows } = now(view)
    return {
      caption: `Read and written in a second, ${fixed(view.state.n)} × ${fixed(view.state.n)} floats`,
      columns: ["version", "GB/s", "slowest to fastest", "of the copy", "sectors allow"],
      rows: rows.map((/** @type {any} */ { version, rate, low, high, share, allowed }) => [
        NAMES[version],
        fixed(rate),
        `${fixed(low)} to ${fixed(high)}`,
        percent(share, 1),
        percent(allowed, 0),
      ]),
    }
  },
})
