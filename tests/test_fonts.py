"""Fonts: what is cut, how large it is, and that the same cut gives the same bytes."""

from __future__ import annotations

import gzip
import re
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from explainers import fonts
from explainers.errors import BuildError

ROOT = Path(__file__).parents[1]


class Kept:
    """A memo in memory that counts what was put."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}
        self.puts = 0

    def get(self, key: str) -> bytes | None:
        return self.data.get(key)

    def put(self, key: str, data: bytes) -> None:
        self.puts += 1
        self.data[key] = data


@pytest.fixture(scope="module")
def memo() -> Kept:
    return Kept()


@pytest.fixture(scope="module")
def text(memo: Kept) -> fonts.Fonts:
    return fonts.text_fonts(ROOT, memo)


def test_text_fonts_keep_within_their_budget(text: fonts.Fonts) -> None:
    assert sum(map(len, text.files.values())) <= 110_000


def test_style_sheet_names_every_file_once(text: fonts.Fonts) -> None:
    assert re.findall(r"url\(([^)]+)\)", text.css) == list(text.files)
    assert set(text.preload) <= set(text.files)


def test_text_fonts_vary_in_weight_alone(text: fonts.Fonts) -> None:
    axes = {
        name: [axis.axisTag for axis in font["fvar"].axes] if "fvar" in font else []
        for name, font in ((name, TTFont(BytesIO(data))) for name, data in text.files.items())
    }
    assert axes == {
        "serif.woff2": ["wght"],
        "serif-italic.woff2": [],
        "sans.woff2": ["wght"],
        "mono.woff2": ["wght"],
        "figures.woff2": ["wght"],
        "raised.woff2": [],
        "symbols.woff2": [],
    }


@pytest.mark.parametrize("name", ["serif.woff2", "serif-italic.woff2", "sans.woff2", "mono.woff2"])
def test_text_fonts_hold_latin_and_its_punctuation(text: fonts.Fonts, name: str) -> None:
    characters = TTFont(BytesIO(text.files[name])).getBestCmap()
    assert "".join(c for c in fonts.LATIN if ord(c) not in characters and c != "\xad") == ""


def test_symbols_hold_the_signs_of_a_text_on_numbers(text: fonts.Fonts) -> None:
    characters = TTFont(BytesIO(text.files["symbols.woff2"])).getBestCmap()
    assert all(ord(sign) in characters for sign in "←→↩≤≥≈∞√∂Δℓ")


def test_every_text_family_has_a_fallback_of_its_measure(text: fonts.Fonts) -> None:
    adjusted = re.findall(r'font-family:"([^"]+) as [^"]+";[^}]*size-adjust:([\d.]+)%', text.css)
    assert {family for family, _ in adjusted} == {"Source Serif", "Archivo Narrow", "Red Hat Mono"}
    assert all(80 < float(scale) < 125 for _, scale in adjusted)


def test_stacks_in_the_tokens_name_the_families_that_are_cut(text: fonts.Fonts) -> None:
    tokens = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
    families = set(re.findall(r'font-family:"([^"]+)"', text.css))
    assert set(re.findall(r'"([A-Z][^"]+)"', tokens)) == families


def test_cuts_are_kept_and_not_made_again(memo: Kept, text: fonts.Fonts) -> None:
    before = memo.puts
    assert fonts.text_fonts(ROOT, memo) == text
    assert memo.puts == before == len(fonts.CUTS)


def test_same_cut_gives_the_same_bytes(text: fonts.Fonts) -> None:
    cut = next(cut for cut in fonts.CUTS if cut.name == "mono.woff2")
    source = (ROOT / "node_modules" / cut.source).read_bytes()
    again = fonts._pack(cut, source).split(b"\n", 1)[1]
    assert again == text.files["mono.woff2"]


def test_missing_packages_are_named_each_once(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        fonts.text_fonts(tmp_path, Kept())
    assert {problem.code for problem in caught.value.problems} == {"font-missing"}
    assert len(caught.value.problems) == len({cut.source for cut in fonts.CUTS})
    assert all("npm ci" in (problem.hint or "") for problem in caught.value.problems)


def test_maths_style_is_small_and_names_only_what_is_served(memo: Kept) -> None:
    maths = fonts.maths_fonts(ROOT, memo)
    named = re.findall(r"url\(([^)]+)\)", maths.css)
    assert sorted(named) == sorted(maths.files)
    assert all(name.endswith(".woff2") for name in named)
    assert len(gzip.compress(maths.css.encode(), 9)) <= 4_000
    usual = ("Main-Regular", "Math-Italic", "Size1-Regular", "Size2-Regular", "Size3-Regular")
    assert sum(len(maths.files[f"KaTeX_{name}.woff2"]) for name in usual) <= 80_000


def test_formulas_preload_the_faces_they_use(memo: Kept) -> None:
    files = fonts.maths_fonts(ROOT, memo).files
    assert all(name in files for name, _ in fonts.MATHS)
    plain = '<span class="katex"><span class="mord mathnormal">x</span></span>'
    assert fonts.maths_preload(plain) == ("KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2")
    assert fonts.maths_preload("") == ()
