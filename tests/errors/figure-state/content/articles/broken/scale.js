import { figure, html, slider, toggle } from "explainers"
export default figure({
  controls: {
    stride: slider({ min: 0, max: 64, label: "stride, in words" }),
    sign: toggle({ label: "sign", options: [["plus", "+"], ["minus", "-"]] }),
  },
  draw: ({ state }) => html`<svg viewBox="0 0 1 1"><text>${state.stride}</text></svg>`,
  describe: ({ state }) => `The stride is ${state.stride}.`,
})
