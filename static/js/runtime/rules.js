// @ts-check
/** What would be drawn at build and break, silently, when the browser takes over. */

/** Names that SVG and HTML spell otherwise; a picture with both spellings would come out double. */
const CAMEL =
  /^(className|htmlFor|tabIndex|clipPath|clipRule|text(Anchor|Decoration|Rendering)|marker(Start|Mid|End)|(stroke|fill|stop|font|flood|color|dominant|alignment|baseline|vector|pointer|shape|image|letter|word|paint|xlink)[A-Z].*)$/

/** @param {any} child */
const isText = (child) => typeof child === "string" || typeof child === "number"

/** @param {any} vnode @param {string} id the figure's */
export function check(vnode, id) {
  if (typeof vnode.type !== "string") return
  const { children, ...props } = vnode.props
  const where = `<${vnode.type}${props.class ? ` class="${props.class}"` : ""}>`
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
    if (CAMEL.test(name)) {
      throw new Error(`${where} has the attribute ${name}: write it in lower case, with a hyphen`)
    }
    if (name === "id" && !String(value).startsWith(`${id}-`)) {
      throw new Error(`${where} has id "${value}": begin it with the figure's own, \${id}-…`)
    }
  }
}
