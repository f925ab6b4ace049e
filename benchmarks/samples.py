"""Code blocks of the kinds that explainer articles hold."""

from __future__ import annotations

import random
import re

from vocabulary import NOUNS, VERBS

SAMPLES = {
    "python": '''
def <v1>_<n1>(<n2>: list[float], <n3>: int = <d1>) -> float:
    """Return the <n1> of the <n2>, <n3> at a time."""
    best = -math.inf
    total = 0.0
    for index, value in enumerate(<n2>):
        if index % <n3> == 0 and value > best:  # a new <n4>
            total *= math.exp(best - value)
            best = value
        total += math.exp(value - best)
    print(f"{total:.3f} after {len(<n2>)} <n4>s")
    return total
''',
    "cuda": """
__global__ void <v1>_<n1>(const float* __restrict__ <n2>, float* <n3>, int n) {
    __shared__ float tile[<d1>];
    int lane = threadIdx.x;
    int i = blockIdx.x * blockDim.x + lane;
    float value = i < n ? <n2>[i] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);  // one <n4> less
    }
    if (lane % 32 == 0) tile[lane / 32] = value;
    __syncthreads();
    if (lane == 0) atomicAdd(&<n3>[blockIdx.x], tile[0] / <d2>.0f);
}
""",
    "cpp": """
#include <vector>

template <typename T>
struct <n1>_<n2> {
    std::vector<T> <n3>;
    std::size_t limit = <d1>;

    T <v1>(const T& seed) const {
        T result = seed;
        for (const auto& item : <n3>) {
            if (item > limit) continue;  // the <n4> is full
            result += item * <d2>;
        }
        return result;
    }
};
""",
    "bash": """
#!/usr/bin/env bash
set -euo pipefail

<n1>="${1:-<d1>}"
for <n2> in $(seq 1 "$<n1>"); do
  if ! <v1>-<n3> --<n4> "$<n2>" > "/tmp/<n3>.$<n2>.log" 2>&1; then
    echo "<n2> $<n2> failed" >&2
    exit 1
  fi
done
sort -n /tmp/<n3>.*.log | head -n <d2>
""",
    "json": """
{
  "<n1>": "<v1>",
  "<n2>": [<d1>, <d2>, 3.25e-4],
  "<n3>": {
    "<n4>": true,
    "limit": null,
    "names": ["<v2>", "<v1>", "<n1>"]
  }
}
""",
    "yaml": """
<n1>:
  <n2>: <d1>
  <n3>: "<v1> the <n4>"
  steps:
    - name: <v2>
      run: <v1> --<n2> <d2>
    - name: <v1>
      when: always  # even without a <n4>
""",
    "triton": """
@triton.jit
def <v1>_<n1>(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    <n2> = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    <n3> = tl.exp(<n2> - tl.max(<n2>, axis=0)) * <d1>
    tl.store(y_ptr + offsets, <n3> / tl.sum(<n3>, axis=0), mask=mask)  # one <n4>
""",
    "rust": """
/// Returns the <n1> of a <n2>.
pub fn <v1>_<n1>(<n2>: &[f64], <n3>: usize) -> Option<f64> {
    let mut total = 0.0;
    for (index, value) in <n2>.iter().enumerate() {
        if index >= <n3> || value.is_nan() {
            return None; // no <n4> here
        }
        total += value * <d1> as f64;
    }
    Some(total / <d2>.0)
}
""",
    "javascript": """
export function <v1>(<n1>, { <n2> = <d1>, <n3> } = {}) {
  const found = <n1>
    .filter((item) => item.<n2> > <n2>)
    .map((item) => ({ ...item, <n3>: `${<n3>}-${item.id}` }));
  // No <n4>, no answer.
  return found.length > 0 ? found[found.length - 1] : null;
}
""",
    "text": """
<n1>      <n2>      <n3>
--------  --------  --------
<d1>       <d2>       <v1>
<d2>       <d1>       <v2>
total <n4>: <d1>
""",
}
_SLOT = re.compile(r"<([vnd])\d>")
_SOURCE = {"v": VERBS, "n": NOUNS}


def samples(source: random.Random, count: int) -> list[str]:
    """Return fenced code blocks, each in a language of its own."""
    return [_filled(source, language) for language in source.sample(sorted(SAMPLES), count)]


def _filled(source: random.Random, language: str) -> str:
    chosen: dict[str, str] = {}
    for match in _SLOT.finditer(SAMPLES[language]):
        kind = match[1]
        word = str(source.randrange(2, 1000)) if kind == "d" else source.choice(_SOURCE[kind])
        chosen.setdefault(match[0], word)
    code = _SLOT.sub(lambda match: chosen[match[0]], SAMPLES[language]).strip("\n")
    return f"```{language}\n{code}\n```"
