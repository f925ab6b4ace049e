// @ts-check
/** The bit board: one floating-point number as a row of switches, in any layout. */
import { figure, html, power, select, sig } from "explainers"
import {
  beyond,
  classify,
  encodeRatio,
  exactDecimal,
  LAYOUTS,
  largest,
  neighbours,
  parse,
  printed,
  ratio,
  signOf,
  spacing,
  split,
  width,
} from "explainers/kernels/floats"
import { bit } from "explainers/parts/bit"
import { text } from "explainers/parts/text"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {import("../kernels/floats.js").Layout} Layout
 */

/** A pattern and the layout it is in: "binary32:3e200000". @param {string} name @param {bigint} pattern */
const held = (name, pattern) => `${name}:${pattern.toString(16)}`

/** @param {string} value @returns {[string, bigint]} */
function opened(value) {
  const [name, digits] = value.split(":")
  return [name, BigInt(`0x${digits}`)]
}

/** @param {bigint} pattern @param {Layout} it */
const hex = (pattern, it) =>
  `0x${pattern
    .toString(16)
    .toUpperCase()
    .padStart(width(it) / 4, "0")}`

/** The same number in another layout, rounded. @param {bigint} pattern @param {Layout} from @param {Layout} to */
function moved(pattern, from, to) {
  const half = 1n << BigInt(width(from) - 1)
  const sign = pattern >= half ? 1n << BigInt(width(to) - 1) : 0n
  const kind = classify(pattern, from)
  if (kind === "infinity" || kind === "NaN") {
    const found = parse(kind === "NaN" ? "nan" : "inf", to)
    // All ones: NaN where there is no infinity.
    return ("pattern" in found ? found.pattern : (1n << BigInt(width(to) - 1)) - 1n) + sign
  }
  const { numerator, denominator } = ratio(pattern % half, from)
  return encodeRatio(numerator, denominator, to) + sign
}

/** @param {View} view */
function now({ state }) {
  const [name, pattern] = opened(state.pattern)
  const it = LAYOUTS[name]
  return { name, pattern, it, kind: classify(pattern, it), ...split(pattern, it) }
}

/** Digits as people write them. @param {string} digits */
const plain = (digits) =>
  digits.replaceAll("-", "−").replace("inf", "∞").replace("nan", "NaN").replace(/e\+?/, "e")

/** A number in few characters, after what comes before one that is rounded. @param {bigint} pattern @param {Layout} it @param {string} about */
function said(pattern, it, about) {
  const { text, exact } = printed(pattern, it)
  return (exact ? "" : about) + plain(text)
}

/**
 * The next numbers; beyond the largest there is infinity, where the layout has one.
 * @param {bigint} pattern @param {Layout} it @returns {{below: bigint | null, above: bigint | null}}
 */
function beside(pattern, it) {
  const { below, above } = neighbours(pattern, it)
  const [sign, top] = [signOf(it), largest(it)]
  if (it.specials === "fn") return { below, above }
  const kind = classify(pattern, it)
  if (kind === "infinity") {
    const plus = pattern < sign
    return { below: plus ? top : null, above: plus ? null : top + sign }
  }
  if (kind === "NaN") return { below, above }
  return { below: below ?? beyond(it) + sign, above: above ?? beyond(it) }
}

/** A part of one: 1/8, or 2⁻¹² where that is shorter. @param {number} k */
const part = (k) => (k < 11 ? `1/${2 ** k}` : power(2, -k))

/** The significand as a sum of powers. @param {boolean} hidden @param {bigint} F @param {number} bits */
function powers(hidden, F, bits) {
  const set = [...F.toString(2).padStart(bits, "0")].flatMap((b, i) => (b === "1" ? [i + 1] : []))
  const words = set.slice(0, set.length > 5 ? 4 : 5).map(part)
  if (set.length > 5) words.push("…", part(set[set.length - 1]))
  if (hidden || !words.length) words.unshift(hidden ? "1" : "0")
  return words.join(" + ")
}

/** What the mantissa adds, in a few words. @param {bigint} F @param {number} bits */
function added(F, bits) {
  if (F === 0n) return "nothing"
  const few = F.toString(2).replaceAll("0", "").length < 4
  const share = sig(Number(F) / 2 ** bits, 3)
  return few ? powers(false, F, bits) : share === "1.00" ? "almost 1" : `about ${share}`
}

/** 1.F or 0.F, all digits where they are few. @param {ReturnType<typeof now>} it */
function significand({ E, F, it }) {
  const one = exactDecimal((BigInt(it.bias) << BigInt(it.mantissaBits)) | F, it)
  const all = E > 0 ? one : one.replace("1", "0")
  return all.length > 27 ? `${all.slice(0, 20)}…` : all
}

/** @param {ReturnType<typeof now>} it the scale's exponent */
const scaleOf = ({ E, it }) => Math.max(E, 1) - it.bias

/** @param {ReturnType<typeof now>} it the number as sign, significand and scale */
function product(it) {
  return `${it.s ? "−" : "+"}${significand(it)} × ${power(2, scaleOf(it))}`
}

/** @param {number} gap a power of two */
function gapOf(gap) {
  const few = gap > 1e-4 && gap < 1e6
  return `${power(2, Math.log2(gap))} ${few ? "=" : "≈"} ${few ? gap : sig(gap, 3)}`
}

/** @param {View} view */
const presets = ({ data }) => data.axis("pattern")

export default figure({
  needs: { data: ["bits", "exact", "s", "E"] },
  handles: true,
  controls: {
    layout: select({
      label: "layout",
      options: [
        ["binary32", "binary32"],
        ["binary16", "binary16"],
        ["bfloat16", "bfloat16"],
        ["e5m2", "E5M2"],
        ["e4m3fn", "E4M3"],
        ["binary64", "binary64"],
      ],
    }),
    pattern: text({
      label: "a number, or its bits as 0x… or 0b…",
      value: "",
      parse(typed, { state }) {
        const found = parse(typed, LAYOUTS[state.layout])
        if ("problem" in found) return found
        const { pattern, exact } = found
        const value = held(state.layout, pattern)
        const kind = classify(pattern, LAYOUTS[state.layout])
        const note = {
          infinity: "Too large: infinity.",
          NaN: "Too large: NaN.",
          zero: "Too small: 0.",
        }
        if (exact) return { value, note: "" }
        return { value, note: /** @type {any} */ (note)[kind] ?? "Rounded to the nearest." }
      },
      show(value) {
        const [name, pattern] = opened(value)
        return said(pattern, LAYOUTS[name], "")
      },
      nudge(value, way) {
        const [name, pattern] = opened(value)
        const { below, above } = beside(pattern, LAYOUTS[name])
        const next = way > 0 ? above : below
        return next === null ? undefined : held(name, next)
      },
      take(next, view) {
        const { layout } = view.state
        const it = LAYOUTS[layout]
        if (/^\w+:[0-9a-f]+$/.test(next)) {
          const [name, pattern] = opened(next)
          return name === layout ? next : held(layout, moved(pattern, LAYOUTS[name], it))
        }
        if (presets(view).includes(next)) {
          const pattern = BigInt(view.data.at({ pattern: next }).bits)
          return held(layout, moved(pattern, LAYOUTS.binary32, it))
        }
        const found = parse(String(next), it)
        return "pattern" in found ? held(layout, found.pattern) : undefined
      },
      text(value) {
        const [name, pattern] = opened(value)
        return hex(pattern, LAYOUTS[name])
      },
    }),
  },

  lit: (view) => {
    const { kind } = now(view)
    return kind === "zero" ? "subnormal" : kind === "infinity" || kind === "NaN" ? "special" : kind
  },

  draw(scene) {
    const { set } = scene
    const all = now(scene)
    const { name, pattern, it, kind, s, E, F } = all
    const count = width(it)
    const finite = kind !== "infinity" && kind !== "NaN"
    const { below, above } = beside(pattern, it)
    const gap = spacing(pattern, it)
    // Towards zero a power of two has half the gap, unless subnormals go on below it.
    const inner = F === 0n && E > 1 ? gap / 2 : gap
    const fields = [
      { term: "s", words: "sign", from: 0, bits: 1 },
      { term: "E", words: "exponent", from: 1, bits: it.exponentBits },
      { term: "F", words: "mantissa", from: 1 + it.exponentBits, bits: it.mantissaBits },
    ]
    /** @param {string} term @param {number} k */
    const worth = (term, k) =>
      term === "s"
        ? "sign, set for minus"
        : term === "E"
          ? `exponent, worth ${2 ** (it.exponentBits - 1 - k)}`
          : `mantissa, worth ${part(k + 1)}`
    const feet = {
      s: s ? "−" : "+",
      E: finite ? `E = ${E}: ${power(2, scaleOf(all))}` : `E = ${E}`,
      F: finite ? powers(E > 0, F, it.mantissaBits) : F === 0n ? "0" : "not 0",
    }
    /** @param {bigint | null} to @param {number} by @param {"below" | "above"} side */
    const step = (to, by, side) =>
      html`<button
        type="button"
        class=${side}
        disabled=${!scene.ready || to === null}
        onClick=${() => to !== null && set({ pattern: held(name, to) })}
      >
        <span class="visually-hidden">${`the next number ${side}`}</span>
        <span class="num">${to === null ? "none" : said(to, it, "≈ ")}</span>
        <span class="gap">${to === null || !finite || classify(to, it) === "infinity" ? "" : `${side === "below" ? "−" : "+"} ${gapOf(by)}`}</span>
      </button>`

    return html`<div class=${`bit-field board bits-${count}`}>
      <div class="bits">
        ${fields.map(
          ({
            term,
            words,
            from,
            bits,
          }) => html`<div key=${term} class=${`field ${term}`} data-term=${term}>
            <span class="head">${words}</span>
            <div class="cells">
              ${Array.from({ length: bits }, (_, k) => {
                const at = from + k
                const place = BigInt(count - 1 - at)
                const on = (pattern >> place) & 1n
                return html`<button
                  key=${at}
                  ...${bit(scene, {
                    at,
                    on: on === 1n,
                    words: worth(term, k),
                    flip: () => set({ pattern: held(name, pattern ^ (1n << place)) }),
                  })}
                >${String(on)}</button>`
              })}
            </div>
            <span class="worth num">${feet[/** @type {"s"} */ (term)]}</span>
          </div>`,
        )}
      </div>
      <p class="sum"><span class="num" hidden=${!finite}>${`${product(all)} ${printed(pattern, it).exact ? "=" : "≈"}`}</span><b class="num">${said(pattern, it, "")}</b></p>
      <p class="exact" tabindex="0" role="group" aria-label="the exact value"><span class="quiet">exactly </span><span class="num">${plain(exactDecimal(pattern, it))}</span></p>
      <div class="near">
        ${step(below, s ? gap : inner, "below")}
        <span class="here num">${hex(pattern, it)}</span>
        ${step(above, s ? inner : gap, "above")}
      </div>
    </div>`
  },

  describe(view) {
    const all = now(view)
    const { pattern, it, kind, E, F } = all
    const code = hex(pattern, it)
    switch (kind) {
      case "NaN":
        return `${code} is not a number${it.specials === "fn" ? ": all bits but the sign are 1" : `: E is ${E} and F is not 0`}.`
      case "infinity":
        return `${code} is ${all.s ? "minus " : ""}infinity: E is ${E} and F is 0.`
      case "zero":
        return `${code} is ${all.s ? "minus " : ""}zero: E and F are 0, so there is no hidden 1.`
      case "subnormal":
        return `${code} is ${said(pattern, it, "about ")}, subnormal: E is 0, so the hidden bit is 0, and the scale is that of E = 1, ${power(2, 1 - it.bias)}.`
      default:
        return `${code} is ${said(pattern, it, "about ")}: the exponent ${E} makes the scale ${power(2, scaleOf(all))}, and the mantissa adds ${added(F, it.mantissaBits)} to 1.`
    }
  },

  table(view) {
    const it = LAYOUTS.binary32
    return {
      caption: "Patterns of binary32 worth knowing",
      columns: ["number", "pattern", "s", "E", "exactly"],
      rows: presets(view).map((/** @type {string} */ name) => {
        const { bits, exact } = view.data.at({ pattern: name })
        const { s, E } = split(BigInt(bits), it)
        const digits = plain(exact)
        return [
          name,
          hex(BigInt(bits), it),
          s,
          E,
          digits.length > 30 ? `${digits.slice(0, 14)}… (${digits.length} characters)` : digits,
        ]
      }),
    }
  },

  checked: () =>
    "Computed in your browser by a function checked on 1,000,000 patterns that Python made.",
})
