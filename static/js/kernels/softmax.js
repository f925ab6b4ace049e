// @ts-check
/**
 * The browser's twin of explainers.kernels.softmax: the same names, steps and values, checked on
 * cases that Python made.
 */

/**
 * @typedef {{name: string, i: number | null, m: number | null, m_new: number | null,
 *   scale: number | null, l: number | null}} Step what a named statement left
 */

/** The cases of Python's that this was checked on. */
export const CHECKED = 512

/** e^(x - m), and 0 where x is masked, even while m is -Infinity too. @param {number} x @param {number} m */
export const weight = (x, m) => Math.exp(x - (m > -Infinity ? m : 0))

/**
 * Softmax of one row in one sweep, and every step on the way.
 * @param {ArrayLike<number>} scores @param {number} [block] scores read at a time
 * @returns {{y: number[], steps: Step[]}}
 */
export function softmaxOnline(scores, block = 1) {
  if (block < 1) throw new RangeError(`block is ${block}, must be at least 1`)
  const all = Array.from(scores)
  /** @type {Step[]} */
  const steps = []
  /** @type {Omit<Step, "name">} */
  const now = { i: null, m: null, m_new: null, scale: null, l: null }
  const step = (/** @type {string} */ name) => steps.push({ name, ...now })

  let m = -Infinity
  let l = 0
  Object.assign(now, { m, l })
  step("start")
  for (let i = 0; i < all.length; i += block) {
    now.i = i
    const x = all.slice(i, i + block)
    step("read")
    const mNew = Math.max(m, ...x)
    if (!(mNew < Infinity))
      throw new RangeError(`a score is ${mNew}, must be a number or -Infinity`)
    now.m_new = mNew
    step("maximum")
    const scale = weight(m, mNew)
    now.scale = scale
    step("factor")
    l = l * scale + x.reduce((sum, one) => sum + weight(one, mNew), 0)
    now.l = l
    step("sum")
    m = mNew
    now.m = m
    step("keep")
  }
  const y = all.map((x) => weight(x, m) / (l > 0 ? l : 1))
  step("write")
  return { y, steps }
}
