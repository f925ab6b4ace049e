// @ts-check
/** Three ways to compute one softmax while a constant is added to all its scores. */
import { figure, fixed, html, scale, select, sig, slider } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const WAYS = ["plain", "safe", "online"]
const LEFT = 62
const SLOT = 43
const TALL = 44
const FIRST = 96
const APART = 72

/** @param {number} k */
const middle = (k) => LEFT + SLOT * (k + 0.5)
const high = scale([0, 0.65], [0, TALL])

/** @param {View} view */
function now({ data, state }) {
  const { grid, limits } = data
  const { dtype, shift } = state
  const home = grid.at({ dtype: "float64", shift: 0 }).received
  const it = grid.at({ dtype, shift })
  /** @type {{last: number, zeros: number}} where e to the score, and the sum, overflow */
  const { last: limit, zeros } = limits.at({ dtype })
  return { grid, dtype, shift, home, it, limit, zeros }
}

/**
 * How a row of probabilities failed, if it did.
 * @param {ArrayLike<number>} y @returns {"NaN" | "zeros" | ""}
 */
function failure(y) {
  const all = Array.from(y)
  if (all.some(Number.isNaN)) return "NaN"
  return all.every((p) => p === 0) ? "zeros" : ""
}

/** @param {number} p */
function share(p) {
  if (Number.isNaN(p)) return "NaN"
  if (p === 0 || p === 1) return String(p)
  return p < 0.005 ? "≈0" : fixed(p, 2).replace(/^0/, "")
}

/** @param {number} x */
const score = (x) => fixed(x, Number.isInteger(x) ? 0 : 1)

export default figure({
  needs: {
    grid: ["received", "plain", "safe", "online", "changed", "nans"],
    limits: ["last", "zeros"],
  },
  controls: {
    dtype: select({
      label: "the type of every number",
      options: [
        ["float16", "float16"],
        ["float32", "float32"],
        ["float64", "float64"],
      ],
      value: "float32",
    }),
    shift: slider({
      label: "added to every score",
      stops: ({ data }) => data.grid.axis("shift"),
      format: score,
    }),
  },

  draw(view) {
    const { id } = view
    const { home, it, limit, zeros, shift } = now(view)
    const largest = Math.max(...it.received)
    const reach = Math.max(largest, limit * 1.25)
    const along = scale([0, reach], [LEFT, 474])
    // What the type made of each score, less the shift.
    const lost = it.received.map(
      (/** @type {number} */ x, /** @type {number} */ k) => x - shift - home[k],
    )

    return html`<svg viewBox="0 0 480 336" class="overflow">
      <defs>
        <pattern id=${`${id}-hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="hatch" d="M0 0V6" />
        </pattern>
        <pattern id=${`${id}-sum`} width="5" height="5" patternUnits="userSpaceOnUse">
          <path class="hatch" d="M0 2.5H5" />
        </pattern>
      </defs>

      <g class="gauge">
        <text class="name" x="0" y="46" dy="0.35em">scores</text>
        <path class="line" d=${`M${LEFT} 46H474`} />
        <g class="limit">
          <rect x=${along(limit)} width=${474 - along(limit)} y="38" height="16" fill=${`url(#${id}-hatch)`} />
          <rect x=${along(zeros)} width=${along(limit) - along(zeros)} y="38" height="16" fill=${`url(#${id}-sum)`} />
          <path d=${`M${along(limit)} 32V60M${along(zeros)} 38V72`} />
          <text x=${Math.min(Math.max(along(limit), 150), 400)} y="26" text-anchor="middle">${`beyond ${fixed(limit, 2)} eˣ overflows`}</text>
          <text x=${along(zeros) - 4} y="70" text-anchor="end">sum overflows</text>
        </g>
        ${Array.from(it.received).map(
          (x, k) =>
            html`<circle key=${k} class=${/** @type {number} */ (x) > limit ? "over" : ""} cx=${along(/** @type {number} */ (x))} cy="46" r="4.5" />`,
        )}
      </g>

      ${WAYS.map((way, row) => {
        const y0 = FIRST + TALL + APART * row
        const failed = failure(it[way])
        return html`<g key=${way} class=${`way ${failed ? "broken" : ""}`}>
          <text class="name way-name" x="0" y=${y0} dy="-0.2em">${way}</text>
          <path class="line" d=${`M${LEFT} ${y0}H${LEFT + 8 * SLOT}`} />
          ${Array.from(it[way]).map((p, k) => {
            const value = /** @type {number} */ (p)
            const tall = Number.isNaN(value) ? 0 : high(value)
            return html`<g key=${k}>
              ${Number.isNaN(value) ? html`<rect x=${middle(k) - SLOT / 2} width=${SLOT} y=${y0 - TALL} height=${TALL} fill=${`url(#${id}-hatch)`} />` : null}
              <rect class="bar" x=${middle(k) - 11} width="22" y=${y0 - tall} height=${tall} />
              <text class="num halo" x=${middle(k)} y=${y0 - tall} dy="-0.35em" text-anchor="middle">${share(value)}</text>
            </g>`
          })}
          <text class="num sum" x="480" y=${y0} dy="-0.2em" text-anchor="end">${`Σ ${failed === "NaN" ? "NaN" : failed ? "0" : "1"}`}</text>
        </g>`
      })}

      <g class="received">
        <text class="name" x="0" y="284" dy="1.25em">${`${score(shift)} +`}</text>
        ${Array.from(home).map(
          (x, k) =>
            html`<text key=${k} class="num" x=${middle(k)} y="284" dy="1.3em" text-anchor="middle">${score(/** @type {number} */ (x))}</text>`,
        )}
        ${
          lost.some((/** @type {number} */ d) => d !== 0)
            ? html`<g>
                <text class="name" x="0" y="284" dy="2.75em">rounds to</text>
                ${Array.from(it.received).map(
                  (x, k) =>
                    html`<text key=${k} class=${`num ${lost[k] === 0 ? "" : "moved"}`} x=${middle(k)} y="284" dy="2.9em" text-anchor="middle">${score(/** @type {number} */ (x) - shift)}</text>`,
                )}
              </g>`
            : null
        }
      </g>
    </svg>`
  },

  describe(view) {
    const { it, dtype, shift } = now(view)
    const { nans } = it
    const some = `${nans} ${nans === 1 ? "NaN" : "NaNs"}`
    const rest = nans < 8 ? ` and ${8 - nans} zeros` : ""
    const words = { NaN: `gives ${some}${rest}`, zeros: "gives eight zeros", "": "still works" }
    const others =
      it.changed > 0.001
        ? `safe and online see a rounded row, off by up to ${sig(it.changed, 2)}.`
        : "safe and online are as at +0."
    return `${dtype} at +${score(shift)}: plain ${words[failure(it.plain)]}; ${others}`
  },

  table(view) {
    const { grid, home, dtype } = now(view)
    const shifts = [0, 80, 100]
    const columns = shifts.flatMap((shift) => [`plain +${shift}`, `online +${shift}`])
    const states = shifts.map((shift) => grid.at({ dtype, shift }))
    return {
      caption: `Softmax in ${dtype}`,
      columns: ["score", ...columns],
      rows: Array.from(home).map((x, k) => [
        score(/** @type {number} */ (x)),
        ...states.flatMap(({ plain, online }) => [fixed(plain[k], 4), fixed(online[k], 4)]),
      ]),
    }
  },
})
