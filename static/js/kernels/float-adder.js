// @ts-check
/**
 * The browser's twin of explainers.kernels.float_adder: the same names, steps and values, checked on
 * cases that Python made. Patterns are BigInt; what a step left is a number.
 */

/**
 * @typedef {{name: string, large: number | null, small: number | null, exponent: number | null,
 *   high: number | null, lower: number | null, low: number | null, shift: number | null,
 *   total: number | null, move: number | null, kept: number | null, rest: number | null,
 *   magnitude: number | null}} AddStep what a named statement of the adder left
 */

const LOCALS = "large small exponent high lower low shift total move kept rest magnitude".split(" ")

/**
 * Add two patterns as the kernel does, and every named step on the way.
 * @param {bigint} a @param {bigint} b @param {number} [exponentBits] @param {number} [mantissaBits]
 * @returns {{pattern: bigint, steps: AddStep[]}}
 */
export function add(a, b, exponentBits = 8, mantissaBits = 23) {
  const sign = 1n << BigInt(exponentBits + mantissaBits)
  const hidden = 1n << BigInt(mantissaBits)
  const infinity = sign - hidden
  /** @type {AddStep[]} */
  const steps = []
  /** @type {Record<string, number | null>} */
  const now = {}
  for (const local of LOCALS) now[local] = null
  const step = (
    /** @type {string} */ name,
    /** @type {Record<string, bigint | number>} */ left,
  ) => {
    for (const [local, value] of Object.entries(left)) now[local] = Number(value)
    steps.push(/** @type {AddStep} */ ({ name, ...now }))
  }

  if (a % sign >= infinity || b % sign >= infinity) {
    step("special", {})
    return { pattern: addSpecials(a, b, infinity, sign), steps }
  }
  const [large, small] = a % sign >= b % sign ? [a, b] : [b, a]
  step("order", { large, small })
  const unpacked = (/** @type {bigint} */ magnitude) => {
    const E = magnitude / hidden
    const significand = (magnitude % hidden) + (E > 0n ? hidden : 0n)
    return { exponent: E > 0n ? E : 1n, significand: significand << 3n }
  }
  let { exponent, significand: high } = unpacked(large % sign)
  step("unpack larger", { exponent, high })
  let { exponent: lower, significand: low } = unpacked(small % sign)
  step("unpack smaller", { lower, low })
  const shift = exponent - lower
  step("distance", { shift })
  low = (low >> shift) | (low % (1n << shift) !== 0n ? 1n : 0n)
  step("align", { low })
  let total = large / sign === small / sign ? high + low : high - low
  step("add", { total })
  if (total === 0n) {
    step("zero", {})
    return { pattern: a & b & sign, steps }
  }
  let move = BigInt(total.toString(2).length - (mantissaBits + 4))
  if (move < 1n - exponent) move = 1n - exponent
  exponent += move
  total = move > 0n ? (total >> 1n) | (total & 1n) : total << -move
  step("normalise", { move, exponent, total })
  let kept = total / 8n
  const rest = total % 8n
  step("cut", { kept, rest })
  if (rest > 4n || (rest === 4n && kept % 2n === 1n)) kept += 1n
  step("round", { kept })
  const packed = (exponent - 1n) * hidden + kept
  const magnitude = packed < infinity ? packed : infinity
  step("pack", { magnitude })
  return { pattern: (large & sign) | magnitude, steps }
}

/** @param {bigint} a @param {bigint} b @param {bigint} infinity @param {bigint} sign */
function addSpecials(a, b, infinity, sign) {
  const specials = [a, b].filter((one) => one % sign >= infinity)
  const nan = specials.some((one) => one % sign > infinity)
  if (nan || (specials.length > 1 && a !== b)) return infinity | ((infinity & -infinity) >> 1n)
  return specials[0]
}
