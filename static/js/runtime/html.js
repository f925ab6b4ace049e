// @ts-check
import { signal } from "@preact/signals"
import htm from "htm"
import { h } from "preact"

/** A vnode; an empty text is no child, as it is none in the page that was built. @type {(type: any, props: any, ...children: any[]) => any} */
const node = (type, props, ...children) => {
  for (let k = 0; k < children.length; k++) if (children[k] === "") children[k] = null
  return h(type, props, ...children)
}

/**
 * Markup with holes. One text child an element, characters instead of entities, lower-case
 * attribute names: the build refuses what would not survive hydration.
 * @type {(strings: TemplateStringsArray, ...values: any[]) => any}
 */
export const html = htm.bind(node)

/** Never moves; a component that reads some signal is rendered for its props or for that. */
const quiet = signal(0)

/**
 * A part of a picture that is drawn again only when one of its props is another: the same string,
 * number, or object.
 * @template {(props: any) => any} Part @param {Part} part @returns {Part}
 */
export function kept(part) {
  const once = (/** @type {any} */ props) => {
    void quiet.value
    return part(props)
  }
  return /** @type {Part} */ (once)
}
