// @ts-check
/**
 * A bell pushed through a map: strips of equal probability before and after.
 * Options: free (which of z, u, w, b the reader moves), compare (with and without the slope).
 */
import { axis, figure, fixed, html, slider, toggle } from "explainers"
import { area, CHECKED, normalDensity, planar, planarSlope } from "explainers/kernels/flows"
import { drag } from "explainers/parts/drag"
import { filled, line, spaced, strings } from "explainers/parts/outline"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const UNIT = 44
const MIDDLE = 240
const [LEFT, RIGHT] = [8, 472]
const [BASE_Z, TOP_X, BASE_X] = [86, 158, 276]
const TALL = 170
/** The highest curve that is drawn at that scale. */
const FITS = 0.75
const HALF = 0.1
const ENDS = 4.4
const N = 129
const BIN = 0.25

const [USUAL, WIDE] = [
  [0.2, 0.4],
  [0.5, 1],
]
const Z = spaced(-ENDS, ENDS, N)
const BELL = Z.map(normalDensity)

/** @param {number} x */
const along = (x) => Math.round((MIDDLE + UNIT * x) * 100) / 100
/** @param {ArrayLike<number>} xs */
const places = (xs) => Float64Array.from(xs, (x) => MIDDLE + UNIT * x)
/** @param {ArrayLike<number>} heights @param {number} base @param {number} [tall] */
const rising = (heights, base, tall = TALL) => Float64Array.from(heights, (p) => base - tall * p)

/** @type {Record<string, any>} */
const CONTROLS = {
  z: slider({
    label: "the strip, at z",
    min: -3,
    max: 3,
    step: 0.05,
    value: 0,
    format: (z) => fixed(z, 2),
  }),
  u: slider({
    label: "how far it shifts, u",
    min: -0.25,
    max: 2,
    step: 0.05,
    value: 2,
    format: (u) => fixed(u, 2),
  }),
  w: slider({
    label: "how sudden it bends, w",
    min: 1,
    max: 3,
    step: 0.1,
    value: 1.5,
    format: (w) => fixed(w, 1),
  }),
  b: slider({
    label: "b (it bends at −b/w)",
    min: -2,
    max: 2,
    step: 0.1,
    value: 0,
    format: (b) => fixed(b, 1),
  }),
}

const TERM = toggle({
  label: "height after the map",
  options: [
    ["with", "divided by the slope"],
    ["without", "carried along"],
  ],
})

/** @param {View} view */
function now({ state }) {
  const { u = 2, w = 1.5, b = 0, z, term = "with" } = state
  const images = Z.map((at) => planar(at, u, w, b))
  const slopes = Z.map((at) => planarSlope(at, u, w, b))
  const divided = BELL.map((p, k) => p / slopes[k])
  const [heights, others] = term === "with" ? [divided, BELL] : [BELL, divided]
  const peak = Math.max(...divided)
  // Pixels of a height of 1 after the map: fewer when the curve would leave the picture.
  const tall = peak > FITS ? (TALL * FITS) / peak : TALL
  return { u, w, b, z, term, images, slopes, heights, others, tall, peak }
}

/** Over the images: the width of each of the even steps of z is its slope. @param {Float64Array} heights @param {Float64Array} slopes */
const total = (heights, slopes) =>
  area(
    heights.map((p, k) => p * slopes[k]),
    2 * ENDS,
  )

/** A histogram whose area is the share of samples in sight. @param {ArrayLike<number>} samples @param {(z: number) => number} f @param {number} tall */
function histogram(samples, f, tall) {
  const [first, count] = [-5.25, 42]
  const bars = new Float64Array(count)
  for (let k = 0; k < samples.length; k++) {
    const bin = Math.floor((f(samples[k]) - first) / BIN)
    if (bin >= 0 && bin < count) bars[bin] += 1 / (samples.length * BIN)
  }
  let d = ""
  for (let k = 0; k < count; k++) {
    const x = along(first + k * BIN)
    const y = Math.round((BASE_X - tall * bars[k]) * 10) / 10
    d += `${k ? "L" : `M${x} ${BASE_X}L`}${x} ${y}H${along(first + (k + 1) * BIN)}`
  }
  return `${d}V${BASE_X}Z`
}

/** The strip around z, through everything. @param {ReturnType<typeof now>} it */
function strip({ z, u, w, b, tall }) {
  const at = spaced(z - HALF, z + HALF, 9)
  const images = at.map((one) => planar(one, u, w, b))
  const before = filled(places(at), rising(at.map(normalDensity), BASE_Z), BASE_Z)
  const after = filled(
    places(images),
    rising(
      at.map((one) => normalDensity(one) / planarSlope(one, u, w, b)),
      BASE_X,
      tall,
    ),
    BASE_X,
  )
  const [a, c] = [along(at[0]), along(at[8])]
  const [d, e] = [along(images[0]), along(images[8])]
  const between = `M${a} ${BASE_Z}L${d} ${TOP_X}V${BASE_X}H${e}V${TOP_X}L${c} ${BASE_Z}Z`
  return { before, after, between, images }
}

export default figure({
  needs: ({ options }) => ({
    strips: ["z"],
    ...(options.compare && { samples: ["z"] }),
  }),
  handles: true,
  controls: ({ options }) => ({
    ...Object.fromEntries(
      (options.free ?? ["z", "u"]).map((/** @type {string} */ key) => [key, CONTROLS[key]]),
    ),
    ...(options.compare && { term: TERM }),
  }),

  draw(view) {
    const { data, options, id } = view
    const it = now(view)
    const { u, w, b, z, term, images, slopes, heights, others, tall } = it
    const edges = data.strips.z
    const moved = Float64Array.from(edges, (edge) => planar(edge, u, w, b))
    const [from, to] = [places(edges), places(moved)]
    const held = z === undefined ? null : strip(it)
    const after = line(places(images), rising(heights, BASE_X, tall))
    return html`<svg viewBox="0 0 480 312" class="push">
      <clipPath id=${`${id}-room`}><rect x=${LEFT} y=${TOP_X - 16} width=${RIGHT - LEFT} height=${BASE_X - TOP_X + 17} /></clipPath>
      <text class="name" x="0" y="14">before: z</text>
      <path class="fan" d=${strings(from, BASE_Z, to, TOP_X)} />
      ${held ? html`<path class="between" d=${held.between} />` : null}
      <g clip-path=${`url(#${id}-room)`}>
        <path class="fan" d=${strings(to, TOP_X, to, BASE_X)} />
        ${options.compare ? html`<path class="found" d=${histogram(data.samples.z, (one) => planar(one, u, w, b), tall)} />` : null}
        <path class="after room" d=${`${after}V${BASE_X}H${LEFT}Z`} />
        ${options.compare ? html`<path class=${term === "with" ? "after wrong thin" : "after thin"} d=${line(places(images), rising(others, BASE_X, tall))} />` : null}
        <path class=${term === "with" ? "after" : "after wrong"} data-term="after" d=${after} />
        ${held ? html`<path class="held" d=${held.after} />` : null}
      </g>
      <path class="before room" d=${filled(places(Z), rising(BELL, BASE_Z), BASE_Z)} />
      <path class="before" data-term="before" d=${line(places(Z), rising(BELL, BASE_Z))} />
      ${held ? html`<path class="held" d=${held.before} />` : null}
      <path class="ground" d=${`M${LEFT} ${BASE_Z}H${RIGHT}`} />
      <${axis} side="bottom" at=${BASE_X} from=${LEFT} to=${RIGHT} values=${[-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]} place=${along} words=${(/** @type {number} */ v) => fixed(v)} />
      <${axis} side="right" at=${LEFT} from=${BASE_X} to=${BASE_X - (tall < TALL ? 1 : 0.4) * tall} values=${tall < TALL ? WIDE : USUAL} place=${(/** @type {number} */ p) => BASE_X - tall * p} words=${(/** @type {number} */ v) => fixed(v, 1)} />
      <text class="name halo" x="0" y=${TOP_X + 12}>after: x</text>
      ${
        options.compare
          ? html`<g class="areas">
              <text class=${term === "with" ? "area halo" : "name halo"} x="480" y=${BASE_Z + 18} text-anchor="end">${`divided: area ${fixed(total(term === "with" ? heights : others, slopes), 2)}`}</text>
              <text class=${term === "with" ? "name halo" : "area halo"} x="480" y=${BASE_Z + 38} text-anchor="end">${`carried: area ${fixed(total(term === "with" ? others : heights, slopes), 2)}`}</text>
            </g>`
          : null
      }
      ${
        held
          ? html`<g>
              <text class="num halo" x=${along(z)} y=${BASE_Z - TALL * normalDensity(z)} dy="-0.5em" text-anchor="middle">${fixed(normalDensity(z), 3)}</text>
              <text class="num halo" x=${along(planar(z, u, w, b))} y=${Math.max(TOP_X + 12, BASE_X - (tall * normalDensity(z)) / planarSlope(z, u, w, b))} dy="-0.5em" text-anchor="middle">${fixed(normalDensity(z) / planarSlope(z, u, w, b), 3)}</text>
              <circle class="grip" cx=${along(z)} cy=${BASE_Z} r="7" />
              <circle ...${drag(view, (x) => ({ z: (x - MIDDLE) / UNIT }))} class="reach drag" cx=${along(z)} cy=${BASE_Z} r="24" />
            </g>`
          : null
      }
    </svg>`
  },

  describe(view) {
    const it = now(view)
    const { u, w, b, z, term } = it
    if (z === undefined) {
      const middle = fixed(planarSlope(-b / w, u, w, b), 2)
      const how = term === "with" ? "divided by the slope" : "carried along"
      return `Heights ${how}: the area is ${fixed(total(it.heights, it.slopes), 2)}. The map bends at z = ${fixed(-b / w, 2)}, with slope ${middle} in the middle. Divided, the peak is ${fixed(it.peak, 2)}.`
    }
    const slope = planarSlope(z, u, w, b)
    const p = normalDensity(z)
    const [low, high] = [fixed(p, 3), fixed(p / slope, 3)]
    const height =
      low === high
        ? `height stays at ${low}`
        : `height ${slope > 1 ? "falls" : "rises"} from ${low} to ${high}`
    return `The strip at z = ${fixed(z, 2)} lands at x = ${fixed(planar(z, u, w, b), 2)}. The slope there is ${fixed(slope, 2)}: the ${height}.`
  },

  table(view) {
    const { u, w, b } = now(view)
    const rows = Array.from({ length: 25 }, (_, k) => -3 + k / 4)
    return {
      caption: `${view.options.compare ? "Both heights" : "Heights"} for x = z + u tanh(w z + b) with u = ${fixed(u, 2)}, w = ${fixed(w, 1)}, b = ${fixed(b, 1)}`,
      columns: ["z", "x", "slope", "height before", "divided by the slope"],
      rows: rows.map((z) => {
        const [p, slope] = [normalDensity(z), planarSlope(z, u, w, b)]
        return [
          fixed(z, 2),
          fixed(planar(z, u, w, b), 3),
          fixed(slope, 3),
          fixed(p, 4),
          fixed(p / slope, 4),
        ]
      }),
    }
  },

  checked: () =>
    `Computed in your browser by functions that agree with the kernels on ${CHECKED.layers} cases.`,
})
