// @ts-check
/** Brings the figures of a page alive: nearest first, one a frame, on the nodes that are there. */
import { effect } from "@preact/signals"
import { hydrate, render } from "preact"
import * as address from "./address.js"
import * as clock from "./clock.js"
import { bound } from "./controls.js"
import { Dataset } from "./dataset.js"
import { html } from "./html.js"
import { instance } from "./instance.js"
import { centre } from "./listing.js"
import { Plate } from "./plate.js"

/** @typedef {import("./instance.js").Instance} Instance */

const LESS = "(prefers-reduced-motion: reduce)"

/** @type {Map<Element, Instance>} */
const alive = new Map()
/** @type {WeakMap<Element, [string, string][]>} */
const kept = new WeakMap()
/** @type {Map<Element, () => HTMLElement>} */
const copies = new Map()
/** @type {Map<Element, Promise<() => void>>} figures on their way */
const loading = new Map()
/** @type {Map<string, Promise<Dataset>>} */
const datasets = new Map()

/** @param {string} id */
const json = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null")

/** A dataset of the page, decoded once. @param {string} name */
function dataset(name) {
  let found = datasets.get(name)
  if (!found) {
    const source = document.getElementById(`data-${name}`)?.dataset.src
    const wire = source
      ? fetch(source).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      : Promise.resolve(json(`data-${name}`))
    found = wire.then((text) => new Dataset(text))
    datasets.set(name, found)
  }
  return found
}

/** @param {HTMLElement} plate @returns {Promise<() => void>} what hydrates it */
async function load(plate) {
  const id = plate.dataset.figure ?? ""
  const { data: names, ...props } = json(`props-${id}`)
  const module = import(new URL(plate.dataset.module ?? "", document.baseURI).href)
  const pairs = Object.entries(names).map(async ([key, name]) => [key, await dataset(name)])
  const data = Object.fromEntries(await Promise.all(pairs))
  const { default: definition } = await module
  const lines = [...plate.querySelectorAll(".source code")].map((code) => code.innerHTML)
  const parts = { ...props, id, lines, data: data.data ?? data }
  copies.set(plate, () => {
    const twin = document.createElement("div")
    render(html`<${Plate} self=${instance(definition, parts)} />`, twin)
    return twin
  })
  return () => {
    const self = instance(definition, parts)
    connect(plate, self)
    hydrate(html`<${Plate} self=${self} />`, plate)
    alive.set(plate, self)
    // Only now may anything differ from what was built.
    queueMicrotask(() => {
      self.ready.value = true
      const place = address.read(location.hash)
      const entries = kept.get(plate) ?? (place?.label === id && place.entries)
      if (entries) self.restore(entries)
      plate.dataset.ready = ""
      follow(plate, self)
      numbers(self)
    })
  }
}

/** What the reader's hand does to the page. @param {HTMLElement} plate @param {Instance} self */
function connect(plate, self) {
  let timer = 0
  const announce = () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      if (!self.playing.peek()) self.said.value = self.definition.describe(self.view)
    }, 300)
  }
  self.moved((by) => {
    if (by === "play") return
    clock.stop(self)
    if ("ready" in plate.dataset) announce()
  })
  self.released = () => {
    const entries = self.address()
    const here = address.read(location.hash)?.label === self.id
    if (entries.length || here)
      history.replaceState(history.state, "", address.write(self.id, entries))
    announce()
  }
  self.take = async (what) => (await later("later:take")).take(plate, self, what)
  self.play = (on) => (on ? clock.start(self) : clock.stop(self))
  self.failed = (error, drawn) => {
    fail(plate, error)
    return drawn
  }
  plate.addEventListener("keydown", (event) => {
    if (!(event.target instanceof Element) || !event.target.matches(".picture")) return
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (event.key === " ") self.play(!self.playing.peek())
    else if (way && "step" in self.state) self.set({ step: self.signals.step.peek() + way })
    else return
    event.preventDefault()
  })
  onScreen.observe(plate)
  if (self.definition.handles) middle.observe(plate)
}

/** Keep the lit line in sight, and mark a plate that plays. @param {HTMLElement} plate @param {Instance} self */
function follow(plate, self) {
  let due = false
  const later = () => {
    due = false
    centre(plate)
  }
  effect(() => {
    for (const key in self.signals) void self.signals[key].value
    // In the next frame, when the layout that it reads is made anyway.
    if (!due) requestAnimationFrame(later)
    due = true
  })
  effect(() => {
    plate.toggleAttribute("data-playing", self.playing.value)
  })
}

/** The first frame stays, with a quiet note. @param {HTMLElement} plate @param {unknown} error */
function fail(plate, error) {
  console.error(error)
  if ("failed" in plate.dataset) return
  plate.dataset.failed = ""
  const note = document.createElement("p")
  note.className = "failed"
  note.textContent =
    "This figure stopped. It shows its last good state; the text does not need more."
  plate.after(note)
}

const onScreen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const self = alive.get(target)
    if (self && !isIntersecting) clock.stop(self)
  }
})

/** The first handle of a figure moves by itself once, when the reader first has it in the middle. */
const middle = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || matchMedia(LESS).matches) continue
      middle.unobserve(target)
      target.toggleAttribute("data-nudge", true)
      setTimeout(() => target.removeAttribute("data-nudge"), 800)
    }
  },
  { rootMargin: "-45% 0px" },
)

/** @param {Element} plate */
function distance(plate) {
  const { top, bottom } = plate.getBoundingClientRect()
  return Math.max(0, top - innerHeight, -bottom)
}

/** A script that few pages need; the build puts its file in place of the name. @param {string} name */
export const later = (name) => import(new URL(name, import.meta.url).href)

let pumping = false

async function pump() {
  if (pumping) return
  pumping = true
  while (loading.size) {
    const [plate] = [...loading.keys()].sort((a, b) => distance(a) - distance(b))
    const ready = loading.get(plate)
    loading.delete(plate)
    try {
      const begin = await ready
      await new Promise(requestAnimationFrame)
      begin?.()
    } catch (error) {
      fail(/** @type {HTMLElement} */ (plate), error)
    }
  }
  pumping = false
}

/** @type {WeakSet<Element>} figures that were on their way once */
const asked = new WeakSet()

/** @param {HTMLElement} plate */
function want(plate) {
  near.unobserve(plate)
  if (asked.has(plate)) return
  asked.add(plate)
  const begin = load(plate)
  begin.catch(() => {})
  loading.set(plate, begin)
  pump()
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      const id = /** @type {HTMLElement} */ (target).dataset.figure ?? ""
      const plate = document.querySelector(`.plate[data-figure="${CSS.escape(id)}"]`)
      near.unobserve(target)
      if (plate) want(/** @type {HTMLElement} */ (plate))
    }
  },
  { rootMargin: "200% 0px" },
)

/** What this browser itself makes of a figure's first state: a test compares it with the built one. @param {Element} plate */
export const copy = (plate) => copies.get(plate)?.()

/** A figure's state as text, to be kept. @param {Element} plate */
export const state = (plate) => alive.get(plate)?.address() ?? kept.get(plate)

/** Have a figure begin in a state. @param {Element} plate @param {[string, string][]} entries */
export const keep = (plate, entries) => kept.set(plate, entries)

/** Bring alive what took the place of a figure, or of its number. @param {Element} part @param {Iterable<string>} names datasets to be read anew */
export function renew(part, names) {
  for (const name of names) datasets.delete(name)
  near.observe(part)
}

/** Show the figure and the state an address names. */
function visit() {
  const entry = document.getElementById(decodeURI(location.hash.slice(1)))
  if (entry instanceof HTMLDetailsElement) entry.open = true
  const place = address.read(location.hash)
  const plate = place && document.querySelector(`.plate[data-figure="${CSS.escape(place.label)}"]`)
  if (!plate) return
  if (!entry) {
    const { top, bottom } = plate.getBoundingClientRect()
    const out = top < 0 || bottom > innerHeight
    const word = document.activeElement
    if (out) plate.closest("figure")?.scrollIntoView({ block: "nearest" })
    if (out && word?.matches("a.trigger")) later("later:back").then(({ back }) => back(word))
  }
  unveil?.(place.label)
  const self = alive.get(plate)
  if (!self) return
  const key = clock.played(self)
  const plays = place.entries.some(([name]) => name === key) && !matchMedia(LESS).matches
  const show = () => {
    const from = key ? self.signals[key].peek() : 0
    self.restore(place.entries)
    if (plays) clock.arrive(self, from)
  }
  // Two frames on, the page knows that a figure it scrolled to is on screen.
  if (plays) requestAnimationFrame(() => requestAnimationFrame(show))
  else show()
}

/** Shows a figure that waits for a prediction, once there is one. @type {((label: string) => void) | undefined} */
let unveil

async function questions() {
  const { ask, unveil: show } = await later("later:questions")
  unveil = show
  ask(reveal)
}

/** Numbers of the text that are a part of the figure's state. @param {Instance} self */
async function numbers(self) {
  if (!document.querySelector(`.scrub[data-figure="${CSS.escape(self.id)}"]`)) return
  const { tie } = await later("later:scrub")
  tie(self, { effect, bound })
}

/** Play what the reader has predicted. @param {Element} plate */
function reveal(plate) {
  const self = alive.get(plate)
  const key = self && clock.played(self)
  if (!key || matchMedia(LESS).matches) return
  self.set({ [key]: 0 }, "play")
  self.play(true)
}

/** Begin. */
export function start() {
  if (document.querySelector(".predict, [data-value]")) questions()
  for (const part of document.querySelectorAll(".plate[data-module], .scrub")) near.observe(part)
  addEventListener("hashchange", visit)
  document.addEventListener("pointerdown", ({ target }) => {
    for (const more of document.querySelectorAll("details.more[open]")) {
      if (!more.contains(/** @type {Node} */ (target))) more.removeAttribute("open")
    }
  })
  document.addEventListener("keydown", ({ key }) => {
    const more = key === "Escape" && document.querySelector("details.more[open]")
    if (!more) return
    more.removeAttribute("open")
    more.querySelector("summary")?.focus()
  })
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) clock.stopAll()
  })
  visit()
}
