// @ts-check
/** The twin of Python's Dataset: the same names, the same `at`, the same errors. */

/**
 * @typedef {{dtype: string, shape: number[], base64?: string, values?: any[], dims?: string[], unit?: string}} Field
 * @typedef {{name: string, sweep?: Record<string, any[]>, fields: Record<string, Field>,
 *   axes?: string[], steps?: any, ordinals?: Field, function?: string, origin?: string}} Wire
 */

/** @type {Record<string, any>} */
const ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  i8: Int8Array,
  u8: Uint8Array,
  bool: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
}

/** @param {Field} field @returns {any} a flat array */
function decode(field) {
  if (field.values) return field.values
  const text = atob(field.base64 ?? "")
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return new ARRAYS[field.dtype](bytes.buffer)
}

/** @param {number[]} shape */
const size = (shape) => shape.reduce((product, n) => product * n, 1)

/**
 * A number for shape (), an array for (n), an array of arrays for (m, n).
 * @param {any} flat @param {number[]} shape @param {number} start @param {string} dtype @returns {any}
 */
function nest(flat, shape, start, dtype) {
  if (shape.length === 0) return dtype === "bool" ? Boolean(flat[start]) : flat[start]
  const [n, ...rest] = shape
  const step = size(rest)
  if (rest.length === 0) return (flat.subarray ?? flat.slice).call(flat, start, start + n)
  return Array.from({ length: n }, (_, i) => nest(flat, rest, start + i * step, dtype))
}

/** A value of an axis, as Python writes it too. @param {any} value */
const show = (value) => (typeof value === "number" ? String(value) : JSON.stringify(value))

/** How far a number may lie from the value of an axis that it names. */
const NEAR = 1e-9
/** Values of an axis that a message lists. */
const SHOWN = 20

/** @param {string} axis @param {any[]} values @param {any} wanted @returns {number} */
function position(axis, values, wanted) {
  const exact = values.indexOf(wanted)
  if (exact >= 0) return exact
  if (typeof wanted === "number") {
    const gaps = values.map((value) => (typeof value === "number" ? Math.abs(value - wanted) : NaN))
    const near = gaps.findIndex(
      (gap) => gap <= NEAR && gap === Math.min(...gaps.filter((g) => g >= 0)),
    )
    if (near >= 0) return near
  }
  let listed = values.slice(0, SHOWN).map(show).join(", ")
  if (values.length > SHOWN) listed += `, … ${show(values.at(-1))} (${values.length} values)`
  throw new RangeError(`no state ${axis}=${show(wanted)}; ${axis} is one of ${listed}`)
}

export class Dataset {
  /** @type {Wire} */ #wire
  /** @type {number[]} */ #index
  /** @type {Map<string, any>} */ #flat

  /** @param {Wire} wire @param {number[]} [index] @param {Map<string, any>} [flat] */
  constructor(wire, index, flat) {
    this.#wire = wire
    this.#index = index ?? []
    this.#flat = flat ?? new Map()
    for (const field of Object.keys(wire.fields)) {
      Object.defineProperty(this, field, {
        enumerable: true,
        configurable: true,
        get: () => {
          const value = this.#read(field)
          Object.defineProperty(this, field, { value, enumerable: true })
          return value
        },
      })
    }
  }

  /** The dataset's name, as in data.py. @returns {string} */
  get name() {
    return this.#wire.name
  }

  /** The steps of a trace (of this state, once `at` has chosen one). @returns {any} */
  get steps() {
    const { steps } = this.#wire
    if (typeof steps === "number" || !steps) return steps
    return this.#chosen ? steps[this.#place()] : steps
  }

  /** Which statement of the function each step of a trace is. @returns {any} */
  get ordinals() {
    return this.#read("ordinals")
  }

  /** The names of the axes of the sweep. @returns {string[]} */
  get axes() {
    return this.#chosen ? [] : this.#names
  }

  /** The unit of a field; "" when it has none. @param {string} name @returns {string} */
  _unit(name) {
    return this.#wire.fields[name]?.unit ?? ""
  }

  /** The lengths of a field's axes, those of the sweep first. @param {string} name @returns {number[]} */
  _shape(name) {
    return this.#wire.fields[name]?.shape ?? []
  }

  /** The values of one axis of the sweep. @param {string} name @returns {any[]} */
  axis(name) {
    const values = this.#chosen ? undefined : this.#sweep[name]
    if (!values) throw new RangeError(`${this.name} has no axis "${name}"; ${this.#axes()}`)
    return values
  }

  /**
   * One state of the sweep: every axis by name, values that exist; a number names the nearest
   * within 1e-9. The padding of shorter traces is cut off.
   * @param {Record<string, any>} [state] @returns {any} a Dataset, whose fields are properties
   */
  at(state = {}) {
    for (const name of Object.keys(state)) this.axis(name)
    const index = this.#names.map((name) => {
      if (name in state) return position(name, this.axis(name), state[name])
      throw new RangeError(`at() needs a value for "${name}"; ${this.#axes()}`)
    })
    return new Dataset(this.#wire, index, this.#flat)
  }

  /** @returns {Record<string, any[]>} */
  get #sweep() {
    return this.#wire.sweep ?? {}
  }

  get #chosen() {
    return this.#index.length > 0
  }

  /** @returns {string[]} in the order of the arrays' axes */
  get #names() {
    return this.#wire.axes ?? Object.keys(this.#sweep)
  }

  #axes() {
    const names = this.#chosen ? [] : this.#names
    return names.length ? `its axes are ${names.join(", ")}` : "it has no sweep"
  }

  /** The place of the chosen state among all of them, row by row. */
  #place() {
    const lengths = this.#names.map((name) => this.#sweep[name].length)
    return this.#index.reduce((place, i, k) => place * lengths[k] + i, 0)
  }

  /** @param {string} name */
  #read(name) {
    const field = /** @type {Field} */ (this.#wire.fields[name] ?? this.#wire.ordinals)
    if (!this.#flat.has(name)) this.#flat.set(name, decode(field))
    const flat = this.#flat.get(name)
    let shape = field.shape
    let start = 0
    if (this.#chosen) {
      shape = shape.slice(this.#index.length)
      start = this.#place() * size(shape)
    }
    const stepped = name === "ordinals" || field.dims?.at(-shape.length) === "step"
    if (stepped && typeof this.steps === "number") shape = [this.steps, ...shape.slice(1)]
    return nest(flat, shape, start, field.dtype)
  }
}
