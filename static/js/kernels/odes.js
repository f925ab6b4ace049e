// @ts-check
/**
 * The browser's twin of explainers.kernels.odes and neural_fields: the same names and values,
 * checked on cases that Python made. States here have two numbers.
 */

/** The cases of Python's that this was checked on: velocities, paths. */
export const CHECKED = { velocities: 240, paths: 96 }

/**
 * @typedef {[number, number]} Pair
 * @typedef {(x: number, y: number) => Pair} Velocity
 * @typedef {{a: number[][], b: number[], order: number}} Tableau
 */

/** A z. @param {ArrayLike<number>} theta the entries of A @returns {Velocity} */
export const linear = (theta) => {
  const [a, b, c, d] = Array.from(theta)
  return (x, y) => [a * x + b * y, c * x + d * y]
}

/** V tanh(W z + b) + c. @param {ArrayLike<number>} theta W, b, V and c @returns {Velocity} */
export const tanh = (theta) => {
  const H = (theta.length - 2) / 5
  return (x, y) => {
    let [u, v] = [theta[5 * H], theta[5 * H + 1]]
    for (let k = 0; k < H; k++) {
      const hidden = Math.tanh(theta[2 * k] * x + theta[2 * k + 1] * y + theta[2 * H + k])
      u += theta[3 * H + k] * hidden
      v += theta[4 * H + k] * hidden
    }
    return [u, v]
  }
}

/** A damped pendulum: angle, and its rate of change. @returns {Velocity} */
export const pendulum = () => (x, y) => [y, -Math.sin(x) - 0.2 * y]

/** @type {Record<string, (theta: ArrayLike<number>) => Velocity>} */
export const FIELDS = { linear, tanh, pendulum }

/** @type {Record<string, Tableau>} */
export const SOLVERS = {
  Euler: { a: [[]], b: [1], order: 1 },
  midpoint: { a: [[], [1 / 2]], b: [0, 1], order: 2 },
  RK4: {
    a: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]],
    b: [1 / 6, 2 / 6, 2 / 6, 1 / 6],
    order: 4,
  },
}

/**
 * A path in n equal steps: the states at their ends, with the start.
 * @param {Velocity} f @param {Pair} z @param {number} time from the first to the last
 * @param {number} n @param {Tableau} tableau @returns {{xs: Float64Array, ys: Float64Array}}
 */
export function solve(f, [x, y], time, n, { a, b }) {
  const h = time / n
  const [xs, ys] = [new Float64Array(n + 1), new Float64Array(n + 1)]
  const stages = b.length
  const [us, vs] = [new Float64Array(stages), new Float64Array(stages)]
  xs[0] = x
  ys[0] = y
  for (let step = 1; step <= n; step++) {
    for (let i = 0; i < stages; i++) {
      let [u, v] = [0, 0]
      for (let j = 0; j < i; j++) {
        u += a[i][j] * us[j]
        v += a[i][j] * vs[j]
      }
      const slope = f(x + h * u, y + h * v)
      us[i] = slope[0]
      vs[i] = slope[1]
    }
    let [u, v] = [0, 0]
    for (let i = 0; i < stages; i++) {
      u += b[i] * us[i]
      v += b[i] * vs[i]
    }
    x += h * u
    y += h * v
    xs[step] = x
    ys[step] = y
  }
  return { xs, ys }
}
