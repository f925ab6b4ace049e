// @ts-check
/** Samples of the fitted stack: points of the bell, brought back through its layers. */
import { axis, figure, fixed, html, sig, slider } from "explainers"
import { CHECKED, normalDensity, pushThrough } from "explainers/kernels/flows"
import { drag } from "explainers/parts/drag"
import { filled, line, spaced, strings } from "explainers/parts/outline"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const UNIT = 68
const MIDDLE = 240
const [LEFT, RIGHT] = [8, 472]
const [BASE_Z, TOP_X, BASE_X] = [86, 150, 262]
const TALL = 170
const [BIN, FIRST, BINS] = [0.1, -3.4, 68]

const Z = spaced(-3.4, 3.4, 129)
const X = spaced(-3.4, 3.4, 273)

/** @param {number} x */
const along = (x) => Math.round((MIDDLE + UNIT * x) * 100) / 100
/** @param {ArrayLike<number>} xs */
const places = (xs) => Float64Array.from(xs, (x) => MIDDLE + UNIT * x)
/** @param {ArrayLike<number>} heights @param {number} base */
const rising = (heights, base) => Float64Array.from(heights, (p) => base - TALL * p)

/** The x that the whole stack takes to z, by bisection. @param {number} z @param {any} stack */
function behind(z, stack) {
  let [low, high] = [-9, 9]
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2
    if (pushThrough(middle, stack)[0] < z) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** @param {number} x @param {any} stack */
const density = (x, stack) => {
  const [z, logSlope] = pushThrough(x, stack)
  return normalDensity(z) * Math.exp(logSlope)
}

/** @type {WeakMap<object, {found: string, after: string}>} */
const known = new WeakMap()

/** What no control changes. @param {any} made */
function still(made) {
  let it = known.get(made)
  if (!it) {
    const bars = new Float64Array(BINS)
    for (const x of made.x) {
      const bin = Math.floor((x - FIRST) / BIN)
      if (bin >= 0 && bin < BINS) bars[bin] += 1 / (made.x.length * BIN)
    }
    let found = `M${along(FIRST)} ${BASE_X}`
    bars.forEach((p, k) => {
      found += `V${Math.round((BASE_X - TALL * p) * 10) / 10}H${along(FIRST + (k + 1) * BIN)}`
    })
    const heights = X.map((x) => density(x, made.stack))
    it = { found: `${found}V${BASE_X}Z`, after: line(places(X), rising(heights, BASE_X)) }
    known.set(made, it)
  }
  return it
}

/** @param {View} view */
function now({ data, state }) {
  const { z } = state
  const { stack } = data.made
  const x = behind(z, stack)
  const stretch = Math.exp(-pushThrough(x, stack)[1])
  return { z, x, stretch, before: normalDensity(z), after: density(x, stack) }
}

export default figure({
  needs: { strips: ["z"], made: ["stack", "edge", "x"] },
  handles: true,
  controls: {
    z: slider({
      label: "z, drawn from the bell",
      min: -3,
      max: 3,
      step: 0.05,
      value: 0.5,
      format: (z) => fixed(z, 2),
    }),
  },

  draw(view) {
    const { data } = view
    const { z, x } = now(view)
    const { found, after } = still(data.made)
    const [from, to] = [places(data.strips.z), places(data.made.edge)]
    return html`<svg viewBox="0 0 480 290" class="draw">
      <text class="name" x="0" y="14">the bell: z</text>
      <path class="fan" d=${strings(from, BASE_Z, to, TOP_X)} />
      <path class="fan" d=${strings(to, TOP_X, to, BASE_X)} />
      <path class="found" d=${found} />
      <path class="after" data-term="after" d=${after} />
      <path class="before room" d=${filled(places(Z), rising(Z.map(normalDensity), BASE_Z), BASE_Z)} />
      <path class="before" data-term="before" d=${line(places(Z), rising(Z.map(normalDensity), BASE_Z))} />
      <path class="ground" d=${`M${LEFT} ${BASE_Z}H${RIGHT}`} />
      <path class="way" d=${`M${along(z)} ${BASE_Z}L${along(x)} ${TOP_X}V${BASE_X}`} />
      <text class="name halo" x="0" y=${TOP_X + 12}>made: x</text>
      <${axis} side="bottom" at=${BASE_X} from=${LEFT} to=${RIGHT} values=${[-3, -2, -1, 0, 1, 2, 3]} place=${along} words=${(/** @type {number} */ v) => fixed(v)} />
      <circle class="held" cx=${along(x)} cy=${BASE_X} r="5" />
      <circle class="grip" cx=${along(z)} cy=${BASE_Z} r="7" />
      <circle ...${drag(view, (place) => ({ z: (place - MIDDLE) / UNIT }))} class="reach drag" cx=${along(z)} cy=${BASE_Z} r="24" />
    </svg>`
  },

  describe(view) {
    const { z, x, stretch } = now(view)
    return `z = ${fixed(z, 2)} comes back as x = ${fixed(x, 2)}. A strip there gets ${sig(stretch, 2)} times as wide on the way.`
  },

  table(view) {
    const { stack } = view.data.made
    return {
      caption: "Points of the bell, and what the fitted layers make of them",
      columns: ["z", "x", "height of the bell", "height of what is made"],
      rows: spaced(-3, 3, 25).reduce(
        (rows, z) => {
          const x = behind(z, stack)
          rows.push([
            fixed(z, 2),
            fixed(x, 3),
            fixed(normalDensity(z), 4),
            fixed(density(x, stack), 4),
          ])
          return rows
        },
        /** @type {string[][]} */ ([]),
      ),
    }
  },

  checked: () =>
    `The layers and the grey samples come from the kernels; the point is brought back in your browser by functions that agree with them on ${CHECKED.stacks} stacks.`,
})
