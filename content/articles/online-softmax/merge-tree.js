// @ts-check
/** Partial results (m, l) merged pair by pair, in one of several groupings. */
import { axis, figure, fixed, html, player, scale, select, sig, slider } from "explainers"

/** @typedef {import("../../../static/js/runtime/figure.js").View} View */

const SLOT = 54
const LEFT = 42
const FLOOR = 306

/** The room between two merges in a row. @param {number} depth */
const level = (depth) => Math.min(78, 252 / depth)

/**
 * Where every node stands: over the middle of its scores, as high as its longest chain.
 * @param {number[][]} pairs @param {number} count of scores @param {number} depth
 */
function places(pairs, count, depth) {
  /** @type {{below: number[], height: number, scores: number[]}[]} */
  const nodes = Array.from({ length: count }, (_, k) => ({ below: [k], height: 0, scores: [k] }))
  pairs.forEach(([a, b], k) => {
    nodes.push({
      below: [...nodes[a].below, ...nodes[b].below, count + k],
      height: 1 + Math.max(nodes[a].height, nodes[b].height),
      scores: [...nodes[a].scores, ...nodes[b].scores],
    })
  })
  return nodes.map(({ below, height, scores }) => ({
    below,
    x: LEFT + SLOT * (scores.reduce((sum, k) => sum + k, 0) / scores.length + 0.5),
    y: FLOOR - level(depth) * height,
  }))
}

/**
 * The nodes from a score up to the root.
 * @param {number[][]} pairs @param {number} count @param {number} node
 */
function way(pairs, count, node) {
  const nodes = [node]
  pairs.forEach((pair, k) => {
    if (pair.includes(/** @type {number} */ (nodes.at(-1)))) nodes.push(count + k)
  })
  return nodes
}

/** @param {View} view */
function now({ data, state }) {
  const it = data.at({ tree: state.tree })
  const pairs = it.pairs.map((/** @type {any} */ pair) => Array.from(pair))
  const count = it.x.length
  const followed = state.follow > 0 ? way(pairs, count, state.follow - 1) : []
  const nodes = places(pairs, count, it.depth)
  return { it, pairs, count, followed, nodes, done: state.step }
}

/** @param {number} x */
const score = (x) => fixed(x, Number.isInteger(x) ? 0 : 1)

export default figure({
  needs: { data: ["x", "pairs", "m", "l", "depth", "deviation"] },
  controls: {
    tree: select({
      label: "the grouping",
      options: [
        ["left-deep", "one by one, from the left"],
        ["right-deep", "one by one, from the right"],
        ["two halves", "two halves"],
        ["pairs, then a sweep", "pairs, then a sweep"],
        ["lanes", "each with one half a row away"],
        ["balanced", "balanced"],
      ],
      value: "balanced",
    }),
    step: player({
      label: "merges done",
      steps: ({ data, state }) => data.at({ tree: state.tree }).pairs.length,
      value: "last",
    }),
    follow: slider({
      label: "follow a score to the root",
      min: 0,
      max: ({ data, state }) => data.at({ tree: state.tree }).x.length,
      format: (k) => (k === 0 ? "none" : `no. ${k}`),
    }),
  },

  draw(view) {
    const { set } = view
    const { it, pairs, count, done, nodes, followed } = now(view)
    const top = nodes[nodes.length - 1]
    const up = scale([0, it.depth], [FLOOR, top.y])
    const levels = Array.from({ length: it.depth + 1 }, (_, k) => k)
    const newest = done > 0 ? count + done - 1 : -1
    const lit = newest >= 0 && done < pairs.length ? new Set(nodes[newest].below) : new Set()

    return html`<svg viewBox="0 0 480 352" class="merge-tree">
      <${axis} side="left" at=${22} from=${FLOOR} to=${top.y} values=${levels} place=${up} />
      <text class="name" x="0" y=${top.y} dy="-1.2em">merges in a row</text>
      <path class="depth" d=${`M22 ${top.y}H${top.x}`} />
      ${done === pairs.length ? html`<text class="num root" x=${top.x} y=${top.y - 26} text-anchor="middle">${`m = ${score(it.m.at(-1))}, l = ${fixed(it.l.at(-1), 6)}`}</text>` : null}

      <g class="edges">
        ${pairs.flatMap((/** @type {number[]} */ pair, /** @type {number} */ k) =>
          pair.map((child) => {
            const [from, to] = [nodes[child], nodes[count + k]]
            const is =
              k < done ? (lit.has(child) && lit.has(count + k) ? "lit-edge" : "") : "waiting"
            return html`<path key=${`${k} ${child}`} class=${is} d=${`M${from.x} ${from.y}L${to.x} ${to.y}`} />`
          }),
        )}
      </g>

      ${
        followed.length
          ? html`<g class="path"><path d=${`M${followed.map((k) => `${nodes[k].x} ${nodes[k].y}`).join("L")}`} /></g>`
          : null
      }

      ${nodes.map(({ x, y }, k) => {
        if (k < count) {
          return html`<g key=${k} class="leaf" onClick=${() => set({ follow: k + 1 })}>
            <rect class="reach" x=${x - SLOT / 2} width=${SLOT} y=${y - 14} height="60" />
            <circle cx=${x} cy=${y} r="3" />
            <text class="num" data-term="x" x=${x} y=${FLOOR} dy="1.35em" text-anchor="middle">${score(it.x[k])}</text>
          </g>`
        }
        const is = k - count >= done ? "waiting" : k === newest ? "current" : ""
        const on = followed.includes(k) ? "followed" : ""
        return html`<g key=${k} class=${`node ${is} ${on}`}>
          <rect x=${x - 25} y=${y - 16} width="50" height="32" />
          ${
            is === "waiting"
              ? null
              : html`<g>
                  <text class="num" x=${x} y=${y} dy="-0.15em" text-anchor="middle">${score(it.m[k])}</text>
                  <text class="num" x=${x} y=${y} dy="0.85em" text-anchor="middle">${fixed(it.l[k], 3)}</text>
                </g>`
          }
        </g>`
      })}
      <text class="name" x="474" y=${FLOOR} dy="2.6em" text-anchor="end">each score x is the pair (x, 1)</text>
    </svg>`
  },

  describe(view) {
    const { it, pairs, count, done, followed } = now(view)
    const pair = (/** @type {number} */ k) => `(${score(it.m[k])}, ${fixed(it.l[k], 3)})`
    if (done === 0) return "Nothing is merged yet: eight scores, each a pair (x, 1)."
    if (done < pairs.length) {
      const [a, b] = pairs[done - 1]
      return `Merge ${done} of ${pairs.length}: ${pair(a)} and ${pair(b)} give ${pair(count + done - 1)}.`
    }
    const root = it.m.length - 1
    const whole = `The root is (${score(it.m[root])}, ${fixed(it.l[root], 6)})`
    if (followed.length) {
      const merges = followed.length - 1
      const x = score(it.x[followed[0]])
      return `${whole}. Score ${x} takes part in ${merges} ${merges === 1 ? "merge" : "merges"} on its way there.`
    }
    return `${whole}, in all six trees. The longest chain is ${it.depth} merges.`
  },

  table(view) {
    const { it, pairs, count } = now(view)
    const name = (/** @type {number} */ k) => `(${score(it.m[k])}, ${fixed(it.l[k], 6)})`
    return {
      caption: `The merges in their order; ${it.deviation === 0 ? "no rounding shows in the root" : `rounding moves the root by ${sig(it.deviation, 2)}, relatively`}`,
      columns: ["merge", "one", "other", "together"],
      rows: pairs.map((/** @type {number[]} */ [a, b], /** @type {number} */ k) => [
        k + 1,
        name(a),
        name(b),
        name(count + k),
      ]),
    }
  },
})
