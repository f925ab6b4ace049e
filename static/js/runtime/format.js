// @ts-check
/** Numbers as text. Python has the same functions; one file of vectors holds both. */

const MINUS = "−"

/** @param {number} x @returns {string} */
function odd(x) {
  if (Number.isNaN(x)) return "NaN"
  return x > 0 ? "∞" : `${MINUS}∞`
}

/** @param {string} text */
const signed = (text) => (text.startsWith("-") ? MINUS + text.slice(1) : text)

/**
 * `n` digits after the point; a tie goes to the even digit, as in Python.
 * @param {number} x @param {number} n @returns {string}
 */
export function fixed(x, n) {
  if (!Number.isFinite(x)) return odd(x)
  if (Math.abs(x) >= 1e21) return signed(BigInt(x).toString() + (n ? `.${"0".repeat(n)}` : ""))
  let text = x.toFixed(n)
  // toFixed rounds an exact tie away from zero. A tie ends in 5 one digit further on, exactly.
  if (n < 100 && Number(text) !== x) {
    const longer = Math.abs(x).toFixed(Math.min(100, n + 30))
    const rest = longer.slice(longer.indexOf(".") + 1 + n)
    if (/^50*$/.test(rest)) {
      const cut = longer.slice(0, longer.indexOf(".") + (n ? 1 + n : 0))
      if (Number(cut.at(-1)) % 2 === 0) text = (x < 0 ? "-" : "") + cut
    }
  }
  if (x === 0 || Number(text) === 0) text = text.replace("-", "")
  return signed(text)
}

/** `n` significant digits. @param {number} x @param {number} n @returns {string} */
export function sig(x, n) {
  if (!Number.isFinite(x)) return odd(x)
  if (x === 0) return "0"
  const [digits, exponent] = x.toExponential(n - 1).split("e")
  const power10 = Number(exponent)
  if (power10 < -5 || power10 >= Math.max(n, 6)) return `${signed(digits)}×${power(10, power10)}`
  return fixed(x, Math.max(0, n - 1 - power10))
}

/** @param {number} x a fraction @param {number} n digits after the point @returns {string} */
export const percent = (x, n) => `${fixed(x * 100, n)} %`

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/** 10⁻³ in characters. @param {number | string} base @param {number} exponent @returns {string} */
export function power(base, exponent) {
  const digits = [...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)])
  return `${base}${exponent < 0 ? "⁻" : ""}${digits.join("")}`
}
