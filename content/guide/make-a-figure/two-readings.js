import { axis, figure, fixed, html, scale, slider } from "explainers"

const place = scale([-128, 256], [10, 470])

export default figure({
  needs: { data: ["unsigned", "signed"] },

  controls: {
    byte: slider({ label: "the byte", min: 0, max: 255, value: 200 }),
  },

  draw({ data, state }) {
    const { unsigned, signed } = data.at({ byte: state.byte })
    const bits = state.byte.toString(2).padStart(8, "0")
    const marks = [
      { name: "unsigned", value: unsigned, hue: "var(--hue-1)" },
      { name: "two's complement", value: signed, hue: "var(--hue-2)" },
    ]
    return html`<svg viewBox="0 0 480 150">
      <text class="num" x="240" y="20" text-anchor="middle">${bits}</text>
      ${marks.map(
        ({ name, value, hue }, k) => html`<g key=${name}>
          <path d=${`M${place(value)} ${60 + 24 * k}V110`} style=${`stroke: ${hue}; stroke-width: 2`} />
          <text x=${place(value)} y=${52 + 24 * k} text-anchor=${value < 40 ? "start" : "end"}>${`${name}: ${fixed(value)}`}</text>
        </g>`,
      )}
      <${axis} side="bottom" at=${110} from=${10} to=${470} values=${[-128, 0, 128, 255]} place=${place} words=${fixed} />
    </svg>`
  },

  describe({ data, state }) {
    const { unsigned, signed } = data.at({ byte: state.byte })
    return `This byte is ${fixed(unsigned)} without a sign, and ${fixed(signed)} in two's complement.`
  },
})
