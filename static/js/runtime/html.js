// @ts-check
import htm from "htm"
import { h } from "preact"

/**
 * Markup with holes. One text child an element, characters instead of entities, lower-case
 * attribute names: the build refuses what would not survive hydration.
 * @type {(strings: TemplateStringsArray, ...values: any[]) => any}
 */
export const html = htm.bind(h)
