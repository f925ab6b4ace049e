// @ts-check
import { html } from "./html.js"
import { Listing } from "./listing.js"
import { Panel } from "./panel.js"
import { Controls } from "./parts.js"

/** @typedef {{self: import("./instance.js").Instance}} Props */

/** @type {WeakMap<object, any>} what each figure drew last */
const last = new WeakMap()

/** The picture alone renders when only the state moves. @param {Props} props */
function Picture({ self }) {
  const { definition, view, id, hold, set: move } = self
  const set = (/** @type {Record<string, any>} */ patch) => {
    self.set(patch)
    self.released()
  }
  const ready = self.ready.value
  let drawn
  try {
    drawn = definition.draw({ ...view, id, move, set, hold, ready })
    last.set(self, drawn)
  } catch (error) {
    drawn = self.failed(error, last.get(self))
  }
  return html`<div
    class="picture"
    role=${definition.handles ? "group" : "img"}
    aria-labelledby=${`${id}-readout`}
    tabindex="-1"
  >${drawn}</div>`
}

/** @param {Props} props */
const Readout = ({ self }) =>
  html`<p class="readout" id=${`${self.id}-readout`} aria-hidden="true">${self.definition.describe(self.view)}</p>`

/** @param {Props} props */
const Voice = ({ self }) =>
  html`<p class="visually-hidden" aria-live="polite">${self.said.value || null}</p>`

/** Everything inside `.plate`, at build and in the browser. @param {Props} props */
export function Plate({ self }) {
  const ready = self.ready.value
  const listed = Boolean(self.parts.lines?.length)
  // Said before the listing comes: a page that is still arriving must not lay this out anew.
  return html`<div class=${listed ? "bench listed" : "bench"}>
    <${Picture} self=${self} />
    <div class="says"><${Readout} self=${self} /><${Panel} self=${self} ready=${ready} /></div>
    ${listed ? html`<${Listing} self=${self} ready=${ready} />` : null}
    <${Controls} self=${self} ready=${ready} />
    <${Voice} self=${self} />
  </div>`
}
