// @ts-check
/** A number in a sentence that is a part of a figure's state: dragged, typed, or moved by keys. */
/**
 * @typedef {import("../runtime/instance.js").Instance} Instance
 * @typedef {{effect: typeof import("@preact/signals").effect,
 *   bound: typeof import("../runtime/controls.js").bound}} Tools of the runtime
 */

/** Pixels of a drag for each step. */
const STRIDE = 8

/** @param {string} id */
const all = (id) =>
  /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll(`.scrub[data-figure="${CSS.escape(id)}"]`)
  )

/** Tie every number of a figure's state in the text to it. @param {Instance} self @param {Tools} tools */
export function tie(self, tools) {
  for (const word of all(self.id)) {
    const key = word.dataset.key ?? ""
    const control = self.controls[key]
    if (!control || !["slider", "player", "number"].includes(control.kind)) continue
    bind(self, word, key, tools)
  }
}

/** @param {Instance} self @param {HTMLElement} word @param {string} key @param {Tools} tools */
function bind(self, word, key, { effect, bound }) {
  const control = self.controls[key]
  const field = document.createElement("input")
  const shown = document.createElement("span")
  shown.textContent = word.textContent
  shown.ariaHidden = "true"
  field.type = "number"
  field.ariaLabel = control.label
  word.replaceChildren(shown, field)
  // A handle has a size of its own: it does not shrink while the number changes.
  const stops = () => /** @type {number[] | undefined} */ (control.stops?.(self.view))
  const put = (/** @type {number} */ value) => self.set({ [key]: value })
  /** @param {number} from @param {number} n of steps */
  const along = (from, n) => {
    const scale = stops()
    if (!scale) return from + n * (control.step ?? 1)
    const at = scale.indexOf(from) + n
    return scale[Math.min(scale.length - 1, Math.max(0, at))]
  }
  effect(() => {
    const value = self.signals[key].value
    const scale = stops()
    field.min = String(scale ? scale[0] : bound(control.min, self.view))
    field.max = String(scale ? scale.at(-1) : bound(control.max, self.view))
    field.step = scale ? "any" : String(control.step)
    if (document.activeElement !== field || Number(field.value) !== value) {
      field.value = String(value)
    }
    shown.textContent = control.kind === "slider" ? control.format(value) : String(value)
  })
  field.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1, PageUp: 4, PageDown: -4 }[event.key]
    if (!way) return
    event.preventDefault()
    put(along(self.signals[key].peek(), way))
    self.released()
  })
  field.addEventListener("change", () => {
    if (field.value !== "") put(Number(field.value))
    field.value = String(self.signals[key].peek())
    self.released()
  })
  let start = 0
  let from = 0
  field.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return
    field.setPointerCapture(event.pointerId)
    start = event.clientX
    from = self.signals[key].peek()
  })
  field.addEventListener("pointermove", (event) => {
    if (!field.hasPointerCapture(event.pointerId)) return
    const n = Math.round((event.clientX - start) / STRIDE)
    const next = along(from, n)
    if (next !== self.signals[key].peek()) put(next)
  })
  for (const end of ["pointerup", "pointercancel"]) {
    field.addEventListener(end, () => self.released())
  }
}
