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

/** @param {View} view */
function now(view) {
  const { steps, carryIn, twin } = run(view)
  const at = Math.min(view.state.step, steps.length)
  const step = at > 0 ? steps[at - 1] : null
  const name = step?.name ?? ""
  const inside = name === "sum" || name === "carry"
  const i = step && step.i !== null ? step.i : -1
  // Places whose sum bit stands, and places whose carry out is known.
  const sums = inside ? i + 1 : i < 0 ? 0 : 8
  const carries = inside ? i + (name === "carry" ? 1 : 0) : i < 0 ? 0 : 8
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
    const { a, b, inside, i, sums, carries, into, name, step, carryIn } = it
    /** @param {"a" | "b"} key @param {number} value */
    const switches = (key, value) =>
      html`<div class="adder-row ${key}">
        <span class="name num">${key === "a" ? String(value) : carryIn ? `− ${255 - value}` : `+ ${value}`}</span>
        <span class="out">${key === "b" && carryIn ? "flipped" : ""}</span>
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
      <div class="adder-row places" aria-hidden="true">
        <span></span><span class="name out">out</span>
        ${PLACES.map((k) => html`<span key=${k} class=${`name num ${inside && k === i ? "here" : ""}`}>${2 ** k}</span>`)}
      </div>
      <div class="adder-row carry" data-term="carry">
        <span class="name">carry</span>
        ${[8, ...PLACES].map((k) => {
          const shown = k === 0 || k <= carries
          const moving =
            (name === "carry" && k === i + 1) ||
            (name === "sum" && k === i) ||
            (name === "carry flag" && k === 8) ||
            (name === "overflow flag" && k > 6)
          return html`<span key=${k} class=${`chip ${shown && into[k] ? "one" : ""} ${moving ? "now" : ""}`}>${shown ? String(into[k]) : "·"}</span>`
        })}
      </div>
      ${switches("a", a)}
      ${switches("b", b)}
      <div class="adder-row total">
        <span class="name num">${`= ${sums === 8 ? it.total : "…"}`}</span><span></span>
        ${PLACES.map(
          (k) =>
            html`<span key=${k} class=${`chip ${k < sums && bitOf(it.total, k) ? "one" : ""} ${name === "sum" && k === i ? "now" : ""}`}>${k < sums ? String(bitOf(it.total, k)) : "·"}</span>`,
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
    const place = `The ${2 ** Math.max(0, i)}s`
    switch (name) {
      case "":
        return carryIn
          ? `${a} − ${255 - b}: the lower row is that of ${255 - b}, every bit flipped.`
          : `${a} and ${b} are to be added.`
      case "start":
        return carryIn
          ? "The sum is empty; a carry of 1 comes in, the one of “flip and add one”."
          : "The sum is empty, and no carry comes in."
      case "sum":
        return `${place}: ${step?.x} + ${step?.y}, and a carry of ${step?.into}, leave ${step?.s} here.`
      case "carry":
        return step?.carry
          ? `${place}: at least two of the three are 1, so 1 is carried on.`
          : `${place}: fewer than two of the three are 1, so nothing is carried.`
      case "carry flag":
        return step?.C
          ? "C is set: a carry left the top place."
          : "C is clear: no carry left the top place."
      case "overflow flag":
        return `The carries into and out of the top place are ${it.into[7]} and ${it.into[8]}: V is ${step?.V ? "set" : "clear"}.`
      case "zero flag":
        return step?.Z
          ? "Z is set: all bits of the sum are 0."
          : "Z is clear: a bit of the sum is 1."
      default: {
        const C = it.into[8]
        const V = it.into[7] ^ C
        const sign = carryIn ? "−" : "+"
        const other = carryIn ? 255 - b : b
        /** @param {number} n */
        const term = (n) => (n < 0 ? `(${words(n)})` : String(n))
        const borrow = carryIn ? ` C is ${C ? "set: no borrow" : "clear: a borrow"}.` : ""
        return `Unsigned ${a} ${sign} ${other} gives ${total}, ${C === carryIn ? "right" : "wrapped"}. Signed ${words(signed(a))} ${sign} ${term(signed(other))} gives ${words(signed(total))}, ${V ? "wrapped" : "right"}.${borrow}`
      }
    }
  },

  table(view) {
    const { steps } = run(view)
    return {
      caption: "Place by place",
      columns: ["place", "a", "b", "carry in", "sum", "carry out"],
      rows: steps
        .filter(({ name }) => name === "carry")
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
