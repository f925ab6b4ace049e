// @ts-check
/**
 * The browser's twin of explainers.kernels.flows and densities: the same names and values, checked
 * on cases that Python made.
 */

/** The cases of Python's that this was checked on: layers, stacks, folds, areas. */
export const CHECKED = { layers: 512, stacks: 96, folds: 256, areas: 24 }

const HALVINGS = 60
const ROOT_TAU = Math.sqrt(2 * Math.PI)

/** Height of the standard bell. @param {number} z */
export const normalDensity = (z) => Math.exp(-0.5 * z * z) / ROOT_TAU

/** z + u tanh(w z + b). @param {number} z @param {number} u @param {number} w @param {number} b */
export const planar = (z, u, w, b) => z + u * Math.tanh(w * z + b)

/** The slope of that map at z. @param {number} z @param {number} u @param {number} w @param {number} b */
export function planarSlope(z, u, w, b) {
  const t = Math.tanh(w * z + b)
  return 1 + u * w * (1 - t * t)
}

/** Where `isBelow` turns false. @param {(z: number) => boolean} isBelow @param {number} low @param {number} high */
function halved(isBelow, low, high) {
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2
    if (isBelow(middle)) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * The only point behind an image.
 * @param {number} x @param {number} u @param {number} w @param {number} b
 */
export function planarInverse(x, u, w, b) {
  if (u * w < -1) throw new RangeError(`u w is ${u * w}, must be at least -1: the map folds`)
  return halved((z) => planar(z, u, w, b) < x, x - Math.abs(u), x + Math.abs(u))
}

/**
 * A point through a stack of layers: where it ends, and the sum of the logarithms of the slopes.
 * @param {number} z @param {ArrayLike<number>[]} layers u, w and b of each
 * @returns {[x: number, logSlope: number]}
 */
export function pushThrough(z, layers) {
  let [x, logSlope] = [z, 0]
  for (const { 0: u, 1: w, 2: b } of layers) {
    logSlope += Math.log(planarSlope(x, u, w, b))
    x = planar(x, u, w, b)
  }
  return [x, logSlope]
}

/**
 * The two points where a folding map turns back.
 * @param {number} u @param {number} w @param {number} b @returns {[number, number]}
 */
export function foldTurns(u, w, b) {
  if (u * w >= -1) throw new RangeError(`u w is ${u * w}, must be below -1: the map does not fold`)
  const away = Math.atanh(Math.sqrt(1 + 1 / (u * w)))
  const [a, c] = [(-b - away) / w, (-b + away) / w]
  return a < c ? [a, c] : [c, a]
}

/**
 * The points behind an image on the rising, falling and rising piece of a map that folds; NaN
 * where there is none.
 * @param {number} x @param {number} u @param {number} w @param {number} b
 */
export function foldPreimages(x, u, w, b) {
  const [left, right] = foldTurns(u, w, b)
  const far = Math.abs(u) + Math.abs(x) + Math.abs(left) + Math.abs(right)
  const ends = [-far, left, right, far]
  return [0, 1, 2].map((piece) => {
    const [low, high] = [planar(ends[piece], u, w, b), planar(ends[piece + 1], u, w, b)]
    if (x < Math.min(low, high) || x > Math.max(low, high)) return Number.NaN
    const rises = low < high
    return halved((z) => planar(z, u, w, b) < x === rises, ends[piece], ends[piece + 1])
  })
}

/** Area under evenly spaced heights, by Simpson's rule. @param {ArrayLike<number>} heights @param {number} width from the first to the last */
export function area(heights, width) {
  const n = heights.length
  if (n < 3 || n % 2 === 0)
    throw new RangeError(`there are ${n} points, must be an odd number from 3`)
  let sum = heights[0] + heights[n - 1]
  for (let k = 1; k < n - 1; k++) sum += heights[k] * (k % 2 ? 4 : 2)
  return (width / (n - 1) / 3) * sum
}
