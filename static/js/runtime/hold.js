// @ts-check
import { signal } from "@preact/signals"

/**
 * Makes a part of the picture a handle on one value of a `row` control: spread it on a `<g>`.
 * `from` and `to` are the places, in the picture's units, of the control's min and max.
 * @typedef {(key: string, index: number, way: {axis: "x" | "y", from: number, to: number}) =>
 *   Record<string, any>} Hold
 */

/** @param {any} self an Instance @returns {Hold} */
export function holder(self) {
  return (key, index, { axis, from, to }) => {
    const control = self.controls[key]
    const { min, max, step } = control
    self.roving[key] ??= signal(0)
    const ready = self.ready.value
    const value = self.state[key][index]

    /** @param {number} next */
    const put = (next) => {
      const values = [...self.signals[key].peek()]
      values[index] = next
      self.set({ [key]: values })
    }

    /** @param {PointerEvent} event */
    const follow = (event) => {
      const target = /** @type {SVGGraphicsElement} */ (event.currentTarget)
      const svg = /** @type {SVGSVGElement} */ (target.ownerSVGElement)
      const matrix = svg.getScreenCTM()
      if (!matrix) return
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
      put(min + ((point[axis] - from) / (to - from)) * (max - min))
    }

    /** @param {PointerEvent} event */
    const release = (event) => {
      const target = /** @type {Element} */ (event.currentTarget)
      target.closest(".plate")?.removeAttribute("data-dragging")
      self.released()
    }

    return {
      class: value < min ? "handle masked" : "handle",
      role: "slider",
      tabindex: ready ? (self.roving[key].value === index ? 0 : -1) : undefined,
      "aria-disabled": ready ? undefined : "true",
      "aria-label": control.words(index),
      "aria-orientation": axis === "y" ? "vertical" : "horizontal",
      "aria-valuemin": min,
      "aria-valuemax": max,
      "aria-valuenow": Math.max(min, value),
      "aria-valuetext": value < min ? "masked" : undefined,
      onFocus: () => {
        self.roving[key].value = index
      },
      onPointerDown: (/** @type {PointerEvent} */ event) => {
        if (!self.ready.peek() || event.button !== 0) return
        const target = /** @type {SVGElement} */ (event.currentTarget)
        target.setPointerCapture(event.pointerId)
        target.focus({ preventScroll: true })
        target.closest(".plate")?.setAttribute("data-dragging", "")
        event.preventDefault()
      },
      // Browsers do not all heed touch-action inside a picture.
      onTouchStart: (/** @type {TouchEvent} */ event) => {
        if (self.ready.peek() && event.cancelable) event.preventDefault()
      },
      onPointerMove: (/** @type {PointerEvent} */ event) => {
        const target = /** @type {Element} */ (event.currentTarget)
        if (target.hasPointerCapture(event.pointerId)) follow(event)
      },
      onPointerUp: release,
      onPointerCancel: release,
      onKeyDown: (/** @type {KeyboardEvent} */ event) => {
        if (!self.ready.peek() || event.altKey || event.ctrlKey || event.metaKey) return
        const along = axis === "y" ? ["ArrowDown", "ArrowUp"] : ["ArrowLeft", "ArrowRight"]
        const across = axis === "y" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"]
        const count = self.signals[key].peek().length
        const { key: name } = event
        const from0 = Math.max(min, self.signals[key].peek()[index])
        if (across.includes(name)) {
          const next = Math.min(count - 1, Math.max(0, index + (name === across[1] ? 1 : -1)))
          const target = /** @type {Element} */ (event.currentTarget)
          const all = target.closest(".picture")
          const handles = all?.querySelectorAll(`[data-row="${key}"]`) ?? []
          const other = /** @type {SVGElement | undefined} */ (handles[next])
          other?.focus({ preventScroll: true })
        } else if (along.includes(name)) put(from0 + (name === along[1] ? step : -step))
        else if (name === "PageUp") put(from0 + 4 * step)
        else if (name === "PageDown") put(from0 - 4 * step)
        else if (name === "Home") put(min)
        else if (name === "End") put(max)
        else return
        event.preventDefault()
        event.stopPropagation()
      },
      onKeyUp: () => self.released(),
      "data-row": key,
    }
  }
}
