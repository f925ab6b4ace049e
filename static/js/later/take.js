// @ts-check
/** A figure to take away: its picture as it is now, its data, its table. */

/** What a picture's look depends on; each is written into its elements. */
const LOOK = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin"],
  ...["opacity", "paint-order", "vector-effect", "font-family", "font-size", "font-weight"],
  ...["font-style", "text-anchor", "font-variant-numeric"],
]

const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true })

/** A colour in the words that every program reads. @param {string} text */
function literal(text) {
  if (!brush || text === "none" || text.startsWith("url(")) return text
  brush.clearRect(0, 0, 1, 1)
  brush.fillStyle = text
  brush.fillRect(0, 0, 1, 1)
  const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
  return a === 0 ? "none" : `#${[r, g, b].map((c) => c.toString(16).padStart(2, "0")).join("")}`
}

/**
 * The text of a picture that lives anywhere: literal colours, no style sheet, no script.
 * @param {SVGSVGElement} svg @param {"light" | "dark" | undefined} [theme] the page's, if left out
 */
export function standalone(svg, theme) {
  const root = document.documentElement
  const before = root.dataset.theme
  if (theme) root.dataset.theme = theme
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true))
  const from = [svg, ...svg.querySelectorAll("*")]
  const to = [copy, ...copy.querySelectorAll("*")]
  from.forEach((element, k) => {
    const style = getComputedStyle(element)
    for (const { name } of [...to[k].attributes]) {
      if (/^(class|style|role|tabindex|data-|aria-)/.test(name)) to[k].removeAttribute(name)
    }
    for (const name of LOOK) {
      const value = style.getPropertyValue(name)
      const text = name === "fill" || name === "stroke" ? literal(value) : value
      // What a group hands down need not be said again.
      const parent = k && element.parentElement ? getComputedStyle(element.parentElement) : null
      if (parent?.getPropertyValue(name) !== value) to[k].setAttribute(name, text)
    }
  })
  from.forEach((element, k) => {
    if (element.matches(".handle, .reach, .touch")) to[k].remove()
  })
  // What is drawn on a canvas is an image where no script runs.
  from.forEach((element, k) => {
    if (!(element instanceof HTMLCanvasElement)) return
    const room = /** @type {Element} */ (to[k].parentElement)
    const image = document.createElementNS(svg.namespaceURI ?? "", "image")
    for (const name of ["x", "y", "width", "height"]) {
      image.setAttribute(name, room.getAttribute(name) ?? "0")
    }
    image.setAttribute("href", element.toDataURL())
    image.setAttribute("style", "image-rendering: pixelated")
    room.parentElement?.replaceChildren(image)
  })
  const { x, y, width, height } = svg.viewBox.baseVal
  const paper = document.createElementNS(svg.namespaceURI ?? "", "rect")
  const room = 12
  const box = { x: x - room, y: y - room, width: width + 2 * room, height: height + 2 * room }
  for (const [name, value] of Object.entries(box)) paper.setAttribute(name, String(value))
  paper.setAttribute("fill", literal(getComputedStyle(root).backgroundColor))
  copy.prepend(paper)
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  copy.setAttribute("viewBox", Object.values(box).join(" "))
  copy.setAttribute("width", String(box.width))
  copy.setAttribute("height", String(box.height))
  if (theme) {
    if (before) root.dataset.theme = before
    else delete root.dataset.theme
  }
  return new XMLSerializer().serializeToString(copy)
}

/** @param {string} name @param {string} type @param {string} text */
function save(name, type, text) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

/** @param {any} cell */
const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell)

/** @param {string} name */
async function wire(name) {
  const block = document.getElementById(`data-${name}`)
  const source = block?.dataset.src
  return JSON.parse((source ? await (await fetch(source)).text() : block?.textContent) ?? "null")
}

/**
 * Save a part of a figure as a file.
 * @param {Element} plate @param {import("../runtime/instance.js").Instance} self
 * @param {"svg" | "json" | "csv"} what
 */
export async function take(plate, self, what) {
  const svg = /** @type {SVGSVGElement | null} */ (plate.querySelector(".picture > svg"))
  if (what === "svg" && svg) save(`${self.id}.svg`, "image/svg+xml", standalone(svg))
  if (what === "json") {
    const props = JSON.parse(document.getElementById(`props-${self.id}`)?.textContent ?? "{}")
    /** @type {string[]} */
    const names = [...new Set(/** @type {string[]} */ (Object.values(props.data)))]
    const wires = await Promise.all(names.map(async (name) => [name, await wire(name)]))
    save(`${self.id}.json`, "application/json", JSON.stringify(Object.fromEntries(wires)))
  }
  const table = what === "csv" && self.definition.table?.(self.view)
  if (table) {
    const lines = [table.columns, ...table.rows].map((cells) => cells.map(quoted).join(","))
    save(`${self.id}.csv`, "text/csv", `${lines.join("\r\n")}\r\n`)
  }
}
