// @ts-check
// Put into each page by `explainers serve`, never into a built file: brings what has changed into
// the page as it stands, and lays the build's own words over it while they say what is wrong.

import { Patch, pair, Reload } from "./serve_patch.js"

/**
 * @typedef {{ version: string, problems: string | null, marks?: Record<string, string>,
 *   doing?: string }} State
 */
/**
 * What the page's runtime does for us.
 * @typedef {[string, string][]} Entries of a figure's state
 * @typedef {{ state: (plate: Element) => Entries | undefined,
 *   keep: (plate: Element, entries: Entries) => void,
 *   renew: (part: Element, names: Iterable<string>) => void }} Runtime
 */

const KEPT = "explainers-kept"

let version = new URL(import.meta.url).searchParams.get("v") ?? ""

// No script of the page has run yet: this is what was built.
let built = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true))
let live = pair(built, document.documentElement)

// A style sheet made by script, and properties set by script, obey the page's content policy.
const style = new CSSStyleSheet()
style.replaceSync(`
  :host(explainers-problems) { position: fixed; inset: 0; z-index: 2147483647; overflow: auto;
    overscroll-behavior: contain; background: rgb(12 17 16 / 0.97); color: #f4f5f1;
    font: 14px/1.5 ui-monospace, monospace; }
  :host(explainers-mark) { position: fixed; left: 12px; bottom: 12px; z-index: 2147483646;
    padding: 6px 10px; background: #d7f205; color: #0c1110; font: 600 13px/1.4 system-ui, sans-serif; }
  section { max-width: 110ch; margin: 0 auto; padding: 24px 16px 48px; }
  h1 { margin: 0 72px 16px 0; font: 600 16px/1.5 system-ui, sans-serif; }
  pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  button { position: fixed; top: 16px; right: 16px; min-width: 44px; min-height: 44px; font: inherit;
    color: inherit; background: none; border: 1px solid currentColor; }
  :focus-visible { outline: 2px solid #d7f205; outline-offset: 2px; }
  @media print { :host(explainers-mark) { display: none } }
`)
const linkStyle = new CSSStyleSheet()
linkStyle.replaceSync(`a[data-unpublished]::after { content: " (" attr(data-unpublished) ")"; }`)
document.adoptedStyleSheets.push(linkStyle)

/** @param {string} name @param {...(Node | string)} children */
function shadowed(name, ...children) {
  const host = document.createElement(name)
  const shadow = host.attachShadow({ mode: "open" })
  shadow.adoptedStyleSheets = [style]
  shadow.append(...children)
  document.body.append(host)
  return host
}

// ---- What is wrong -----------------------------------------------------------------------------

/** @type {HTMLElement | null} */
let overlay = null

/** @param {string | null} problems */
function show(problems) {
  overlay?.remove()
  overlay = null
  if (problems === null) return
  const section = document.createElement("section")
  section.setAttribute("role", "alert")
  const heading = document.createElement("h1")
  heading.textContent = "The site was not built. Hide this to see its last good state."
  const text = document.createElement("pre")
  text.textContent = problems
  const close = document.createElement("button")
  close.type = "button"
  close.textContent = "Hide"
  close.addEventListener("click", () => show(null))
  section.append(heading, text, close)
  overlay = shadowed("explainers-problems", section)
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && overlay) show(null)
})

// ---- What readers do not get -------------------------------------------------------------------

/** The slug of a page of this site, by its address. @param {string} href */
const slug = (href) => decodeURI(new URL(href, location.href).pathname).replace(/^\/|\/$/g, "")

/** @type {Record<string, string>} */
let marks = {}

/** Say which pages are not published, on the page itself and where it is named. */
function mark() {
  document.querySelector("explainers-mark")?.remove()
  const reason = marks[slug(location.href)]
  if (reason) {
    const host = shadowed("explainers-mark", `Not published: ${reason}`)
    host.setAttribute("role", "note")
  }
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll("main a[href], a[data-unpublished]")
  )) {
    const named = link.origin === location.origin && !link.hash && marks[slug(link.href)]
    if (named) link.dataset.unpublished = named
    else delete link.dataset.unpublished
  }
}

// ---- What has changed --------------------------------------------------------------------------

/** @param {ParentNode} page @returns {HTMLElement[]} */
const plates = (page) =>
  [...page.querySelectorAll(".plate[data-figure]")].map((p) => /** @type {HTMLElement} */ (p))

/** The page's runtime, where it has figures. @returns {Promise<Runtime | null>} */
async function runtime() {
  const script = document.querySelector('script[type="module"][src*="/explainers."]')
  return script ? import(/** @type {HTMLScriptElement} */ (script).src) : null
}

/** The texts of the page's JSON, by id. @param {ParentNode} page */
const json = (page) =>
  new Map(
    [...page.querySelectorAll('script[type="application/json"]')].map((script) => [
      script.id,
      `${script.getAttribute("data-src") ?? ""}\n${script.textContent}`,
    ]),
  )

/** What two pages must have in common for one to become the other. @param {Element} page */
const scripts = (page) =>
  [...page.querySelectorAll("head script:not([src^='/_dev/'])")]
    .map((script) => script.getAttribute("src") ?? script.textContent)
    .join("\n")

/** Swap style sheets: the old one stays until the new one is there. @param {Element} fresh */
async function restyle(fresh) {
  const sheets = (/** @type {Element} */ page) =>
    /** @type {HTMLLinkElement[]} */ ([...page.querySelectorAll("head link[rel=stylesheet]")])
  const href = (/** @type {Element} */ link) => link.getAttribute("href")
  const [old, wanted] = [sheets(document.documentElement), sheets(fresh)]
  if (old.map(href).join("\n") === wanted.map(href).join("\n")) return
  let last = /** @type {Element | undefined} */ (old.at(-1))
  const loading = wanted.map((sheet) => {
    const link = document.createElement("link")
    link.rel = "stylesheet"
    link.href = href(sheet) ?? ""
    const loaded = new Promise((done) => {
      link.onload = link.onerror = done
    })
    if (last) last.after(link)
    else document.head.append(link)
    last = link
    return loaded
  })
  await Promise.all(loading)
  for (const sheet of old) sheet.remove()
}

/** Parts of a page that the eyes hold on to. */
const PARTS = "main :is(h2, h3, h4, p, figure, li, pre)"

/** Something the reader sees, and where: the page is not to move under the eyes. */
function anchor() {
  for (const part of document.querySelectorAll(PARTS)) {
    const { top, bottom } = part.getBoundingClientRect()
    if (bottom > 0 && top < innerHeight && bottom > top) return { part, top }
  }
  return null
}

/** Bring the page up to a newer one. @param {HTMLElement} fresh */
async function patch(fresh) {
  if (scripts(built) !== scripts(fresh)) throw new Reload("another script")
  const [before, after] = [json(built), json(fresh)]
  const changed = new Set(
    [...after].filter(([id, text]) => before.get(id) !== text).map(([id]) => id),
  )
  const datasets = [...changed].filter((id) => id.startsWith("data-")).map((id) => id.slice(5))
  const stale = new Set()
  for (const plate of plates(fresh)) {
    const label = plate.dataset.figure ?? ""
    const props = JSON.parse(
      fresh.querySelector(`#props-${CSS.escape(label)}`)?.textContent ?? "{}",
    )
    const names = /** @type {string[]} */ (Object.values(props.data ?? {}))
    if (changed.has(`props-${label}`) || names.some((name) => datasets.includes(name)))
      stale.add(label)
  }
  const own = await runtime()
  const seen = anchor()
  states = figures(own)
  /** @type {HTMLElement[]} */
  const renewed = []
  const work = new Patch(live, stale, (copy) => renewed.push(copy))
  const body = /** @type {HTMLElement} */ (fresh.querySelector("body"))
  work.merge(/** @type {HTMLElement} */ (built.querySelector("body")), body)
  document.title = fresh.querySelector("title")?.textContent ?? document.title
  for (const plate of renewed) {
    const entries = states.get(plate.dataset.figure ?? "")
    if (entries) own?.keep(plate, entries)
    own?.renew(plate, datasets)
    const label = CSS.escape(plate.dataset.figure ?? "")
    for (const scrub of body.querySelectorAll(`.scrub[data-figure="${label}"]`)) {
      const shown = /** @type {Element} */ (work.next.get(scrub))
      const copy = document.importNode(scrub, true)
      shown.replaceWith(copy)
      pair(scrub, copy, work.next)
      own?.renew(copy, [])
    }
  }
  built = fresh
  live = work.next
  states = null
  if (seen?.part.isConnected) {
    const moved = seen.part.getBoundingClientRect().top - seen.top
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" })
  }
}

/** The state of each figure that is alive. @param {Runtime | null} own @returns {Map<string, Entries>} */
function figures(own) {
  const found = new Map()
  for (const plate of plates(document)) {
    const entries = own?.state?.(plate)
    if (entries) found.set(plate.dataset.figure ?? "", entries)
  }
  return found
}

/** Those states as they were before the present patch. @type {Map<string, Entries> | null} */
let states = null

let busy = false

/** Fetch the page as it is now, until it is the newest. @param {string} wanted */
async function follow(wanted) {
  latest = wanted
  if (busy) return
  busy = true
  try {
    while (version !== latest) {
      const asked = latest
      const answer = await fetch(location.pathname + location.search, { cache: "no-store" })
      if (!answer.ok || answer.redirected || !built.querySelector("main"))
        throw new Reload("no page")
      const text = await answer.text()
      const page = new DOMParser().parseFromString(text, "text/html").documentElement
      for (const part of page.querySelectorAll("head script[src^='/_dev/']")) {
        version =
          new URL(part.getAttribute("src") ?? "", location.href).searchParams.get("v") ?? asked
      }
      await restyle(page)
      await patch(page)
      mark()
    }
  } catch (error) {
    if (!(error instanceof TypeError)) await reload()
  } finally {
    busy = false
  }
}

let latest = version

// ---- Loading again, and finding everything as it was -------------------------------------------

/**
 * The parts of a page by names that outlast a change elsewhere: what they say, and how often before.
 * @param {string} selector
 */
function named(selector) {
  /** @type {Map<string, Element>} */
  const found = new Map()
  for (const part of document.querySelectorAll(selector)) {
    const said = (part.querySelector("summary") ?? part).textContent?.slice(0, 100) ?? ""
    let n = 0
    while (found.has(`${said} ${n}`)) n++
    found.set(`${said} ${n}`, part)
  }
  return found
}

/** Load the page again, and remember what the reader has done to it. */
async function reload() {
  const own = await runtime().catch(() => null)
  const kept = [...(states ?? figures(own))]
  const folds = [...named("main details")]
  const open = folds.flatMap(([name, fold]) => (fold.hasAttribute("open") ? [name] : []))
  const seen = anchor()
  const name = seen && [...named(PARTS)].find(([, part]) => part === seen.part)?.[0]
  const all = { path: location.pathname, figures: kept, open, name, top: seen?.top }
  sessionStorage.setItem(KEPT, JSON.stringify(all))
  // The browser would go back to the same distance from the top, whatever has come above.
  if (name) history.scrollRestoration = "manual"
  location.reload()
}

/** Set everything as it was before the page was loaded again. */
async function restore() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null")
  sessionStorage.removeItem(KEPT)
  if (kept?.path !== location.pathname) {
    history.scrollRestoration = "auto"
    return
  }
  const folds = named("main details")
  for (const name of kept.open) folds.get(name)?.setAttribute("open", "")
  const part = named(PARTS).get(kept.name)
  const place = () => {
    if (part?.isConnected)
      scrollBy({ top: part.getBoundingClientRect().top - kept.top, behavior: "instant" })
  }
  place()
  addEventListener("load", () => {
    // Only now would the browser have gone back by itself; what loaded meanwhile may have moved us.
    place()
    setTimeout(() => {
      history.scrollRestoration = "auto"
    })
  })
  const own = await runtime()
  for (const [label, entries] of kept.figures) {
    const plate = document.querySelector(`.plate[data-figure="${CSS.escape(label)}"]`)
    if (plate) own?.keep(plate, entries)
  }
}

addEventListener("DOMContentLoaded", () => {
  restore()
})

// ---- The builds --------------------------------------------------------------------------------

/** @type {EventSource | null} */
let events = null

// A browser opens few connections to one host: a tab in the background gives its own back.
function connect() {
  if (document.visibilityState === "hidden") {
    events?.close()
    events = null
  } else if (events === null) {
    events = new EventSource(`/_dev/events?page=${encodeURIComponent(location.pathname)}`)
    events.addEventListener("message", ({ data }) => {
      const state = /** @type {State} */ (JSON.parse(data))
      show(state.problems)
      const doing = document.getElementById("doing")
      if (doing && state.doing) doing.textContent = state.doing
      marks = state.marks ?? {}
      mark()
      if (state.version !== version) follow(state.version)
    })
  }
}

document.addEventListener("visibilitychange", connect)
connect()
