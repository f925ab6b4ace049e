// @ts-check
// Put into each page by `explainers serve`, never into a built file: loads the page again when the
// site has changed, and lays the build's own words over it while they say what is wrong.

/** @typedef {{ version: string, problems: string | null }} State */

const shownVersion = new URL(import.meta.url).searchParams.get("v")

// A style sheet made by script, and properties set by script, obey the page's content policy.
const style = new CSSStyleSheet()
style.replaceSync(`
  :host { position: fixed; inset: 0; z-index: 2147483647; overflow: auto; overscroll-behavior: contain;
    background: rgb(12 17 16 / 0.94); color: #f4f5f1; font: 14px/1.5 ui-monospace, monospace; }
  section { max-width: 110ch; margin: 0 auto; padding: 24px 16px 48px; }
  h1 { margin: 0 0 16px; font: 600 16px/1.5 system-ui, sans-serif; }
  pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  button { position: fixed; top: 16px; right: 16px; min-width: 44px; min-height: 44px; font: inherit;
    color: inherit; background: none; border: 1px solid currentColor; }
  :focus-visible { outline: 2px solid #d7f205; outline-offset: 2px; }
`)

/** @type {HTMLElement | null} */
let overlay = null

/** @param {string | null} problems */
function show(problems) {
  overlay?.remove()
  overlay = null
  if (problems === null) return
  overlay = document.createElement("explainers-problems")
  const shadow = overlay.attachShadow({ mode: "open" })
  shadow.adoptedStyleSheets = [style]
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
  shadow.append(section)
  document.body.append(overlay)
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && overlay) show(null)
})

/** @type {EventSource | null} */
let events = null

// A browser opens few connections to one host: a tab in the background gives its own back.
function connect() {
  if (document.visibilityState === "hidden") {
    events?.close()
    events = null
  } else if (events === null) {
    events = new EventSource("/_dev/events")
    events.addEventListener("message", ({ data }) => {
      const state = /** @type {State} */ (JSON.parse(data))
      if (state.version === shownVersion) show(state.problems)
      else location.reload()
    })
  }
}

document.addEventListener("visibilitychange", connect)
connect()
