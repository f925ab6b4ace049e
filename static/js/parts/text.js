// @ts-check
/** A control that a reader types into, with a word when it makes no sense. */
import { html, signal } from "explainers"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {import("../runtime/controls.js").Control} Control
 * @typedef {{text: string, value: any, word?: string, part: boolean, wrong: boolean}} Draft what
 *   stands in the field while the state is still `value`: `part` of what makes sense, and `wrong`
 *   once no more is typed
 */

/**
 * A typed entry. `parse` finds a value, with a `note` on it if there is something to say and, in
 * `also`, what it sets besides; or it says what is wrong in a finished sentence, and the last good
 * value stays. `nudge` is what arrow up and down do.
 * @param {{label: string, value: any, unit?: string, mode?: string,
 *   parse: (text: string, view: View) =>
 *     {value: any, note?: string, also?: Record<string, any>} | {problem: string},
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
  let kept = draft.value?.value === now ? draft.value : null
  if (kept) {
    // Another control may say how the text is read: then it stands for something else by now.
    const found = parse(kept.text, self.view)
    const still =
      "problem" in found
        ? kept.part && (!kept.wrong || found.problem === kept.word)
        : !kept.part && found.value === now && !found.also
    if (!still) kept = null
  }

  /** @param {string} typed @param {boolean} done no more is typed for now */
  const put = (typed, done) => {
    const found = parse(typed, self.view)
    if (!("problem" in found)) self.set({ ...found.also, [name]: found.value })
    const value = self.signals[name].peek()
    // The same text read again, as by Enter, keeps its note.
    const before = draft.peek()
    const note = before?.text === typed && before?.value === value ? before?.word : ""
    const part = "problem" in found
    draft.value = {
      text: typed,
      value,
      word: part ? (done ? found.problem : "") : found.note || note,
      part,
      wrong: done && part,
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
      spellcheck=${false}
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
    <output class="word" id=${`${id}-word`} for=${id} data-wrong=${kept?.wrong ? "" : undefined}>${kept?.word || null}</output>
  </div>`
}
