// @ts-check
/**
 * Where a warp's 32 addresses lie. In shared memory the words stand in the columns of their banks,
 * and below, pass by pass, in the order in which they are served; in global memory the sectors
 * that are moved are filled.
 * Options: memory (shared | global), drag (an axis of the sweep, pulled at lane 1's word), tile
 * ({columns, rows, pitch}: what lies in memory; pitch is an axis, and what a row leaves free is
 * grey), labels (of axes).
 */
import { figure, fixed, html, player } from "explainers"
import { drag } from "explainers/parts/drag"
import { chosen, sweep } from "explainers/parts/sweep"

/** @typedef {import("../runtime/figure.js").View} View */

const LANES = 32
const [LEFT, CELL] = [54, 13.2]
/** Lanes, the heads of the columns and the memory, from the top; the passes follow the memory. */
const [ROW, HEAD, MAP] = [18, 86, 94]
/** Room for the passes, and as much at least for the memory; between them a line of words. */
const [ROOM, BETWEEN] = [96, 27]
/** How far a hand may stray up or down before it means another row. */
const STRAY = 8
const KINDS = /** @type {const} */ (["wait", "done", "now"])
const KEY = { now: "now", done: "served", wait: "waiting" }

/** @param {number} x */
const round = (x) => Math.round(x * 100) / 100
/** @param {number} column */
const left = (column) => round(LEFT + column * CELL)
/** @param {number} column */
const middle = (column) => round(LEFT + (column + 0.5) * CELL)
/** @param {number} x @param {number} y @param {number} w @param {number} h */
const box = (x, y, w, h) => `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`
/** How many rows there is room for: few, so that the scale seldom changes. @param {number} rows */
const steps = (rows) => [4, 8, 16, 34, 50, 68, 134, 266].find((most) => rows <= most) ?? rows
/** @param {number} count @param {string} one */
const many = (count, one) =>
  `${fixed(count)} ${one}${count === 1 ? "" : one.endsWith("s") ? "es" : "s"}`

/** @param {{options: any}} view */
const isGlobal = ({ options }) => options.memory === "global"

/** The words asked for, lane after lane, and the pass that serves each. @param {any} it */
function asked(it) {
  /** @type {number[]} */
  const word = Array.from(it.word).filter((w) => w >= 0)
  /** @type {number[]} */
  const pass = it.pass ? Array.from(it.pass).slice(0, word.length) : word.map(() => 0)
  return { word, pass, each: word.length / LANES, passes: 1 + Math.max(...pass) }
}

/** The words after each row of a tile that hold nothing. @param {View} view */
function free({ options, state }) {
  const { columns = 0, rows = 0, pitch = "" } = options.tile ?? {}
  const [from, to] = [columns, Number(state[pitch] ?? columns)]
  return Array.from({ length: Math.max(0, to - from) * rows }, (_, k) => {
    const wide = to - from
    return Math.floor(k / wide) * to + from + (k % wide)
  })
}

/** The passes with which groups of lanes begin: one after the other. @param {number[]} pass */
function starts(pass) {
  const found = []
  for (let k = 0, end = -1; k < pass.length; k += LANES) {
    const one = pass.slice(k, k + LANES)
    if (Math.min(...one) > end) found.push(Math.min(...one))
    end = Math.max(end, ...one)
  }
  return found
}

/** @type {WeakMap<object, Map<string, number[]>>} */
const known = new WeakMap()

/**
 * Lane 1's first word at every value of an axis; kept, for a drag asks again and again.
 * @param {View} view @param {string} axis @returns {number[]}
 */
function pulled({ data, options, state }, axis) {
  const others = { ...state, [axis]: null, step: null }
  const key = JSON.stringify(others)
  const kept = known.get(data) ?? new Map()
  known.set(data, kept)
  const found = kept.get(key)
  if (found) return found
  const words = data.axis(axis).map((/** @type {any} */ value) => {
    const one = asked(
      chosen(/** @type {View} */ ({ data, options, state: { ...state, [axis]: value } })),
    )
    return one.word[one.each]
  })
  kept.set(key, words)
  return words
}

/** @param {View} view */
function now(view) {
  const it = chosen(view)
  const found = asked(it)
  const { word, passes } = found
  const step = Math.min(view.state.step ?? 0, passes)
  const gaps = free(view)
  const lines = 1 + Math.max(...word, ...gaps) / LANES
  const tall = Math.min(CELL, ROOM / steps(passes))
  // What the passes leave of their room is the memory's.
  const room = isGlobal(view) ? ROOM : 2 * ROOM - passes * tall
  const scale = Math.min(CELL, room / steps(Math.floor(lines)))
  const sectors = new Set(word.map((w) => w >> 3))
  return { ...found, it, step, gaps, lines: Math.floor(lines), scale, tall, sectors }
}

/** When a pass comes, seen from the step. @param {number} pass @param {number} step */
const when = (pass, step) => (pass >= step ? "wait" : pass === step - 1 ? "now" : "done")

/** The states of the sweep in words. @param {View} view */
const said = ({ data, options, state }) => {
  const words = data.axes
    .map((/** @type {string} */ name) => `${options.labels?.[name] ?? name} ${state[name]}`)
    .join(", ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export default figure({
  needs: ({ options }) => ({
    data: {
      word: "… n",
      ...(options.memory !== "global" && { pass: "… n" }),
    },
  }),

  controls: (view) => ({
    ...sweep(view),
    ...(!isGlobal(view) && {
      step: player({ label: "passes", steps: (given) => asked(chosen(given)).passes, pace: 500 }),
    }),
  }),

  draw(scene) {
    const { options, data } = scene
    const { word, pass, each, passes, step, gaps, lines, scale, tall, sectors } = now(scene)
    const global = isGlobal(scene)
    const right = left(LANES)
    /** @param {number} w */
    const place = (w) => [left(w % LANES), MAP + Math.floor(w / LANES) * scale]
    const floor = round(MAP + lines * scale)
    const strip = floor + BETWEEN
    const gap = scale > 6 ? 1.5 : 0.75

    // One path for each kind of mark: a move writes a dozen attributes, whatever the access.
    const wires = { wait: "", done: "", now: "" }
    const lanes = { wait: "", done: "", now: "" }
    for (let lane = 0; lane < LANES; lane++) {
      // A lane is served when the last of its words is.
      const late = Math.max(...pass.slice(lane * each, (lane + 1) * each))
      const early = Math.min(...pass.slice(lane * each, (lane + 1) * each))
      const kind = late < step - 1 ? "done" : early < step ? "now" : "wait"
      const [from, to] = [middle(lane), middle(word[lane * each] % LANES)]
      wires[kind] +=
        `M${from} ${ROW + 11}C${from} ${ROW + 38} ${to} ${HEAD - 52} ${to} ${HEAD - 12}`
      lanes[kind] += box(left(lane) + 1.5, ROW, CELL - 3, 10)
    }
    const cells = { wait: "", done: "", now: "" }
    const blocks = { wait: "", done: "", now: "" }
    const seen = new Set()
    const order = word.map((_, k) => k).sort((a, b) => pass[a] - pass[b])
    for (const k of order) {
      const kind = when(pass[k], step)
      const [x, y] = place(word[k])
      if (!seen.has(word[k])) cells[kind] += box(x + gap, y + gap / 2, CELL - 2 * gap, scale - gap)
      seen.add(word[k])
      const key = `${pass[k]} ${word[k]}`
      if (seen.has(key)) continue
      seen.add(key)
      blocks[kind] += box(x + 0.75, strip + pass[k] * tall + 0.4, CELL - 1.5, tall - 0.8)
    }
    const moved = [...sectors].map((s) => {
      const [x, y] = place(8 * s)
      return box(x + 0.75, y + 0.5, 8 * CELL - 1.5, scale - 1)
    })
    const holes = gaps
      .map((w) => {
        const [x, y] = place(w)
        return box(x, y, CELL, scale)
      })
      .join("")
    let rules = ""
    for (let c = 0; c <= LANES; c += global ? 8 : 1) rules += `M${left(c)} ${MAP}V${floor}`
    if (scale > 6)
      for (let r = 0; r <= lines; r++) rules += `M${LEFT} ${round(MAP + r * scale)}H${right}`

    // Lane 1's word is the handle, where the axis moves it.
    const axis = options.drag
    const words = axis ? pulled(scene, axis) : []
    const movable = words.some((w) => w !== words[0])
    const [hx, hy] = place(word[each])
    /** @param {number} x @param {number} y */
    const pull = (x, y) => {
      const off = y - (hy + scale / 2)
      const by = Math.abs(off) < Math.max(STRAY, scale / 2) ? 0 : Math.round(off / scale)
      // The hand stops at the ends of the axis, and does not leap to another row beside them.
      const rows = words.map((w) => Math.floor(w / LANES))
      const row = Math.floor(word[each] / LANES) + by
      const column = Math.max(0, Math.min(LANES - 1, Math.floor((x - LEFT) / CELL)))
      const aim = LANES * Math.max(Math.min(...rows), Math.min(Math.max(...rows), row)) + column
      const far = words.map((w) => Math.abs(w - aim))
      return { [axis]: data.axis(axis)[far.indexOf(Math.min(...far))] }
    }
    const last = (lines - 1) * scale
    const groups = starts(pass)
    const edges = groups.slice(1).map((first, k) => {
      const x = round(left(((k + 1) * LANES) / groups.length))
      return `M${x} ${ROW - 3}V${ROW + 13}M${LEFT - 2} ${round(strip + first * tall)}H${right + 2}`
    })
    /** Each mark of the picture with its name: x of the box, its class, the words. */
    const key = global
      ? [
          [0, "wait", "wanted by a lane"],
          [118, "moved", "in a sector that moves"],
        ]
      : [
          ...Object.entries(KEY).map(([kind, words], k) => [[0, 50, 115][k], kind, words]),
          ...(gaps.length ? [[184, "holes", "padding"]] : []),
        ]

    return html`<svg viewBox=${`0 0 480 ${MAP + (global ? ROOM : 2 * ROOM) + BETWEEN + 4}`} class="memory-map">
      <text class="name" x="0" y="12">lane</text>
      ${[0, 8, 16, 24, 31].map((lane) => html`<text key=${lane} class="name num" x=${middle(lane)} y="12" text-anchor="middle">${String(lane)}</text>`)}
      ${KINDS.map((kind) => html`<path key=${kind} class=${`wire ${kind}`} d=${wires[kind]} />`)}
      <g data-term="lane">${KINDS.map((kind) => html`<path key=${kind} class=${`lane ${kind}`} d=${lanes[kind]} />`)}</g>
      <g data-term=${global ? "word" : "bank"}>
        <text class="name" x="0" y=${HEAD}>${global ? "word" : "bank"}</text>
        ${[0, 8, 16, 24, 31].map((c) => html`<text key=${c} class="name num" x=${middle(c)} y=${HEAD} text-anchor="middle">${String(c)}</text>`)}
      </g>
      ${global ? html`<path class="moved" data-term="sector" d=${moved.join("")} />` : null}
      <path class="rules" d=${rules} />
      <path class="holes" d=${holes} />
      <g data-term="word">${KINDS.map((kind) => html`<path key=${kind} class=${`cell ${kind}${scale > 4.5 ? "" : " thin"}`} d=${cells[kind]} />`)}</g>
      <text class="name" x="0" y=${MAP + 5} dy="0.35em">${global ? "" : "word"}</text>
      <text class="name num" x=${LEFT - 4} y=${MAP + 5} dy="0.35em" text-anchor="end">${global ? "+ 0" : "0"}</text>
      <text class="name num" x=${LEFT - 4} y=${round(MAP + 5 + Math.max(15, last))} dy="0.35em" text-anchor="end">${lines > 1 ? `${global ? "+ " : ""}${fixed(LANES * (lines - 1))}` : ""}</text>
      <g class="key">
        ${key.map(([x, kind, words]) => html`<path key=${`box ${kind}`} class=${`block ${kind}`} d=${box(LEFT + Number(x) + 0.75, strip - 15.5, 8, 8)} /><text key=${kind} class="name" x=${LEFT + Number(x) + 13} y=${round(strip - 8)}>${words}</text>`)}
      </g>
      ${
        global
          ? null
          : html`<g data-term="pass">
        <text class="total" x=${right} y=${round(strip - 8)} text-anchor="end">${many(passes, "pass")}</text>
        <path class="frame" d=${`M${LEFT} ${strip}H${right}M${LEFT} ${strip}V${round(strip + passes * tall)}`} />
        ${KINDS.map((kind) => html`<path key=${kind} class=${`block ${kind}${tall > 6 ? "" : " thin"}`} d=${blocks[kind]} />`)}
        <path class="edge" d=${edges.join("")} />
        ${[
          ["name", 0, "start", "pass"],
          ["name num", LEFT - 4, "end", String(step || 1)],
        ].map(
          ([kind, x, side, words]) =>
            html`<text key=${kind} class=${kind} x=${x} y=${round(strip + (Math.max(step, 1) - 0.5) * tall)} dy="0.35em" text-anchor=${side}>${words}</text>`,
        )}
      </g>`
      }
      ${
        movable
          ? html`<circle class="grip" cx=${round(hx + CELL / 2)} cy=${round(hy + scale / 2)} r="6" />
      <rect class="reach drag" x=${LEFT - 8} y=${MAP - 8} width=${right - LEFT + 16} height=${round(Math.max(3 * CELL, lines * scale)) + 16} ...${drag(scene, pull)} />`
          : null
      }
    </svg>`
  },

  describe(view) {
    const { word, pass, each, passes, step, sectors } = now(view)
    const at = said(view)
    const intro = at ? `${at}: ` : ""
    if (isGlobal(view)) {
      const bytes = 4 * new Set(word).size
      const touched = new Set([...sectors].map((s) => s >> 2)).size
      return `${intro}${many(sectors.size, "sector")} in ${many(touched, "line")}; ${fixed(bytes)} of ${fixed(32 * sectors.size)} bytes are wanted.`
    }
    if (!step) {
      const groups = starts(pass).length
      const none = "no bank is asked for two words"
      const why =
        groups > 1
          ? `${groups} groups of ${LANES / groups} lanes, one after the other${passes === groups ? `; in each, ${none}` : ""}`
          : passes === 1
            ? none
            : `the fullest bank is asked for ${fixed(passes)} words`
      return `${intro}${why}: ${many(passes, "pass")}.`
    }
    const served = word.filter((_, k) => pass[k] === step - 1)
    const banks = new Set(served).size
    const lanes = new Set(
      word.flatMap((_, k) => (pass[k] === step - 1 ? [Math.floor(k / each)] : [])),
    ).size
    return `${intro}pass ${fixed(step)} of ${fixed(passes)} serves ${many(banks, "word")} from ${many(banks, "bank")}, for ${many(lanes, "lane")}; ${fixed(LANES - banks)} banks are idle.`
  },

  table(view) {
    const { word, pass, each } = now(view)
    const global = isGlobal(view)
    return {
      caption: [`What each lane asks of ${global ? "global" : "shared"} memory`, said(view)]
        .filter(Boolean)
        .join(". "),
      columns: ["lane", "byte", "word", ...(global ? ["sector", "line"] : ["bank", "pass"])],
      rows: Array.from({ length: LANES }, (_, lane) => {
        const w = word[lane * each]
        return [lane, 4 * w, w, ...(global ? [w >> 3, w >> 5] : [w % LANES, pass[lane * each] + 1])]
      }),
    }
  },
})
