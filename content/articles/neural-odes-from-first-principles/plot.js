// @ts-check
/** What the figures of this page share: a square plane, a strip along time, the solvers' colours. */

export const HUES = /** @type {Record<string, string>} */ ({
  Euler: "var(--hue-2)",
  midpoint: "var(--hue-4)",
  RK4: "var(--hue-1)",
})

/** Tenths are finer than a screen shows. @param {number} x */
export const cut = (x) => Math.round(x * 10) / 10

/**
 * A square of the plane around 0: places of points. Far points are kept in reach of a path's
 * numbers; the picture cuts them off.
 * @param {{left: number, top: number, side: number, reach: number}} size
 */
export function square({ left, top, side, reach }) {
  const unit = side / (2 * reach)
  const far = 40 * reach
  /** @param {number} v */
  const near = (v) => Math.min(far, Math.max(-far, v))
  return {
    left,
    top,
    side,
    right: left + side,
    foot: top + side,
    unit,
    /** @param {number} x */
    across: (x) => cut(left + side / 2 + unit * near(x)),
    /** @param {number} y */
    up: (y) => cut(top + side / 2 - unit * near(y)),
    /** @param {ArrayLike<number>} xs */
    acrosses: (xs) => Float64Array.from(xs, (x) => left + side / 2 + unit * near(x)),
    /** @param {ArrayLike<number>} ys */
    ups: (ys) => Float64Array.from(ys, (y) => top + side / 2 - unit * near(y)),
    frame: `M${left} ${top}h${side}v${side}h${-side}Z`,
    zero: `M${left} ${top + side / 2}h${side}M${left + side / 2} ${top}v${side}`,
  }
}

/** An arrow from a place along a vector of the picture. @param {number} x @param {number} y @param {number} u @param {number} v */
export function pointer(x, y, u, v) {
  const long = Math.sqrt(u * u + v * v)
  if (!(long > 0.5)) return ""
  const [a, b] = [x + u, y + v]
  const [p, q] = [(u / long) * 6, (v / long) * 6]
  return `M${cut(x)} ${cut(y)}L${cut(a)} ${cut(b)}M${cut(a - p + 0.6 * q)} ${cut(b - q - 0.6 * p)}L${cut(a)} ${cut(b)}L${cut(a - p - 0.6 * q)} ${cut(b - q + 0.6 * p)}`
}

/** How long a vector is. @param {ArrayLike<number>} v */
export const size = ({ 0: x, 1: y }) => Math.sqrt(x * x + y * y)
