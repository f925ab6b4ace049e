// @ts-check
/**
 * Series over one axis: medians with their extremes, and a model beside the measurement.
 * Options: x (an axis of the sweep, or a field), y (series: field, low, high, label, note, model),
 * scale {x, y}: linear | log2 | log, label {x, y}, lines [{x, label}], more (fields told at a point).
 */
import { axis, figure, fixed, html, select, sig, slider } from "explainers"
import { apart, brief, path, ruled, ruledOnce } from "explainers/parts/plane"

/**
 * @typedef {import("../runtime/figure.js").View} View
 * @typedef {{field: string, low?: string, high?: string, label?: string, note?: string,
 *   model?: boolean}} Series
 */

const [LEFT, RIGHT, BASE, ROOF] = [40, 372, 252, 34]
const HUES = ["var(--hue-2)", "var(--hue-1)", "var(--hue-3)", "var(--hue-4)", "var(--hue-5)"]

/** @param {{data: any, options: any}} view @returns {string} */
const across = ({ data, options }) => options.x ?? data.axes[0]

/** @param {{options: any}} view @returns {Series[]} */
const series = ({ options }) =>
  (options.y ?? []).map((/** @type {any} */ one) =>
    typeof one === "string" ? { field: one } : one,
  )

/** @param {{data: any, options: any}} view @returns {number[]} */
const xs = (view) => {
  const name = across(view)
  return view.data.axes.includes(name) ? view.data.axis(name) : Array.from(view.data[name])
}

/** @param {View} view */
const shown = (view) =>
  series(view)
    .map((one, k) => ({ ...one, label: one.label ?? one.field, hue: HUES[k % HUES.length] }))
    .filter(({ field }) => ["all", field].includes(view.state.series ?? "all"))

/** @param {View} view */
const index = (view) => xs(view).indexOf(view.state[across(view)])

/** A value with its unit. @param {View} view @param {string} field @param {number} k */
function told({ data }, field, k) {
  const unit = data._unit(field)
  const value = data[field][k]
  const size = Math.abs(value)
  const places = Number.isInteger(value) ? 0 : size < 10 ? 3 : 1
  const text = size < 1e6 && (size >= 0.01 || size === 0) ? fixed(value, places) : sig(value, 3)
  return `${text}${unit && unit !== "1" ? ` ${unit}` : ""}`
}

export default figure({
  needs: ({ data, options }) => {
    const fields = series({ options }).flatMap(({ field, low, high }) => [field, low, high])
    const extra = [...(options.more ?? []).map((/** @type {any} */ one) => one.field ?? one)]
    if (options.x && !data.data?.axes.includes(options.x)) extra.push(options.x)
    if (!fields.length) fields.push("options y: [field, …]")
    return { data: Object.fromEntries([...fields, ...extra].filter(Boolean).map((f) => [f, "n"])) }
  },

  controls: (view) => {
    const name = across(view)
    const all = series(view)
    const label = view.options.label?.x ?? name.replaceAll("_", " ")
    const point = slider({
      label,
      stops: () => xs(view),
      format: (x) => (Number.isInteger(x) ? fixed(x, 0) : sig(x, 3)),
    })
    /** @type {[string, string][]} */
    const choices = all.map(({ field, label: words }) => [field, words ?? field])
    return {
      [name]: point,
      ...(all.length > 1 && {
        series: select({ label: "series", options: [["all", "all"], ...choices] }),
      }),
    }
  },

  draw(view) {
    const { data, options, set, move } = view
    const name = across(view)
    const rows = xs(view)
    const here = index(view)
    // All series, so that the scale stays when one of them is chosen.
    const fields = series(view).flatMap(({ field, low, high }) => [
      field,
      low ?? field,
      high ?? field,
    ])
    const along = ruled(rows, [LEFT + 12, RIGHT - 6], options.scale?.x)
    const up = ruledOnce(data, fields, [BASE, ROOF], options.scale?.y, 5)
    const px = rows.map(along.place)
    const visible = shown(view)
    const last = rows.length - 1
    const labels = apart(
      visible.map(({ field }) => up.place(data[field][last])),
      visible.some(({ note, model }) => note || model) ? 36 : 19,
    )
    return html`<svg viewBox="0 0 480 300" class="chart">
      <text class="name" x="0" y="12">${options.label?.y ?? ""}</text>
      <${axis} side="left" at=${LEFT} from=${BASE} to=${ROOF} values=${up.values} place=${up.place} words=${brief} />
      <${axis} side="bottom" at=${BASE} from=${LEFT} to=${RIGHT} values=${along.values} place=${along.place} words=${brief} label=${options.label?.x ?? name.replaceAll("_", " ")} />
      ${(options.lines ?? []).map(
        (/** @type {any} */ line) => html`<g class="leader" key=${line.label}>
          <path d=${`M${along.place(line.x)} ${BASE}V${ROOF - 2}`} />
          <text x=${along.place(line.x)} y=${ROOF - 8} text-anchor="middle">${line.label}</text>
        </g>`,
      )}
      <path class="cursor" d=${`M${px[here]} ${BASE}V${ROOF}`} />
      ${visible.map(({ field, low, high, label, note, model, hue }, s) => {
        const py = Array.from(data[field], (v) => up.place(/** @type {number} */ (v)))
        const bars =
          low && high
            ? rows
                .map(
                  (_, k) =>
                    `M${px[k]} ${up.place(data[low][k])}V${up.place(data[high][k])}M${px[k] - 3} ${up.place(data[low][k])}h6M${px[k] - 3} ${up.place(data[high][k])}h6`,
                )
                .join("")
            : ""
        return html`<g key=${field} class=${model ? "series modelled" : "series"} data-term=${field} style=${`color: ${hue}`}>
          <path class="through" d=${path(py.map((y, k) => [px[k], y]))} />
          ${bars ? html`<path class="whisker" d=${bars} />` : null}
          ${model ? null : py.map((y, k) => html`<circle key=${k} class=${k === here ? "here" : ""} cx=${px[k]} cy=${y} r=${k === here ? 5 : 3} />`)}
          <text x=${RIGHT + 4} y=${labels[s]} dy="0.35em">${label}</text>
          ${(note ?? model) ? html`<text class="name" x=${RIGHT + 4} y=${labels[s]} dy="1.6em">${note ?? "modelled"}</text>` : null}
        </g>`
      })}
      ${rows.map((row, k) => {
        const from = k ? (px[k - 1] + px[k]) / 2 : px[k] - 12
        const to = k < last ? (px[k] + px[k + 1]) / 2 : px[k] + 12
        return html`<rect key=${k} class="touch" x=${from} y=${ROOF} width=${to - from} height=${BASE - ROOF} onPointerEnter=${() => move({ [name]: row })} onClick=${() => set({ [name]: row })} />`
      })}
    </svg>`
  },

  describe(view) {
    const { options } = view
    const k = index(view)
    const x = xs(view)[k]
    const at = Number.isInteger(x) ? fixed(x, 0) : sig(x, 3)
    const all = shown(view).map(({ field, label }) => `${label} ${told(view, field, k)}`)
    const more = (options.more ?? []).map(
      (/** @type {any} */ one) => `${one.label ?? one} ${told(view, one.field ?? one, k)}`,
    )
    return `${at} ${options.label?.x ?? across(view).replaceAll("_", " ")}: ${[...all, ...more].join(", ")}.`
  },

  table(view) {
    const { data, options } = view
    const all = series(view)
    const more = (options.more ?? []).map((/** @type {any} */ one) =>
      typeof one === "string" ? { field: one } : one,
    )
    const cell = (/** @type {Series} */ { field, low, high }, /** @type {number} */ k) =>
      low && high
        ? `${sig(data[field][k], 4)} (${sig(data[low][k], 4)} to ${sig(data[high][k], 4)})`
        : sig(data[field][k], 4)
    const columns = [...all, ...more]
    return {
      caption:
        options.caption ??
        `${options.label?.y ?? "Values"}${all.some(({ low }) => low) ? ", with least and most" : ""}`,
      columns: [
        options.label?.x ?? across(view),
        ...columns.map(({ label, field }) => label ?? field),
      ],
      rows: xs(view).map((x, k) => [
        Number.isInteger(x) ? fixed(x, 0) : sig(x, 4),
        ...columns.map((one) => cell(one, k)),
      ]),
    }
  },
})
