// @ts-check
/** The rows bent into a wheel: two labels for each, and two seams where a label jumps. */
import { figure, html, slider, toggle } from "explainers"
import { drag } from "explainers/parts/drag"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const CX = 172
const CY = 168
const R = 118

/** @param {number} n */
const words = (n) => String(n).replace("-", "−")
/** @param {View} view */
const count = ({ state }) => 2 ** Number(state.width)

/** A place on the wheel; the upper seam is at the very top. @param {number} at @param {number} n @param {number} r @returns {[number, number]} */
function point(at, n, r) {
  const turn = ((at + 0.5) / n) * 2 * Math.PI
  const cut = (/** @type {number} */ v) => Math.round(v * 100) / 100
  return [cut(CX + r * Math.sin(turn)), cut(CY - r * Math.cos(turn))]
}

/** @param {View} view */
function now(view) {
  const { data, state } = view
  const n = count(view)
  const signed = n === 16 ? data.four : data.eight
  const { from, add } = state
  const to = (((from + add) % n) + n) % n
  return {
    n,
    signed,
    from,
    add,
    to,
    upper: from + add < 0 || from + add >= n,
    lower: signed[from] + add < -n / 2 || signed[from] + add >= n / 2,
  }
}

/** a + k, with the sign between. @param {number} a @param {number} k */
const sum = (a, k) => `${words(a)} ${k < 0 ? "−" : "+"} ${Math.abs(k)}`

export default figure({
  needs: { data: ["four", "eight"] },
  controls: {
    width: toggle({
      label: "bits in a row",
      options: [
        ["4", "4"],
        ["8", "8"],
      ],
    }),
    from: slider({ label: "start at row", min: 0, max: (view) => count(view) - 1, value: 7 }),
    add: slider({
      label: "then add",
      min: (view) => -count(view) / 2,
      max: (view) => count(view) / 2,
      value: 1,
      format: words,
    }),
  },

  draw(scene) {
    const { n, signed, from, add, to, upper, lower } = now(scene)
    const every = n === 16 ? 1 : 16
    const all = Array.from({ length: n }, (_, k) => k)
    // Both sides of each seam are worth a label, whatever is left out between.
    const edges = n === 16 ? [] : [n / 2 - 1, n - 1]
    const labelled = all.filter(
      (k) => (k % every === 0 && !(n > 16 && k % 32 !== 0)) || edges.includes(k),
    )
    const small = Math.min(Math.abs(add), n) / n
    const arc = R - 54
    const [ax, ay] = point(from, n, arc)
    const [bx, by] = point(from + add, n, arc)
    const [hx, hy] = point(from, n, R)
    const [jx, jy] = point(from, n, R - 33)
    const [tx, ty] = point(to, n, R)
    const [wx, wy] = point(from + add - Math.sign(add) * 0.055 * n, n, arc)
    const head = Math.atan2(by - wy, bx - wx)
    const wing = (/** @type {number} */ turn) =>
      `L${Math.round((bx - 9 * Math.cos(head + turn)) * 100) / 100} ${Math.round((by - 9 * Math.sin(head + turn)) * 100) / 100}`

    return html`<svg viewBox="0 0 480 336" class="wheel">
      <path class="ticks" d=${all.map((k) => `M${point(k, n, R - 5).join(" ")}L${point(k, n, R + (k % every ? 0 : 5)).join(" ")}`).join("")} />
      <path class=${`seam ${upper ? "crossed" : ""}`} d=${`M${CX} ${CY - R - 34}V${CY - 34}`} />
      <path class=${`seam ${lower ? "crossed" : ""}`} d=${`M${CX} ${CY + R + 34}V${CY + 34}`} />
      <circle class="rim" cx=${CX} cy=${CY} r=${R} />
      ${labelled.map((k) => {
        // Labels at a seam of a fine wheel stand a little aside.
        const seam = n > 16 && (k + 1) % (n / 2) < 2
        const at = seam ? k + ((k + 1) % (n / 2) ? 0.04 : -0.04) * n : k
        const [ox, oy] = point(at, n, R + 19)
        const [ix, iy] = point(at, n, R - 20)
        return html`<g key=${k} class=${k === from ? "from" : k === to ? "to" : ""}>
          <text class="num" x=${ox} y=${oy} dy="0.35em" text-anchor="middle">${k}</text>
          <text class="num inner" x=${ix} y=${iy} dy="0.35em" text-anchor="middle">${words(signed[k])}</text>
        </g>`
      })}
      ${
        add
          ? html`<path class="arc" d=${`M${ax} ${ay}A${arc} ${arc} 0 ${small > 0.5 ? 1 : 0} ${add > 0 ? 1 : 0} ${bx} ${by}M${bx} ${by}${wing(0.5)}M${bx} ${by}${wing(-0.5)}`} />`
          : null
      }
      <path class="hand" d=${`M${CX} ${CY}L${jx} ${jy}`} />
      <circle class="target" cx=${tx} cy=${ty} r="6" />
      <circle class="grip" cx=${hx} cy=${hy} r="8" />
      <circle class="reach drag both" cx=${CX} cy=${CY} r=${R + 12} ...${drag(scene, (x, y) => {
        const turn = Math.atan2(x - CX, CY - y) / (2 * Math.PI)
        return { from: Math.floor((turn < 0 ? turn + 1 : turn) * n) % n }
      })} />

      <g class="sums-of">
        <text class="name" x="330" y="60">outside: unsigned</text>
        <text class="num" x="330" y="84">${sum(from, add)}</text>
        <text class="num result" x="330" y="108">${`= ${to}`}</text>
        <text class=${upper ? "wrapped" : "name"} x="330" y="130">${upper ? "wrapped" : "right"}</text>
        <text class="name inner" x="330" y="196">inside: signed</text>
        <text class="num inner" x="330" y="220">${sum(signed[from], add)}</text>
        <text class="num inner result" x="330" y="244">${`= ${words(signed[to])}`}</text>
        <text class=${lower ? "wrapped" : "name"} x="330" y="266">${lower ? "wrapped" : "right"}</text>
      </g>
    </svg>`
  },

  describe(view) {
    const { n, signed, from, add, to, upper, lower } = now(view)
    const which =
      upper && lower
        ? "both seams are crossed: both readings wrap"
        : upper
          ? "the upper seam is crossed: unsigned wraps"
          : lower
            ? "the lower seam is crossed: signed wraps"
            : "no seam is crossed: both readings are right"
    return `${sum(from, add)} lands on row ${to.toString(2).padStart(Math.log2(n), "0")}, ${to} or ${words(signed[to])}; ${which}.`
  },

  table({ data }) {
    return {
      caption: "The wheel of four bits",
      columns: ["row", "unsigned", "signed"],
      rows: Array.from(data.four, (value, k) => [
        k.toString(2).padStart(4, "0"),
        k,
        words(/** @type {number} */ (value)),
      ]),
    }
  },
})
