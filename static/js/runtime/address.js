// @ts-check
/** The address of a figure's state: `#LABEL?key=value&step=3`. */

/** @param {string} hash @returns {{label: string, entries: [string, string][]} | null} */
export function read(hash) {
  const found = /^#?([^#?]+)(?:\?(.*))?$/.exec(hash)
  if (!found) return null
  try {
    const entries = [...new URLSearchParams(found[2] ?? "")]
    return { label: decodeURIComponent(found[1]), entries: /** @type {any} */ (entries) }
  } catch {
    return null
  }
}

/** @param {string} label @param {[string, string][]} entries */
export function write(label, entries) {
  const text = entries.map(([key, value]) => `${plain(key)}=${plain(value)}`).join("&")
  return `#${label}${text ? `?${text}` : ""}`
}

/** Commas and points stay readable. @param {string} text */
const plain = (text) => encodeURIComponent(text).replaceAll("%2C", ",")
