// @ts-check
/**
 * A matrix of numbers as a field of ink. The first frame is an image, so that it stands without
 * script; alive, the same levels are drawn on a canvas, which thousands of cells do not slow down.
 */
import { html } from "explainers"

/** @type {Uint32Array | undefined} */
let sums

/** @param {Uint8Array} bytes the checksum that ends each part of a PNG */
function checksum(bytes) {
  sums ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c
  })
  let c = 0xffffffff
  for (const byte of bytes) c = sums[(c ^ byte) & 255] ^ (c >>> 8)
  return ~c >>> 0
}

/** @param {number} n in four bytes, the highest first */
const four = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]

/** @param {string} name @param {number[]} data */
function part(name, data) {
  const bytes = [...Array.from(name, (letter) => letter.charCodeAt(0)), ...data]
  return [...four(data.length), ...bytes, ...four(checksum(Uint8Array.from(bytes)))]
}

/**
 * A grey picture as the address of a PNG, stored as it is.
 * @param {Uint8Array} levels 0 to 255, row by row @param {number} rows @param {number} columns
 */
export function png(levels, rows, columns) {
  let [a, b] = [1, 0]
  const lines = []
  for (let y = 0; y < rows; y++) lines.push(0, ...levels.subarray(y * columns, (y + 1) * columns))
  for (const byte of lines) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  // One block holds 65,535 bytes.
  const blocks = []
  for (let at = 0; at < lines.length; at += 65535) {
    const some = lines.slice(at, at + 65535)
    const { length: n } = some
    const last = at + n === lines.length ? 1 : 0
    blocks.push(last, n & 255, n >> 8, ~n & 255, (~n >> 8) & 255, ...some)
  }
  const bytes = [
    ...[137, 80, 78, 71, 13, 10, 26, 10],
    ...part("IHDR", [...four(columns), ...four(rows), 8, 0, 0, 0, 0]),
    ...part("IDAT", [0x78, 1, ...blocks, ...four(b * 65536 + a)]),
    ...part("IEND", []),
  ]
  return `data:image/png;base64,${btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))}`
}

/**
 * How much ink each value gets.
 * @param {ArrayLike<number>} values @param {number} low no ink @param {number} high all of it
 */
export function inked(values, low, high) {
  const levels = new Uint8Array(values.length)
  const times = high > low ? 255 / (high - low) : 0
  for (let k = 0; k < values.length; k++) {
    levels[k] = Math.max(0, Math.min(255, Math.round((values[k] - low) * times))) // NaN is none
  }
  return levels
}

/** Levels on their canvases, to be drawn again in the colours of another light. @type {Map<HTMLCanvasElement, Uint8Array>} */
const drawn = new Map()

/** @param {HTMLCanvasElement} canvas @param {Uint8Array} levels */
function paint(canvas, levels) {
  const brush = canvas.getContext("2d")
  if (!brush) return
  const picture = brush.createImageData(canvas.width, canvas.height)
  for (let k = 0; k < levels.length; k++) picture.data[4 * k + 3] = levels[k]
  brush.globalCompositeOperation = "source-over"
  brush.putImageData(picture, 0, 0)
  brush.globalCompositeOperation = "source-in"
  brush.fillStyle = getComputedStyle(canvas).color
  brush.fillRect(0, 0, canvas.width, canvas.height)
}

function again() {
  for (const [canvas, levels] of drawn) {
    if (canvas.isConnected) paint(canvas, levels)
    else drawn.delete(canvas)
  }
}

let watching = false

/** Paper, scope, print and forced colours each have their ink. */
function watch() {
  if (watching) return
  watching = true
  const root = document.documentElement
  new MutationObserver(again).observe(root, { attributes: true, attributeFilter: ["data-theme"] })
  for (const query of ["(prefers-color-scheme: dark)", "print", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", again)
  }
}

/** The image of a first frame, which later ones need not make again. @type {Map<string, string>} */
const stills = new Map()

/**
 * @param {{id: string, name?: string, ready: boolean, levels: Uint8Array, rows: number,
 *   columns: number, x: number, y: number, width: number, height: number}} props `id` and `ready`
 *   are the scene's; `name` tells several fields of one figure apart; `levels` are from `inked`
 */
export function Heat({ id, name = "heat", ready, levels, rows, columns, x, y, width, height }) {
  const key = `${id}-${name}`
  const still = (ready && stills.get(key)) || png(levels, rows, columns)
  stills.set(key, still)
  const place = { x, y, width, height }
  const show = (/** @type {HTMLCanvasElement | null} */ canvas) => {
    if (!canvas || !ready) return
    watch()
    drawn.set(canvas, levels)
    paint(canvas, levels)
  }
  return html`<g class=${ready ? "heat alive" : "heat"}>
    <mask id=${key}><image ...${place} href=${still} preserveAspectRatio="none" /></mask>
    <rect ...${place} mask=${`url(#${key})`} />
    <foreignObject ...${place}><canvas ref=${show} width=${columns} height=${rows} aria-hidden="true"></canvas></foreignObject>
  </g>`
}
