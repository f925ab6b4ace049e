// @ts-check
/** Cycles of a load at every stride, measured, inside rings where the model puts them. */
import { axis, figure, fixed, html, select, slider } from "explainers"
import { ruled } from "explainers/parts/plane"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const [LEFT, RIGHT, BASE, ROOF] = [34, 474, 262, 30]
const RING = 4.6
const DOT = 2.4

/** @param {number} x @param {number} y @param {number} r */
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`

/** @param {View} view */
function now({ data, state }) {
  const width = Number(state.width)
  const { cycles, low, high } = data.measured.at({ width, warps: state.warps })
  const { passes, stride } = data.model.at({ width })
  const k = Array.from(stride).indexOf(state.stride)
  return { cycles, low, high, passes, strides: Array.from(stride), k, width }
}

export default figure({
  needs: {
    measured: { cycles: "… n", low: "… n", high: "… n" },
    model: { passes: "… n", stride: "… n" },
  },
  controls: ({ data }) => ({
    warps: slider({ label: "warps", stops: () => data.measured.axis("warps") }),
    width: select({
      label: "bytes a lane loads",
      options: [
        ["4", "4"],
        ["8", "8"],
        ["16", "16"],
      ],
    }),
    stride: slider({ label: "stride, in elements", min: 0, max: 64 }),
  }),

  draw(view) {
    const { set, move } = view
    const { cycles, passes, strides, k } = now(view)
    const across = ruled(strides, [LEFT + 8, RIGHT - 6], "linear", 8)
    const up = ruled([1, 128], [BASE, ROOF], "log2", 8)
    const px = strides.map(across.place)
    const rings = px.map((x, i) => circle(x, up.place(passes[i]), RING)).join("")
    const dots = px.map((x, i) => circle(x, up.place(cycles[i]), DOT)).join("")
    // Where both lie well apart, a hairline holds them together.
    const ties = px
      .map((x, i) => [x, up.place(passes[i]) - RING, up.place(cycles[i]) + DOT])
      .filter(([, from, to]) => from - to > 1)
      .map(([x, from, to]) => `M${x} ${from}V${to}`)
      .join("")
    const at = (/** @type {any} */ event) => {
      const box = event.currentTarget.getBoundingClientRect()
      const share = (event.clientX - box.left) / box.width
      return { stride: Math.max(0, Math.min(64, Math.round(share * 66 - 1))) }
    }
    return html`<svg viewBox="0 0 480 306" class="queue-cost">
      <text class="name" x="0" y="12">cycles a load</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${up.values} place=${up.place} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${[0, 8, 16, 24, 32, 40, 48, 56, 64]} place=${across.place} label="stride, in elements" />
      <path class="cursor" d=${`M${px[k]} ${BASE}V${ROOF}`} />
      <path class="ties" d=${ties} />
      <path class="ring" data-term="modelled" d=${rings} />
      <path class="dot" data-term="measured" d=${dots} />
      <path class="dot here" d=${circle(px[k], up.place(cycles[k]), 4)} />
      <g class="key"><path class="ring" d=${circle(318, 8, RING)} /><text x="327" y="8" dy="0.35em">modelled</text><path class="dot" d=${circle(402, 8, DOT)} /><text x="410" y="8" dy="0.35em">measured</text></g>
      <rect class="touch" x=${px[0] - (px[1] - px[0])} y=${ROOF} width=${(px[1] - px[0]) * 66} height=${BASE - ROOF} onPointerMove=${(/** @type {any} */ e) => move(at(e))} onClick=${(/** @type {any} */ e) => set(at(e))} />
    </svg>`
  },

  describe(view) {
    const { cycles, passes, k, width } = now(view)
    const { stride, warps } = view.state
    return `Stride ${stride}, ${width} bytes, ${warps} warp${warps === 1 ? "" : "s"}: measured ${fixed(cycles[k], 2)} cycles a load, modelled ${passes[k]} pass${passes[k] === 1 ? "" : "es"}; ${fixed(cycles[k] / passes[k], 2)} cycles a pass.`
  },

  table(view) {
    const { cycles, low, high, passes, strides } = now(view)
    return {
      caption: "Cycles a load, of all warps together: median, least and most; passes by the model",
      columns: ["stride", "cycles", "least", "most", "passes"],
      rows: strides.map((stride, i) => [
        stride,
        fixed(cycles[i], 3),
        fixed(low[i], 3),
        fixed(high[i], 3),
        passes[i],
      ]),
    }
  },
})
