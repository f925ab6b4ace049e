// @ts-check
/** Two scales, straight or logarithmic, and the lines drawn between them. */
import { fixed, sig, ticks } from "explainers"

/** Places are cut to hundredths. @param {number} x */
const round = (x) => Math.round(x * 100) / 100

/** @typedef {"linear" | "log2" | "log"} Way */

/** @type {Record<Way, (x: number) => number>} */
const BEND = { linear: (x) => x, log2: Math.log2, log: Math.log10 }

/**
 * A scale of values, with the values its axis names.
 * @param {ArrayLike<number>} all @param {[number, number]} range @param {Way} [way] @param {number} [most] ticks
 */
export function ruled(all, [from, to], way = "linear", most = 6) {
  const bend = BEND[way]
  const finite = Array.from(all).filter((x) => Number.isFinite(x) && (way === "linear" || x > 0))
  if (!finite.length) throw new RangeError(`there is no number to draw on a ${way} scale`)
  let [low, high] = [Math.min(...finite), Math.max(...finite)]
  if (way === "linear" && low > 0 && low < 0.6 * high) low = 0
  if (low === high) [low, high] = way === "linear" ? [low - 1, high + 1] : [low / 2, high * 2]
  /** @type {number[]} */
  let values
  if (way === "linear") {
    values = ticks(low, high, most)
    const apart = values[1] - values[0]
    low = Math.min(low, Math.floor(low / apart + 1e-9) * apart)
    high = Math.max(high, Math.ceil(high / apart - 1e-9) * apart)
    values = ticks(low, high, most)
  } else {
    const base = way === "log2" ? 2 : 10
    const [first, last] = [Math.floor(bend(low) + 1e-9), Math.ceil(bend(high) - 1e-9)]
    const every = Math.ceil((last - first) / most)
    values = Array.from({ length: last - first + 1 }, (_, k) => base ** (first + k))
    values = values.filter((_, k) => k % every === 0)
    ;[low, high] = [base ** first, base ** last]
  }
  const [a, b] = [bend(low), bend(high)]
  const place = (/** @type {number} */ x) => round(from + ((bend(x) - a) / (b - a)) * (to - from))
  return { place, values, low, high }
}

/** @type {WeakMap<object, Map<string, ReturnType<typeof ruled>>>} */
const rules = new WeakMap()

/** Every number of a field, in all states. @param {any} values @returns {number[]} */
const flat = (values) =>
  typeof values === "number" ? [values] : Array.from(values).flatMap((one) => flat(one))

/**
 * The scale of fields of a dataset over all its states: made once, and not at each move of a hand.
 * @param {any} data @param {string[]} fields @param {[number, number]} range @param {Way} [way]
 * @param {number} [most] ticks @param {number[]} [also] numbers that are on it too
 */
export function ruledOnce(data, fields, range, way, most, also = []) {
  const known = rules.get(data) ?? new Map()
  rules.set(data, known)
  const key = JSON.stringify([fields, range, way, most, also])
  const found =
    known.get(key) ??
    ruled([...also, ...fields.flatMap((field) => flat(data[field]))], range, way, most)
  known.set(key, found)
  return found
}

/** A line through points; where a value is no number it breaks. @param {[number, number][]} points */
export const path = (points) =>
  points
    .map(([x, y], k) =>
      Number.isFinite(x) && Number.isFinite(y)
        ? `${k && Number.isFinite(points[k - 1][1]) ? "L" : "M"}${x} ${y}`
        : "",
    )
    .join("")

/** A value in as few characters as an axis has room for. @param {number} x */
export function brief(x) {
  if (Number.isInteger(x) && Math.abs(x) < 1e5) {
    return Math.abs(x) >= 1024 && x % 1024 === 0 ? `${x / 1024}Ki` : fixed(x, 0)
  }
  if (Number.isInteger(Math.log2(Math.abs(x))) && Math.abs(x) > 1) {
    const power = Math.floor(Math.log2(Math.abs(x)) / 10)
    return `${x / 1024 ** power}${["", "Ki", "Mi", "Gi", "Ti"][power] ?? ""}`
  }
  return sig(x, Math.abs(x) < 1 ? 2 : 3)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "")
}

/**
 * Places for labels at given heights, none nearer than `room` to the next.
 * @param {number[]} wanted @param {number} room
 */
export function apart(wanted, room) {
  const order = wanted.map((y, k) => ({ y, k })).sort((a, b) => a.y - b.y)
  for (let i = 1; i < order.length; i++) {
    order[i].y = Math.max(order[i].y, order[i - 1].y + room)
  }
  const over = order.map(({ y, k }) => Math.max(0, y - wanted[k]))
  const up = Math.max(0, ...over) / 2
  /** @type {number[]} */
  const found = []
  for (const { y, k } of order) found[k] = round(y - up)
  return found
}
