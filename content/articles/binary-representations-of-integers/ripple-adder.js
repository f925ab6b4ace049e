// @ts-check
/** Two rows of eight bits added place by place, and the four flags. */
import { figure, html, player, select } from "explainers"
import { bitOf, flip, read, rippleAdd } from "explainers/kernels/integers"
import { bit } from "explainers/parts/bit"

/**
 * @typedef {import("../../../static/js/runtime/figure.js").View} View
 * @typedef {import("../../../static/js/kernels/integers.js").AddStep} Step
 */

const LOCALS = /** @type {const} */ ([
  "i",
  "x",
  "y",
  "into",
  "s",
  "carry",
  "row",
  "C",
  "V",
  "Z",
  "N",
])
const FLAGS = /** @type {const} */ ([
  ["C", "carry", "carry flag"],
  ["V", "overflow", "overflow flag"],
  ["Z", "zero", "zero flag"],
  ["N", "negative", "sign flag"],
])
const PLACES = [7, 6, 5, 4, 3, 2, 1, 0]

/** @param {number} n */
const words = (n) => String(n).replace("-", "−")
/** @param {number} row */
const signed = (row) => read(row, "two's complement")

/** A row that the reader flips in the picture. @param {"a" | "b"} key */
const row = (key) => ({
  kind: "bits",
  label: key,
  follows: "pair",
  first: (/** @type {View} */ { data, state }) => data.at({ pair: state.pair })[key],
  take: (/** @type {any} */ next) =>
    Number.isInteger(next) && next >= 0 && next < 256 ? next : undefined,
  text: String,
  read: Number,
})

/** @typedef {{steps: Step[], carryIn: number, twin: boolean}} Run */

/** @type {WeakMap<object, Map<string, Run>>} */
const known = new WeakMap()

/** @param {View} view @returns {Run} */
function run({ data, state, nameOf }) {
  const { pair, a, b } = state
  const key = `${pair} ${a} ${b}`
  const runs = known.get(data) ?? new Map()
  known.set(data, runs)
  const kept = runs.get(key)
  if (kept) return kept
  if (runs.size > 50) runs.clear()
  const given = data.at({ pair })
  const twin = a !== given.a || b !== given.b
  /** @type {Step[]} */
  let steps = []
  if (twin) steps = rippleAdd(a, b, 8, given.carry_in).steps
  else {
    for (let t = 0; t < given.steps; t++) {
      const name = nameOf(given.ordinals[t])
      if (!name) continue
      /** @type {any} */
      const step = { name }
      for (const local of LOCALS)
        step[local] = Number.isNaN(given[local][t]) ? null : given[local][t]
      steps.push(step)
    }
  }
  const found = { steps, carryIn: given.carry_in, twin }
  runs.set(key, found)
  return found
}

const ORDER = ["bits", "carry in", "sum", "carry out", "write"]

/** @param {View} view */
function now(view) {
  const { steps, carryIn, twin } = run(view)
  const at = Math.min(view.state.step, steps.length)
  const step = at > 0 ? steps[at - 1] : null
  const name = step?.name ?? ""
  const inside = ORDER.includes(name)
  const i = step && step.i !== null ? step.i : -1
  // Places whose sum bit stands, and places whose carry out is known.
  const sums = inside ? i + (ORDER.indexOf(name) >= 2 ? 1 : 0) : i < 0 ? 0 : 8
  const carries = inside ? i + (ORDER.indexOf(name) >= 3 ? 1 : 0) : i < 0 ? 0 : 8
  const { a, b } = view.state
  const into = [carryIn]
  let total = 0
  for (let k = 0; k < 8; k++) {
    const three = bitOf(a, k) + bitOf(b, k) + into[k]
    total += (three % 2) * 2 ** k
    into.push(three > 1 ? 1 : 0)
  }
  return { steps, twin, at, step, name, inside, i, sums, carries, into, total, a, b, carryIn }
}

export default figure({
  needs: { data: ["a", "b", "carry_in", "result", ...LOCALS] },
  handles: true,
  controls: {
    pair: select({
      label: "the sum",
      options: [
        ["100 and 100", "100 + 100"],
        ["127 and 1", "127 + 1"],
        ["255 and 1", "255 + 1"],
        ["180 and 180", "180 + 180"],
        ["180 and 76", "180 + 76"],
        ["85 and 170", "85 + 170"],
        ["128 and 128", "128 + 128"],
        ["20 and 30", "20 + 30"],
        ["5 minus 3", "5 − 3"],
        ["3 minus 5", "3 − 5"],
      ],
      changed: (view) => run(view).twin,
    }),
    a: row("a"),
    b: row("b"),
    step: player({
      label: "steps of the adder",
      steps: (view) => run(view).steps.length,
      value: "last",
      pace: 350,
    }),
  },

  steps: (view) => run(view).steps.map(({ name }) => name),

  draw(scene) {
    const { set } = scene
    const it = now(scene)
    const { a, b, inside, i, sums, carries, into, name, step } = it
    /** @param {"a" | "b"} key @param {number} value */
    const switches = (key, value) =>
      html`<div class="adder-row ${key}">
        <span class="name num">${key === "b" ? `+ ${value}` : String(value)}</span>
        ${PLACES.map(
          (k) => html`<button
            key=${k}
            ...${bit(scene, {
              row: key,
              at: 7 - k,
              on: bitOf(value, k) === 1,
              words: `${key}, place worth ${2 ** k}`,
              flip: () => set({ [key]: flip(value, k) }),
              class: inside && k === i ? "now" : "",
            })}
          >${String(bitOf(value, k))}</button>`,
        )}
      </div>`

    return html`<div class="bit-field adder">
      <div class="adder-row carry" data-term="carry">
        <span class="name">carry</span>
        ${PLACES.map((k) => {
          const shown = k === 0 || k <= carries
          const moving =
            inside && ((name === "carry out" && k === i + 1) || (name === "carry in" && k === i))
          return html`<span key=${k} class=${`chip ${shown && into[k] ? "one" : ""} ${moving ? "now" : ""}`}>${shown ? String(into[k]) : "·"}</span>`
        })}
      </div>
      ${switches("a", a)}
      ${switches("b", b)}
      <div class="adder-row total">
        <span class="name num">${`= ${sums === 8 ? it.total : "…"}`}</span>
        ${PLACES.map(
          (k) =>
            html`<span key=${k} class=${`chip ${k < sums && bitOf(it.total, k) ? "one" : ""} ${inside && k === i && (name === "sum" || name === "write") ? "now" : ""}`}>${k < sums ? String(bitOf(it.total, k)) : "·"}</span>`,
        )}
      </div>
      <div class="flags">
        ${FLAGS.map(([key, label, made]) => {
          const value = step?.[key] ?? null
          return html`<span key=${key} class="flag" data-term=${key}><b class="num">${key}</b><span class=${`chip ${value ? "one" : ""} ${name === made ? "now" : ""}`}>${value === null ? "·" : String(value)}</span><span class="name">${label}</span></span>`
        })}
      </div>
    </div>`
  },

  describe(view) {
    const it = now(view)
    const { step, name, i, a, b, total, carryIn } = it
    const place = 2 ** Math.max(0, i)
    switch (name) {
      case "":
        return `${a} and ${b} are to be added.`
      case "start":
        return carryIn
          ? "The sum is empty; a carry of 1 comes in."
          : "The sum is empty, and no carry comes in."
      case "bits":
        return `Place ${place}: the bits are ${step?.x} and ${step?.y}.`
      case "carry in":
        return `Place ${place}: a carry of ${step?.into} comes in.`
      case "sum":
        return `Place ${place}: ${step?.x} + ${step?.y} + ${step?.into} leaves ${step?.s} here.`
      case "carry out":
        return `Place ${place}: ${step?.x} + ${step?.y} + ${step?.into} carries ${step?.carry} on.`
      case "write":
        return `Place ${place} of the sum is ${step?.s}.`
      case "carry flag":
        return step?.C
          ? "C is set: a carry left the top place."
          : "C is clear: no carry left the top place."
      case "overflow flag":
        return step?.V
          ? "V is set: the carries into and out of the top place differ."
          : "V is clear: the carries into and out of the top place agree."
      case "zero flag":
        return step?.Z
          ? "Z is set: all bits of the sum are 0."
          : "Z is clear: a bit of the sum is 1."
      default: {
        const C = it.into[8]
        const V = it.into[7] ^ C
        const one = carryIn ? " + 1" : ""
        return `Unsigned ${a} + ${b}${one} gives ${total}, ${C ? "wrapped" : "right"}. Signed ${words(signed(a))} + ${words(signed(b))}${one} gives ${words(signed(total))}, ${V ? "wrapped" : "right"}.`
      }
    }
  },

  table(view) {
    const { steps } = run(view)
    return {
      caption: "Place by place",
      columns: ["place", "a", "b", "carry in", "sum", "carry out"],
      rows: steps
        .filter(({ name }) => name === "write")
        .map(({ i, x, y, into, s, carry }) => [
          2 ** Number(i),
          x ?? "",
          y ?? "",
          into ?? "",
          s ?? "",
          carry,
        ]),
    }
  },

  checked: (view) =>
    run(view).twin
      ? "Computed in your browser by a function checked on all 65,536 pairs that Python added."
      : null,
})
