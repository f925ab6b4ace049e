// @ts-check
/** Your kernel on your machine: which ceiling it meets, and the shortest time. */
import { html, sig } from "explainers"
import { attainable, bestSeconds } from "explainers/kernels/roofline"
import { calculator } from "explainers/parts/calculator"

/** @param {number} x */
const short = (x) =>
  x < 1e6 && x >= 0.01
    ? sig(x, 4)
        .replace(/(\.\d*?)0+$/, "$1")
        .replace(/\.$/, "")
    : sig(x, 3)

export default calculator({
  of: ({ gflop, mb, peak, bandwidth }) => {
    const [flop, moved, tops, wide] = [gflop * 1e9, mb * 1e6, peak * 1e12, bandwidth * 1e9]
    return {
      intensity: flop / moved,
      ridge: tops / wide,
      rate: attainable(flop / moved, tops, wide) / 1e12,
      memory: bestSeconds(0, moved, tops, wide) * 1e6,
      arithmetic: bestSeconds(flop, 0, tops, wide) * 1e6,
      best: bestSeconds(flop, moved, tops, wide) * 1e6,
    }
  },
  inputs: {
    gflop: { label: "operations", unit: "GFLOP", min: 1e-6, max: 1e9, value: 137.4, step: 1 },
    mb: { label: "bytes moved", unit: "MB", min: 1e-6, max: 1e9, value: 201.3, step: 1 },
    peak: { label: "peak", unit: "TFLOP/s", min: 0.001, max: 1e5, value: 67, step: 1 },
    bandwidth: { label: "bandwidth", unit: "GB/s", min: 0.1, max: 1e6, value: 4800, step: 100 },
  },
  outputs: {
    memory: { label: "memory alone takes", unit: "µs", format: short },
    arithmetic: { label: "arithmetic alone takes", unit: "µs", format: short },
    best: { label: "the kernel takes at least", unit: "µs", format: short },
    intensity: { label: "its intensity", unit: "FLOP/byte", format: short },
    ridge: { label: "ridge of the machine", unit: "FLOP/byte", format: short },
    rate: { label: "its rate is at most", unit: "TFLOP/s", format: short },
  },
  picture(_, given, found) {
    const wide = (/** @type {number} */ time) => Math.max(1, Math.round((time / found.best) * 480))
    const bars = [
      ["memory", found.memory, `${short(given.mb)} MB ÷ ${short(given.bandwidth)} GB/s`],
      [
        "arithmetic",
        found.arithmetic,
        `${short(given.gflop)} GFLOP ÷ ${short(given.peak)} TFLOP/s`,
      ],
    ]
    const facts = [
      ["intensity", `${short(found.intensity)} FLOP/byte`],
      ["ridge", `${short(found.ridge)} FLOP/byte`],
      ["at most", `${short(found.rate)} TFLOP/s`],
    ]
    return html`<svg viewBox="0 0 480 206" class="ceiling">
      ${bars.map(
        ([name, time, worked], k) => html`<g key=${name}>
          <text x="0" y=${16 + 66 * k}>${name}</text>
          <text class="name" x="90" y=${16 + 66 * k}>${worked}</text>
          <text class="num" x="480" y=${16 + 66 * k} text-anchor="end">${`${short(time)} µs`}</text>
          <rect class=${time === found.best ? "bar longest" : "bar"} x="0" y=${24 + 66 * k} width=${wide(time)} height="22" />
        </g>`,
      )}
      ${facts.map(
        ([name, value], k) => html`<g key=${name}>
          <text class="name" x=${168 * k} y="164">${name}</text>
          <text class="num" x=${168 * k} y="186">${value}</text>
        </g>`,
      )}
    </svg>`
  },
  describe: (_, found) => {
    const who = found.memory > found.arithmetic ? "Memory" : "Arithmetic"
    return `${who} sets the pace: at least ${short(found.best)} µs, at most ${short(found.rate)} TFLOP/s.`
  },
})
