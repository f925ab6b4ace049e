// @ts-check
import { html } from "./html.js"

/** @typedef {{self: import("./instance.js").Instance}} Props */

/** @type {WeakMap<object, any>} each figure's table as it was last rendered */
const kept = new WeakMap()

/** Renders again only while it is seen: no move of a hand waits for a table behind "⋯". @param {Props} props */
function Table({ self }) {
  if (!self.unfolded.value && kept.has(self)) return kept.get(self)
  const table = drawn(self)
  kept.set(self, table)
  return table
}

/** @param {Props["self"]} self */
function drawn(self) {
  const table = self.definition.table?.(self.view)
  if (!table) return null
  return html`<section class="table" tabindex="0" aria-label=${table.caption}>
    <table>
      <caption>${table.caption}</caption>
      <thead><tr>${table.columns.map((name) => html`<th scope="col">${name || null}</th>`)}</tr></thead>
      <tbody>${table.rows.map(
        (cells) =>
          html`<tr>${cells.map((cell, i) =>
            i === 0 ? html`<th scope="row">${String(cell)}</th>` : html`<td>${String(cell)}</td>`,
          )}</tr>`,
      )}</tbody>
    </table>
  </section>`
}

/** @param {Props} props */
function Checked({ self }) {
  const words = self.definition.checked?.(self.view)
  return words ? html`<p class="checked">${words}</p>` : null
}

/** What a reader may take away. @type {["svg" | "json" | "csv", string][]} */
const TAKE = [
  ["svg", "Save as SVG"],
  ["csv", "Table as CSV"],
  ["json", "Data as JSON"],
]

/** What is behind "⋯": the numbers as a table, where they come from, the address, the way back. @param {{self: import("./instance.js").Instance, ready: boolean}} props */
export function Panel({ self, ready }) {
  const copy = (/** @type {Event} */ event) => {
    self.released()
    const button = /** @type {HTMLElement} */ (event.currentTarget)
    const address = new URL(location.href)
    if (!address.hash.startsWith(`#${self.id}`)) address.hash = self.id
    navigator.clipboard?.writeText(address.href).then(() => {
      button.dataset.done = ""
      setTimeout(() => delete button.dataset.done, 1500)
    })
  }
  const shut = (/** @type {any} */ event) =>
    event.currentTarget.closest("details").removeAttribute("open")
  const reset = () => {
    self.reset()
    self.released()
  }
  const unfold = (/** @type {any} */ event) => {
    self.unfolded.value = event.currentTarget.open
  }
  return html`<details class="more" onToggle=${unfold}>
    <summary aria-label="More about this figure">${"⋯"}</summary>
    <div class="panel">
      <p class="deeds">
        <button type="button" disabled=${!ready} onClick=${reset}>Reset</button>
        <button type="button" disabled=${!ready} onClick=${copy}>Copy link to this state</button>
        <a href=${self.parts.made ?? "#colophon"} onClick=${shut}>How this was made</a>
        ${TAKE.map(([what, words]) => html`<button key=${what} type="button" data-take=${what} disabled=${!ready} onClick=${() => self.take(what)}>${words}</button>`)}
      </p>
      <${Checked} self=${self} />
      <${Table} self=${self} />
    </div>
  </details>`
}
