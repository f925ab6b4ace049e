// @ts-check
/** Eight switches with the worth of their places, and the sum that the set ones make. */
import { figure, html, player, scale, toggle } from "explainers"
import { flip, parse, read, readSteps } from "explainers/kernels/integers"
import { bit } from "explainers/parts/bit"
import { text } from "explainers/parts/text"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const LOCALS = /** @type {const} */ (["i", "bit", "total", "top", "weight"])
const along = scale([-128, 255], [10, 470])
const AXIS = 62

/** @param {string} row */
const rowOf = (row) => Number.parseInt(row, 2)
/** @param {number} row */
const bits = (row) => row.toString(2).padStart(8, "0")
/** @param {number} n */
const words = (n) => String(n).replace("-", "−")
/** @param {Pick<View, "state">} view */
const reading = ({ state }) => (state.sign === "signed" ? "two's complement" : "unsigned")

/** The steps: the kernel's where it was run, the twin's elsewhere. @param {View} view */
function steps({ data, state, nameOf }) {
  const { row, sign } = state
  if (!data.axis("row").includes(row)) return readSteps(rowOf(row), 8, sign === "signed")
  const given = data.at({ row, sign })
  const found = []
  for (let t = 0; t < given.steps; t++) {
    const name = nameOf(given.ordinals[t])
    if (!name) continue
    /** @type {any} */
    const step = { name }
    for (const local of LOCALS) step[local] = Number.isNaN(given[local][t]) ? null : given[local][t]
    found.push(step)
  }
  return found
}

/** @param {View} view */
function now(view) {
  const { state } = view
  const all = steps(view)
  const at = Math.min(state.step, all.length)
  const step = at > 0 ? all[at - 1] : null
  const name = step?.name ?? ""
  const signed = state.sign === "signed"
  const i = Number(step?.i ?? -1)
  // Places whose worth is in the sum already.
  const done = name === "add top" ? 8 : name === "bit" ? i : i + 1
  const current = name === "bit" || name === "add" ? i : name.includes("top") ? 7 : -1
  const places = Array.from({ length: 8 }, (_, k) => ({
    k,
    worth: k === 7 && signed ? -128 : 2 ** k,
    on: state.row[7 - k] === "1",
  }))
  let from = 0
  const hops = places
    .filter(({ k, on }) => on && k < done)
    .map(({ k, worth }) => {
      from += worth
      return { k, worth, from: from - worth, to: from }
    })
  return { all, at, name, signed, current, done, places, hops, total: from }
}

export default figure({
  needs: { data: ["bits", "result", ...LOCALS] },
  handles: true,
  controls: {
    sign: toggle({
      label: "read as",
      options: [
        ["unsigned", "unsigned"],
        ["signed", "signed"],
      ],
      value: "signed",
    }),
    row: text({
      label: "a number, or eight bits",
      value: "10110100",
      take: (next) => (/^[01]{8}$/.test(next) ? next : undefined),
      parse(typed, view) {
        const { sign } = view.state
        const found = parse(typed, reading(view))
        if ("row" in found) return { value: bits(found.row) }
        // A number that the other reading has is read by that one.
        const other = sign === "signed" ? "unsigned" : "signed"
        const again = parse(typed, reading({ state: { sign: other } }))
        if ("problem" in again)
          return { problem: found.problem.replace(/^8 bits.*/, "Eight bits go from −128 to 255.") }
        const why = sign === "signed" ? "too large for signed" : "below 0"
        return {
          value: bits(again.row),
          also: { sign: other },
          note: `It is ${why}: read as ${other}.`,
        }
      },
      show: (value, view) => words(read(rowOf(value), reading(view))),
      nudge(value, way, view) {
        const found = parse(String(read(rowOf(value), reading(view)) + way), reading(view))
        return "row" in found ? bits(found.row) : undefined
      },
    }),
    step: player({
      label: "steps of the sum",
      steps: (view) => steps(view).length,
      value: "last",
      pace: 450,
    }),
  },

  steps: (view) => steps(view).map(({ name }) => name),

  draw(scene) {
    const { state, set } = scene
    const { places, hops, total, current, done, signed, name } = now(scene)
    const row = rowOf(state.row)
    const parts = [...hops]
      .reverse()
      .map(({ worth }, k) => (worth < 0 ? `−${-worth}` : k ? `+ ${worth}` : `${worth}`))

    return html`<div class="bit-field places">
      <div class="cells">
        ${[...places].reverse().map(
          ({ k, worth, on }, at) => html`<span
            key=${k}
            class=${`place ${worth < 0 ? "s" : "F"} ${k === current ? "now" : ""} ${k < done ? "done" : ""}`}
            data-term=${worth < 0 ? "s" : "F"}
          ><span class="num">${words(worth)}</span><button
            ...${bit(scene, {
              at,
              on,
              words: `place worth ${words(worth)}`,
              flip: () => set({ row: bits(flip(row, k)) }),
            })}
          >${on ? "1" : "0"}</button></span>`,
        )}
      </div>
      <p class="sum"><span class="num">${parts.length ? `${parts.join(" ")} =` : "="}</span><b class="num">${words(total)}</b></p>
      <svg viewBox="0 0 480 96" aria-hidden="true">
        <path class="line" d=${`M10 ${AXIS}H470${[-128, 0, 127, 255].map((v) => `M${along(v)} ${AXIS}v6`).join("")}`} />
        <path class="span" d=${`M${along(signed ? -128 : 0)} ${AXIS}H${along(signed ? 127 : 255)}`} />
        ${[-128, 0, 127, 255].map((v) => html`<text key=${v} class="name" x=${along(v)} y=${AXIS} dy="1.6em" text-anchor=${v === -128 ? "start" : v === 255 ? "end" : "middle"}>${words(v)}</text>`)}
        ${hops.map(({ k, from, to }) => {
          const half = Math.abs(along(to) - along(from)) / 2
          return html`<path key=${k} class=${`hop ${k === current && name.startsWith("add") ? "now" : ""} ${to < from ? "minus" : ""}`} d=${`M${along(from)} ${AXIS}A${half} ${Math.min(half, 50)} 0 0 ${Number(to > from)} ${along(to)} ${AXIS}`} />`
        })}
        <circle class="grip" cx=${along(total)} cy=${AXIS} r="5.5" />
      </svg>
    </div>`
  },

  describe(view) {
    const { all, at, name, total, signed } = now(view)
    const { row } = view.state
    const step = at > 0 ? all[at - 1] : null
    const i = Number(step?.i)
    switch (name) {
      case "":
        return `${row} is to be read.`
      case "start":
        return "The sum starts at 0."
      case "bit":
        return `The place worth ${2 ** i} holds ${step?.bit}.`
      case "add":
        return step?.bit
          ? `${2 ** i} joins: the sum is ${words(total)}.`
          : `Nothing joins: the sum stays ${words(total)}.`
      case "top bit":
        return `The top place holds ${step?.top}.`
      case "top weight":
        return signed
          ? "Signed, the top place is worth −128."
          : "Unsigned, the top place is worth 128."
      default:
        return `${row} is ${rowOf(row)} unsigned, and ${words(read(rowOf(row), "two's complement"))} signed.`
    }
  },

  table({ data }) {
    return {
      caption: "Rows read in both ways",
      columns: ["row", "unsigned", "signed"],
      rows: data
        .axis("row")
        .map((/** @type {string} */ row) => [
          row,
          words(data.at({ row, sign: "unsigned" }).result),
          words(data.at({ row, sign: "signed" }).result),
        ]),
    }
  },

  checked: ({ data, state }) =>
    data.axis("row").includes(state.row)
      ? null
      : "Computed in your browser by a function checked on all 256 rows that Python read.",
})
