// @ts-check
import { html, kept } from "./html.js"

/** @typedef {import("./instance.js").Instance} Instance */

/**
 * Where a step's statement stands in the listing.
 * @param {Instance} self @param {number | string} step an ordinal or a step's name
 * @returns {[number, number] | undefined}
 */
function place(self, step) {
  const at = self.parts.at ?? {}
  const found = at[step] ?? Object.values(at).find(([, , name]) => name === step)
  return found && [found[0], found[1]]
}

/** The first and last lit line at the state shown. @param {Instance} self */
export function lit(self) {
  const name = self.definition.lit?.(self.view)
  if (name) return place(self, name)
  const now = self.state.step
  const steps = self.definition.steps?.(self.view)
  return steps && now > 0 ? place(self, steps[now - 1]) : undefined
}

/** Go to the next step that ran this line, around the end. @param {Instance} self @param {number} line */
function go(self, line) {
  const here = Array.from(self.definition.steps?.(self.view) ?? [])
    .map((step, i) => ({ at: place(self, step), step: i + 1 }))
    .filter(({ at }) => at && at[0] <= line && line <= at[1])
  const next = here.find(({ step }) => step > self.state.step) ?? here[0]
  if (!next) return
  self.set({ step: next.step })
  self.released()
}

/**
 * One line; with the same props it is not rendered again.
 * @param {{text: string, i: number, number: number, can: boolean, lit: boolean, stop: boolean,
 *   ready: boolean}} props
 */
const Line = kept(({ text, i, number, can, lit, stop, ready }) => {
  const indent = /^ *(?=[^ ])/.exec(text)?.[0].length ?? 0
  return html`<div
    class=${`line${can ? " can" : ""}${lit ? " lit" : ""}`}
    data-line=${i}
    aria-current=${lit ? "step" : undefined}
  >${
    can
      ? html`<button
          class="go"
          type="button"
          disabled=${!ready}
          tabindex=${stop ? 0 : -1}
          aria-label=${`Line ${number}: go to the next step here`}
        >${number}</button>`
      : html`<span class="go">${number}</span>`
  }<code style=${{ "--in": indent }} dangerouslySetInnerHTML=${{ __html: text || " " }}></code></div>`
})

/** @type {WeakMap<ArrayLike<any>, Set<number>>} */
const known = new WeakMap()

/** The lines that ran. @param {Instance} self @returns {Set<number>} */
function ran(self) {
  const steps = self.definition.steps?.(self.view) ?? []
  const found = known.get(steps) ?? new Set()
  if (!known.has(steps)) {
    for (const step of new Set(Array.from(steps))) {
      const at = place(self, step)
      for (let line = at?.[0] ?? 0; at && line <= at[1]; line++) found.add(line)
    }
    known.set(steps, found)
  }
  return found
}

/**
 * The last line to fold with the docstring: what refuses a wrong argument stands there too.
 * @param {string[]} lines @param {number} last of the docstring
 */
function folded(lines, last) {
  const says = (/** @type {number} */ i, /** @type {RegExp} */ pattern) =>
    pattern.test((lines[i] ?? "").replaceAll(/<[^>]*>/g, ""))
  let end = last
  while (says(end + 1, /^\s*if\b.*:$/) && says(end + 2, /^\s*raise\b.*\)$/)) end += 2
  return end
}

/** @param {{self: Instance, ready: boolean}} props */
export function Listing({ self, ready }) {
  const { lines = [], first = 1, docstring, function: name } = self.parts
  const now = lit(self)
  const able = ran(self)
  const stop = now?.[0] ?? Math.min(...able)
  const rows = lines.map(
    (text, i) => html`<${Line}
      key=${i}
      text=${text}
      i=${i}
      number=${first + i}
      can=${able.has(i)}
      lit=${now !== undefined && i >= now[0] && i <= now[1]}
      stop=${i === stop}
      ready=${ready}
    />`,
  )
  const [from, last] = docstring ?? [0, -1]
  const end = docstring ? folded(lines, last) : -1
  const parts = docstring
    ? [
        ...rows.slice(0, from),
        html`<details key="docstring" class="docstring"><summary>${"what it takes and gives"}</summary>${rows.slice(from, end + 1)}</details>`,
        ...rows.slice(end + 1),
      ]
    : rows

  /** @param {Event} event */
  const click = (event) => {
    const target = /** @type {Element} */ (event.target)
    const line = target.closest(".line.can")
    if (ready && line) go(self, Number(line.getAttribute("data-line")))
  }

  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const target = /** @type {HTMLElement} */ (event.target)
    if (!way || !target.matches("button.go")) return
    const source = /** @type {Element} */ (event.currentTarget)
    const all = /** @type {HTMLElement[]} */ ([...source.querySelectorAll("button.go")])
    all[all.indexOf(target) + way]?.focus()
    event.preventDefault()
  }

  return html`<div class="listing" role="group" aria-label=${`The code of ${name ?? "this figure"}`}>
    <div class="source" onClick=${click} onKeyDown=${key}>${parts}</div>
  </div>`
}

/** Keep the current line in the middle of a listing that scrolls. @param {Element} plate */
export function centre(plate) {
  const source = plate.querySelector(".source")
  const line = /** @type {HTMLElement | null} */ (source?.querySelector(".line.lit"))
  if (!source || !line || source.scrollHeight <= source.clientHeight) return
  const top = line.offsetTop - (source.clientHeight - line.offsetHeight) / 2
  source.scrollTop = Math.max(0, top)
}
