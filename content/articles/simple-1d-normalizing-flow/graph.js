// @ts-check
/** The graph of a map, the bell below it and the pushed density at its left: one frame for both. */
import { scale } from "explainers"

/**
 * Scales of a frame. The pushed density lies on its side at the left, its heights to the left.
 * @param {{z: [number, number], x: [number, number], left: number, top: number, unitZ: number,
 *   unitX: number, tall: number}} size
 */
export function frame({ z, x, left, top, unitZ, unitX, tall }) {
  const right = left + (z[1] - z[0]) * unitZ
  const foot = top + (x[1] - x[0]) * unitX
  const across = scale(z, [left, right])
  const up = scale(x, [foot, top])
  return {
    left,
    right,
    top,
    foot,
    across,
    up,
    /** The z at a place of the picture. @param {number} at */
    zAt: (at) => z[0] + (at - left) / unitZ,
    /** The x at a place of the picture. @param {number} at */
    xAt: (at) => x[1] - (at - top) / unitX,
    /** Places across, of many z. @param {ArrayLike<number>} all */
    acrosses: (all) => Float64Array.from(all, (one) => left + (one - z[0]) * unitZ),
    /** Places up, of many x. @param {ArrayLike<number>} all */
    ups: (all) => Float64Array.from(all, (one) => foot - (one - x[0]) * unitX),
    /** Places of heights that lie to the left of a wall. @param {ArrayLike<number>} all @param {number} wall */
    aside: (all, wall) => Float64Array.from(all, (p) => wall - tall * p),
    /** Places of heights that rise from a base. @param {ArrayLike<number>} all @param {number} base */
    rising: (all, base) => Float64Array.from(all, (p) => base - tall * p),
  }
}
