// @ts-check
/** What would be drawn at build and break, silently, when the browser takes over. */

/** Names that SVG and HTML spell otherwise; a picture with both spellings would come out double. */
const CAMEL =
  /^(className|htmlFor|tabIndex|clipPath|clipRule|text(Anchor|Decoration|Rendering)|marker(Start|Mid|End)|(stroke|fill|stop|font|flood|color|dominant|alignment|baseline|vector|pointer|shape|image|letter|word|paint|xlink)[A-Z].*)$/

/** As SVG and HTML spell it. @param {string} name */
const spelled = (name) =>
  ({ className: "class", htmlFor: "for", tabIndex: "tabindex" })[name] ??
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Markup in a string that would run. */
const RUNS = /<script\b|<[^>]*\son\w+\s*=|javascript:/i

/** @param {any} child */
const isText = (child) => typeof child === "string" || typeof child === "number"

/**
 * An error of the figure's own: the part of it to look at, and what to write instead.
 * @param {string} message @param {{part?: string, hint?: string}} more
 */
const fault = (message, more) => Object.assign(new TypeError(message), more)

/** @param {any} vnode @param {string} id the figure's */
export function check(vnode, id) {
  if (typeof vnode.type !== "string") return
  const { children, dangerouslySetInnerHTML: inner, ...props } = vnode.props
  const where = `<${vnode.type}${props.class ? ` class="${props.class}"` : ""}>`
  if (vnode.type === "script") {
    throw fault("a picture holds no <script>", {
      hint: `draw returns a picture; what moves it is a control, or a handler: onClick=\${…}`,
    })
  }
  if (inner && RUNS.test(String(inner.__html))) {
    throw fault(`${where} is given markup that would run`, {
      hint: "a page runs no script but its own files",
    })
  }
  const texts = [children].flat().filter(isText)
  if (texts.length > 1) {
    throw new Error(
      `${where} has ${texts.length} pieces of text side by side (${JSON.stringify(texts.join("|"))}): write one, \${\`…\`}`,
    )
  }
  if (texts.some((text) => /&(#\d+|\w+);/.test(String(text)))) {
    throw new Error(`${where} holds an entity, which htm does not read: write the character`)
  }
  for (const [name, value] of Object.entries(props)) {
    if (/^on/i.test(name) && typeof value === "string") {
      throw fault(`${where} has ${name} as text`, {
        hint: `a page runs no script in its markup: write ${name}=\${() => …}`,
      })
    }
    if (/^(xlink:)?href$/.test(name) && RUNS.test(String(value))) {
      throw fault(`${where} leads to a script`, { hint: `write a handler: onClick=\${…}` })
    }
    if (CAMEL.test(name)) {
      throw new Error(`${where} has the attribute ${name}: write ${spelled(name)}`)
    }
    if (name === "id" && !String(value).startsWith(`${id}-`)) {
      throw new Error(`${where} has id "${value}": begin it with the figure's own, \${id}-…`)
    }
  }
}

/** What a value is, in words. @param {any} value */
const kind = (value) => {
  if (value instanceof Promise) return "a promise"
  if (Array.isArray(value)) return "an empty list"
  return value === null || value === undefined ? String(value) : `a ${typeof value}`
}

/** @param {any} drawn */
const isPicture = (drawn) =>
  Array.isArray(drawn) ? drawn.length > 0 : typeof drawn === "object" && "type" in (drawn ?? {})

/**
 * A figure whose `draw` and `describe` are held to what they must return.
 * @param {any} definition what the module exports @returns {import("./figure.js").Figure}
 */
export function held(definition) {
  if (typeof definition?.draw !== "function" || typeof definition.describe !== "function") {
    const found = definition === undefined ? "has no default export" : "exports no figure"
    throw fault(`the module ${found}`, {
      part: "export default",
      hint: "write export default figure({ draw(…) {…}, describe(…) {…} })",
    })
  }
  return {
    ...definition,
    draw(scene) {
      const drawn = definition.draw(scene)
      if (isPicture(drawn)) return drawn
      const hint =
        drawn instanceof Promise
          ? "draw cannot wait: take what it needs from data and state"
          : "return html`<svg viewBox=…>…</svg>`"
      throw fault(`draw returned ${kind(drawn)}, which is no picture`, { part: "draw", hint })
    },
    describe(view) {
      const said = definition.describe(view)
      if (typeof said === "string") return said
      throw fault(`describe returned ${kind(said)}, which is no sentence`, {
        part: "describe",
        hint: "return one sentence that says the state",
      })
    },
  }
}
