import { figure, html, slider } from "explainers"

export default figure({
  controls: {
    a: slider({ min: 0, max: 9, label: "a" }),
    b: slider({ min: 0, max: 9, label: "b" }),
    c: slider({ min: 0, max: 9, label: "c" }),
    d: slider({ min: 0, max: 9, label: "d" }),
  },
  draw: () => html`<svg viewBox="0 0 1 1"></svg>`,
  describe: () => "A picture.",
})
