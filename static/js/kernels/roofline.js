// @ts-check
/**
 * The browser's twin of explainers.kernels.roofline: the same names and values, checked on cases
 * that Python made.
 */

/** The cases of Python's that this was checked on. */
export const CHECKED = 512

/**
 * The rate that no kernel of this intensity can exceed.
 * @param {number} intensity FLOP/byte @param {number} peak FLOP/s @param {number} bandwidth byte/s
 */
export const attainable = (intensity, peak, bandwidth) => Math.min(peak, intensity * bandwidth)

/**
 * The time that no kernel can beat, in seconds.
 * @param {number} flop @param {number} moved bytes
 * @param {number} peak FLOP/s @param {number} bandwidth byte/s
 */
export const bestSeconds = (flop, moved, peak, bandwidth) =>
  Math.max(flop / peak, moved / bandwidth)
