// @ts-check
/** A part of a picture that a hand drags; a control with the same key is the keyboard's way. */

/**
 * Spread it on a shape. `at` tells what to set when the hand is at (x, y) of the picture.
 * @param {import("../runtime/figure.js").Scene} scene
 * @param {(x: number, y: number) => Record<string, any>} at
 */
export function drag({ ready, move, set }, at) {
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const svg = /** @type {SVGGraphicsElement} */ (event.currentTarget).ownerSVGElement
    const matrix = svg?.getScreenCTM()
    if (!matrix) return
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    move(at(x, y))
  }
  /** @param {PointerEvent} event @param {boolean} on */
  const mark = (event, on) => {
    const shape = /** @type {Element} */ (event.currentTarget)
    shape.closest(".plate")?.toggleAttribute("data-dragging", on)
  }
  /** @param {PointerEvent} event */
  const release = (event) => {
    mark(event, false)
    set({})
  }
  return {
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      if (!ready || event.button !== 0) return
      const shape = /** @type {Element} */ (event.currentTarget)
      shape.setPointerCapture(event.pointerId)
      mark(event, true)
      follow(event)
    },
    onPointerMove: (/** @type {PointerEvent} */ event) => {
      const shape = /** @type {Element} */ (event.currentTarget)
      if (shape.hasPointerCapture(event.pointerId)) follow(event)
    },
    onPointerUp: release,
    onPointerCancel: release,
  }
}
