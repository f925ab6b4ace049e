// @ts-check
/** One strip of the bell, up to the map's graph and over to the density it makes. */
import { axis, figure, fixed, html, sig, slider } from "explainers"
import { CHECKED, normalDensity, planar, planarSlope } from "explainers/kernels/flows"
import { drag } from "explainers/parts/drag"
import { filled, line, spaced } from "explainers/parts/outline"
import { frame } from "./graph.js"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const [U, W, B] = [2, 1.5, 0]
const F = frame({
  z: [-3.2, 3.2],
  x: [-5.2, 5.2],
  left: 130,
  top: 8,
  unitZ: 29,
  unitX: 29,
  tall: 180,
})
const WALL = F.left - 12
const BASE = F.foot + 92

const Z = spaced(-3.2, 3.2, 129)
const IMAGES = Z.map((z) => planar(z, U, W, B))
const BELL = Z.map(normalDensity)
const MADE = BELL.map((p, k) => p / planarSlope(Z[k], U, W, B))

const STILL = {
  map: line(F.acrosses(Z), F.ups(IMAGES)),
  bell: line(F.acrosses(Z), F.rising(BELL, BASE)),
  bellRoom: filled(F.acrosses(Z), F.rising(BELL, BASE), BASE),
  made: line(F.aside(MADE, WALL), F.ups(IMAGES)),
  madeRoom: filled(F.aside(MADE, WALL), F.ups(IMAGES), WALL, "x"),
}

/** @param {View} view */
function now({ state }) {
  const { z, width } = state
  const [low, high] = [z - width / 2, z + width / 2]
  const images = [low, high].map((end) => planar(end, U, W, B))
  const slope = planarSlope(z, U, W, B)
  const p = normalDensity(z)
  const wide = images[1] - images[0]
  return { z, width, low, high, images, slope, p, wide, x: planar(z, U, W, B), made: p / slope }
}

export default figure({
  handles: true,
  controls: {
    z: slider({
      label: "the strip, at z",
      min: -2.5,
      max: 2.5,
      step: 0.05,
      value: 0.5,
      format: (z) => fixed(z, 2),
    }),
    width: slider({
      label: "its width",
      min: 0.05,
      max: 1,
      step: 0.05,
      value: 0.4,
      format: (width) => fixed(width, 2),
    }),
  },

  draw(view) {
    const { z, width, low, high, images, slope, p, wide, x, made } = now(view)
    const at = spaced(low, high, 9)
    const imagesOf = at.map((one) => planar(one, U, W, B))
    const heights = at.map(normalDensity)
    const before = filled(F.acrosses(at), F.rising(heights, BASE), BASE)
    const after = filled(
      F.aside(
        heights.map((h, k) => h / planarSlope(at[k], U, W, B)),
        WALL,
      ),
      F.ups(imagesOf),
      WALL,
      "x",
    )
    const [a, b] = [F.across(low), F.across(high)]
    const [c, d] = [F.up(images[0]), F.up(images[1])]
    const run = 0.7
    const tangent = `M${F.across(z - run)} ${F.up(x - run * slope)}L${F.across(z + run)} ${F.up(x + run * slope)}`
    const texts = [
      ["before", "name"],
      [`${fixed(width, 2)} wide`, "num"],
      [`× ${fixed(p, 3)} high`, "num"],
      [`= ${sig(width * p, 4)}`, "num sum"],
      ["after", "name"],
      [`${fixed(wide, 2)} wide`, "num"],
      [`× ${fixed(made, 3)} high`, "num"],
      [`= ${sig(wide * made, 4)}`, "num sum"],
      ["widths, ratio", "name"],
      [fixed(wide / width, 2), "num"],
      ["slope", "name"],
      [fixed(slope, 2), "num"],
    ]
    return html`<svg viewBox=${`0 0 480 ${BASE + 22}`} class="strip">
      <g class="still" aria-hidden="true">
        <path class="before room" d=${STILL.bellRoom} />
        <path class="before" data-term="before" d=${STILL.bell} />
        <path class="after room" d=${STILL.madeRoom} />
        <path class="after" data-term="after" d=${STILL.made} />
        <text class="name" x="0" y="16">after: x</text>
        <text class="name" x="0" y=${BASE}>before: z</text>
      </g>
      <path class="band" d=${`M${a} ${BASE}V${c}H${WALL}V${d}H${b}V${BASE}Z`} />
      <path class="map" d=${STILL.map} />
      <path class="tangent" d=${tangent} />
      <path class="held" d=${before} />
      <path class="held" d=${after} />
      <path class="ground" d=${`M${WALL} ${F.top}V${F.foot}`} />
      <${axis} side="bottom" at=${BASE} from=${F.left} to=${F.right} values=${[-3, -2, -1, 0, 1, 2, 3]} place=${F.across} words=${(/** @type {number} */ v) => fixed(v)} />
      <${axis} side="right" at=${F.right} from=${F.foot} to=${F.top} values=${[-4, -2, 0, 2, 4]} place=${F.up} words=${(/** @type {number} */ v) => fixed(v)} />
      <g class="sums">
        ${texts.map(([words, kind], k) => html`<text key=${k} class=${kind} x="366" y=${26 + 23 * k + 10 * Math.floor(k / 4) + (k > 9 ? 10 : 0)}>${words}</text>`)}
      </g>
      <circle class="grip" cx=${F.across(z)} cy=${F.up(x)} r="7" />
      <circle ...${drag(view, (place) => ({ z: F.zAt(place) }))} class="reach drag" cx=${F.across(z)} cy=${F.up(x)} r="24" />
    </svg>`
  },

  describe(view) {
    const { z, width, slope, p, wide, made } = now(view)
    return `At z = ${fixed(z, 2)} a strip of width ${fixed(width, 2)} becomes ${fixed(wide, 2)} wide, ${fixed(wide / width, 2)} times as much; the slope is ${fixed(slope, 2)}. Width times height: ${sig(width * p, 4)} before, ${sig(wide * made, 4)} after.`
  },

  table(view) {
    const { z } = now(view)
    const slope = planarSlope(z, U, W, B)
    return {
      caption: `Strips at z = ${fixed(z, 2)}, where the slope is ${fixed(slope, 4)}`,
      columns: ["width before", "width after", "ratio", "width × height before", "after"],
      rows: [1, 0.5, 0.2, 0.1, 0.05, 0.01].map((width) => {
        const wide = planar(z + width / 2, U, W, B) - planar(z - width / 2, U, W, B)
        return [
          fixed(width, 2),
          fixed(wide, 4),
          fixed(wide / width, 4),
          fixed(width * normalDensity(z), 5),
          fixed((wide * normalDensity(z)) / slope, 5),
        ]
      }),
    }
  },

  checked: () =>
    `Computed in your browser by functions that agree with the kernels on ${CHECKED.layers} cases.`,
})
