// @ts-check
/**
 * A matrix moved piece by piece, as warps do it: what each reads and writes, straight away or
 * through a tile. Options: sector (elements that memory moves together), labels (of axes),
 * names {from, tile, to}.
 */
import { figure, fixed, html, player, slider } from "explainers"
import { chosen, sweep } from "explainers/parts/sweep"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {import("../runtime/figure.js").Scene} Scene
 * @typedef {{x: number, y: number, cell: number, rows: number, columns: number}} Grid
 * @typedef {{moves: any, tile: any, count: number, each: number, at: Int32Array, home: Int32Array,
 *   word: Int32Array, tone: Uint8Array, names: string[],
 *   paths: Map<string, {light: string, dark: string}>}} Plan `at` is the request that writes an element
 *   of the result, `home` the element it comes from, `word` where the tile keeps an element, `tone`
 *   how dark an element is
 */

const [LEFT, RIGHT, TOP, SIDE] = [6, 272, 22, 200]
const [BELOW, BASE, WORD] = [264, 372, 3.875]
/** Units between two banks, and the height of a full queue. */
const [BANK, QUEUE] = [6.25, 88]
const IDLE = -1

/** @type {WeakMap<object, Map<string, Plan>>} */
const known = new WeakMap()

/** Everything that does not depend on the step. @param {View} view @returns {Plan} */
function planned({ data, state, options, nameOf }) {
  const plans = known.get(data.moves) ?? new Map()
  known.set(data.moves, plans)
  const axes = [...data.moves.axes, ...(data.tile?.axes ?? [])]
  const key = axes.map((name) => state[name]).join("\n")
  let plan = plans.get(key)
  if (plan) return plan
  const view = { state, options, nameOf }
  const moves = chosen({ ...view, data: data.moves })
  const tile = data.tile ? chosen({ ...view, data: data.tile }) : null
  const tone = Uint8Array.from(
    data.matrix.values.flatMap((/** @type {ArrayLike<number>} */ row) =>
      Array.from(row, (value) => (value > 0 ? 2 : 1)),
    ),
  )
  const cells = tone.length
  const count = moves.reads.length
  const each = tile ? tile.stores.length : 0
  const at = new Int32Array(cells).fill(IDLE)
  const home = new Int32Array(cells).fill(IDLE)
  const word = new Int32Array(cells).fill(IDLE)
  for (let r = 0; r < count; r++) {
    for (let lane = 0; lane < moves.reads[r].length; lane++) {
      const [from, to] = [moves.reads[r][lane], moves.writes[r][lane]]
      if (to !== IDLE) at[to] = r
      if (tile && from !== IDLE) word[from] = tile.stores[r % each][lane]
      if (!tile && to !== IDLE) home[to] = from
    }
  }
  // Through a tile, what is loaded from a word is what its block stored there.
  for (let block = 0; tile && block < count; block += each) {
    const held = new Map()
    for (let r = block; r < block + each; r++) {
      tile.stores[r % each].forEach((/** @type {number} */ w, /** @type {number} */ lane) => {
        held.set(w, moves.reads[r][lane])
      })
    }
    for (let r = block; r < block + each; r++) {
      tile.loads[r % each].forEach((/** @type {number} */ w, /** @type {number} */ lane) => {
        home[moves.writes[r][lane]] = held.get(w)
      })
    }
  }
  const names = Array.from({ length: tile ? 2 * count : count }, (_, k) =>
    !tile ? "move" : k % (2 * each) < each ? "load" : "store",
  )
  plan = { moves, tile, count, each, at, home, word, tone, names, paths: new Map() }
  plans.set(key, plan)
  return plan
}

/**
 * The step shown: a request, and whether it stores into the tile or loads from it.
 * @param {Plan} plan @param {number} step
 */
function phase({ tile, each, names }, step) {
  const name = step ? names[step - 1] : ""
  if (!name || !tile) return { name, request: step - 1, written: step, block: 0 }
  const block = Math.floor((step - 1) / (2 * each)) * each
  const k = (step - 1) % (2 * each)
  const request = block + (k % each)
  return { name, request, written: name === "load" ? block : request + 1, block }
}

/**
 * Cells of two tones, 1 light and 2 dark, as two shapes: runs of a row.
 * @param {number} rows @param {number} columns @param {(cell: number) => number} tone
 */
function shapes(rows, columns, tone) {
  const made = ["", "", ""]
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; ) {
      const [from, now] = [x, tone(y * columns + x)]
      do x++
      while (x < columns && tone(y * columns + x) === now)
      if (now) made[now] += `M${from} ${y}h${x - from}v1h${from - x}z`
    }
  }
  return { light: made[1], dark: made[2] }
}

/** Cells one by one, `wide` of them each. @param {Iterable<number>} cells @param {number} columns @param {number} wide */
function squares(cells, columns, wide) {
  let d = ""
  for (const cell of cells) {
    if (cell !== IDLE) d += `M${cell % columns} ${Math.floor(cell / columns)}h${wide}v1h${-wide}z`
  }
  return d
}

/** The first cells of the sectors that hold some elements. @param {ArrayLike<number>} cells @param {number} sector */
const sectors = (cells, sector) =>
  new Set(
    Array.from(cells)
      .filter((cell) => cell !== IDLE)
      .map((cell) => cell - (cell % sector)),
  )

/** @param {number} cell @param {number} columns */
const place = (cell, columns) => `[${Math.floor(cell / columns)}][${cell % columns}]`

/** From the first lane's element to the last one's. @param {ArrayLike<number>} cells @param {number} columns */
function span(cells, columns) {
  const used = Array.from(cells).filter((cell) => cell !== IDLE)
  return `${place(used[0], columns)} to ${place(used[used.length - 1], columns)}`
}

/** @param {number} n @param {string} one */
const many = (n, one) => `${fixed(n)} ${one}${n === 1 ? "" : one.endsWith("s") ? "es" : "s"}`

/** Where the grids stand: memory above, a tile below it. @param {View} view */
function layout({ data }) {
  const values = data.matrix.values
  const [rows, columns] = [values.length, values[0].length]
  const side = SIDE / Math.max(rows, columns)
  const from = { x: LEFT, y: TOP, cell: side, rows, columns }
  const to = { ...from, x: RIGHT, rows: columns, columns: rows }
  return { values, from, to }
}

/** The middle of a cell. @param {Grid} grid @param {number} cell @returns {[number, number]} */
const middle = ({ x, y, cell: size, columns }, cell) => [
  Math.round((x + ((cell % columns) + 0.5) * size) * 100) / 100,
  Math.round((y + (Math.floor(cell / columns) + 0.5) * size) * 100) / 100,
]

/** What a hand on a grid points at. @param {Scene} scene @param {Grid} grid @param {(cell: number) => number} follow */
function pointing({ ready, move, set }, grid, follow) {
  /** @param {PointerEvent} event */
  const to = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect()
    const x = Math.floor(((event.clientX - box.left) / box.width) * grid.columns)
    const y = Math.floor(((event.clientY - box.top) / box.height) * grid.rows)
    if (x < 0 || y < 0 || x >= grid.columns || y >= grid.rows) return
    const element = follow(y * grid.columns + x)
    if (element !== IDLE) move({ element })
  }
  return {
    onPointerMove: (/** @type {PointerEvent} */ event) => {
      if (ready && event.pointerType === "mouse") to(event)
    },
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      if (!ready) return
      to(event)
      set({})
    },
  }
}

export default figure({
  needs: ({ data }) => ({
    moves: {
      reads: "… r l",
      writes: "… r l",
      read_sectors: "… r",
      write_sectors: "… r",
    },
    matrix: { values: "m n" },
    ...(data.tile && {
      tile: {
        stores: "… i l",
        loads: "… i l",
        store_passes: "… i",
        load_passes: "… i",
        pitch: "…",
      },
    }),
  }),

  controls: ({ data, options }) => ({
    ...sweep({ data: data.moves, options }),
    ...(data.tile && sweep({ data: data.tile, options })),
    step: player({
      label: data.tile ? "requests of the warps, tile by tile" : "requests of the warps",
      steps: (view) => planned(view).names.length,
      pace: 140,
    }),
    element: slider({
      label: "element followed",
      min: 0,
      max: ({ data }) => data.matrix.values.length * data.matrix.values[0].length - 1,
      format: (cell) => place(cell, data.matrix.values[0].length),
    }),
  }),

  steps: (view) => planned(view).names,

  draw(scene) {
    const { options, state } = scene
    const plan = planned(scene)
    const { moves, tile, at, home, tone, paths } = plan
    const { from, to } = layout(scene)
    const { name, request, written: count, block } = phase(plan, state.step)
    const { element } = state
    const target = home.indexOf(element)
    const sector = options.sector ?? 8
    /** @param {string} what @param {() => {light: string, dark: string}} make */
    const kept = (what, make) => {
      const before = paths.get(what)
      if (before) return before
      const made = make()
      paths.set(what, made)
      return made
    }
    const reading = name === "move" || name === "load"
    const writing = name === "move" || name === "store"
    const names = { from: "matrix", tile: "tile", to: "result", ...options.names }

    /** @param {string} term @param {Grid} grid @param {string} title @param {any} inside @param {string} said */
    const matrix = (term, grid, title, inside, said) => html`<g class=${term} data-term=${term}>
      <text class="name" x=${grid.x} y="14">${title}</text>
      <g transform=${`translate(${grid.x} ${grid.y}) scale(${grid.cell})`}>${inside}</g>
      <text class="said" x=${grid.x} y=${grid.y + grid.rows * grid.cell} dy="1.5em">${said}</text>
    </g>`

    // Where nothing moves, the paths are empty: a node that comes or goes costs a page's styles.
    /** Sectors that move, and the elements in them that a lane asked for. @param {ArrayLike<number>} cells @param {number} columns */
    const touched = (cells, columns) => html`<g>
      <path class="sector" d=${squares(sectors(cells, sector), columns, sector)} />
      <path class="lane" d=${squares(Array.from(cells), columns, 1)} />
    </g>`

    const grids = (/** @type {Grid} */ { rows, columns }) => {
      const [every, tall] = [32, 32]
      let d = `M0 0H${columns}V${rows}H0Z`
      for (let x = every; x < columns; x += every) d += `M${x} 0V${rows}`
      for (let y = tall; y < rows; y += tall) d += `M0 ${y}H${columns}`
      return d
    }

    const pitch = tile ? tile.pitch : 0
    const lanes = tile ? tile.stores[0].length : 0
    const small = { x: LEFT, y: BELOW, cell: WORD, rows: plan.each, columns: pitch }
    const done = name === "load" ? request - block + 1 : plan.each
    const staged = kept(`tile ${name ? block : IDLE} ${done}`, () => {
      const tones = new Uint8Array(small.rows * pitch)
      for (let k = 0; tile && name && k < done; k++) {
        tile.stores[k].forEach((/** @type {number} */ w, /** @type {number} */ lane) => {
          tones[w] = tone[moves.reads[block + k][lane]]
        })
      }
      return shapes(small.rows, pitch, (w) => tones[w])
    })
    const written = kept(`result ${count}`, () =>
      shapes(to.rows, to.columns, (cell) =>
        at[cell] !== IDLE && at[cell] < count ? tone[home[cell]] : 0,
      ),
    )
    const whole = kept("matrix", () => shapes(from.rows, from.columns, (cell) => tone[cell]))
    const words = tile && name ? (name === "load" ? tile.stores : tile.loads)[request - block] : []
    const queues = new Array(lanes).fill(0)
    for (const word of new Set(words)) queues[word % lanes]++
    const passes =
      tile && name ? (name === "load" ? tile.store_passes : tile.load_passes)[request - block] : 0
    const queue = queues
      .map((n, bank) => {
        const high = Math.round((n / lanes) * QUEUE * 100) / 100
        return n ? `M${RIGHT + bank * BANK} ${BASE}v${-high}h${BANK}v${high}z` : ""
      })
      .join("")

    const rings = [
      middle(from, element),
      ...(tile ? [middle(small, plan.word[element])] : []),
      ...(target === IDLE ? [] : [middle(to, target)]),
    ]
    const tall = TOP + Math.max(from.rows, to.rows) * from.cell

    return html`<svg viewBox=${`0 0 480 ${tile ? 390 : tall + 26}`} class="tiled-matrix">
      ${matrix(
        "matrix",
        from,
        names.from,
        html`<g>
          <path class="dark" d=${whole.dark} />
          <path class="frame" d=${grids(from)} />
          ${touched(reading ? moves.reads[request] : [], from.columns)}
        </g>`,
        reading ? `read: ${many(moves.read_sectors[request], "sector")}` : "",
      )}
      ${
        tile
          ? html`<g class="tile" data-term="tile">
              <text class="name" x=${LEFT} y=${BELOW - 8}>${names.tile}</text>
              <g transform=${`translate(${LEFT} ${BELOW}) scale(${WORD})`}>
                ${pitch > lanes ? html`<rect class="pad" x=${lanes} width=${pitch - lanes} y="0" height=${plan.each} />` : null}
                <path class="light" d=${staged.light} />
                <path class="dark" d=${staged.dark} />
                <path class="frame" d=${`M0 0H${pitch}V${plan.each}H0Z`} />
                <path class="lane" d=${squares(words, pitch, 1)} />
              </g>
              <path class="frame" d=${`M${RIGHT} ${BASE}h${lanes * BANK}`} />
              <path class="queue" d=${queue} />
              <text class="said" x=${RIGHT} y=${BELOW + 6}>${name ? `tile ${name === "load" ? "stored" : "loaded"}: ${many(passes, "pass")}` : ""}</text>
              <text class="name" x=${RIGHT} y=${BASE} dy="1.25em">bank 0</text>
              <text class="name" x=${RIGHT + lanes * BANK} y=${BASE} dy="1.25em" text-anchor="end">${lanes - 1}</text>
            </g>`
          : html`<path class="becomes" d=${`M${LEFT + SIDE + 16} ${TOP + SIDE / 2}h24m-6 -5l6 5l-6 5`} />`
      }
      ${matrix(
        "out",
        to,
        names.to,
        html`<g>
          <path class="light" d=${written.light} />
          <path class="dark" d=${written.dark} />
          <path class="frame" d=${grids(to)} />
          ${touched(writing ? moves.writes[request] : [], to.columns)}
        </g>`,
        writing ? `written: ${many(moves.write_sectors[request], "sector")}` : "",
      )}
      <path class="way" d=${`M${rings.map(([x, y]) => `${x} ${y}`).join("L")}`} />
      ${rings.map(([x, y], k) => html`<circle key=${k} class="ring" cx=${x} cy=${y} r="4" />`)}
      <rect class="touch" x=${from.x} y=${from.y} width=${from.columns * from.cell} height=${from.rows * from.cell} ...${pointing(scene, from, (cell) => cell)} />
      <rect class="touch" x=${to.x} y=${to.y} width=${to.columns * to.cell} height=${to.rows * to.cell} ...${pointing(scene, to, (cell) => home[cell])} />
    </svg>`
  },

  describe(view) {
    const plan = planned(view)
    const { moves, tile, home } = plan
    const { from, to } = layout(view)
    const { name, request, block } = phase(plan, view.state.step)
    const { element } = view.state
    const target = home.indexOf(element)
    const through = tile ? ` by word ${plan.word[element]} of the tile` : ""
    const way = `${place(element, from.columns)} goes${through} to ${place(target, to.columns)}.`
    if (!name) return `Nothing has moved yet; ${way}`
    const reads = () =>
      `reads ${span(moves.reads[request], from.columns)} in ${many(moves.read_sectors[request], "sector")}`
    const writes = () =>
      `writes ${span(moves.writes[request], to.columns)} in ${many(moves.write_sectors[request], "sector")}`
    if (name === "move")
      return `Warp request ${request + 1} of ${plan.count} ${reads()} and ${writes()}; ${way}`
    const passes = (name === "load" ? tile.store_passes : tile.load_passes)[request - block]
    return name === "load"
      ? `A warp ${reads()}, and stores it in the tile in ${many(passes, "pass")}; ${way}`
      : `A warp loads a column of the tile in ${many(passes, "pass")}, and ${writes()}; ${way}`
  },

  table(view) {
    const { moves, tile, count } = planned(view)
    /** @param {string} what @param {ArrayLike<number>} all @param {string} unit @param {number} times */
    const row = (what, all, unit, times) => {
      const numbers = Array.from(all)
      const total = numbers.reduce((sum, one) => sum + one, 0) * times
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
      return [
        what,
        fixed(count),
        least === most ? `${least}` : `${least} to ${most}`,
        many(total, unit),
      ]
    }
    const times = tile ? count / tile.stores.length : 1
    return {
      caption: tile ? "All requests of the warps, through a tile" : "All requests of the warps",
      columns: ["access", "requests", "each", "together"],
      rows: [
        row("read the matrix", moves.read_sectors, "sector", 1),
        ...(tile ? [row("store into the tile", tile.store_passes, "pass", times)] : []),
        ...(tile ? [row("load from the tile", tile.load_passes, "pass", times)] : []),
        row("write the result", moves.write_sectors, "sector", 1),
      ],
    }
  },
})
