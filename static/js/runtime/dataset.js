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

/** @param {any} a @param {any} b */
const same = (a, b) =>
  a === b ||
  (typeof a === "number" &&
    typeof b === "number" &&
    !(Number.isInteger(a) && Number.isInteger(b)) &&
    Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)))

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

  /** The values of one sweep axis. @param {string} name @returns {any[]} */
  axis(name) {
    const values = this.#sweep[name]
    if (!values) throw new RangeError(`${this.name} has no axis "${name}"; it has ${this.#axes()}`)
    return values
  }

  /**
   * One state of the sweep; every axis by name, values exactly as swept.
   * @param {Record<string, any>} [where] @returns {any} a Dataset, whose fields are properties
   */
  at(where = {}) {
    const names = this.#names
    for (const name of Object.keys(where)) this.axis(name)
    const index = names.map((name) => {
      if (!(name in where)) throw new RangeError(`${this.name}.at needs ${this.#axes()}`)
      const at = this.axis(name).findIndex((value) => same(value, where[name]))
      if (at < 0) {
        const values = this.axis(name).join(", ")
        throw new RangeError(`${this.name} has no ${name} = ${where[name]}; it has ${values}`)
      }
      return at
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
    return this.#names.join(", ") || "no axes"
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
