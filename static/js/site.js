// The one script of every page: colours, copy, contents, notes in the margin, and the lead.
// Nothing on a page waits for it.
;(() => {
  const root = document.documentElement
  /**
   * @template {Element} [T=HTMLElement]
   * @param {string} selector
   * @param {ParentNode} [from]
   * @returns {T[]}
   */
  const all = (selector, from = document) =>
    /** @type {T[]} */ ([...from.querySelectorAll(selector)])

  // Colours: paper, scope, or as the system has it (nothing stored).
  /** @type {HTMLInputElement[]} */
  const positions = all(".theme input")
  for (const input of positions) {
    input.checked = input.value === (root.dataset.theme ?? "")
    input.addEventListener("change", () => {
      if (input.value) root.dataset.theme = input.value
      else delete root.dataset.theme
      try {
        if (input.value) localStorage.setItem("theme", input.value)
        else localStorage.removeItem("theme")
      } catch {
        // Storage may be closed to us; the choice then lasts for this page.
      }
    })
  }

  // Copy: a button on every block of code.
  if (navigator.clipboard) {
    for (const block of all(".code")) {
      const button = document.createElement("button")
      button.type = "button"
      button.className = "copy"
      button.textContent = "Copy"
      button.addEventListener("click", async () => {
        const lines = all(".line", block).map((line) => line.textContent ?? "")
        const text = lines.length ? lines.join("\n") : block.querySelector("pre")?.textContent
        try {
          await navigator.clipboard.writeText(text ?? "")
          button.textContent = "Copied"
        } catch {
          button.textContent = "Not allowed"
        }
        setTimeout(() => {
          button.textContent = "Copy"
        }, 1500)
      })
      block.append(button)
    }
  }

  // Contents: the pointer stands at the section that holds the line a quarter down the screen.
  /** @type {HTMLAnchorElement[]} */
  const entries = all(".contents a")
  const sections = entries.map((link) =>
    document.getElementById(decodeURIComponent(link.hash.slice(1))),
  )
  /** Whether each section's heading is above the line. @type {boolean[]} */
  const above = sections.map(() => false)
  const point = (current = above.lastIndexOf(true)) => {
    entries.forEach((link, i) => {
      if (i === current) link.setAttribute("aria-current", "location")
      else link.removeAttribute("aria-current")
    })
  }
  // An observer is told the places; to ask for them here would lay the page out before its time.
  const crossing = new IntersectionObserver(
    (found) => {
      for (const { target, isIntersecting } of found) {
        above[sections.indexOf(/** @type {HTMLElement} */ (target))] = isIntersecting
      }
      point()
    },
    { rootMargin: "10000000px 0px -75% 0px" },
  )
  for (const section of sections) if (section) crossing.observe(section)
  // At the end no heading comes to the line any more: the last one in sight is meant.
  const end = () => {
    if (innerHeight + scrollY < root.scrollHeight - 2) return point()
    const tops = sections.map((section) => section?.getBoundingClientRect().top ?? Infinity)
    point(tops.findLastIndex((top) => top <= innerHeight))
  }
  if (entries.length)
    addEventListener("scroll", () => requestAnimationFrame(end), { passive: true })

  // All pages: only what fits the choices is shown, and the address remembers them.
  const filter = document.querySelector(".filter")
  if (filter) {
    /** @type {HTMLSelectElement[]} */
    const choices = all("select", filter)
    const items = all(".entries > li")
    const show = () => {
      const made = choices.filter((choice) => choice.value)
      for (const item of items) {
        item.hidden = !made.every(({ name, value }) =>
          (item.dataset[name] ?? "").split(" ").includes(value),
        )
      }
      const shown = items.filter((item) => !item.hidden).length
      const said = filter.querySelector("output")
      if (said) said.textContent = made.length ? `${shown} of ${items.length} shown` : ""
      return made
    }
    const read = () => {
      const asked = new URLSearchParams(location.hash.slice(1))
      if (location.hash && !location.hash.includes("=")) return
      for (const choice of choices) {
        choice.value = asked.get(choice.name) ?? ""
        if (choice.selectedIndex < 0) choice.value = ""
      }
      show()
    }
    filter.addEventListener("change", () => {
      const made = new URLSearchParams(show().map(({ name, value }) => [name, value]))
      history.replaceState(null, "", `#${made}`)
    })
    addEventListener("hashchange", read)
    read()
  }

  // Footnotes: a copy beside the line that calls it, where there is a margin (the style decides).
  for (const call of all(".footnote-ref")) {
    const id = call.querySelector("a")?.hash.slice(1)
    const note = id && document.getElementById(id)?.firstElementChild
    if (!note) continue
    const aside = document.createElement("span")
    aside.className = "sidenote"
    aside.setAttribute("aria-hidden", "true")
    const copy = /** @type {HTMLElement} */ (note.cloneNode(true))
    for (const mark of all("a.footnote-back", copy)) mark.remove()
    for (const link of all("a", copy)) link.tabIndex = -1
    for (const named of all("[id]", copy)) named.removeAttribute("id")
    aside.append(`${call.textContent} `, ...copy.childNodes)
    call.after(aside)
  }

  // Sources, definitions, and where a number was measured, in a card at the mark; Escape puts it
  // away, the pointer may go into it.
  const card = document.createElement("span")
  card.className = "cite-card"
  card.id = "cite-card"
  card.popover = "manual"
  /** @type {HTMLElement | null} */
  let citing = null
  for (const number of all(".num[title]")) {
    number.dataset.note = number.title
    number.removeAttribute("title")
    if (!number.closest("a, button, summary")) number.tabIndex = 0
  }
  const putAway = () => {
    if (card.contains(document.activeElement)) citing?.focus()
    citing?.removeAttribute("aria-describedby")
    citing = null
    card.remove()
  }
  const place = () => {
    if (!citing) return
    const [at, box] = [citing.getBoundingClientRect(), card.getBoundingClientRect()]
    const above = at.bottom + box.height > innerHeight && at.top > box.height
    card.style.top = `${above ? at.top - box.height : at.bottom}px`
    card.style.left = `${Math.max(8, Math.min(at.left, root.clientWidth - box.width - 8))}px`
  }
  /** @param {HTMLElement} mark @returns {(Node | string)[]} */
  const told = (mark) => {
    if (mark.dataset.note) return [mark.dataset.note]
    const { hash } = /** @type {HTMLAnchorElement} */ (mark)
    const copy = document.getElementById(decodeURIComponent(hash.slice(1)))?.cloneNode(true)
    if (!(copy instanceof HTMLElement)) return []
    for (const back of all(".cite-back", copy)) back.remove()
    return [...copy.childNodes]
  }
  /** @param {HTMLElement} mark */
  const cite = (mark) => {
    if (mark === citing) return
    putAway()
    card.replaceChildren(...told(mark))
    if (!card.hasChildNodes()) return
    mark.after(card)
    mark.setAttribute("aria-describedby", card.id)
    card.showPopover()
    citing = mark
    place()
  }
  for (const kind of ["pointerover", "focusin", "click"]) {
    document.addEventListener(kind, (event) => {
      if (!(event.target instanceof Element) || card.contains(event.target)) return
      const links = kind === "click" ? "" : ".cite, .gloss, "
      const mark = event.target.closest(`${links}.num[data-note]`)
      if (event instanceof PointerEvent && event.pointerType === "touch" && kind !== "click") return
      if (mark) cite(/** @type {HTMLElement} */ (mark))
      else if (citing !== document.activeElement && !card.matches(":focus-within")) putAway()
    })
  }
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") putAway()
  })
  addEventListener("scroll", place, { passive: true })

  // The lead: a hairline from a word, or a formula's term, to the part of a figure it names.
  const SVG = "http://www.w3.org/2000/svg"
  const line = document.createElementNS(SVG, "svg")
  line.setAttribute("class", "lead-line")
  line.setAttribute("aria-hidden", "true")

  /**
   * Yield the points of a mark on the screen: along its strokes, or the corners of what has none.
   * @param {SVGGraphicsElement} mark
   */
  function* points(mark) {
    for (const shape of [mark, .../** @type {SVGGraphicsElement[]} */ (all("*", mark))]) {
      const matrix = shape.getScreenCTM?.()
      if (shape instanceof SVGGeometryElement && matrix) {
        // A path that draws nothing has no point.
        const length = shape.getTotalLength()
        for (let i = 0; length && i <= 32; i++) {
          yield shape.getPointAtLength((length * i) / 32).matrixTransform(matrix)
        }
      } else if (!shape.childElementCount) {
        const box = shape.getBoundingClientRect()
        if (box.width) yield { x: box.left, y: box.bottom }
        if (box.width) yield { x: box.right, y: box.bottom }
      }
    }
  }

  /** @param {Element} word */
  const lead = (word) => {
    const name = CSS.escape(/** @type {HTMLElement} */ (word).dataset.term ?? "")
    const box = word.getBoundingClientRect()
    const x = box.left + box.width / 2
    for (const twin of all(`[data-term="${name}"]`)) twin.classList.add("lit")
    /** @type {SVGGraphicsElement[]} */
    const marks = all(`.picture [data-term="${name}"]`)
    let best = Infinity
    let path = ""
    for (const { x: toX, y: toY } of marks.flatMap((mark) => [...points(mark)])) {
      const y = toY > box.top ? box.bottom : box.top
      const far = Math.hypot(toX - x, toY - y)
      if (toY < 0 || toY > innerHeight || far >= best) continue
      best = far
      const [end, top] = [`${toX + scrollX}`, `${toY + scrollY}`]
      path =
        `<path pathLength="1" d="M${x + scrollX} ${y + scrollY}L${end} ${top}"/>` +
        `<circle cx="${end}" cy="${top}" r="3"/>`
    }
    line.innerHTML = path
    if (path) document.body.append(line)
  }

  const release = () => {
    line.remove()
    for (const twin of all("[data-term].lit")) twin.classList.remove("lit")
  }

  for (const word of all(".term")) word.tabIndex = 0
  for (const [start, end] of [
    ["pointerover", "pointerout"],
    ["focusin", "focusout"],
  ]) {
    document.addEventListener(start, (event) => {
      const word = event.target instanceof Element && event.target.closest("[data-term]")
      if (!word || word.closest(".picture")) return
      release()
      lead(word)
    })
    document.addEventListener(end, (event) => {
      if (event.target instanceof Element && event.target.closest("[data-term]")) release()
    })
  }

  // Print: what is folded is opened, then folded again.
  /** @type {HTMLDetailsElement[]} */
  let opened = []
  addEventListener("beforeprint", () => {
    opened = /** @type {HTMLDetailsElement[]} */ (all(":is(.answer, .derivation):not([open])"))
    for (const fold of opened) fold.open = true
  })
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false
  })
})()
