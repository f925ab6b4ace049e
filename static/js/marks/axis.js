// @ts-check
import { html, kept } from "../runtime/html.js"

/**
 * A straight line from values to places.
 * @param {[number, number]} domain @param {[number, number]} range
 * @returns {(value: number) => number}
 */
export function scale([a, b], [from, to]) {
  return (value) => round(from + ((value - a) / (b - a)) * (to - from))
}

/** Places are cut to hundredths, so that a frame is short and the same everywhere. @param {number} x */
export const round = (x) => Math.round(x * 100) / 100

/**
 * Round values across a range, about `count` of them.
 * @param {number} low @param {number} high @param {number} [count] @returns {number[]}
 */
export function ticks(low, high, count = 5) {
  const rough = (high - low) / count
  const base = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((k) => k * base).find((s) => s >= rough * 0.999) ?? rough
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const found = []
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    found.push(Number((k * step).toFixed(places)))
  }
  return found
}

/**
 * A hairline axis, its ticks on the inside, its label at the end.
 * @param {{side: "left" | "right" | "bottom", at: number, from: number, to: number,
 *   values: number[], place: (value: number) => number, words?: (value: number) => string,
 *   label?: string}} props
 */
function ruling({ side, at, from, to, values, place, words = String, label }) {
  const upright = side !== "bottom"
  const inward = side === "left" ? 5 : -5
  const anchor = { left: "end", right: "start", bottom: "middle" }[side]
  const aside = side === "left" ? -6 : 6
  return html`<g class="axis" aria-hidden="true">
    <path
      d=${
        upright
          ? `M${at} ${from}V${to}${values.map((v) => `M${at} ${place(v)}h${inward}`).join("")}`
          : `M${from} ${at}H${to}${values.map((v) => `M${place(v)} ${at}v${inward}`).join("")}`
      }
    />
    ${values.map((v) =>
      upright
        ? html`<text x=${at + aside} y=${place(v)} dy="0.35em" text-anchor=${anchor}>${words(v)}</text>`
        : html`<text x=${place(v)} y=${at} dy="1.3em" text-anchor=${anchor}>${words(v)}</text>`,
    )}
    ${
      label
        ? upright
          ? html`<text class="name" x=${at + aside} y=${Math.min(from, to)} dy="-0.9em" text-anchor=${anchor}>${label}</text>`
          : html`<text class="name" x=${to} y=${at} dy="2.6em" text-anchor="end">${label}</text>`
        : null
    }
  </g>`
}

/** The axis, drawn again only for other values: give it lists and functions that stay. */
export const axis = kept(ruling)

/**
 * A label on a hairline that leads to the thing it names.
 * @param {{from: [number, number], to: [number, number], text: string, anchor?: string,
 *   term?: string, class?: string}} props
 */
export function leader({ from, to, text, anchor = "start", term, class: extra = "" }) {
  const aside = anchor === "end" ? -4 : anchor === "start" ? 4 : 0
  return html`<g class=${`leader ${extra}`} data-term=${term}>
    <path d=${`M${from[0]} ${from[1]}L${to[0]} ${to[1]}`} />
    <text x=${to[0] + aside} y=${to[1]} dy="0.35em" text-anchor=${anchor}>${text}</text>
  </g>`
}
