// @ts-check
/** A control that a reader types into, with a word when it makes no sense. */
import { html, signal } from "explainers"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {import("../runtime/controls.js").Control} Control
 * @typedef {{text: string, value: any, word?: string, wrong?: boolean}} Draft what stands in the
 *   field while the state is still `value`
 */

/**
 * A typed entry. `parse` finds a value, with a `note` on it if there is something to say, or says
 * what is wrong in a finished sentence; the last good value stays. `nudge` is what arrow up and
 * down do.
 * @param {{label: string, value: any, unit?: string, mode?: string,
 *   parse: (text: string, view: View) => {value: any, note?: string} | {problem: string},
 *   show?: (value: any, view: View) => string, nudge?: (value: any, way: 1 | -1, view: View) => any,
 *   follows?: string, take?: Control["take"], text?: Control["text"], read?: Control["read"]}} options
 * @returns {any} a Control
 */
export const text = ({ value, show = String, ...more }) => ({
  kind: "text",
  part: Text,
  first: () => value,
  take: (/** @type {any} */ next) => next,
  text: String,
  read: (/** @type {string} */ typed) => typed,
  show,
  ...more,
})

/** @type {Map<string, import("@preact/signals").Signal<Draft | null>>} */
const drafts = new Map()

/** @param {{self: any, name: string, ready: boolean}} props */
function Text({ self, name, ready }) {
  const { label, unit, parse, show, nudge, mode } = self.controls[name]
  const id = `${self.id}-${name}`
  const now = self.state[name]
  const draft = drafts.get(id) ?? signal(/** @type {Draft | null} */ (null))
  drafts.set(id, draft)
  const kept = draft.value?.value === now ? draft.value : null

  /** @param {string} typed @param {boolean} done no more is typed for now */
  const put = (typed, done) => {
    const found = parse(typed, self.view)
    if (!("problem" in found)) self.set({ [name]: found.value })
    draft.value = {
      text: typed,
      value: self.signals[name].peek(),
      word: "problem" in found ? (done ? found.problem : "") : found.note,
      wrong: done && "problem" in found,
    }
    if (done) self.released()
  }

  return html`<div class="control text">
    <label for=${id}>${label}</label>
    <span class="entry"><input
      id=${id}
      type="text"
      inputmode=${mode}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      enterkeyhint="done"
      value=${kept ? kept.text : show(now, self.view)}
      aria-invalid=${kept?.wrong ? "true" : undefined}
      aria-describedby=${`${id}-word`}
      disabled=${!ready}
      onFocus=${(/** @type {any} */ event) => event.currentTarget.select()}
      onInput=${(/** @type {any} */ event) => put(event.currentTarget.value, false)}
      onChange=${(/** @type {any} */ event) => put(event.currentTarget.value, true)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
        const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
        const input = /** @type {HTMLInputElement} */ (event.currentTarget)
        if (event.key === "Enter") put(input.value, true)
        if (!way || !nudge) return
        const next = nudge(self.signals[name].peek(), way, self.view)
        if (next !== undefined) self.set({ [name]: next })
        self.released()
        event.preventDefault()
      }}
    />${unit ? html`<span class="unit">${unit}</span>` : null}</span>
    <output class="word" id=${`${id}-word`} for=${id} data-wrong=${kept?.wrong ? "" : undefined}>${kept?.word ?? ""}</output>
  </div>`
}
