// @ts-check
/**
 * More twins of explainers.kernels.floats: the named steps of `decode`, and rounding a number to a
 * pattern. Apart from floats.js, since the bit board needs neither.
 */
import {
  beyond,
  classify,
  encodeRatio,
  LAYOUTS,
  quiet,
  ratio,
  signOf,
  split,
  two,
} from "./floats.js"

/**
 * @typedef {import("./floats.js").Layout} Layout
 * @typedef {{name: string, s: number | null, E: number | null, F: number | null, value: number | null}} DecodeStep
 */

/** The named steps of the kernel `decode`. @param {bigint} pattern @param {Layout} it */
export function decodeSteps(pattern, it) {
  const { s, E, F } = split(pattern, it)
  const { mantissaBits, bias } = it
  const kind = classify(pattern, it)
  /** @type {DecodeStep[]} */
  const steps = [
    { name: "sign", s, E: null, F: null, value: null },
    { name: "fields", s, E, F: Number(F), value: null },
  ]
  let value = 0
  let name = "special"
  if (kind === "infinity") value = Infinity
  else if (kind === "NaN") value = Number.NaN
  else if (E === 0) {
    name = "subnormal"
    value = Number(F) * 2 ** (1 - bias - mantissaBits)
  } else {
    name = "normal"
    value = Number(two(mantissaBits) + F) * 2 ** (E - bias - mantissaBits)
  }
  steps.push({ name, s, E, F: Number(F), value })
  value = s ? -value : value
  steps.push({ name: "result", s, E, F: Number(F), value })
  return steps
}

/** Round a number once to the nearest pattern. @param {number} x @param {Layout} it */
export function encode(x, it) {
  if (Number.isNaN(x)) return quiet(it)
  const sign = x < 0 || Object.is(x, -0) ? signOf(it) : 0n
  if (!Number.isFinite(x)) return beyond(it) + sign
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, Math.abs(x))
  const { numerator, denominator } = ratio(view.getBigUint64(0), LAYOUTS.binary64)
  return encodeRatio(numerator, denominator, it) + sign
}
