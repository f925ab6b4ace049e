// @ts-check
/** How each control looks and works: instrument parts, the same in every figure. */
import { bound } from "./controls.js"
import { html } from "./html.js"

/**
 * @typedef {import("./instance.js").Instance} Instance
 * @typedef {{self: Instance, name: string, ready: boolean}} Props
 */

/** Native range: arrows, Home, End, PageUp and PageDown come with it. @param {any} props */
function Range({ self, name, ready, min, max, step, stops, ...rest }) {
  const value = stops ? stops.indexOf(self.state[name]) : self.state[name]
  // Above this many stops the ruling shows every so many.
  const every = Math.max(1, Math.ceil((max - min) / step / 64))
  const style = { "--stops": Math.max(1, (max - min) / step / every) }
  const plate = (/** @type {any} */ event) => event.currentTarget.closest(".plate")
  const done = (/** @type {any} */ event) => {
    plate(event)?.removeAttribute("data-dragging")
    self.released()
  }
  return html`<span class="ruler" style=${style}>
    <input
      type="range"
      min=${min}
      max=${max}
      step=${step}
      value=${value}
      disabled=${!ready}
      onInput=${(/** @type {any} */ event) => {
        const next = Number(event.currentTarget.value)
        self.set({ [name]: stops ? stops[next] : next })
      }}
      onPointerDown=${(/** @type {any} */ event) => plate(event)?.setAttribute("data-dragging", "")}
      onPointerUp=${done}
      onPointerCancel=${done}
      onChange=${done}
      ...${rest}
    />
  </span>`
}

/** @param {Props} props */
function Slider({ self, name, ready }) {
  const control = self.controls[name]
  const { label, unit } = control
  const value = `${control.format(self.state[name], self.view)}${unit ? ` ${unit}` : ""}`
  const id = `${self.id}-${name}`
  const still = control.when && !control.when(self.view)
  return html`<div class="control slider" data-still=${still ? "" : undefined}>
    <label for=${id}>${label}</label>
    <output class="num" for=${id}>${value}</output>
    <${Range}
      self=${self}
      name=${name}
      ready=${ready && !still}
      id=${id}
      min=${bound(control.min, self.view)}
      max=${bound(control.max, self.view)}
      step=${control.step}
      stops=${control.stops?.(self.view)}
      aria-valuetext=${value}
    />
  </div>`
}

const SHAPES = {
  play: "M3 1.5L13 8L3 14.5Z",
  pause: "M3 2h3.5v12H3ZM9.5 2H13v12H9.5Z",
  back: "M11 2.5L4 8L11 13.5ZM3 2.5v11",
  forward: "M5 2.5L12 8L5 13.5ZM13 2.5v11",
}

/** @param {{shape: keyof typeof SHAPES}} props */
const Icon = ({ shape }) =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${SHAPES[shape]} /></svg>`

/** @param {Props} props */
function Player({ self, name, ready }) {
  const control = self.controls[name]
  const last = bound(control.max, self.view)
  const now = self.state[name]
  const playing = self.playing.value
  const by = (/** @type {number} */ n) => () => {
    self.play(false)
    self.set({ [name]: now + n })
    self.released()
  }
  const space = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== " ") return
    event.preventDefault()
    self.play(!self.playing.peek())
  }
  return html`<div class="control player" role="group" aria-label=${control.label}>
    <button
      type="button"
      class="play"
      aria-label=${playing ? "Pause" : "Play"}
      disabled=${!ready}
      onClick=${() => self.play(!playing)}
    ><${Icon} shape=${playing ? "pause" : "play"} /></button>
    <button type="button" aria-label="One step back" data-end=${now <= 0 ? "" : undefined} disabled=${!ready || now <= 0} onClick=${by(-1)}><${Icon} shape="back" /></button>
    <${Range}
      self=${self}
      name=${name}
      ready=${ready}
      min=${0}
      max=${last}
      step=${1}
      aria-label=${control.label}
      aria-valuetext=${`step ${now} of ${last}`}
      onKeyDown=${space}
    />
    <button type="button" aria-label="One step on" data-end=${now >= last ? "" : undefined} disabled=${!ready || now >= last} onClick=${by(1)}><${Icon} shape="forward" /></button>
    <output class="num" aria-hidden="true">${`${now}/${last}`}</output>
  </div>`
}

/** @param {Props} props */
function Choice({ self, name, ready }) {
  const control = self.controls[name]
  const now = self.state[name]
  return html`<fieldset class=${`control ${control.kind}`}>
    <legend>${control.label}</legend>
    <div class="positions">
      ${control.options?.map(
        ([value, words]) =>
          html`<label key=${value}><input
              type="radio"
              name=${`${self.id}-${name}`}
              value=${value}
              checked=${value === now}
              disabled=${!ready}
              onChange=${() => {
                self.set({ [name]: value })
                self.released()
              }}
            /><span>${words}</span></label>`,
      )}
    </div>
  </fieldset>`
}

/** One of many. @param {Props} props */
function Menu({ self, name, ready }) {
  const control = self.controls[name]
  const id = `${self.id}-${name}`
  const choose = (/** @type {any} */ event) => {
    self.set({ [name]: event.currentTarget.value })
    self.released()
  }
  const now = self.state[name]
  const changed = control.changed?.(self.view)
  return html`<div class="control menu">
    <label for=${id}>${control.label}</label>
    <select id=${id} value=${changed ? "" : now} disabled=${!ready} onChange=${choose}>
      ${changed ? html`<option key="" value="">your own</option>` : null}
      ${control.options?.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}
    </select>
  </div>`
}

/** A strip while it fits a phone. @param {Props} props */
const Select = (props) =>
  (props.self.controls[props.name].options?.length ?? 0) > 4
    ? html`<${Menu} ...${props} />`
    : html`<${Choice} ...${props} />`

/** @type {Record<string, (props: Props) => any>} */
const PARTS = { slider: Slider, player: Player, toggle: Choice, select: Select }

/** @param {{self: Instance, ready: boolean}} props */
export function Controls({ self, ready }) {
  return html`<div class="controls">
    ${Object.entries(self.controls).map(([name, { kind, part = PARTS[kind] }]) =>
      part ? html`<${part} key=${name} self=${self} name=${name} ready=${ready} />` : null,
    )}
  </div>`
}
