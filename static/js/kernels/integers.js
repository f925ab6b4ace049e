// @ts-check
/**
 * The browser's twins of explainers.kernels.integers and integer_adder: rows of up to 32 bits, as
 * the unsigned integers they spell, checked on cases that Python made.
 */

/**
 * @typedef {{name: string, i: number | null, bit: number | null, total: number | null,
 *   top: number | null, weight: number | null}} ReadStep what a named statement left
 * @typedef {{name: string, i: number | null, x: number | null, y: number | null,
 *   into: number | null, s: number | null, carry: number, row: number | null, C: number | null,
 *   V: number | null, Z: number | null, N: number | null}} AddStep what a named statement left
 * @typedef {{row: number, C: number, V: number, Z: number, N: number}} Sum
 */

export const READINGS = [
  "unsigned",
  "sign-magnitude",
  "ones' complement",
  "two's complement",
  "offset",
]

/** Bit i of a row. @param {number} row @param {number} i */
export const bitOf = (row, i) => Math.floor(row / 2 ** i) % 2

/** A row with bit i turned over. @param {number} row @param {number} i */
export const flip = (row, i) => row + (bitOf(row, i) ? -1 : 1) * 2 ** i

/**
 * The named steps of the kernel `read_row`; the last one's total is the integer.
 * @param {number} row @param {number} [width] @param {boolean} [signed] @returns {ReadStep[]}
 */
export function readSteps(row, width = 8, signed = false) {
  if (row < 0 || row >= 2 ** width) throw new RangeError(`a row has ${width} bits`)
  /** @type {Omit<ReadStep, "name">} */
  const now = { i: null, bit: null, total: 0, top: null, weight: null }
  /** @type {ReadStep[]} */
  const steps = []
  const step = (/** @type {string} */ name) => steps.push({ name, ...now })
  let total = 0
  step("start")
  for (let i = 0; i < width - 1; i++) {
    now.i = i
    now.bit = bitOf(row, i)
    step("bit")
    total += now.bit * 2 ** i
    now.total = total
    step("add")
  }
  now.top = bitOf(row, width - 1)
  step("top bit")
  now.weight = (signed ? -1 : 1) * 2 ** (width - 1)
  step("top weight")
  now.total = total + now.top * now.weight
  step("add top")
  return steps
}

/** A row read by one of the five rules; -0 where a reading has a negative zero. @param {number} row @param {string} reading @param {number} [width] */
export function read(row, reading, width = 8) {
  const half = 2 ** (width - 1)
  const top = bitOf(row, width - 1)
  if (reading === "unsigned") return row
  if (reading === "sign-magnitude") return top ? -(row - half) : row
  if (reading === "ones' complement") return top ? -(2 * half - 1 - row) : row
  if (reading === "two's complement") return row - top * 2 * half
  if (reading === "offset") return row - half
  throw new RangeError(`no reading "${reading}"`)
}

/** The row of an integer, null where it does not fit; -0 gets a negative zero where there is one. @param {number} value @param {string} reading @param {number} [width] @returns {number | null} */
export function write(value, reading, width = 8) {
  const half = 2 ** (width - 1)
  const negative = value < 0 || Object.is(value, -0)
  const rows = {
    unsigned: value + 0,
    "sign-magnitude": negative ? half - value : value,
    "ones' complement": negative ? value + 2 * half - 1 : value,
    "two's complement": value < 0 ? value + 2 * half : value + 0,
    offset: value + half,
  }
  const row = rows[/** @type {keyof typeof rows} */ (reading)]
  if (row === undefined) throw new RangeError(`no reading "${reading}"`)
  const fits = Number.isInteger(value) && row >= 0 && row < 2 * half
  return fits && read(row, reading, width) === value ? row : null
}

/**
 * What a reader typed: an integer in the range of the reading, or the row itself, as 0xb4, as
 * 0b10110100, or as just so many bits.
 * @param {string} text @param {string} reading @param {number} [width]
 * @returns {{row: number} | {problem: string}}
 */
export function parse(text, reading, width = 8) {
  const typed = text.toLowerCase().replaceAll("−", "-").replaceAll(/[\s_]/g, "")
  if (typed === "") return { problem: "Type an integer." }
  const bits = /^[01]+$/.test(typed) && typed.length === width ? `0b${typed}` : typed
  if (/^(0x[0-9a-f]+|0b[01]+)$/.test(bits)) {
    const row = Number(bits)
    return row < 2 ** width ? { row } : { problem: `That row is longer than ${width} bits.` }
  }
  if (!/^[+-]?\d+$/.test(typed)) {
    return { problem: "That is no integer. Try 100, 0x64 or 01100100." }
  }
  const row = write(Number(typed), reading, width)
  if (row !== null) return { row }
  const values = [0, 2 ** (width - 1) - 1, 2 ** (width - 1), 2 ** width - 1].map((end) =>
    read(end, reading, width),
  )
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const from = String(least).replace("-", "−")
  return { problem: `${width} bits, ${reading}, go from ${from} to ${most}.` }
}

/** Flip every bit and add one. @param {number} row @param {number} [width] */
export const negate = (row, width = 8) => (2 ** width - row) % 2 ** width

/** A row moved to a wider row. @param {number} row @param {number} width @param {number} to @param {boolean} [signed] */
export function extend(row, width, to, signed = true) {
  if (to < width) throw new RangeError(`${to} bits are fewer than ${width}: that is narrowing`)
  return row + (signed ? bitOf(row, width - 1) : 0) * (2 ** to - 2 ** width)
}

/** The low bits only. @param {number} row @param {number} to */
export const truncate = (row, to) => row % 2 ** to

/** A row moved to the right; places that open take the top bit when `signed`. @param {number} row @param {number} by @param {number} [width] @param {boolean} [signed] */
export function shiftRight(row, by, width = 8, signed = false) {
  const top = signed ? bitOf(row, width - 1) : 0
  return Math.floor(row / 2 ** by) + top * (2 ** width - 2 ** (width - by))
}

/**
 * Two rows added place by place, and every named step on the way.
 * @param {number} a @param {number} b @param {number} [width] @param {number} [carry] into place 0
 * @returns {Sum & {steps: AddStep[]}}
 */
export function rippleAdd(a, b, width = 8, carry = 0) {
  /** @type {Omit<AddStep, "name">} */
  const now = {
    i: null,
    x: null,
    y: null,
    into: 0,
    s: null,
    carry,
    row: 0,
    C: null,
    V: null,
    Z: null,
    N: null,
  }
  /** @type {AddStep[]} */
  const steps = []
  const step = (/** @type {string} */ name) => steps.push({ name, ...now })
  let row = 0
  let into = 0
  step("start")
  for (let i = 0; i < width; i++) {
    const [x, y] = [bitOf(a, i), bitOf(b, i)]
    into = now.carry
    const s = x ^ y ^ into
    row += s * 2 ** i
    Object.assign(now, { i, x, y, into, s, row })
    step("sum")
    now.carry = (x & y) | (x & into) | (y & into)
    step("carry")
  }
  const C = now.carry
  now.C = C
  step("carry flag")
  const V = into ^ C
  now.V = V
  step("overflow flag")
  const Z = row === 0 ? 1 : 0
  now.Z = Z
  step("zero flag")
  const N = bitOf(row, width - 1)
  now.N = N
  step("sign flag")
  return { row, C, V, Z, N, steps }
}
