// @ts-check
/** What `import … from "explainers"` gives a figure. One file for the browser, one for Node. */

export { batch, computed, effect, signal } from "@preact/signals"
export { Fragment } from "preact"
export { axis, leader, scale, ticks } from "../marks/axis.js"
export { player, row, select, slider, toggle } from "./controls.js"
export { Dataset } from "./dataset.js"
export { figure } from "./figure.js"
export { fixed, percent, power, sig } from "./format.js"
export { html, kept } from "./html.js"
