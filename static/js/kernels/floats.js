// @ts-check
/**
 * The browser's twins of explainers.kernels.floats and float_rounding: patterns of bits in any
 * layout, as BigInt, checked on cases that Python made.
 */

/**
 * @typedef {{exponentBits: number, mantissaBits: number, bias: number, specials: "ieee" | "fn"}} Layout
 *   how a pattern is divided; "fn": only all ones is NaN, and there is no infinity
 * @typedef {"zero" | "subnormal" | "normal" | "infinity" | "NaN"} Kind
 * @typedef {{s: number, E: number, F: bigint}} Fields
 */

/** @param {number} exponentBits @param {number} mantissaBits @param {number} bias @param {"ieee" | "fn"} specials @returns {Layout} */
const layout = (exponentBits, mantissaBits, bias, specials = "ieee") => ({
  exponentBits,
  mantissaBits,
  bias,
  specials,
})

/** @type {Record<string, Layout>} */
export const LAYOUTS = {
  binary64: layout(11, 52, 1023),
  binary32: layout(8, 23, 127),
  binary16: layout(5, 10, 15),
  bfloat16: layout(8, 7, 127),
  e5m2: layout(5, 2, 15),
  e4m3fn: layout(4, 3, 7, "fn"),
}

/** 2^n. @param {number} n */
export const two = (n) => 1n << BigInt(n)

/** @param {bigint} n not below 0 */
const bitLength = (n) => (n === 0n ? 0 : n.toString(2).length)

/** Bits in a pattern. @param {Layout} it */
export const width = (it) => 1 + it.exponentBits + it.mantissaBits

/** The sign bit alone. @param {Layout} it */
export const signOf = (it) => two(it.exponentBits + it.mantissaBits)

/** The pattern of the largest finite number. @param {Layout} it */
export const largest = (it) => signOf(it) - (it.specials === "fn" ? 1n : two(it.mantissaBits)) - 1n

/** What becomes of a number too large: infinity, or NaN where there is none. @param {Layout} it */
export const beyond = (it) => largest(it) + 1n

/** The quiet NaN without a sign. @param {Layout} it */
export const quiet = (it) => beyond(it) + (it.specials === "fn" ? 0n : two(it.mantissaBits - 1))

/** The three fields. @param {bigint} pattern @param {Layout} it @returns {Fields} */
export function split(pattern, it) {
  const rest = pattern % signOf(it)
  return {
    s: Number(pattern / signOf(it)),
    E: Number(rest >> BigInt(it.mantissaBits)),
    F: rest % two(it.mantissaBits),
  }
}

/** @param {bigint} pattern @param {Layout} it @returns {Kind} */
export function classify(pattern, it) {
  const { E, F } = split(pattern, it)
  if (pattern % signOf(it) > largest(it))
    return F === 0n && it.specials === "ieee" ? "infinity" : "NaN"
  return E > 0 ? "normal" : F > 0n ? "subnormal" : "zero"
}

/** The number a pattern stands for, exactly. @param {bigint} pattern @param {Layout} it */
export function decode(pattern, it) {
  const { s, E, F } = split(pattern, it)
  const { mantissaBits, bias } = it
  const kind = classify(pattern, it)
  const whole = Number(E > 0 ? two(mantissaBits) + F : F)
  const size = whole * 2 ** (Math.max(E, 1) - bias - mantissaBits)
  const value = kind === "infinity" ? Infinity : kind === "NaN" ? Number.NaN : size
  return s ? -value : value
}

/** The gap to the next number away from zero; NaN for what is no finite number. @param {bigint} pattern @param {Layout} it */
export function spacing(pattern, it) {
  if (pattern % signOf(it) > largest(it)) return Number.NaN
  return 2 ** (Math.max(split(pattern, it).E, 1) - it.bias - it.mantissaBits)
}

/**
 * The finite numbers just below and just above; null where there is none.
 * @param {bigint} pattern @param {Layout} it @returns {{below: bigint | null, above: bigint | null}}
 */
export function neighbours(pattern, it) {
  const sign = signOf(it)
  const top = largest(it)
  const magnitude = pattern % sign
  if (magnitude > top) return { below: null, above: null }
  // Place on the ladder of all finite numbers; both zeros stand on rung 0.
  const rung = pattern < sign ? magnitude : -magnitude
  const found = (/** @type {bigint} */ to) =>
    to > top || to < -top ? null : to < 0n ? sign - to : to
  return { below: found(rung - 1n), above: found(rung + 1n) }
}

/**
 * The value of a finite pattern as a ratio; the denominator is a power of two.
 * @param {bigint} pattern @param {Layout} it @returns {{numerator: bigint, denominator: bigint}}
 */
export function ratio(pattern, it) {
  if (pattern % signOf(it) > largest(it)) throw new RangeError("the pattern is no finite number")
  const { s, E, F } = split(pattern, it)
  let whole = E > 0 ? two(it.mantissaBits) + F : F
  let q = Math.max(E, 1) - it.bias - it.mantissaBits
  if (whole === 0n) q = 0
  while (q < 0 && whole % 2n === 0n) {
    whole /= 2n
    q += 1
  }
  return {
    numerator: (s ? -whole : whole) * two(Math.max(q, 0)),
    denominator: two(Math.max(-q, 0)),
  }
}

/** All decimal digits of the value: "0.15625", "-6.75", "-0", "inf", "-inf" or "nan". @param {bigint} pattern @param {Layout} it */
export function exactDecimal(pattern, it) {
  const kind = classify(pattern, it)
  if (kind === "NaN") return "nan"
  const minus = pattern >= signOf(it) ? "-" : ""
  if (kind === "infinity") return `${minus}inf`
  const { numerator, denominator } = ratio(pattern % signOf(it), it)
  // numerator / 2^k = numerator 5^k / 10^k: k digits after the point.
  const k = bitLength(denominator) - 1
  const digits = (numerator * 5n ** BigInt(k)).toString().padStart(k + 1, "0")
  const point = digits.length - k
  return minus + (k ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits)
}

/**
 * Round an exact ratio to the nearest pattern, ties to the even one.
 * @param {bigint} numerator @param {bigint} denominator above 0 @param {Layout} it
 */
export function encodeRatio(numerator, denominator, it) {
  if (denominator < 1n) throw new RangeError("the denominator must be above 0")
  if (numerator === 0n) return 0n
  const size = numerator < 0n ? -numerator : numerator
  // 2^e <= size / denominator < 2^(e + 1), after one comparison.
  let e = bitLength(size) - bitLength(denominator)
  if (size << BigInt(Math.max(-e, 0)) < denominator << BigInt(Math.max(e, 0))) e -= 1
  const E = Math.max(e + it.bias, 1)
  const q = E - it.bias - it.mantissaBits
  const scaled = size << BigInt(Math.max(-q, 0))
  const unit = denominator << BigInt(Math.max(q, 0))
  let whole = scaled / unit
  const rest = 2n * (scaled % unit)
  if (rest > unit || (rest === unit && whole % 2n === 1n)) whole += 1n
  const pattern = BigInt(E - 1) * two(it.mantissaBits) + whole
  const magnitude = pattern < beyond(it) ? pattern : beyond(it)
  return magnitude + (numerator < 0n ? signOf(it) : 0n)
}

/** The shortest decimal that reads back as this pattern. @param {bigint} pattern @param {Layout} it */
export function shortest(pattern, it) {
  const x = decode(pattern, it)
  if (!Number.isFinite(x) || x === 0) return exactDecimal(pattern, it)
  for (let digits = 1; digits < 17; digits++) {
    const text = String(Number(x.toPrecision(digits)))
    const read = parse(text, it)
    if ("pattern" in read && read.pattern === pattern) return text
  }
  return String(x)
}

/**
 * A number as it is printed: all digits where they are few, else the fewest that read back, and then
 * `exact` says whether they are the number itself.
 * @param {bigint} pattern @param {Layout} it @param {number} [most] characters that are few
 * @returns {{text: string, exact: boolean}}
 */
export function printed(pattern, it, most = 13) {
  const all = exactDecimal(pattern, it)
  if (all.length <= most) return { text: all, exact: true }
  const few = shortest(pattern, it)
  const read = parse(few, it)
  // Zeros that only fill up would look like digits.
  const text = few.includes(".") || few.includes("e") ? few : Number(few).toExponential()
  return { text, exact: "exact" in read && read.exact }
}

/**
 * What a reader typed, rounded once to the nearest pattern: a decimal, a hexadecimal float such as
 * 0x1.8p-3, inf, nan; or, as 0x3dcccccd or 0b0011, the pattern itself.
 * @param {string} text @param {Layout} it
 * @returns {{pattern: bigint, exact: boolean} | {problem: string}} `exact`: nothing was rounded
 */
export function parse(text, it) {
  const typed = text.trim().toLowerCase().replaceAll("−", "-").replaceAll("_", "")
  if (typed === "") return { problem: "Type a number." }
  if (typed.length > 5000) return { problem: "That is longer than 5,000 characters." }
  const bits = typed.match(/^(?:0x([0-9a-f]+)|0b([01]+))$/)
  if (bits) {
    const pattern = BigInt(typed)
    if (pattern < two(width(it))) return { pattern, exact: true }
    return { problem: `That pattern is longer than ${width(it)} bits.` }
  }
  const sign = typed.startsWith("-") ? signOf(it) : 0n
  const size = typed.replace(/^[+-]/, "")
  if (/^(inf|infinity|∞)$/.test(size)) {
    if (it.specials === "ieee") return { pattern: beyond(it) + sign, exact: true }
    return { problem: "This format has no infinity: what is too large becomes NaN." }
  }
  if (size === "nan") return { pattern: quiet(it) + sign, exact: true }
  const decimal = size.match(/^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/)
  const hex = size.match(/^0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)$/)
  const parts = decimal ?? hex
  if (!parts || parts[1] + parts[2] === "") {
    if (/^[\d,]+(\.\d*)?$/.test(size)) return { problem: "Write the number without commas." }
    return { problem: "That is no number. Try 0.1, 1e-45, inf, nan, or bits: 0x3E200000." }
  }
  const [, whole, part, exponent = "0"] = parts
  const digits = BigInt((decimal ? "" : "0x") + whole + part)
  if (digits === 0n) return { pattern: sign, exact: true }
  // Beyond these, every layout has overflowed or come to zero; their powers would only take time.
  const power = Number(exponent) - part.length * (decimal ? 1 : 4)
  const order = power + (decimal ? String(digits).length : bitLength(digits))
  if (order > 1200) return { pattern: beyond(it) + sign, exact: false }
  if (order < -1200) return { pattern: sign, exact: false }
  const base = decimal ? 10n : 2n
  const numerator = power > 0 ? digits * base ** BigInt(power) : digits
  const denominator = power < 0 ? base ** BigInt(-power) : 1n
  const magnitude = encodeRatio(numerator, denominator, it)
  const back = magnitude > largest(it) ? null : ratio(magnitude, it)
  const exact = back !== null && back.numerator * denominator === numerator * back.denominator
  return { pattern: magnitude + sign, exact }
}
