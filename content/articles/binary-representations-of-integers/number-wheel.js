// @ts-check
/**
 * The rows bent into a wheel: two labels for each, and two seams where a label jumps. A row is added
 * as either reading takes it, a step forward, or back where its sign says so; both end alike.
 */
import { figure, html, slider, toggle } from "explainers"
import { drag } from "explainers/parts/drag"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const CX = 172
const CY = 168
const R = 118
/** Where the two ways run: unsigned outside, signed inside. */
const WAYS = { unsigned: R - 42, signed: R - 60 }

/** @param {number} n */
const words = (n) => String(n).replace("-", "−")
/** @param {View} view */
const count = ({ state }) => 2 ** Number(state.width)
/** @param {number} v */
const cut = (v) => Math.round(v * 100) / 100

/** A place on the wheel; the upper seam is at the very top. @param {number} at @param {number} n @param {number} r @returns {[number, number]} */
function point(at, n, r) {
  const turn = ((at + 0.5) / n) * 2 * Math.PI
  return [cut(CX + r * Math.sin(turn)), cut(CY - r * Math.cos(turn))]
}

/** A way round the wheel, with an arrow's head where there is room. @param {number} from @param {number} by @param {number} n @param {number} r */
function way(from, by, n, r) {
  if (by === 0) return ""
  const [ax, ay] = point(from, n, r)
  const [bx, by_] = point(from + by, n, r)
  const long = (Math.abs(by) / n) * 2 * Math.PI * r
  const arc = `M${ax} ${ay}A${r} ${r} 0 ${Number(Math.abs(by) > n / 2)} ${Number(by > 0)} ${bx} ${by_}`
  if (long < 10) return arc
  // The head looks along the chord of its own length.
  const [wx, wy] = point(from + by - Math.sign(by) * (9 / (2 * Math.PI * r)) * n, n, r)
  const head = Math.atan2(by_ - wy, bx - wx)
  const wing = (/** @type {number} */ turn) =>
    `M${bx} ${by_}L${cut(bx - 9 * Math.cos(head + turn))} ${cut(by_ - 9 * Math.sin(head + turn))}`
  return arc + wing(0.5) + wing(-0.5)
}

/** @param {View} view */
function now(view) {
  const { data, state } = view
  const n = count(view)
  /** @type {number[]} */
  const signed = n === 16 ? data.four : data.eight
  const { from, add } = state
  const to = (from + add) % n
  return {
    n,
    signed,
    from,
    add,
    to,
    upper: from + add >= n,
    lower: signed[from] + signed[add] !== signed[to],
  }
}

/** a + b, or a − b for what is below 0. @param {number} a @param {number} b */
const sum = (a, b) => `${words(a)} ${b < 0 ? "−" : "+"} ${Math.abs(b)}`

/** What a row is called: by its unsigned number, and by its signed one where that differs. @param {number} row @param {View} [view] */
function named(row, view) {
  const k = view ? now(view).signed[row] : row
  return k === row ? String(row) : `${row} or ${words(k)}`
}

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
    from: slider({
      label: "start at row",
      min: 0,
      max: (view) => count(view) - 1,
      value: 7,
      format: named,
    }),
    add: slider({
      label: "add row",
      min: 0,
      max: (view) => count(view) - 1,
      value: 13,
      format: named,
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
    const [hx, hy] = point(from, n, R)
    const [jx, jy] = point(from, n, R - 33)
    const [tx, ty] = point(to, n, R)
    /** The row under the hand. @param {number} x @param {number} y */
    const under = (x, y) => {
      const turn = Math.atan2(x - CX, CY - y) / (2 * Math.PI)
      return Math.floor((turn < 0 ? turn + 1 : turn) * n) % n
    }

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
      <path class="way" d=${way(from, add, n, WAYS.unsigned)} />
      <path class="way inner" d=${way(from, signed[add], n, WAYS.signed)} />
      <path class="hand" d=${`M${CX} ${CY}L${jx} ${jy}`} />
      <circle class="target" cx=${tx} cy=${ty} r="7" />
      <circle class="grip" cx=${hx} cy=${hy} r="8" />
      <circle class="reach drag both" cx=${CX} cy=${CY} r=${R + 12} ...${drag(scene, (x, y) => ({ from: under(x, y) }))} />
      ${to === from ? null : html`<circle class="reach drag both" cx=${tx} cy=${ty} r="18" ...${drag(scene, (x, y) => ({ add: (under(x, y) - from + n) % n }))} />`}

      <g class="sums-of">
        <text class="name" x="330" y="60">outside: unsigned</text>
        <text class="num" x="330" y="84">${sum(from, add)}</text>
        <text class="num result" x="330" y="108">${`${upper ? "≠" : "="} ${to}`}</text>
        <text class=${upper ? "wrapped" : "name"} x="330" y="130">${upper ? "wrapped" : "right"}</text>
        <text class="name inner" x="330" y="196">inside: signed</text>
        <text class="num inner" x="330" y="220">${sum(signed[from], signed[add])}</text>
        <text class="num inner result" x="330" y="244">${`${lower ? "≠" : "="} ${words(signed[to])}`}</text>
        <text class=${lower ? "wrapped" : "name"} x="330" y="266">${lower ? "wrapped" : "right"}</text>
      </g>
    </svg>`
  },

  describe(view) {
    const { n, signed, from, add, to, upper, lower } = now(view)
    const which =
      upper && lower
        ? "Both wrap."
        : upper
          ? "Unsigned crosses the upper seam and wraps; signed is right."
          : lower
            ? "Signed crosses the lower seam and wraps; unsigned is right."
            : "Both are right."
    const back = signed[add] < 0 ? `${add} forward, or ${-signed[add]} back` : `${add} forward`
    return `From ${named(from, view)}, ${back}: row ${to.toString(2).padStart(Math.log2(n), "0")}, ${named(to, view)}. ${which}`
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
