// @ts-check
/** Two numbers of binary32 added step by step, with guard, round and sticky bit. */
import { figure, html, kept, player, power, select } from "explainers"
import { add } from "explainers/kernels/float-adder"
import { exactDecimal, LAYOUTS, parse, printed, ratio } from "explainers/kernels/floats"
import { text } from "explainers/parts/text"

/**
 * @typedef {import("../../../static/js/runtime/figure.js").View} View
 * @typedef {import("../../../static/js/kernels/float-adder.js").AddStep} Step
 * @typedef {{a: bigint, b: bigint, out: bigint, steps: Step[], exact: string, twin: boolean}} Run
 */

const IT = LAYOUTS.binary32
const LOCALS = /** @type {const} */ ([
  ...["large", "small", "exponent", "high", "lower", "low", "shift", "total", "move"],
  ...["kept", "rest", "magnitude"],
])

/** @param {string} digits */
const plain = (digits) =>
  digits.replaceAll("-", "−").replace("inf", "∞").replace("nan", "NaN").replace("e+", "e")

/** A number in few characters, after what comes before one that is rounded. @param {bigint} pattern @param {string} [about] */
function short(pattern, about = "≈ ") {
  const { text, exact } = printed(pattern, IT)
  return (exact ? "" : about) + apart(plain(text))
}

/** Thousands apart, in a whole number. @param {string} digits */
const apart = (digits) =>
  /^−?\d+$/.test(digits) ? digits.replace(/\B(?=(\d{3})+$)/g, ",") : digits

/** The first digits, and that there are more. @param {string} digits */
function cut(digits) {
  if (digits.length < 25) return digits
  const small = /^(−?)0\.(0{4,})(\d)(\d{15})/.exec(digits)
  if (!small) return `${digits.slice(0, 23)}…`
  const [, minus, zeros, first, more] = small
  return `${minus}${first}.${more}… × ${power(10, -zeros.length - 1)}`
}

/** The sum before any rounding, in decimals. @param {bigint} a @param {bigint} b */
function trueSum(a, b) {
  const infinity = 0x7f800000n
  if (a % (1n << 31n) >= infinity || b % (1n << 31n) >= infinity) return ""
  const [p, q] = [ratio(a, IT), ratio(b, IT)]
  const k = Math.max(...[p, q].map((one) => one.denominator.toString(2).length - 1))
  const whole =
    p.numerator * ((1n << BigInt(k)) / p.denominator) +
    q.numerator * ((1n << BigInt(k)) / q.denominator)
  const size = whole < 0n ? -whole : whole
  const digits = (size * 5n ** BigInt(k)).toString().padStart(k + 1, "0")
  const point = digits.length - k
  const part = digits.slice(point).replace(/0+$/, "")
  return `${whole < 0n ? "−" : ""}${digits.slice(0, point)}${part ? `.${part}` : ""}`
}

/** @type {WeakMap<object, Map<string, Run>>} */
const known = new WeakMap()

/** @param {View} view @returns {Run} */
function run(view) {
  const { data, state } = view
  const key = `${state.pair} ${state.a} ${state.b}`
  const runs = known.get(data) ?? new Map()
  known.set(data, runs)
  const before = runs.get(key)
  if (before) return before
  if (runs.size > 50) runs.clear()
  const found = made(view)
  runs.set(key, found)
  return found
}

/** @param {View} view @returns {Run} */
function made({ data, state, nameOf }) {
  const given = data.at({ pair: state.pair })
  const [a, b] = [BigInt(state.a), BigInt(state.b)]
  const exact = trueSum(a, b)
  if (Number(a) !== given.a || Number(b) !== given.b) {
    const { pattern, steps } = add(a, b)
    return { a, b, out: pattern, steps, exact, twin: true }
  }
  /** @type {Step[]} */
  const steps = []
  for (let t = 0; t < given.steps; t++) {
    const name = nameOf(given.ordinals[t])
    if (!name) continue
    /** @type {any} */
    const step = { name }
    for (const local of LOCALS) step[local] = Number.isNaN(given[local][t]) ? null : given[local][t]
    steps.push(step)
  }
  return { a, b, out: BigInt(given.out), steps, exact, twin: false }
}

/** @param {View} view */
function now(view) {
  const it = run(view)
  const at = Math.min(view.state.step, it.steps.length)
  const step = at > 0 ? it.steps[at - 1] : null
  /** Whether a named step is done. @param {string} name */
  const past = (name) => it.steps.slice(0, at).some((one) => one.name === name)
  /** @param {string} name */
  const after = (name) => it.steps.find((one) => one.name === name)
  return { ...it, at, step, name: step?.name ?? "", past, after }
}

const GUARD = ["guard", "round", "sticky"]
const LEFT = 18
const CELL = 15.4
/** @param {number} k column, from the carry's place at 0 to the sticky bit at 27 */
const column = (k) => LEFT + k * CELL + (k > 0 ? 3 : 0) + (k > 24 ? 9 : 0)

/**
 * A row of 28 bits: the carry's place, 24 of the significand, three more.
 * @param {{y: number, bits: string, shown: boolean, name: string, value?: string, moved?: boolean,
 *   lost?: boolean}} row
 */
const Bits = kept(({ y, bits, shown, name, value = "", moved }) => {
  return html`<g class=${`bits-row ${shown ? "" : "waiting"} ${moved ? "moved" : ""}`}>
    <text class="name" x=${column(1)} y=${y - 6}>${name}</text>
    <text class="num" x=${column(28) - CELL} y=${y - 6} text-anchor="end">${shown ? value : ""}</text>
    ${[...bits].map((one, k) =>
      k === 0 && one !== "1"
        ? null
        : html`<g key=${k} class=${`cell ${k > 24 ? "E" : "F"} ${shown && one === "1" ? "set" : ""}`} data-term=${k > 24 ? "E" : "F"}>
            <rect x=${column(k)} y=${y} width=${CELL - 1.6} height="20" />
            <text class="num" x=${column(k) + CELL / 2 - 0.8} y=${y + 10} dy="0.35em" text-anchor="middle">${shown ? one : ""}</text>
          </g>`,
    )}
  </g>`
})

/** @param {Record<string, any>} row */
const cells = (row) => html`<${Bits} ...${row} />`

/** @param {number | null | undefined} value @param {number} [extra] */
const row28 = (value, extra = 0) =>
  (BigInt(value ?? 0) << BigInt(extra)).toString(2).padStart(28, "0").slice(-28)

/** @param {number} n */
const places = (n) => (n === 1 ? "one place" : `${n} places`)

/** @param {ReturnType<typeof run>} it */
const minus = ({ a, b }) => a >> 31n !== b >> 31n

/** @param {number} rest @param {number} kept before it was rounded */
function verdict(rest, kept) {
  if (rest === 0) return "nothing to round"
  if (rest < 4) return "below half: down"
  if (rest > 4) return "above half: up"
  return kept % 2 ? "half, last bit 1: up to even" : "half, last bit 0: it stays"
}

/** @param {string} label @param {"a" | "b"} key */
const entry = (label, key) => {
  /** @param {any} next */
  const take = (next) => {
    const found = typeof next === "string" ? parse(next, IT) : null
    return found && "pattern" in found
      ? `0x${found.pattern.toString(16).padStart(8, "0")}`
      : undefined
  }
  return {
    ...text({
      label,
      value: "",
      follows: "pair",
      take,
      parse(typed) {
        const found = parse(typed, IT)
        if ("problem" in found) return found
        return { value: take(typed), note: found.exact ? "" : "rounded" }
      },
      show: (value) => plain(printed(BigInt(value), IT).text),
    }),
    /** @param {View} view */
    first: ({ data, state }) =>
      `0x${data.at({ pair: state.pair })[key].toString(16).padStart(8, "0")}`,
  }
}

export default figure({
  needs: { data: ["a", "b", "out", ...LOCALS] },
  controls: {
    pair: select({
      label: "the sum",
      options: [
        ["tie down", "2²⁴ + 1"],
        ["tie up", "2²⁴ + 3"],
        ["sticky", "2²⁴ + 1.00001"],
        ["tenths", "0.1 + 0.2"],
        ["swallowed", "10⁸ + 4"],
        ["past half", "10⁸ + 5"],
        ["carry", "1 + 1.5"],
        ["cancellation", "1 − (1 − 2⁻²⁴)"],
        ["subnormals", "two subnormals"],
      ],
      changed: (view) => run(view).twin,
    }),
    a: entry("a", "a"),
    b: entry("b", "b"),
    step: player({
      label: "steps of the adder",
      steps: (view) => run(view).steps.length,
      value: "last",
    }),
  },

  steps: (view) => run(view).steps.map((step) => step.name),

  draw(view) {
    const it = now(view)
    const { step, name, past, after } = it
    const special = name === "special"
    const order = after("order")
    const large = order ? BigInt(order.large ?? 0) : it.a
    const small = order ? BigInt(order.small ?? 0) : it.b
    const e = step?.exponent ?? 0
    const aligned = past("align")
    const shift = step?.shift ?? 0
    const summed = past("add")
    const cutOff = past("cut")
    const rounded = past("round")
    const kept = after("cut")?.kept ?? 0
    const rest = after("cut")?.rest ?? 0
    const packed = past("pack") || past("zero") || special
    /** @param {number | null | undefined} exponent */
    const scale = (exponent) => `× ${power(2, (exponent ?? 1) - 127)}`

    return html`<svg viewBox="0 0 480 318" class="float-add">
      ${GUARD.map(
        (word, k) =>
          html`<text key=${word} class="name" x=${column(25 + k) + CELL / 2 - 1} y="12" text-anchor="middle">${word[0]}</text>`,
      )}
      <text class="name" x=${column(25) - 8} y="12" text-anchor="end">guard, round, sticky:</text>
      ${cells({
        key: "high",
        y: 38,
        bits: row28(step?.high),
        shown: past("unpack larger"),
        name: past("order") ? `larger: ${short(large)}` : `a = ${short(it.a)}`,
        value: scale(aligned ? e - (step?.move ?? 0) : e),
        moved: name === "unpack larger",
      })}
      <text class="num sign" x="0" y=${95} dy="0.35em">${past("order") ? (minus(it) ? "−" : "+") : ""}</text>
      ${cells({
        key: "low",
        y: 86,
        bits: row28(step?.low),
        shown: past("unpack smaller"),
        name: past("order")
          ? `smaller: ${short(small)}${shift === 0 ? "" : aligned ? `, moved ${shift} right` : past("distance") ? `, to move ${shift} right` : ""}`
          : `b = ${short(it.b)}`,
        value: scale(aligned ? e - (step?.move ?? 0) : step?.lower),
        moved: name === "unpack smaller" || name === "align" || name === "distance",
      })}
      <path class="line" d=${`M${column(0)} 114H${column(27) + CELL}`} />
      ${cells({
        key: "total",
        y: 138,
        bits: row28(step?.total),
        shown: summed,
        name: past("normalise")
          ? step?.move
            ? `moved ${Math.abs(step.move)} ${step.move > 0 ? "right" : "left"}`
            : "sum, in its place already"
          : "sum",
        value: scale(e),
        moved: name === "add" || name === "normalise" || name === "zero",
      })}
      ${
        cutOff
          ? html`<g class="verdict">
              <path class="hair-cut" d=${`M${column(25) - 5} 132V163`} />
              <text x=${column(27) + CELL} y="178" text-anchor="end">${verdict(rest, kept)}</text>
            </g>`
          : null
      }
      ${cells({
        key: "kept",
        y: 194,
        bits: row28(rounded ? step?.kept : kept, 3).slice(0, 25),
        shown: cutOff,
        name: rounded ? "rounded" : cutOff ? "cut to 24 bits" : "24 bits",
        moved: name === "cut" || name === "round" || name === "pack",
      })}
      <g class="result">
        <text class="name" x=${column(1)} y="246">true sum</text>
        <text class="num" x=${column(5) + 2} y="246">${apart(cut(it.exact))}</text>
        <text class="name" x=${column(1)} y="270">returned</text>
        <text class="num big" x=${column(5) + 2} y="271">${packed ? apart(cut(plain(exactDecimal(it.out, IT)))) : "…"}</text>
        <text class="name" x=${column(1)} y="296">pattern</text>
        <text class="num" x=${column(5) + 2} y="296">${packed ? `0x${it.out.toString(16).toUpperCase().padStart(8, "0")}` : ""}</text>
      </g>
    </svg>`
  },

  describe(view) {
    const it = now(view)
    const { step, after } = it
    switch (it.name) {
      case "":
        return `${short(it.a)} and ${short(it.b)} are to be added.`
      case "special":
        return `No digits to add: the sum is ${short(it.out)}.`
      case "order":
        return "The larger number goes on top."
      case "unpack larger":
      case "unpack smaller":
        return `The ${it.name.slice(7)} number shows its hidden bit and gets three places more.`
      case "distance":
        return step?.shift
          ? `The exponents differ by ${step.shift}: the smaller number is to move ${places(step.shift)} right.`
          : "The exponents agree: nothing has to move."
      case "align": {
        if (!step?.shift) return "Nothing has moved, and nothing fell off."
        const whole = BigInt(after("unpack smaller")?.low ?? 0)
        const fell = whole % (1n << BigInt(step.shift)) > 0n
        return `Moved ${places(step.shift)} right. ${fell ? "A 1 fell off at the end: sticky is 1 for it." : "No 1 fell off at the end."}`
      }
      case "add":
        return minus(it)
          ? "The signs differ: the lower row is subtracted."
          : "The two rows are added."
      case "zero":
        return "The rows cancel: the sum is 0, exactly."
      case "normalise":
        return step?.move
          ? `The sum moves ${places(Math.abs(Number(step.move)))} ${step.move > 0 ? "right" : "left"}, until its leading 1 stands first; the exponent follows.`
          : "The leading 1 is in its place."
      case "cut":
        return `The last three bits are ${Number(step?.rest).toString(2).padStart(3, "0")}, ${verdict(Number(step?.rest), Number(step?.kept))}.`
      case "round":
        return Number(step?.kept) === Number(after("cut")?.kept)
          ? `Rounded: the 24 bits stay (${verdict(Number(step?.rest), Number(after("cut")?.kept))}).`
          : `Rounded: one is added to the last bit (${verdict(Number(step?.rest), Number(after("cut")?.kept))}).`
      default:
        return `Packed again: the sum is ${short(it.out, "about ")}.`
    }
  },

  table(view) {
    const { steps } = run(view)
    /** @param {number | null} value */
    const bits = (value) => (value === null ? "" : value.toString(2))
    return {
      caption: "What each step left",
      columns: ["step", "in binary"],
      rows: steps.map((step) => [
        step.name,
        {
          "unpack larger": bits(step.high),
          "unpack smaller": bits(step.low),
          distance: `${step.shift} places`,
          align: bits(step.low),
          add: bits(step.total),
          normalise: bits(step.total),
          cut: `${bits(step.kept)} and ${bits(step.rest).padStart(3, "0")}`,
          round: bits(step.kept),
          pack: bits(step.magnitude),
        }[step.name] ?? "",
      ]),
    }
  },

  checked: (view) =>
    run(view).twin
      ? "Computed in your browser by a function checked on 200,000 pairs that Python made."
      : null,
})
