// @ts-check
/** Lines and areas through many points, made in one go so that a drag can redraw them. */

/** Places are cut to tenths: finer than a screen shows in a curve. @param {number} x */
const cut = (x) => Math.round(x * 10) / 10

/**
 * A line through points, given by the places of each.
 * @param {ArrayLike<number>} xs @param {ArrayLike<number>} ys
 */
export function line(xs, ys) {
  let d = ""
  for (let k = 0; k < xs.length; k++) d += `${k ? "L" : "M"}${cut(xs[k])} ${cut(ys[k])}`
  return d
}

/**
 * The area between such a line and a base, below it or, when `side` is "x", beside it.
 * @param {ArrayLike<number>} xs @param {ArrayLike<number>} ys @param {number} base
 * @param {"x" | "y"} [side] which places the base replaces
 */
export function filled(xs, ys, base, side = "y") {
  const last = xs.length - 1
  const back =
    side === "y"
      ? `L${cut(xs[last])} ${base}L${cut(xs[0])} ${base}Z`
      : `L${base} ${cut(ys[last])}L${base} ${cut(ys[0])}Z`
  return line(xs, ys) + back
}

/** Many straight lines, each from one point to another, as one shape. @param {ArrayLike<number>} x1 @param {number} y1 @param {ArrayLike<number>} x2 @param {number} y2 */
export function strings(x1, y1, x2, y2) {
  let d = ""
  for (let k = 0; k < x1.length; k++) d += `M${cut(x1[k])} ${y1}L${cut(x2[k])} ${y2}`
  return d
}

/** `n` places, evenly spaced from one to another. @param {number} from @param {number} to @param {number} n */
export const spaced = (from, to, n) =>
  Float64Array.from({ length: n }, (_, k) => from + ((to - from) * k) / (n - 1))

/**
 * Arrows of a plane as one shape, each around its place; the square root of their lengths is drawn,
 * so that slow ones can still be seen. Directions are the plane's: up is positive.
 * @param {number[][]} all [x, y of the place, then the direction's two numbers] of each
 * @param {number} room the longest arrow's length
 */
export function arrows(all, room) {
  const sizes = all.map(([, , u, v]) => Math.sqrt(u * u + v * v))
  const most = Math.max(...sizes)
  let d = ""
  for (let k = 0; k < all.length; k++) {
    if (!(sizes[k] > 0)) continue
    const [x, y] = all[k]
    const long = 0.9 * room * Math.sqrt(sizes[k] / most)
    const [u, v] = [(all[k][2] / sizes[k]) * long, (-all[k][3] / sizes[k]) * long]
    const [a, b] = [x + u / 2, y + v / 2]
    const head = Math.min(0.4, 4 / long)
    d += `M${cut(x - u / 2)} ${cut(y - v / 2)}L${cut(a)} ${cut(b)}`
    d += `M${cut(a - head * (u - 0.6 * v))} ${cut(b - head * (v + 0.6 * u))}L${cut(a)} ${cut(b)}L${cut(a - head * (u + 0.6 * v))} ${cut(b - head * (v - 0.6 * u))}`
  }
  return d
}
