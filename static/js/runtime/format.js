// @ts-check
/** Numbers as text. Python has the same functions; one file of vectors holds both. */

const MINUS = "−"
/** A narrow space that does not break. */
const NARROW = "\u202f"
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/** @param {number} x */
function special(x) {
  if (Number.isNaN(x)) return "NaN"
  return x > 0 ? "∞" : `${MINUS}∞`
}

/** Digits, rounded up when `up`. @param {string} digits with or without a point @param {boolean} up */
function rounded(digits, up) {
  if (!up) return digits
  const point = digits.indexOf(".")
  const more = String(BigInt(digits.replace(".", "")) + 1n).padStart(
    digits.length - (point < 0 ? 0 : 1),
    "0",
  )
  if (point < 0) return more
  const after = digits.length - 1 - point
  return `${more.slice(0, more.length - after)}.${more.slice(more.length - after)}`
}

/** The digits of |x| with n of them after the point; a tie goes to the even one, as in Python. @param {number} x @param {number} n */
function digits(x, n) {
  const size = Math.abs(x)
  // A tie between n digits is an odd multiple of 1 / 2^(n+1); all else toFixed rounds right.
  const halves = size * 2 ** (n + 1)
  if (size < 1e21 && (halves % 2 === 0 || !Number.isInteger(halves))) return size.toFixed(n)
  const long =
    size >= 1e21 ? `${BigInt(size)}.${"0".repeat(60)}` : size.toFixed(Math.min(100, n + 60))
  const end = long.indexOf(".") + (n ? 1 + n : 0)
  const kept = long.slice(0, end)
  const rest = long.slice(end).replace(".", "")
  const tie = /^50*$/.test(rest)
  return rounded(kept, tie ? Number(kept.at(-1)) % 2 === 1 : rest[0] >= "5")
}

/** Signed, thousands apart; what rounds to nothing has no sign. @param {string} text @param {boolean} minus */
function dressed(text, minus) {
  const [whole, part] = text.split(".")
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ",")
  const sign = minus && /[1-9]/.test(text) ? MINUS : ""
  return `${sign}${apart}${part ? `.${part}` : ""}`
}

/** `n` digits after the point. @param {number} x @param {number} [n] @returns {string} */
export function fixed(x, n = 0) {
  return Number.isFinite(x) ? dressed(digits(x, n), x < 0) : special(x)
}

/** `n` significant digits, as a power of ten where that is shorter to read. @param {number} x @param {number} [n] @returns {string} */
export function sig(x, n = 3) {
  if (!Number.isFinite(x)) return special(x)
  if (x === 0) return fixed(0, n - 1)
  let [mantissa, exponent] = Math.abs(x)
    .toExponential(n - 1)
    .split("e")
  // toExponential rounds an exact tie up; Python goes to the even digit.
  const [long] = Math.abs(x)
    .toExponential(Math.min(100, n + 40))
    .split("e")
  const end = n > 1 ? n + 1 : 1
  const kept = long.slice(0, end)
  if (/^\.?50*$/.test(long.slice(end)) && Number(kept.at(-1)) % 2 === 0) mantissa = kept
  const tens = Number(exponent)
  if (tens >= -4 && tens < 6) {
    const places = Math.max(0, n - 1 - tens)
    const figures = mantissa.replace(".", "")
    const whole = tens >= 0 ? figures.slice(0, tens + 1).padEnd(tens + 1, "0") : "0"
    const part = tens >= 0 ? figures.slice(tens + 1) : "0".repeat(-tens - 1) + figures
    return dressed(places ? `${whole}.${part}` : whole, x < 0)
  }
  return `${x < 0 ? MINUS : ""}${mantissa}${NARROW}×${NARROW}${power(10, tens)}`
}

/** A share of 1 as a percentage. @param {number} x @param {number} [n] digits after the point @returns {string} */
export function percent(x, n = 0) {
  if (!Number.isFinite(x)) return `${special(x)}%`
  const [whole, part] = digits(x, n + 2).split(".")
  const moved = `${whole}${part.slice(0, 2)}`.replace(/^0+(?=\d)/, "")
  return `${dressed(n ? `${moved}.${part.slice(2)}` : moved, x < 0)}%`
}

/** 10⁻³ in characters. @param {number | string} base @param {number} exponent @returns {string} */
export function power(base, exponent) {
  const raised = [...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)])
  return `${base}${exponent < 0 ? "⁻" : ""}${raised.join("")}`
}
