// @ts-check
// Brings a page that is open up to a newer one, without loading it again: what has not changed
// between the two is not touched, whatever scripts and readers have done to it meanwhile.

/** The page must be loaded again: a script would have to be run that has run already. */
export class Reload extends Error {}

/** Elements that scripts look for once, when the page is loaded. */
const WIRED =
  ".code, .footnote-ref, .term, .predict, .self-check, .probe, .scrub, .filter, .contents, .plate"
/** Elements of which scripts keep copies, or a list. */
const LISTED = ".contents, .footnotes, .predict, .self-check, .probe, .entries"

const MOST = 300
/** Rows and columns of the table that aligns two lists of nodes. */

/** @typedef {Map<Node, Node>} Live each node of a page as it was built, and the one on screen */

/**
 * Pair a page as built with the page on screen, before any script has changed it.
 * @param {Node} built @param {Node} shown @param {Live} [live] @returns {Live}
 */
export function pair(built, shown, live = new Map()) {
  live.set(built, shown)
  const nodes = shown.childNodes
  built.childNodes.forEach((child, i) => {
    pair(child, nodes[i], live)
  })
  return live
}

/** @param {Node} node */
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE

/** @param {Node} node */
const isPlate = (node) => isElement(node) && /** @type {Element} */ (node).matches(".plate")

/** Whether one can become the other. @param {Node} a @param {Node} b */
function isAlike(a, b) {
  if (a.nodeName !== b.nodeName) return false
  if (!isElement(a)) return true
  const [x, y] = [/** @type {HTMLElement} */ (a), /** @type {HTMLElement} */ (b)]
  if (x.className !== y.className) return false
  return x.tagName !== "SCRIPT" && x.tagName !== "FIGURE" ? true : x.id === y.id
}

/**
 * The pairs of nodes that are the same in both lists, in order.
 * @param {Node[]} a @param {Node[]} b @returns {[number, number][]}
 */
function common(a, b) {
  let start = 0
  while (start < a.length && start < b.length && a[start].isEqualNode(b[start])) start++
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1].isEqualNode(b[endB - 1])) {
    endA--
    endB--
  }
  /** @type {[number, number][]} */
  const found = []
  for (let i = 0; i < start; i++) found.push([i, i])
  const [rows, columns] = [endA - start, endB - start]
  if (rows && columns && rows <= MOST && columns <= MOST) {
    const same = Array.from({ length: rows }, (_, i) =>
      Array.from({ length: columns }, (_, j) => a[start + i].isEqualNode(b[start + j])),
    )
    const longest = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1))
    for (let i = rows - 1; i >= 0; i--) {
      for (let j = columns - 1; j >= 0; j--) {
        longest[i][j] = same[i][j]
          ? longest[i + 1][j + 1] + 1
          : Math.max(longest[i + 1][j], longest[i][j + 1])
      }
    }
    for (let i = 0, j = 0; i < rows && j < columns; ) {
      if (same[i][j]) found.push([start + i++, start + j++])
      else if (longest[i + 1][j] >= longest[i][j + 1]) i++
      else j++
    }
  }
  for (let i = 0; endA + i < a.length; i++) found.push([endA + i, endB + i])
  return found
}

/** One page becomes another; `live` is moved from the old one's nodes to the new one's. */
export class Patch {
  /**
   * @param {Live} live
   * @param {Set<string>} stale labels of figures whose data or settings have changed
   * @param {(plate: HTMLElement) => void} renewed told of each figure that takes another's place
   */
  constructor(live, stale, renewed) {
    this.live = live
    this.stale = stale
    this.renewed = renewed
    /** @type {Live} */
    this.next = new Map()
    this.touched = false
  }

  /** The node on screen. @param {Node} built @returns {Node} */
  shown(built) {
    const node = this.live.get(built)
    if (!node?.isConnected) throw new Reload("a script has taken away what is to be changed")
    return node
  }

  /** Keep what is the same. @param {Node} old @param {Node} fresh */
  keep(old, fresh) {
    if (isPlate(fresh) && this.stale.has(/** @type {HTMLElement} */ (fresh).dataset.figure ?? "")) {
      this.renew(old, fresh)
      return
    }
    const shown = this.live.get(old)
    if (shown) this.next.set(fresh, shown)
    const nodes = old.childNodes
    fresh.childNodes.forEach((child, i) => {
      this.keep(nodes[i], child)
    })
  }

  /** Make one node the other. @param {Node} old @param {Node} fresh */
  merge(old, fresh) {
    if (old.isEqualNode(fresh)) {
      this.keep(old, fresh)
      return
    }
    this.touched = true
    if (isPlate(old)) {
      this.renew(old, fresh)
      return
    }
    const shown = this.shown(old)
    this.next.set(fresh, shown)
    if (!isElement(fresh)) {
      shown.nodeValue = fresh.nodeValue
      return
    }
    this.attributes(
      /** @type {Element} */ (old),
      /** @type {Element} */ (fresh),
      /** @type {Element} */ (shown),
    )
    this.children(/** @type {Element} */ (old), /** @type {Element} */ (fresh), shown)
  }

  /** @param {Element} old @param {Element} fresh @param {Element} shown */
  attributes(old, fresh, shown) {
    for (const name of new Set([...old.getAttributeNames(), ...fresh.getAttributeNames()])) {
      const value = fresh.getAttribute(name)
      if (value === old.getAttribute(name)) continue
      if (value === null) shown.removeAttribute(name)
      else shown.setAttribute(name, value)
    }
  }

  /** @param {Element} old @param {Element} fresh @param {Node} shown */
  children(old, fresh, shown) {
    const [a, b] = [[...old.childNodes], [...fresh.childNodes]]
    let [i, j] = [0, 0]
    for (const [endA, endB] of [
      .../** @type {[number, number][]} */ (common(a, b)),
      [a.length, b.length],
    ]) {
      // Between two nodes that stay: what is alike becomes the other, the rest goes and comes.
      while (i < endA || j < endB) {
        if (i < endA && j < endB && isAlike(a[i], b[j])) this.merge(a[i++], b[j++])
        else if (i < endA && (endA - i >= endB - j || j >= endB)) this.remove(a[i++])
        else this.insert(b[j++], a.slice(i), shown, fresh)
      }
      if (endA < a.length) this.merge(a[i++], b[j++])
    }
  }

  /** @param {Node} old */
  remove(old) {
    const shown = /** @type {ChildNode} */ (this.shown(old))
    shown.remove()
  }

  /**
   * Put a new node before the first of those that follow it.
   * @param {Node} fresh @param {Node[]} after @param {Node} parent @param {Element} around
   */
  insert(fresh, after, parent, around) {
    if (isElement(fresh)) {
      const element = /** @type {Element} */ (fresh)
      const wired = element.matches(WIRED) || element.querySelector(WIRED)
      if (wired || around.closest(LISTED)) throw new Reload("a script must find what is new")
    }
    const copy = document.importNode(fresh, true)
    const next = after
      .map((node) => this.live.get(node))
      .find((node) => node?.parentNode === parent)
    parent.insertBefore(copy, next ?? null)
    pair(fresh, copy, this.next)
  }

  /** Put a figure as built in the place of one that is alive. @param {Node} old @param {Node} fresh */
  renew(old, fresh) {
    const shown = /** @type {HTMLElement} */ (this.shown(old))
    const copy = /** @type {HTMLElement} */ (document.importNode(fresh, true))
    const label = CSS.escape(shown.dataset.figure ?? "")
    if (document.querySelector(`.predict[data-reveals="${label}"]`))
      throw new Reload("a question waits for this figure")
    this.renewed(copy)
    shown.replaceWith(copy)
    pair(fresh, copy, this.next)
  }
}
