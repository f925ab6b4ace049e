"""TeX formulas of the kinds that explainer articles hold, as many different ones as asked for."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

DISPLAY = [
    r"\operatorname{softmax}(<v1>)_i = \frac{e^{<v1>_i - <v2>}}"
    r"{\sum_{j=1}^{<n1>} e^{<v1>_j - <v2>}}",
    r"<v1>_{t+1} = <v1>_t - <g1> \nabla_{<v1>} <f1>(<v1>_t) + \frac{<n1>}{<n2>}\, <g2>_t",
    r"<f1>(<v1>) = \sum_{k=0}^{<n1>} \frac{<f1>^{(k)}(<v2>)}{k!} (<v1> - <v2>)^k + O(<v1>^{<n2>})",
    r"\int_{<n1>}^{\infty} <f1>(<v1>)\, e^{-<g1> <v1>^2}\, d<v1> \le \frac{<n2>}{<g1>} \sqrt{\pi}",
    r"\begin{pmatrix} <v1>_{11} & <v1>_{12} \\ <v1>_{21} & <n1> \end{pmatrix}"
    r" \begin{pmatrix} <v2>_1 \\ <v2>_2 \end{pmatrix} = <g1>"
    r" \begin{pmatrix} <n2> \\ <v3> \end{pmatrix}",
    r"<f1>(<v1>) = \begin{cases} <n1> <v1> & \text{if } <v1> < <n2>, \\"
    r" <v1>^2 - <g1> & \text{otherwise} \end{cases}",
    r"\mathbb{E}[<v1>] = \sum_{i=1}^{<n1>} <v2>_i\, \Pr(<v1> = <v2>_i) \ge \frac{<n2>}{<g1>}",
    r"\lVert <v1> - <v2> \rVert_2^2 = \langle <v1>, <v1> \rangle - <n1> \langle <v1>, <v2> \rangle"
    r" + \lVert <v2> \rVert_2^2 \le <g1>^{<n2>}",
    r"\text{speed-up} = \frac{1}{(1 - <v1>) + <v1> / <n1>} \xrightarrow{<n2> \to \infty}"
    r" \frac{1}{1 - <v1>}",
    r"\begin{aligned} <v1>' &= \max(<v1>, <v2>_{<n1>}) \\ <v3>' &= <v3>\, e^{<v1> - <v1>'}"
    r" + e^{<v2>_{<n2>} - <v1>'} \end{aligned}",
    r"<f1>(<g1>, <g2>) = -\frac{1}{<n1>} \sum_{i=1}^{<n1>} \Bigl[ <v1>_i \log \hat{<v1>}_i"
    r" + (1 - <v1>_i) \log(1 - \hat{<v1>}_i) \Bigr] + \frac{<g1>}{<n2>}",
    r"T_{<n1>}(n) = <n2>\, T\!\left( \left\lceil \tfrac{n}{<n1>} \right\rceil \right)"
    r" + \Theta(n \log n)",
    r"\frac{\partial <f1>}{\partial <v1>_{ij}} = \sum_{k=1}^{<n1>} <g1>_{ik}\, <v2>_{kj}^{\top}"
    r" \cdot \mathbf{1}[<v1>_{ij} > <n2>]",
    r"\underbrace{<v1> + <v1> + \dots + <v1>}_{<n1> \text{ times}} = <n1> <v1> \equiv <n2>"
    r" \pmod{<v2>}",
]

INLINE = [
    r"<v1> < <n1>",
    r"<v1>_{<n1>} \ge <v2>",
    r"<f1>(<v1>) = <n1> <v1> + <n2>",
    r"O(<v1>^{<n1>} \log <v1>)",
    r"\frac{<v1>}{<n1>}",
    r"<g1> \in [<n1>, <v1>]",
    r"2^{<n1>} - <n2>",
    r"<v1> \bmod <n1> = <n2>",
    r"\sqrt{<n1> <v1> + <v2>^2}",
    r"e^{-<v1> / <n1>}",
    r"\sum_{i=1}^{<n1>} <v1>_i",
    r"\lfloor <v1> / <n1> \rfloor",
    r"<v1> \in \mathbb{R}^{<n1> \times <n2>}",
    r"\Pr(<v1> > <n1>) \le <g1>",
    r"<g1>_{<n1>}",
    r"\hat{<v1>} = <n1> \bar{<v2>}",
    r"\log_2 <n1> + <v1>",
    r"<v1>^{\top} <v2> = <n1>",
    r"\lVert <v1> \rVert_2 \le <n1>",
    r"<f1>'(<v1>) = <n1> <v1>^{<n2>}",
    r"\binom{<n1>}{<v1>}",
    r"<v1> \to <v1> + <n1>",
    r"10^{-<n1>} <g1>",
    r"\max(<v1>_{<n1>}, <v2>)",
]

GREEK = "alpha beta gamma delta epsilon eta theta lambda mu rho tau"
LETTERS = {
    "v": list("abcdhklmnpqrstuvwxyzABCDKLMNQSVWXYZ"),
    "g": [rf"\{name}" for name in GREEK.split()],
    "f": list("fghFGHJ"),
}
_SLOT = re.compile(r"<([vgfn])\d>")


def endless(source: random.Random, shapes: list[str]) -> Iterator[str]:
    """Yield formulas of these shapes, no two alike."""
    seen: set[str] = set()
    while True:
        formula = _filled(source, source.choice(shapes))
        if formula not in seen:
            seen.add(formula)
            yield formula


def _filled(source: random.Random, shape: str) -> str:
    chosen: dict[str, str] = {}
    for match in _SLOT.finditer(shape):
        slot, kind = match[0], match[1]
        while slot not in chosen or list(chosen.values()).count(chosen[slot]) > 1:
            chosen[slot] = _letter(source, kind)
    return _SLOT.sub(lambda match: chosen[match[0]], shape)


def _letter(source: random.Random, kind: str) -> str:
    return str(source.randrange(2, 1000)) if kind == "n" else source.choice(LETTERS[kind])
