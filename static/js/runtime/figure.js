// @ts-check

/**
 * @typedef {{data: any, state: Record<string, any>, options: Record<string, any>,
 *   nameOf: (ordinal: number) => string}} View what a pure part of a figure sees; `options` are
 *   the author's, `nameOf` a trace's ordinal is the step name of its statement
 * @typedef {View & {id: string, ready: boolean, set: (patch: Record<string, any>) => void,
 *   move: (patch: Record<string, any>) => void,
 *   hold: import("./hold.js").Hold}} Scene what `draw` sees; `move` sets while
 *   the hand is still on, `set` when it has let go
 * @typedef {{caption: string, columns: string[], rows: (string | number)[][]}} Table
 * @typedef {Record<string, string[] | Record<string, string>>} Needs
 * @typedef {{data: Record<string, any>, options: Record<string, any>}} Given
 * @typedef {Record<string, import("./controls.js").Control>} Controls
 * @typedef {object} Figure
 * @property {Needs | ((given: Given) => Needs)} [needs] datasets by the kind's names, and their
 *   fields: a list, or each with its shape in words, as "m n" or "… n" (… = the axes of the sweep)
 * @property {Controls | ((given: Pick<View, "data" | "options">) => Controls)} [controls] by the
 *   key of their state
 * @property {boolean} [handles] the picture itself holds things with focus
 * @property {(scene: Scene) => any} draw state to picture; no clock, no chance, no viewport
 * @property {(view: View) => string} describe the state in one sentence
 * @property {(view: View) => ArrayLike<number | string>} [steps] the statement behind each step:
 *   a trace's ordinals, or step names
 * @property {(view: View) => string} [lit] without a player: the step whose statement is lit
 * @property {(view: View) => Table} [table] the numbers drawn, as a table
 * @property {(view: View) => string | null} [checked] said when the browser computed the state
 * @property {(given: {data: any, options: Record<string, any>}) => string} [proven] run at build
 *   alone: what a twin computes otherwise than the kernel did, or ""
 */

/**
 * A figure: pure functions from data and state to a picture, a sentence and a table.
 * @param {Figure} definition @returns {Figure}
 */
export function figure(definition) {
  for (const part of /** @type {const} */ (["draw", "describe"])) {
    if (typeof definition[part] !== "function") throw new TypeError(`a figure needs ${part}(…)`)
  }
  return definition
}
