// @ts-check
/** Pictures that a dataset returned, one for each state of its sweep: a slider turns them. */
import { figure, html, slider } from "explainers"

/** @typedef {import("../runtime/figure.js").View} View */

/** How many states there are. @param {any} data */
const count = (data) => names(data).reduce((product, axis) => product * data.axis(axis).length, 1)

/** @param {any} data @returns {string[]} */
const names = (data) => data.axes

/** The state with a number: the last axis turns fastest. @param {View} view @returns {Record<string, any>} */
function now({ data, state }) {
  /** @type {Record<string, any>} */
  const found = {}
  let left = state.frame - 1
  for (const axis of names(data).toReversed()) {
    const values = data.axis(axis)
    found[axis] = values[left % values.length]
    left = Math.floor(left / values.length)
  }
  return found
}

/** @param {View} view */
const picture = (view) => (names(view.data).length ? view.data.at(now(view)) : view.data)

/** @param {View} view */
const words = (view) =>
  names(view.data)
    .map((axis) => `${axis.replaceAll("_", " ")} = ${now(view)[axis]}`)
    .join(", ")

export default figure({
  needs: { data: ["picture", "width", "height"] },
  controls: {
    frame: slider({ label: "picture, by its number", min: 1, max: ({ data }) => count(data) }),
  },

  draw(view) {
    const { picture: svg, width, height } = picture(view)
    // As an image it can neither run nor load anything.
    const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
    return html`<svg viewBox=${`0 0 ${width} ${height}`}>
      <image href=${address} width=${width} height=${height} />
    </svg>`
  },

  describe(view) {
    return words(view) || "One picture."
  },
})
