// @ts-check
/** Questions: the reader commits to an answer before it is shown, and may type a number. */

/**
 * @typedef {{lift: () => void, chosen: (words: string) => void}} Veil
 * @type {Map<string, Veil>} the veils of figures, by their labels
 */
const veils = new Map()

/** @param {string} name @param {Record<string, any>} props @param {(string | Node)[]} children */
function make(name, props, ...children) {
  const node = Object.assign(document.createElement(name), props)
  node.append(...children)
  return node
}

/** Show a figure that waits for a prediction. @param {string} label */
export const unveil = (label) => veils.get(label)?.lift()

/**
 * Veil the figure that would give the answer away. Its own nodes stay as they are.
 * @param {Element} plate @param {string} label @param {() => void} ask go to the question, or, once
 *   an answer is chosen, see whether it is right
 */
function veil(plate, label, ask) {
  const show = make("button", { type: "button", textContent: "Show it now" })
  const back = make("button", { type: "button", textContent: "Predict first" })
  back.addEventListener("click", ask)
  const cover = make("p", { className: "veil" }, back, ", or ", show)
  const figure = plate.parentElement
  figure?.toggleAttribute("data-veiled", true)
  plate.before(cover)
  veils.set(label, {
    lift() {
      figure?.removeAttribute("data-veiled")
      cover.remove()
      veils.delete(label)
    },
    chosen(words) {
      back.textContent = words
    },
  })
  show.addEventListener("click", () => unveil(label))
}

/** @param {HTMLElement} section @param {number} k @param {(plate: Element) => void} reveal */
function predict(section, k, reveal) {
  const label = section.dataset.reveals ?? ""
  const list = section.querySelector(".options")
  const answer = section.querySelector("details.answer")
  const summary = answer?.querySelector("summary")
  if (!list || !answer || !summary) return
  section.id ||= `predict-${k}`
  const items = /** @type {HTMLElement[]} */ ([...list.children])
  const right = Number(section.dataset.answer) - 1
  const letter = (/** @type {number} */ i) => String.fromCharCode(65 + i)
  list.setAttribute("role", "radiogroup")
  list.setAttribute("aria-label", "Your prediction")
  const radios = items.map((item, i) => {
    item.id ||= `${section.id}-${letter(i)}`
    item.setAttribute("role", "none")
    const radio = make("input", { type: "radio", name: section.id, className: "choice" })
    radio.setAttribute("aria-labelledby", item.id)
    radio.addEventListener("change", () => {
      summary.textContent = `See whether ${letter(i)} is right`
      section.toggleAttribute("data-chosen", true)
      veils.get(label)?.chosen(summary.textContent)
    })
    item.prepend(radio)
    return /** @type {HTMLInputElement} */ (radio)
  })
  const said = make("p", { className: "verdict" })
  said.setAttribute("role", "status")
  answer.before(said)

  const plate = document.querySelector(`.plate[data-figure="${CSS.escape(label)}"]`)
  const named = location.hash.startsWith(`#${label}`)
  const chosen = () => radios.findIndex((radio) => radio.checked)
  const see = () => {
    if (chosen() >= 0) answer.setAttribute("open", "")
    const next = chosen() < 0 ? radios[0] : summary
    next?.focus({ preventScroll: true })
    section.scrollIntoView({ block: "nearest" })
  }
  if (label && plate && !named) veil(plate, label, see)

  let asked = false
  summary.addEventListener("click", (event) => {
    if (answer.hasAttribute("open") || chosen() >= 0 || asked) return
    event.preventDefault()
    asked = true
    said.textContent = "Choose one first. You learn more from a wrong guess than from none."
    radios[0]?.focus()
  })
  answer.addEventListener("toggle", () => {
    if (!answer.hasAttribute("open") || section.hasAttribute("data-done")) return
    // Paper shows all answers; the reader has committed to none.
    if (matchMedia("print").matches) return
    section.dataset.done = ""
    section.removeAttribute("data-chosen")
    items[right]?.toggleAttribute("data-right", true)
    for (const radio of radios) radio.disabled = true
    const mine = chosen()
    said.textContent =
      mine < 0 || right < 0
        ? ""
        : mine === right
          ? `Right: ${letter(right)}.`
          : `Not so: you chose ${letter(mine)}, and ${letter(right)} is right.`
    summary.textContent = "Answer"
    unveil(label)
    if (plate) reveal(plate)
  })
}

/** The number a text stands for: also one set for reading, a fraction, a power such as 2^-3. @param {string} text @returns {number} */
export function numeric(text) {
  const [, over, under] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  if (over !== undefined) return numeric(over) / numeric(under)
  const plain = text
    .trim()
    .replaceAll("−", "-")
    .replaceAll(/[,\s\u2009\u202f]/g, "")
    .replace(/[×x*]10\^?/, "e")
    .replace(/(?<=\d)(?=[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+$)/, "^")
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/g, (one) => "0123456789-"["⁰¹²³⁴⁵⁶⁷⁸⁹⁻".indexOf(one)])
  const [, minus, base, exponent] = /^(-?)(\d+)(?:\^|\*\*)(-?\d+)$/.exec(plain) ?? []
  if (base !== undefined) return (minus ? -1 : 1) * Number(base) ** Number(exponent)
  return /^-?(\d|\.\d)/.test(plain) ? Number(plain) : NaN
}

/** @param {HTMLElement} section @param {number} k */
function check(section, k) {
  const answer = section.querySelector("details.answer")
  const wanted = numeric(section.dataset.value ?? "")
  if (!answer || !Number.isFinite(wanted)) return
  const near = numeric(section.dataset.tolerance ?? "")
  const tolerance = Number.isFinite(near) ? near : Math.abs(wanted) * 1e-3
  const id = `check-${k}`
  const field = make("input", { id, type: "text", inputMode: "decimal", autocomplete: "off" })
  const said = make("output", { className: "verdict" })
  const label = make("label", { htmlFor: id, textContent: "your answer" })
  const form = make("form", { className: "entry" }, label, field)
  form.append(make("button", { type: "submit", textContent: "Check" }))
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const typed = numeric(/** @type {HTMLInputElement} */ (field).value)
    if (Number.isNaN(typed)) said.textContent = "Type a number: 12, 1.5, 3/4 and 2^-3 all will do."
    else if (Math.abs(typed - wanted) <= tolerance * 1.000001) {
      said.textContent = "Right."
      answer.setAttribute("open", "")
    } else if (Math.abs(typed + wanted) <= tolerance * 1.000001) {
      said.textContent = "Not so: look at the sign."
    } else said.textContent = `Not so: the answer is ${typed < wanted ? "more" : "less"}.`
  })
  answer.before(form, said)
}

/** Bring the questions of a page alive. @param {(plate: Element) => void} reveal plays what a prediction was about */
export function ask(reveal) {
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll(":is(.predict, .self-check, .probe)")
  all.forEach((section, k) => {
    if (section.matches(".predict[data-answer]")) predict(section, k, reveal)
    else check(section, k)
  })
}
