// @ts-check
/**
 * A plane of arrows, and a point that follows them from wherever the reader puts it.
 * Options: of (linear, tanh, pendulum), time, reach (half the plane's side), truth (another field
 * to compare with), loop (radius of a ring of points that moves along), names, labels (of axes).
 */
import { axis, figure, fixed, html, kept, player, slider } from "explainers"
import { CHECKED, FIELDS, SOLVERS, solve } from "explainers/kernels/odes"
import { drag } from "explainers/parts/drag"
import { arrows, line, spaced } from "explainers/parts/outline"
import { chosen, sweep } from "explainers/parts/sweep"

/** @typedef {import("../runtime/figure.js").View} View */

const SIDE = 300
const TOP = 8
const CELLS = 13
const MIDDLES = [80, 232]
const [STRIP, END] = [338, 472]
const RING = 20
const NEAR = 1e-9

/** @param {{options: any}} view @returns {[string, string]} */
const names = ({ options }) => options.names ?? ["z₁", "z₂"]

/**
 * The scales of a figure, made once: what is drawn with the same ones need not be drawn again.
 * @type {WeakMap<object, ReturnType<typeof ruled>>}
 */
const rules = new WeakMap()

/** @param {{options: any}} view */
function plane({ options }) {
  const found = rules.get(options) ?? ruled(options)
  rules.set(options, found)
  return found
}

/** @param {any} options */
function ruled({ reach = 2.5, time = 6 }) {
  const unit = SIDE / (2 * reach)
  const end = Math.floor(reach)
  const whole = Array.from({ length: Math.floor(time) + 1 }, (_, k) => k)
  return {
    reach,
    time,
    unit,
    whole,
    /** @param {number} x */
    across: (x) => Math.round((SIDE / 2 + unit * x) * 100) / 100,
    /** @param {number} y */
    up: (y) => Math.round((TOP + SIDE / 2 - unit * y) * 100) / 100,
    /** @param {ArrayLike<number>} xs */
    acrosses: (xs) => Float64Array.from(xs, (x) => SIDE / 2 + unit * x),
    /** @param {ArrayLike<number>} ys */
    ups: (ys) => Float64Array.from(ys, (y) => TOP + SIDE / 2 - unit * y),
    /** @param {number} when */
    along: (when) => Math.round((STRIP + ((END - STRIP) * when) / time) * 100) / 100,
    ends: [-end, 0, end],
    hours: whole.filter((k) => time <= 8 || k % 5 === 0),
    heights: MIDDLES.map((middle) => (/** @type {number} */ v) => middle - (64 / reach) * v),
  }
}

/** A whole number of an axis. @param {number} v */
const words = (v) => fixed(v)

/** The plane's arrows; a drag does not change them. @type {WeakMap<object, Map<string, string>>} */
const drawn = new WeakMap()

/** @param {View} view @param {any} theta */
function arrowsOf(view, theta) {
  const { options, data, state } = view
  const { reach, across, up } = plane(view)
  const kept = drawn.get(data) ?? new Map()
  drawn.set(data, kept)
  const key = [
    reach,
    options.of,
    ...data.axes.map((/** @type {string} */ one) => state[one]),
  ].join()
  let found = kept.get(key)
  if (found === undefined) {
    const f = FIELDS[options.of ?? "linear"](theta)
    const at = spaced(-reach, reach, 2 * CELLS + 1).filter((_, k) => k % 2)
    /** @type {number[][]} */
    const all = []
    for (const y of at) for (const x of at) all.push([across(x), up(y), ...f(x, y)])
    found = arrows(all, SIDE / CELLS)
    kept.set(key, found)
  }
  return found
}

/**
 * The last walk of each figure: the picture and the sentence are about the same.
 * @type {WeakMap<object, {key: string, it: ReturnType<typeof walked>}>}
 */
const last = new WeakMap()

/** @param {View} view */
function now(view) {
  const key = Object.values(view.state).join()
  const found = last.get(view.state)
  if (found?.key === key) return found.it
  const it = walked(view)
  last.set(view.state, { key, it })
  return it
}

/** @param {View} view */
function walked(view) {
  const { state, options } = view
  const { theta, path } = chosen(view)
  const n = path.length - 1
  const { time } = plane(view)
  const f = FIELDS[options.of ?? "linear"](theta)
  const { x, y, step } = state
  const walk = solve(f, [x, y], time, n, SOLVERS.RK4)
  const truth = options.truth
    ? solve(FIELDS[options.truth]([]), [x, y], time, n, SOLVERS.RK4)
    : null
  const t = (time * step) / n
  const at = /** @type {[number, number]} */ ([walk.xs[step], walk.ys[step]])
  return { theta, f, n, time, step, t, x, y, walk, truth, at }
}

/** The ring around the start, and where it is by now. @param {View} view @param {ReturnType<typeof now>} it */
function ring({ options }, { f, x, y, t, step }) {
  const angles = spaced(0, 2 * Math.PI, RING + 1)
  const start = Array.from(angles, (angle) => [
    x + options.loop * Math.cos(angle),
    y + options.loop * Math.sin(angle),
  ])
  const end = start.map(([a, b]) => {
    const few = Math.max(1, Math.ceil(step / 3))
    const { xs, ys } = solve(f, [a, b], t, few, SOLVERS.RK4)
    return [xs[few], ys[few]]
  })
  return [start, end]
}

/** How far apart two points are. @param {number} x @param {number} y */
const size = (x, y) => Math.sqrt(x * x + y * y)

/** What no hand moves: arrows, frames, axes. */
const Ground = kept(({ scales, first, second, arrows: shape }) => {
  const { reach, across, up, along, ends, hours, heights } = scales
  return html`<g>
    <path class="frame" d=${`M0 ${TOP}H${SIDE}V${TOP + SIDE}H0Z`} />
    <path class="zero" d=${`M0 ${up(0)}H${SIDE}M${across(0)} ${TOP}V${TOP + SIDE}`} />
    <path class="zero" d=${MIDDLES.map((middle) => `M${STRIP} ${middle}H${END}`).join("")} />
    <path class="arrows" data-term="velocity" d=${shape} />
    <text class="name" x="4" y=${TOP + SIDE + 16}>${`−${fixed(reach, 1)}`}</text>
    <text class="name" x=${SIDE / 2} y=${TOP + SIDE + 16} text-anchor="middle">${first}</text>
    <text class="name" x=${SIDE - 2} y=${TOP + SIDE + 16} text-anchor="end">${fixed(reach, 1)}</text>
    <text class="name halo" x="5" y=${TOP + 16}>${second}</text>
    ${MIDDLES.map((middle, k) => html`<${axis} key=${k} side="left" at=${STRIP - 6} from=${middle + 66} to=${middle - 66} values=${ends} place=${heights[k]} words=${words} />`)}
    <text class="name" x=${STRIP + 4} y="18">${first}</text>
    <text class="name" x=${STRIP + 4} y="170">${second}</text>
    <${axis} side="bottom" at=${TOP + SIDE} from=${STRIP} to=${END} values=${hours} place=${along} words=${words} />
    <text class="name halo" x=${END + 2} y=${TOP + SIDE - 9} text-anchor="end">t</text>
  </g>`
})

export default figure({
  needs: { data: { theta: "… p", path: "… n d" } },
  handles: true,
  controls: (view) => {
    const { reach } = plane(view)
    const [first, second] = names(view)
    /** @param {string} name @param {number} k */
    const start = (name, k) =>
      slider({
        label: `start, ${name}`,
        min: -reach,
        max: reach,
        step: 0.05,
        value: pathOf(view.data)[0][k],
        format: (value) => fixed(value, 2),
      })
    return {
      step: player({
        label: "time",
        steps: pathOf(view.data).length - 1,
        value: "last",
        pace: 60,
      }),
      x: start(first, 0),
      y: start(second, 1),
      ...sweep(view),
    }
  },

  draw(view) {
    const { options, id } = view
    const it = now(view)
    const scales = plane(view)
    const { unit, across, up, acrosses, ups, along, heights } = scales
    const { walk, truth, step, n, time, t, at } = it
    const [xs, ys] = [acrosses(walk.xs), ups(walk.ys)]
    const [loop, moved] = options.loop ? ring(view, it) : [null, null]
    const [first, second] = names(view)
    const times = spaced(STRIP, END, n + 1)
    const beats = scales.whole.map((k) => Math.round((k * n) / time))
    const outline = (/** @type {number[][]} */ points) =>
      `${line(acrosses(points.map(([a]) => a)), ups(points.map(([, b]) => b)))}Z`
    return html`<svg viewBox="0 0 480 332" class="field">
      <clipPath id=${`${id}-plane`}><rect x="0" y=${TOP} width=${SIDE} height=${SIDE} /></clipPath>
      <clipPath id=${`${id}-strips`}><rect x=${STRIP - 5} y="0" width=${END - STRIP + 12} height="332" /></clipPath>
      <${Ground} scales=${scales} first=${first} second=${second} arrows=${arrowsOf(view, it.theta)} />
      <g clip-path=${`url(#${id}-plane)`}>
        ${loop ? html`<path class="ring" d=${outline(loop)} />` : null}
        ${truth ? html`<path class="truth" d=${line(acrosses(truth.xs), ups(truth.ys))} />` : null}
        <path class="whole" d=${line(xs, ys)} />
        <path class="so" d=${line(xs.subarray(0, step + 1), ys.subarray(0, step + 1))} />
        <path class="beats" d=${beats.map((k) => `M${Math.round(xs[k] * 10) / 10} ${Math.round(ys[k] * 10) / 10}h0`).join("")} />
        ${moved ? html`<path class="ring moved" d=${outline(moved)} />` : null}
        <circle class="here" cx=${across(at[0])} cy=${up(at[1])} r="5" />
      </g>
      <g clip-path=${`url(#${id}-strips)`}>
        ${[walk.xs, walk.ys].map((values, k) => {
          const others = truth && [truth.xs, truth.ys][k]
          const y = Float64Array.from(values, heights[k])
          return html`<g key=${k} class="strip">
            ${others ? html`<path class="truth" d=${line(times, Float64Array.from(others, heights[k]))} />` : null}
            <path class="whole" d=${line(times, y)} />
            <path class="so" d=${line(times.subarray(0, step + 1), y.subarray(0, step + 1))} />
            <circle class="here" cx=${along(t)} cy=${Math.round(y[step] * 10) / 10} r="4" />
          </g>`
        })}
        <path class="cursor" d=${`M${along(t)} 14V308`} />
      </g>
      <circle class="grip" cx=${across(it.x)} cy=${up(it.y)} r="7" />
      <circle ...${drag(view, (px, py) => ({ x: (px - SIDE / 2) / unit, y: (TOP + SIDE / 2 - py) / unit }))} class="reach drag both" cx=${across(it.x)} cy=${up(it.y)} r="24" />
    </svg>`
  },

  describe(view) {
    const it = now(view)
    const { x, y, t, at, f, truth, step } = it
    const point = (/** @type {number[]} */ [a, b]) => `(${fixed(a, 2)}, ${fixed(b, 2)})`
    const lead = `From ${point([x, y])} the point has come to ${point(at)} at t = ${fixed(t, 1)}`
    if (truth) {
      const off = size(at[0] - truth.xs[step], at[1] - truth.ys[step])
      return `${lead}, ${fixed(off, 2)} from where the dashed path is.`
    }
    if (view.options.loop) return `${lead}; the ring around it has come along, and is closed.`
    return `${lead}. The arrow there is ${point(f(...at))}.`
  },

  table(view) {
    const { walk, n, time, f, x, y } = now(view)
    const [first, second] = names(view)
    const every = Math.max(1, Math.round(n / 12))
    return {
      caption: `The path from (${fixed(x, 2)}, ${fixed(y, 2)})`,
      columns: ["t", first, second, `velocity, ${first}`, second],
      rows: Array.from({ length: Math.floor(n / every) + 1 }, (_, k) => k * every).map((k) => [
        fixed((time * k) / n, 2),
        fixed(walk.xs[k], 4),
        fixed(walk.ys[k], 4),
        ...f(walk.xs[k], walk.ys[k]).map((v) => fixed(v, 4)),
      ]),
    }
  },

  checked: () =>
    `Computed in your browser by functions that agree with the kernels on ${CHECKED.paths} paths.`,

  proven({ data, options }) {
    /** @param {any} one @param {string} where */
    const off = (one, where) => {
      const { theta, path } = one
      const f = FIELDS[options.of ?? "linear"](theta)
      const n = path.length - 1
      const { xs, ys } = solve(f, [path[0][0], path[0][1]], options.time ?? 6, n, SOLVERS.RK4)
      for (let k = 0; k <= n; k++) {
        const far = Math.max(Math.abs(xs[k] - path[k][0]), Math.abs(ys[k] - path[k][1]))
        if (!(far <= NEAR * Math.max(1, size(xs[k], ys[k]))))
          return `${where}step ${k} is at ${xs[k]}, ${ys[k]}, in the dataset at ${path[k][0]}, ${path[k][1]}`
      }
      return ""
    }
    /** @param {string[]} axes @param {Record<string, any>} state @returns {string} */
    const every = (axes, state) => {
      if (!axes.length) {
        const at = Object.entries(state).map(([name, value]) => `${name}=${value}: `)
        return off(data.axes.length ? data.at(state) : data, at.join(""))
      }
      const [name, ...rest] = axes
      for (const value of data.axis(name)) {
        const found = every(rest, { ...state, [name]: value })
        if (found) return found
      }
      return ""
    }
    return every(data.axes, {})
  },
})

/** The path of the first of all states. @param {any} data @returns {number[][]} */
function pathOf(data) {
  const state = data.axes.map((/** @type {string} */ name) => [name, data.axis(name)[0]])
  return (state.length ? data.at(Object.fromEntries(state)) : data).path
}
