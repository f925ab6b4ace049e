// @ts-check
import { html } from "./html.js"

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

/** @param {Instance} self */
const steps = (self) => Array.from(self.definition.steps?.(self.view) ?? [])

/** The first and last lit line at the state shown. @param {Instance} self */
export function lit(self) {
  const now = self.state.step
  return now > 0 ? place(self, steps(self)[now - 1]) : undefined
}

/** Go to the next step that ran this line, around the end. @param {Instance} self @param {number} line */
function go(self, line) {
  const here = steps(self)
    .map((step, i) => ({ at: place(self, step), step: i + 1 }))
    .filter(({ at }) => at && at[0] <= line && line <= at[1])
  const next = here.find(({ step }) => step > self.state.step) ?? here[0]
  if (!next) return
  self.set({ step: next.step })
  self.released()
}

/** @param {{self: Instance, ready: boolean}} props */
export function Listing({ self, ready }) {
  const { lines = [], first = 1, docstring, function: name } = self.parts
  const now = lit(self)
  const ran = new Set()
  for (const step of new Set(steps(self))) {
    const at = place(self, step)
    for (let line = at?.[0] ?? 0; at && line <= at[1]; line++) ran.add(line)
  }
  const stop = now?.[0] ?? Math.min(...ran)

  /** @param {string} text @param {number} i */
  const row = (text, i) => {
    const is = ["line"]
    if (ran.has(i)) is.push("can")
    if (now && i >= now[0] && i <= now[1]) is.push("lit")
    const number = ran.has(i)
      ? html`<button
          class="go"
          type="button"
          disabled=${!ready}
          tabindex=${i === stop ? 0 : -1}
          aria-label=${`Line ${first + i}: go to the next step here`}
          >${first + i}</button
        >`
      : html`<span class="go">${first + i}</span>`
    return html`<div
      key=${i}
      class=${is.join(" ")}
      data-line=${i}
      aria-current=${is.includes("lit") ? "step" : undefined}
    >${number}<code style=${{ "--in": /^ *(?=[^ ])/.exec(text)?.[0].length ?? 0 }} dangerouslySetInnerHTML=${{ __html: text || " " }}></code></div>`
  }

  const rows = lines.map(row)
  const folded = docstring
    ? [
        ...rows.slice(0, docstring[0]),
        html`<details key="docstring" class="docstring"><summary>${"what it takes and gives"}</summary>${rows.slice(docstring[0], docstring[1] + 1)}</details>`,
        ...rows.slice(docstring[1] + 1),
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
    <div class="source" onClick=${click} onKeyDown=${key}>${folded}</div>
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
