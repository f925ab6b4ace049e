import { figure, html } from "explainers"

export default figure({
  draw: () => html`<svg viewBox="0 0 1 1"></svg>`,
  describe: () => "",
})
