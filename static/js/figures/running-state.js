// @ts-check
/** One sweep over a row of scores: the running maximum m, and the sum l measured from it. */
import {
  axis,
  figure,
  fixed,
  html,
  kept,
  leader,
  player,
  row,
  scale,
  select,
  sig,
  ticks,
} from "explainers"
import { CHECKED, softmaxOnline } from "explainers/kernels/softmax"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {import("../kernels/softmax.js").Step} Step
 * @typedef {{x: number[], steps: Step[], names: string[], top: number, y: number[],
 *   twin: boolean}} Run `top` is the end of the sum's scale
 */

const NAMES = ["start", "read", "maximum", "factor", "sum", "keep", "write"]

/** @type {WeakMap<object, Map<string, Run>>} the rows run, for each trace */
const known = new WeakMap()

/**
 * The sweep over the row shown: the kernel's own trace, or the twin's for a row of the reader's.
 * @param {View} view @returns {Run}
 */
function sweep(view) {
  const { data, state } = view
  const { preset, x } = state
  const key = `${preset} ${x}`
  const runs = known.get(data.trace) ?? new Map()
  known.set(data.trace, runs)
  let run = runs.get(key)
  if (!run) {
    // A drag leaves many rows behind; only the newest are worth keeping.
    if (runs.size > 50) runs.clear()
    run = made(view, preset, x)
    runs.set(key, run)
  }
  return run
}

/** @param {View} view @param {string} preset @param {number[] | undefined} x @returns {Run} */
function made({ data, nameOf }, preset, x) {
  const given = data.rows.at({ preset })
  /** @param {Step[]} steps @returns {Pick<Run, "steps" | "names" | "top">} */
  const about = (steps) => ({
    steps,
    names: steps.map((step) => step.name),
    // Two scales, so that the same sum is as tall in nearly every row.
    top: steps.some((step) => Number(step.l) > 3) ? 8 : 3,
  })
  if (x?.some((value, i) => value !== given.x[i])) {
    const { y, steps } = softmaxOnline(x)
    return { ...about(steps), x, y, twin: true }
  }
  const { steps: count, ordinals, i, m, m_new, scale, l } = data.trace.at({ preset })
  /** @type {Step[]} */
  const steps = []
  for (let t = 0; t < count; t++) {
    const name = nameOf(ordinals[t])
    if (!NAMES.includes(name)) continue
    steps.push({ name, i: i[t], m: m[t], m_new: m_new[t], scale: scale[t], l: l[t] })
  }
  return { ...about(steps), x: Array.from(given.x), y: Array.from(given.y), twin: false }
}

/** @param {number} x @param {number} m */
const weight = (x, m) => (x === -Infinity ? 0 : Math.exp(x - m))

/** What is known after the step shown. @param {View} view */
function now(view) {
  const run = sweep(view)
  const at = Math.min(view.state.step, run.steps.length)
  const step = at > 0 ? run.steps[at - 1] : null
  const name = step?.name ?? ""
  const i = step && name !== "start" ? Number(step.i) : -1
  const last = name === "write"
  // Scores whose weight is in l already.
  const summed = last ? run.x.length : name === "sum" || name === "keep" ? i + 1 : Math.max(0, i)
  const read = name === "" || name === "start" ? 0 : last ? run.x.length : i + 1
  const m = step ? Number(step.m) : -Infinity
  const l = step ? Number(step.l) : 0
  const next = ["maximum", "factor", "sum"].includes(name) ? Number(step?.m_new) : m
  const factor = name === "factor" || name === "sum" ? Number(step?.scale) : 1
  // The maximum that l is measured from now.
  const base = name === "sum" ? next : m
  const parts = run.x.map((x, k) => (k < summed ? weight(x, base) : 0))
  const before = name === "sum" ? Number(run.steps[at - 2].l) : l
  // Only a sum that there is can shrink.
  const shrinks = before > 0 && factor < 1
  return {
    ...run,
    at,
    name,
    i,
    last,
    summed,
    read,
    m,
    l,
    next,
    factor,
    base,
    parts,
    before,
    shrinks,
  }
}

/** Two sweeps over the first scores: what the one sweep must land on. @param {number[]} x */
function twoSweeps(x) {
  const m = Math.max(...x)
  return { m, l: x.reduce((sum, one) => sum + weight(one, m), 0) }
}

const SLOT = 33
const LEFT = 44
const RIGHT = LEFT + 8 * SLOT
const BASE = 246
const TOP = 30
const up = scale([0, 8], [BASE, TOP])
/** @param {number} k */
const middle = (k) => LEFT + SLOT * (k + 0.5)
const HALF = 10
const STACK = [390, 432]

/** @param {number} v */
const score = (v) => (v === -Infinity ? "−∞" : fixed(v, Number.isInteger(v) ? 0 : 1))

/** A number from 0 to 1 in three characters. @param {number} v */
function share(v) {
  if (v === 0 || v === 1) return String(v)
  return v < 0.005 ? "≈0" : fixed(v, 2).replace(/^0/, "")
}

/** What a score adds to the sum. @param {number} v */
const added = (v) => fixed(v, Number.isInteger(v) ? 0 : 4)

const SCORES = [0, 2, 4, 6, 8]

/** What holds the bars; it has nothing to do when only the step moves. @param {{hold: import("../runtime/hold.js").Hold, x: number[]}} props */
const Handles = ({ hold, x }) =>
  html`<g class="handles">
    ${x.map(
      (one, k) => html`<g key=${k} ...${hold("x", k, { axis: "y", from: BASE, to: TOP })}>
        <rect class="reach" x=${middle(k) - SLOT / 2} width=${SLOT} y=${up(Math.max(0, one)) - 31} height="62" />
        <rect class="grip" x=${middle(k) - HALF - 2} width=${2 * HALF + 4} y=${up(Math.max(0, one)) - 3} height="6" rx="1.5" />
      </g>`,
    )}
  </g>`

/** A score as a bar, and how far it is below the maximum. @param {{k: number, x: number, is: string, base: number | null}} props */
const Bar = kept(({ k, x, is, base }) => {
  const y = up(Math.max(0, x))
  return html`<g class=${`bar-${is}`}>
    ${x === -Infinity ? null : html`<rect class="bar" x=${middle(k) - HALF} width=${2 * HALF} y=${y} height=${BASE - y} />`}
    ${base === null ? null : html`<path class="distance" d=${`M${middle(k)} ${y}V${up(base)}`} />`}
    <text class="num" x=${middle(k)} y=${BASE} dy="1.25em" text-anchor="middle">${score(x)}</text>
  </g>`
})

/** One number below a bar. @param {{k: number, dy: string, text: string | null}} props */
const Below = kept(
  ({ k, dy, text }) =>
    html`<text class=${`num ${text === null ? "none" : ""}`} x=${middle(k)} y=${BASE} dy=${dy} text-anchor="middle">${text ?? "·"}</text>`,
)

export default figure({
  needs: { trace: ["i", "m", "m_new", "scale", "l"], rows: ["x", "y", "l"] },
  handles: true,
  controls: {
    preset: select({
      label: "the row",
      options: [
        ["given", "as given"],
        ["ascending", "ascending"],
        ["descending", "descending"],
        ["equal", "all equal"],
        ["late peak", "late peak"],
        ["masked", "starts with −∞"],
      ],
      changed: (view) => sweep(view).twin,
    }),
    x: row({
      label: "score",
      min: 0,
      max: 8,
      step: 0.5,
      follows: "preset",
      value: ({ data, state }) => data.rows.at({ preset: state.preset }).x,
    }),
    step: player({
      label: "steps of the sweep",
      steps: (view) => sweep(view).steps.length,
      value: "last",
      pace: 500,
    }),
  },

  steps: (view) => sweep(view).names,

  draw(view) {
    const { hold } = view
    const it = now(view)
    const { top } = it
    const tall = scale([0, top], [BASE, TOP])
    const current = it.last ? -1 : it.i
    const moves = it.next > it.m
    const end = LEFT + SLOT * Math.max(it.read, 0)
    const two = it.summed > 0 ? twoSweeps(it.x.slice(0, it.summed)) : null

    let sum = 0
    const stack = it.parts.map((part) => {
      const from = sum
      sum += part
      return { y: tall(sum), height: Math.round((tall(from) - tall(sum)) * 100) / 100 }
    })
    const under = it.name === "sum" && it.shrinks ? it.before : 0
    const aim = it.name === "factor" && it.shrinks ? it.l * it.factor : 0

    return html`<svg viewBox="0 0 480 322" class="running-state">
      <${axis} side="left" at=${LEFT} from=${BASE} to=${TOP} values=${SCORES} place=${up} />
      <text class="name" x=${LEFT - 6} y="14" text-anchor="start" data-term="x">score</text>

      <g class="scores" data-term="x">
        ${it.x.map((x, k) => {
          const is = k === current ? "now" : k < it.read ? "past" : "yet"
          const far = k < it.summed && Number.isFinite(it.base) && Number.isFinite(x)
          return html`<${Bar} key=${k} k=${k} x=${x} is=${is} base=${far ? it.base : null} />`
        })}
      </g>

      ${
        it.m > -Infinity
          ? html`<g class="maximum" data-term="m">
              <rect x=${LEFT} width=${end - LEFT} y=${up(it.m) - 1} height="2" />
              ${moves ? null : html`<${leader} from=${[end, up(it.m)]} to=${[RIGHT + 6, up(it.m)]} text=${`m = ${score(it.m)}`} />`}
            </g>`
          : null
      }
      ${
        moves
          ? html`<g class="maximum moving" data-term="m">
              <rect x=${LEFT} width=${end - LEFT} y=${up(it.next) - 1.5} height="3" />
              <${leader} from=${[end, up(it.next)]} to=${[RIGHT + 6, up(it.next)]} text=${`new m = ${score(it.next)}`} />
            </g>`
          : null
      }

      <${Handles} hold=${hold} x=${it.x} />

      <g class="weights" data-term="l">
        <text class="name" x=${LEFT - 6} y=${BASE} dy="2.75em" text-anchor="end"><tspan>e</tspan><tspan class="raised" dy="-0.4em">x−m</tspan></text>
        ${it.parts.map(
          (part, k) =>
            html`<${Below} key=${k} k=${k} dy="2.75em" text=${k < it.summed ? share(part) : null} />`,
        )}
        <text class="name" x=${LEFT - 6} y=${BASE} dy="4.25em" text-anchor="end">y</text>
        ${it.y.map((y, k) => html`<${Below} key=${k} k=${k} dy="4.25em" text=${it.last ? share(y) : null} />`)}
      </g>

      <g class="stack" data-term="l">
        ${stack.map(
          ({ y, height }, k) =>
            html`<rect key=${k} class=${`part ${k === current && it.parts[k] > 0 ? "current" : ""} ${k % 2 ? "odd" : ""}`} x=${STACK[0]} width=${STACK[1] - STACK[0]} y=${y} height=${height} />`,
        )}
        ${stack.map(({ y, height }, k) =>
          height > 13
            ? html`<text key=${k} class=${`num ${k === current ? "on-volt" : ""}`} x=${(STACK[0] + STACK[1]) / 2} y=${y + height / 2} dy="0.35em" text-anchor="middle">${score(it.x[k])}</text>`
            : null,
        )}
        <path class="foot" d=${`M${STACK[0] - 6} ${BASE}H${STACK[1] + 6}`} />
      </g>
      <${axis} side="right" at=${STACK[1] + 6} from=${BASE} to=${TOP} values=${ticks(0, top, Math.min(top, 4))} place=${tall} />
      <text class="name" x=${STACK[0]} y="14" text-anchor="start" data-term="l">${`l = ${fixed(it.l, 4)}`}</text>

      ${
        under > 0
          ? html`<g class="ghost" data-term="scale">
              <rect x=${STACK[0]} width=${STACK[1] - STACK[0]} y=${tall(under)} height=${BASE - tall(under)} />
            </g>`
          : null
      }
      ${
        aim > 0
          ? html`<g class="aim" data-term="scale"><path d=${`M${STACK[0] - 5} ${tall(aim)}H${STACK[1] + 5}`} /></g>`
          : null
      }
      ${
        it.shrinks
          ? html`<text class="factor num" data-term="scale" x=${(STACK[0] + STACK[1]) / 2} y=${BASE} dy="1.25em" text-anchor="middle">${`× ${sig(it.factor, 3)}`}</text>`
          : null
      }
      ${
        two && (it.name === "sum" || it.name === "keep" || it.last)
          ? html`<g class="two"><path d=${`M${STACK[1] + 2} ${tall(two.l)}l8 -4.5v9Z`} /><text x="480" y=${BASE} dy="2.75em" text-anchor="end">${"◂ safe"}</text></g>`
          : null
      }
    </svg>`
  },

  describe(view) {
    const it = now(view)
    const where = `Score ${it.i + 1} of ${it.x.length}`
    const x = it.i >= 0 ? score(it.x[it.i]) : ""
    switch (it.name) {
      case "":
        return "Nothing is read yet."
      case "start":
        return "Before the first score m is −∞ and l is 0."
      case "read":
        return `${where}, ${x}, is read.`
      case "maximum":
        return it.next > it.m
          ? `${where}, ${x}: the maximum moves from ${score(it.m)} to ${score(it.next)}.`
          : `${where}, ${x}: the maximum stays ${score(it.m)}.`
      case "factor":
        if (!(it.l > 0)) return `${where}, ${x}: there is no sum to shrink yet.`
        return it.factor < 1
          ? `${where}, ${x}: the old sum will shrink to ${sig(it.factor, 3)} of itself.`
          : `${where}, ${x}: the factor is 1, so the old sum stays as it is.`
      case "sum":
        return it.shrinks
          ? `${where}, ${x}: the old sum shrinks to ${sig(it.factor, 3)} of itself, and the ${x} adds ${added(it.parts[it.i])}; l is ${fixed(it.l, 3)}.`
          : `${where}, ${x}: it adds ${added(it.parts[it.i])}; l is ${fixed(it.l, 3)}.`
      case "keep":
        return `${where}, ${x}: m is ${score(it.m)} and l is ${fixed(it.l, 6)}.`
      default:
        return `The sweep ends with m = ${score(it.m)} and l = ${fixed(it.l, 6)}, as safe softmax finds; y is the output.`
    }
  },

  table(view) {
    const { x, steps, y } = sweep(view)
    const kept = steps.filter((step) => step.name === "keep")
    return {
      caption: "After each score",
      columns: ["score", "m", "factor", "l", "softmax"],
      rows: kept.map((step, k) => [
        score(x[k]),
        score(Number(step.m)),
        // The first sum has nothing before it that could shrink.
        k > 0 && Number(kept[k - 1].l) > 0 ? fixed(Number(step.scale), 6) : "–",
        fixed(Number(step.l), 6),
        fixed(y[k], 6),
      ]),
    }
  },

  checked: (view) =>
    sweep(view).twin
      ? `Computed in your browser by a function checked on ${CHECKED} cases that Python made.`
      : null,
})
