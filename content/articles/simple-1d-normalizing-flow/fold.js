// @ts-check
/** A map that is bent too far: it folds, and several points land on one. */
import { axis, figure, fixed, html, slider, toggle } from "explainers"
import {
  area,
  CHECKED,
  foldPreimages,
  foldTurns,
  normalDensity,
  planar,
  planarInverse,
  planarSlope,
} from "explainers/kernels/flows"
import { drag } from "explainers/parts/drag"
import { filled, line, spaced } from "explainers/parts/outline"
import { frame } from "./graph.js"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const [W, B] = [1.5, 0]
const F = frame({
  z: [-3.2, 3.2],
  x: [-2.8, 2.8],
  left: 132,
  top: 10,
  unitZ: 32,
  unitX: 46,
  tall: 78,
})
const WALL = F.left - 12
const BASE = F.foot + 44
const MOST = 9
const FAR = 6

const Z = spaced(-3.2, 3.2, 97)
const BELL = { line: "", room: "" }
BELL.line = line(F.acrosses(Z), F.rising(Z.map(normalDensity), BASE))
BELL.room = filled(F.acrosses(Z), F.rising(Z.map(normalDensity), BASE), BASE)

/** @param {number} u */
const graph = (u) => line(F.acrosses(Z), F.ups(Z.map((z) => planar(z, u, W, B))))
const GHOSTS = [-0.75, -1].map((product) => graph(product / W))

/** No bound where the map is flat. @param {number} z @param {number} u */
const share = (z, u) => {
  const slope = Math.abs(planarSlope(z, u, W, B))
  return slope < 1e-9 ? Number.POSITIVE_INFINITY : normalDensity(z) / slope
}

/** @param {number} p */
const told = (p) => (p === Number.POSITIVE_INFINITY ? "∞" : fixed(p, 3))

/** Every point behind x. @param {number} x @param {number} u */
const behind = (x, u) =>
  u * W < -1
    ? foldPreimages(x, u, W, B).filter((z) => !Number.isNaN(z))
    : [planarInverse(x, u, W, B)]

/** @param {number} from @param {number} to */
const probability = (from, to) => area(spaced(from, to, 129).map(normalDensity), to - from)

/** Places that crowd at both ends, and just miss them. @param {number} from @param {number} to */
const clustered = (from, to) =>
  Array.from({ length: 21 }, (_, k) => {
    const share = (1 - Math.cos((Math.PI * k) / 20)) / 2
    return from + (to - from) * Math.min(1 - 1e-6, Math.max(1e-6, share))
  })

/** @param {string} part @param {number} u */
function curve(part, u) {
  const folds = u * W < -1
  const turns = folds ? foldTurns(u, W, B) : null
  const edges = turns ? turns.map((z) => planar(z, u, W, B)) : []
  // Closest where the density is steepest: at the images of the turns, or of the middle of the bend.
  const steep = turns ? [edges[1], edges[0]] : [planar(-B / W, u, W, B)]
  const ends = [-2.8, ...steep, 2.8]
  const xs = Float64Array.from(ends.slice(1).flatMap((end, k) => clustered(ends[k], end)))
  const heights = xs.map((x) => {
    const all = behind(x, u)
    const counted = part === "one" ? all.slice(0, 1) : all
    return Math.min(
      MOST,
      counted.reduce((sum, z) => sum + share(z, u), 0),
    )
  })
  let total = 2 * probability(0, FAR)
  if (turns && part === "one") {
    const beyond = behind(edges[0] - 1e-9, u).at(-1) ?? 0
    total = probability(-FAR, turns[0]) + probability(beyond, FAR)
  }
  return { turns, total, xs, heights }
}

/** @type {{key: string, made: ReturnType<typeof curve>} | null} */
let last = null

/** @param {View} view */
function now({ state }) {
  const { product, x, counted } = state
  const u = product / W
  const key = `${product} ${counted}`
  if (last?.key !== key) last = { key, made: curve(counted, u) }
  const all = behind(x, u)
  const used = counted === "one" ? all.slice(0, 1) : all
  const height = used.reduce((sum, z) => sum + share(z, u), 0)
  return { ...last.made, u, product, x, counted, all, used, height }
}

export default figure({
  handles: true,
  controls: {
    product: slider({
      label: "u w, with w = 1.5",
      min: -3,
      max: 0.5,
      step: 0.05,
      value: -1.5,
      format: (product) => fixed(product, 2),
    }),
    x: slider({
      label: "the image x",
      min: -2.5,
      max: 2.5,
      step: 0.05,
      value: 0.1,
      format: (x) => fixed(x, 2),
    }),
    counted: toggle({
      label: "points behind x that count",
      options: [
        ["one", "the leftmost"],
        ["all", "all of them"],
      ],
    }),
  },

  draw(view) {
    const { id } = view
    const { turns, total, xs, heights, u, x, all, used, height } = now(view)
    const level = F.up(x)
    const end = F.across(Math.max(...all))
    const wrong = total < 0.995
    const falling = turns ? spaced(turns[0], turns[1], 33) : null
    return html`<svg viewBox=${`0 0 480 ${BASE + 22}`} class="fold">
      <clipPath id=${`${id}-room`}><rect x="0" y=${F.top} width=${F.right} height=${F.foot - F.top} /></clipPath>
      <g class="still" aria-hidden="true">
        <path class="before room" d=${BELL.room} />
        <path class="before" data-term="before" d=${BELL.line} />
        <text class="name" x="0" y=${F.foot - 4}>after: x</text>
        <text class="name" x="0" y=${BASE}>before: z</text>
      </g>
      <g clip-path=${`url(#${id}-room)`}>
        ${GHOSTS.map((d, k) => html`<path key=${k} class="ghost" d=${d} />`)}
        <path class="map" d=${graph(u)} />
        ${falling ? html`<path class="falling" d=${line(F.acrosses(falling), F.ups(falling.map((z) => planar(z, u, W, B))))} />` : null}
        <path class="after room" d=${filled(F.aside(heights, WALL), F.ups(xs), WALL, "x")} />
        <path class=${wrong ? "after wrong" : "after"} data-term="after" d=${line(F.aside(heights, WALL), F.ups(xs))} />
      </g>
      <path class="ground" d=${`M${WALL} ${F.top}V${F.foot}`} />
      <path class="level" d=${`M${Math.max(0, WALL - 78 * Math.min(MOST, height))} ${level}H${end}`} />
      ${all.map((z, k) => html`<path key=${k} class=${used.includes(z) ? "drop" : "drop left-out"} d=${`M${F.across(z)} ${level}V${BASE}`} />`)}
      ${all.map((z, k) => html`<circle key=${k} class=${used.includes(z) ? "behind" : "behind left-out"} cx=${F.across(z)} cy=${level} r="4.5" />`)}
      <${axis} side="bottom" at=${BASE} from=${F.left} to=${F.right} values=${[-3, -2, -1, 0, 1, 2, 3]} place=${F.across} words=${(/** @type {number} */ v) => fixed(v)} />
      <${axis} side="right" at=${F.right} from=${F.foot} to=${F.top} values=${[-2, -1, 0, 1, 2]} place=${F.up} words=${(/** @type {number} */ v) => fixed(v)} />
      <g class="sums">
        <text class="name" x="370" y="26">slope, least</text>
        <text class="num" x="370" y="48">${fixed(Math.min(1, 1 + u * W), 2)}</text>
        <text class="name" x="370" y="84">height at x</text>
        ${[0, 1, 2].map((k) => html`<text key=${k} class="num" x="370" y=${106 + 22 * k}>${k < used.length ? `${k ? "+" : "\u2007"} ${told(share(used[k], u))}` : ""}</text>`)}
        ${used.length > 1 ? html`<text class="num sum" x="370" y="176">${`= ${told(height)}`}</text>` : null}
        ${all.length > used.length ? html`<text class="name" x="370" y="128">${`${all.length - used.length} left out`}</text>` : null}
        <text class="name" x="370" y="214">area</text>
        <text class=${wrong ? "num sum wrong" : "num sum"} x="370" y="236">${fixed(total, 2)}</text>
      </g>
      <circle class="grip" cx=${WALL} cy=${level} r="7" />
      <circle ...${drag(view, (_, place) => ({ x: F.xAt(place) }))} class="reach drag" cx=${WALL} cy=${level} r="24" />
    </svg>`
  },

  describe(view) {
    const { turns, total, product, x, counted, all, height } = now(view)
    const where = turns
      ? `the map falls between z = ${fixed(turns[0], 2)} and ${fixed(turns[1], 2)}`
      : "the map rises everywhere"
    const points = all.length === 1 ? "one point lands" : "three points land"
    const how =
      all.length === 1 ? "" : counted === "one" ? ", of which one is counted" : ", all counted"
    const high =
      height === Number.POSITIVE_INFINITY
        ? "the slope is 0, and the height has no bound"
        : `height ${fixed(height, 3)}`
    return `u w = ${fixed(product, 2)}: ${where}. At x = ${fixed(x, 2)}, ${points}${how}: ${high}; area ${fixed(total, 2)}.`
  },

  table(view) {
    const { u, product } = now(view)
    return {
      caption: `Points behind x, with u w = ${fixed(product, 2)}`,
      columns: ["x", "points", "leftmost: height", "all: height"],
      rows: spaced(-2, 2, 17).reduce(
        (rows, x) => {
          const all = behind(x, u)
          const sum = all.reduce((so, z) => so + share(z, u), 0)
          rows.push([
            fixed(x, 2),
            all.map((z) => fixed(z, 3)).join(", "),
            told(share(all[0], u)),
            told(sum),
          ])
          return rows
        },
        /** @type {string[][]} */ ([]),
      ),
    }
  },

  checked: () =>
    `Computed in your browser by functions that agree with the kernels on ${CHECKED.layers + CHECKED.folds} cases.`,
})
