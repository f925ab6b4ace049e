// @ts-check

import { decode, largest, spacing, two, width } from "explainers/kernels/floats"
import { calculator } from "explainers/parts/calculator"

export default calculator({
  of({ exponent, mantissa }) {
    const bias = 2 ** (exponent - 1) - 1
    /** @type {import("../../../static/js/kernels/floats.js").Layout} */
    const it = { exponentBits: exponent, mantissaBits: mantissa, bias, specials: "ieee" }
    const one = BigInt(bias) * two(mantissa)
    return {
      bits: width(it),
      largest: decode(largest(it), it),
      gap: spacing(one, it),
      least: decode(1n, it),
    }
  },
  inputs: {
    exponent: { label: "exponent", unit: "bits", min: 2, max: 11, value: 5, whole: true },
    mantissa: { label: "mantissa", unit: "bits", min: 1, max: 52, value: 10, whole: true },
  },
  outputs: {
    bits: { label: "width, with a sign", unit: "bits" },
    largest: { label: "largest number" },
    gap: { label: "gap after 1" },
    least: { label: "least number above 0" },
  },
})
