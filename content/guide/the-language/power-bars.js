// @ts-check
import { figure, html, slider } from "explainers"

export default figure({
  needs: { data: ["value"] },
  controls: {
    power: slider({ min: 0, max: 5, label: "power" }),
  },
  draw({ data, state }) {
    const values = data.at({ base: 2 }).value
    return html`<svg viewBox="0 0 240 80">
      ${[...values].map(
        (value, k) =>
          html`<rect data-term=${k === state.power ? "p" : null} x=${k * 40 + 4} width="32"
            y=${72 - 2 * value} height=${2 * value} fill=${k === state.power ? "var(--volt-line)" : "var(--ink-3)"} />`,
      )}
    </svg>`
  },
  describe({ data, state }) {
    return `Two to the power ${state.power} is ${data.at({ base: 2 }).value[state.power]}.`
  },
})
