// @ts-check
import { batch, signal } from "@preact/signals"
import { holder } from "./hold.js"

/**
 * @typedef {{id: string, state?: Record<string, any>, options?: Record<string, any>, data: any, made?: string, first?: number,
 *   function?: string, docstring?: [number, number] | null, lines?: string[],
 *   at?: Record<string, [number, number, string]>}} Parts
 * @typedef {"hand" | "play" | "address"} By who moved it
 * @typedef {ReturnType<typeof instance>} Instance
 */

/**
 * One figure on one page: its definition, its data, and its state as signals.
 * @param {import("./figure.js").Figure} definition @param {Parts} parts
 */
export function instance(definition, parts) {
  const { controls: made = {} } = definition
  const given = { data: parts.data, options: parts.options ?? {} }
  const controls = typeof made === "function" ? made(given) : made
  const keys = Object.keys(controls)
  /** @type {Record<string, import("@preact/signals").Signal<any>>} */
  const signals = {}
  /** Reading a key subscribes whoever reads it to that key alone. @type {Record<string, any>} */
  const state = {}
  for (const key of keys) {
    signals[key] = signal(undefined)
    Object.defineProperty(state, key, { enumerable: true, get: () => signals[key].value })
  }
  const nameOf = (/** @type {number} */ ordinal) => parts.at?.[ordinal]?.[2] ?? ""
  const view = { data: parts.data, state, options: parts.options ?? {}, nameOf }

  /** A control's value made possible, or undefined. @param {string} key @param {any} value */
  const possible = (key, value) => controls[key].take(value, view)

  /** @type {((by: By, patch: Record<string, any>) => void)[]} */
  const listeners = []

  /** @param {Record<string, any>} patch @param {By} [by] */
  function set(patch, by = "hand") {
    for (const key of Object.keys(patch)) patch = { ...controls[key]?.also, ...patch }
    batch(() => {
      const moved = new Set()
      for (const key of keys) {
        const { follows } = controls[key]
        const left = moved.has(follows) ? controls[key].first(view) : signals[key].peek()
        const value = possible(key, key in patch ? patch[key] : left)
        if (value === undefined) continue
        // Chosen again, a value sets back what follows it.
        if (key in patch) moved.add(key)
        if (!alike(value, signals[key].peek())) signals[key].value = value
      }
    })
    for (const listener of listeners) listener(by, patch)
  }

  for (const key of keys) signals[key].value = controls[key].first(view)
  const told = parts.state ?? {}
  const refused = Object.keys(told).filter((key) => !(key in controls))
  // In the order of the controls: how far a player goes may hang on those before it.
  for (const key of keys) {
    const { first, follows = "" } = controls[key]
    if (!(key in told)) {
      if (follows in told) signals[key].value = first(view)
      continue
    }
    const taken = possible(key, told[key])
    if (taken === undefined) refused.push(key)
    else signals[key].value = taken
  }
  /** @type {Record<string, any>} */
  const built = Object.fromEntries(keys.map((key) => [key, signals[key].peek()]))

  /** What a key is when an address says nothing of it. @param {string} key */
  function silent(key) {
    const { follows } = controls[key]
    const led = follows && !alike(signals[follows].peek(), built[follows])
    return led ? controls[key].first(view) : built[key]
  }

  const self = {
    definition,
    parts,
    id: parts.id,
    controls,
    signals,
    state,
    view,
    set,
    built,
    refused,
    /** True once hydrated: controls work. */
    ready: signal(false),
    playing: signal(false),
    /** Whether the panel behind "⋯" is open. */
    unfolded: signal(false),
    /** What the live region says. */
    said: signal(""),
    /** The row handle that the Tab key reaches, by control. @type {Record<string, any>} */
    roving: {},
    /** @param {(by: By, patch: Record<string, any>) => void} listener */
    moved: (listener) => listeners.push(listener),
    reset: () => set(built),
    /** Where the state differs from the built one, as text for an address. */
    address() {
      return keys
        .filter((key) => !alike(signals[key].peek(), silent(key)))
        .map(
          (key) => /** @type {[string, string]} */ ([key, controls[key].text(signals[key].peek())]),
        )
    },
    /** @param {Iterable<[string, string]>} entries */
    restore(entries) {
      /** @type {Record<string, any>} */
      const said = {}
      for (const [key, text] of entries) {
        const value = key in controls ? controls[key].read(text) : undefined
        if (value !== undefined) said[key] = value
      }
      // A key that follows a named one starts from that one, not from the built state.
      const kept = keys.filter((key) => !((controls[key].follows ?? "") in said))
      const left = Object.fromEntries(kept.map((key) => [key, built[key]]))
      set({ ...left, ...said }, "address")
    },
    hold: /** @type {import("./hold.js").Hold} */ (() => ({})),
    /** The hand let go; the browser announces and writes the address. */
    released: () => {},
    /** Save a part of the figure as a file. @type {(what: "svg" | "json" | "csv") => void} */
    take: () => {},
    /** Start or stop; only a browser has a clock. */
    play: (/** @type {boolean} */ _on) => {},
    /** What a picture that throws leaves standing; a build lets it throw. */
    /** @type {(error: unknown, last: any) => any} */
    failed: (error) => {
      throw error
    },
  }
  self.hold = holder(self)
  return self
}

/** @param {any} a @param {any} b */
export const alike = (a, b) =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => v === b[i]))
