"""Text fonts cut to what the pages need, with fallbacks of the same measure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from .digest import digest
from .errors import Problem, refuse

SCHEMA = 1
"""Raised when the cutting changes, so that a store holds no old cut."""

LATIN = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)])) + "Œœı–—‘’‚“”„•…′″‹›€™−⁄"
SYMBOLS = "←↑→↓↔↩⇐⇒⇔∀∂∃∅∇∈∓∗√∝∞∠∣∥∧∨∩∪∫∼≅≈≡≤≥≪≫⊂⊃⊕⊗⊤⊥⋅⋯⋮⌈⌉⌊⌋⟨⟩ℓΔ△▽"
DIGITS = "0123456789"
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
RAISED_MINUS = "⁻"

SAMPLE = (
    "When the maximum moves, one factor shrinks the whole sum: what was kept of every score before "
    "it is measured anew, and the result is that of two sweeps over the row."
)
"""Prose whose mean width makes fonts comparable."""


class Memo(Protocol):
    """What keeps cut fonts between builds; the store is one."""

    def get(self, key: str) -> bytes | None:
        """Return what was kept under a key."""
        ...

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes under a key."""
        ...


@dataclass(frozen=True, slots=True)
class Local:
    """A font that readers have: the names it goes by, and the mean width of SAMPLE in em."""

    names: tuple[str, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Cut:
    """How one file is made: its source among the npm packages, and what is kept of it.

    No weights: the font does not vary. No text: all characters stay.
    """

    name: str
    family: str
    source: str
    weights: tuple[int, int] | None
    text: str = LATIN
    pins: Mapping[str, float] = field(default_factory=dict)
    features: tuple[str, ...] = ("ccmp", "kern", "mark", "liga", "pnum", "tnum")
    locals: tuple[Local, ...] = ()
    scale: int = 100

    @property
    def italic(self) -> bool:
        """Return whether the face slants."""
        return self.name.endswith("-italic.woff2")


@dataclass(frozen=True, slots=True)
class Fonts:
    """A style sheet whose addresses are file names, the files, and which to fetch early."""

    css: str
    files: Mapping[str, bytes]
    preload: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Face:
    """A font ready to be served: its bytes, and its metrics in em."""

    cut: Cut
    data: bytes
    width: float
    ascent: float
    descent: float
    gap: float


SERIFS = (
    Local(("Times New Roman", "Liberation Serif", "Tinos", "Times"), 0.4120),
    Local(("Noto Serif",), 0.4914),
)
SANSES = (
    Local(("Arial", "Liberation Sans", "Arimo", "Helvetica"), 0.4561),
    Local(("Roboto",), 0.4560),
)
MONOS = (Local(("Courier New", "Liberation Mono", "Cousine", "Menlo", "Droid Sans Mono"), 0.6001),)

SERIF = "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght"
SANS = "@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2"
MONO = "@fontsource-variable/red-hat-mono/files/red-hat-mono-latin-wght-normal.woff2"
FIGURES = "@fontsource-variable/vollkorn/files/vollkorn-latin-wght-normal.woff2"
SIGNS = "katex/dist/fonts/KaTeX_Main-Regular.woff2"
# Bold italics are rare, so the slant comes in one weight, at half the bytes. Exponents have a face
# of their own: those of a mono are as wide as any letter.
CUTS = (
    Cut("serif.woff2", "Source Serif", f"{SERIF}-normal.woff2", (400, 700), locals=SERIFS),
    Cut("serif-italic.woff2", "Source Serif", f"{SERIF}-italic.woff2", (400, 400), locals=SERIFS),
    Cut("sans.woff2", "Archivo Narrow", SANS, (400, 700), pins={"wdth": 82}, locals=SANSES),
    Cut("mono.woff2", "Red Hat Mono", MONO, (400, 700), features=("ccmp", "mark"), locals=MONOS),
    Cut("figures.woff2", "Text Figures", FIGURES, (400, 700), text=DIGITS, features=("kern",)),
    Cut(
        "raised.woff2",
        "Raised",
        SANS,
        (450, 450),
        RAISED + RAISED_MINUS,
        {"wdth": 100},
        (),
        scale=122,
    ),
    Cut("symbols.woff2", "Symbols", SIGNS, None, SYMBOLS, features=()),
)
PRELOAD = ("serif.woff2", "sans.woff2")
"""The faces that the first screen of every page needs."""
MATHS = (
    ("KaTeX_Main-Regular.woff2", "katex"),
    ("KaTeX_Math-Italic.woff2", "mathnormal"),
    ("KaTeX_Size1-Regular.woff2", "small-op"),
    ("KaTeX_Size2-Regular.woff2", "large-op"),
)
"""Faces of formulas, each with a word that stands in the HTML of a formula that needs it."""


def text_fonts(root: Path, memo: Memo) -> Fonts:
    """Cut every text font, or take the cut from the memo."""
    modules = root / "node_modules"
    refuse(_missing(modules, (cut.source for cut in CUTS)))
    faces = [_recall(cut, (modules / cut.source).read_bytes(), memo) for cut in CUTS]
    css = "\n".join(rule for face in faces for rule in _rules(face)) + "\n"
    return Fonts(css, {face.cut.name: face.data for face in faces}, PRELOAD)


def maths_fonts(root: Path, memo: Memo) -> Fonts:
    """Return KaTeX's style sheet with WOFF2 alone, and its fonts without hints."""
    modules = root / "node_modules"
    folder = modules / "katex" / "dist"
    refuse(_missing(modules, ["katex/dist/katex.min.css"]))
    css = (folder / "katex.min.css").read_text(encoding="utf-8")
    css = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)', "", css).replace("fonts/", "")
    names = sorted(set(re.findall(r"url\(([^)]+\.woff2)\)", css)))
    cuts = [Cut(n, "", f"katex/dist/fonts/{n}", None, text="", features=("*",)) for n in names]
    faces = [_recall(cut, (modules / cut.source).read_bytes(), memo) for cut in cuts]
    return Fonts(css, {face.cut.name: face.data for face in faces})


def maths_preload(html: str) -> tuple[str, ...]:
    """Return the maths fonts to fetch early for some typeset formulas: those they surely use."""
    return tuple(name for name, word in MATHS if word in html)


def _missing(modules: Path, files: Iterable[str]) -> Iterator[Problem]:
    for file in files:
        if not (modules / file).is_file():
            yield Problem(
                "font-missing",
                f"{modules.name}/{file} is not installed",
                hint="run `npm ci`: package.json names every font",
            )


def _rules(face: Face) -> Iterator[str]:
    """Yield the @font-face rules: the face, then the fallbacks of its measure."""
    cut = face.cut
    low, high = cut.weights or (400, 400)
    style = "italic" if cut.italic else "normal"
    weight = f"{low} {high}" if low != high else f"{low}"
    ranged = f";unicode-range:{_ranges(cut.text)}" if cut.text != LATIN else ""
    scaled = f";size-adjust:{cut.scale}%" if cut.scale != 100 else ""
    yield (
        f'@font-face{{font-family:"{cut.family}";font-style:{style};font-weight:{weight};'
        f'font-display:optional;src:url({cut.name}) format("woff2"){ranged}{scaled}}}'
    )
    yield from (_fallback(face, local, style) for local in cut.locals)


def _fallback(face: Face, local: Local, style: str) -> str:
    scale = face.width / local.width
    sources = ",".join(f'local("{name}")' for name in local.names)
    metrics = {
        "size-adjust": scale,
        "ascent-override": face.ascent / scale,
        "descent-override": face.descent / scale,
        "line-gap-override": face.gap / scale,
    }
    rules = ";".join(f"{name}:{100 * value:.2f}%" for name, value in metrics.items())
    return (
        f'@font-face{{font-family:"{face.cut.family} as {local.names[0]}";'
        f"font-style:{style};src:{sources};{rules}}}"
    )


def _ranges(text: str) -> str:
    """Return the characters as CSS writes them, runs joined."""
    runs: list[list[int]] = []
    for code in sorted(map(ord, set(text))):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return ",".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in runs)


def _recall(cut: Cut, source: bytes, memo: Memo) -> Face:
    pins = json.dumps(dict(cut.pins), sort_keys=True)
    key = digest(
        "font", str(SCHEMA), source, str(cut.weights), cut.text, pins, ",".join(cut.features)
    )
    kept = memo.get(key)
    if kept is None:
        kept = _pack(cut, source)
        memo.put(key, kept)
    head, data = kept.split(b"\n", 1)
    return Face(cut, data, **json.loads(head))


def _pack(cut: Cut, source: bytes) -> bytes:
    """Cut the font; the result is one line of metrics, then the WOFF2 file."""
    # Imported here: a build with nothing to cut does without them.
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font: Any = TTFont(BytesIO(source), recalcTimestamp=False)
    if RAISED_MINUS in cut.text:
        _raise(font)
    options = subset.Options()
    options.layout_features = list(cut.features)
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 13, 14]
    cutter = subset.Subsetter(options)
    cutter.populate(text=cut.text, unicodes=() if cut.text else font.getBestCmap())
    cutter.subset(font)
    if cut.weights:
        limits = {**cut.pins, "wght": cut.weights}
        font = instancer.instantiateVariableFont(font, limits, inplace=True)
    font.flavor = "woff2"
    file = BytesIO()
    font.save(file)

    em = font["head"].unitsPerEm
    names = font.getBestCmap()
    known = [names[ord(letter)] for letter in SAMPLE if ord(letter) in names]
    lines = font["hhea"]
    metrics = {
        "width": sum(font["hmtx"][name][0] for name in known) / max(1, len(known)) / em,
        "ascent": lines.ascent / em,
        "descent": -lines.descent / em,
        "gap": lines.lineGap / em,
    }
    head = json.dumps({name: round(value, 5) for name, value in metrics.items()}, sort_keys=True)
    return head.encode() + b"\n" + file.getvalue()


def _raise(font: Any) -> None:
    """Give a font its exponents: its numerators under their own characters, and a small minus."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    table = font["GSUB"].table
    wanted = [f.Feature for f in table.FeatureList.FeatureRecord if f.FeatureTag == "numr"]
    steps = [table.LookupList.Lookup[i] for i in wanted[0].LookupListIndex]
    above = {
        old: new for step in steps for sub in step.SubTable for old, new in sub.mapping.items()
    }
    names = font.getBestCmap()
    pen = TTGlyphPen(font.getGlyphSet())
    pen.addComponent(names[ord("-")], (0.8, 0, 0, 0.7, 10, 330))
    minus = "minus.numr"
    font.setGlyphOrder([*font.getGlyphOrder(), minus])
    font["glyf"].glyphs[minus] = pen.glyph()
    font["gvar"].variations[minus] = []
    font["hmtx"][minus] = (round(0.8 * font["hmtx"][names[ord("-")]][0]) + 20, 0)
    del font["HVAR"]  # it knows nothing of the new glyph; gvar tells the same
    for encoding in (part.cmap for part in font["cmap"].tables if part.isUnicode()):
        digits = zip(RAISED, DIGITS, strict=True)
        encoding.update({ord(raised): above[names[ord(digit)]] for raised, digit in digits})
        encoding[ord(RAISED_MINUS)] = minus
