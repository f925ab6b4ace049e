"""Holes are filled with what was made for them, and nothing in it can break out."""

import base64
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.data.claims import Evaluated
from explainers.errors import Span
from explainers.model import Drawing, Expression, Figure, Formula, Link, Listing, Opening, Part
from explainers.render.fill import Answers, block, caption, data_blocks, fill, picture
from explainers.render.policy import policy

HERE = Span("content/articles/a/index.md", 3, 1)
VALUE = Expression("x.y | fixed(1)", "value", HERE)
CLAIM = Expression("x.y < 2", "claim", HERE)
LINK = Link("../b/index.md", "link", HERE)
WORDS = Link("../b/index.md", "words", HERE)
FIGURE = Figure("bars", "sums", 1, (("data", "x", HERE),), "{}", HERE)
LISTING = Listing("kernels/x.py", HERE)
DRAWING = Drawing(
    '<div class="picture"><svg></svg></div>',
    "A sentence.",
    "_/bars.js",
    "{}",
    ("x",),
    picture='<div class="picture"><svg role="img"><g id="a" fill="url(#b)" tabindex="0"/></svg>',
)


def answers(**changes: object) -> Answers:
    found = {
        "formulas": {("x", False): "<math>x</math>"},
        "values": {VALUE: Evaluated("−1.5", -1.5, "-1.5"), CLAIM: Evaluated("true", True, "true")},
        "drawings": {FIGURE: DRAWING},
        "listings": {LISTING: "<pre>code</pre>"},
        "links": {LINK: "b/", WORDS: "B < C"},
        "datasets": {"x": '{"a":"</script><!--"}'},
        "opening": "<aside>for you</aside>",
    }
    return Answers(**{**found, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("part", "html"),
    [
        ("<p>text</p>", "<p>text</p>"),
        (Formula("x", False, HERE), "<math>x</math>"),
        (VALUE, '<data class="num computed" value="-1.5">−1.5</data>'),
        (CLAIM, ""),
        (LINK, "../b/"),
        (WORDS, "B &lt; C"),
        (LISTING, "<pre>code</pre>"),
        (Opening(), "<aside>for you</aside>"),
    ],
)
def test_each_hole_has_its_filling(part: Part, html: str) -> None:
    assert fill([part], answers(), "../") == html


def test_a_figure_is_its_first_frame_and_what_brings_it_alive() -> None:
    html = str(fill([FIGURE], answers(), "../"))
    assert html.startswith('<div class="plate" data-figure="sums" data-kind="bars"')
    assert 'data-module="../_/bars.js"' in html
    assert '<script type="application/json" id="props-sums">{}</script>' in html


def test_a_picture_at_rest_takes_no_focus_and_has_ids_of_its_own() -> None:
    assert picture(DRAWING, "sums") == (
        '<div class="picture"><svg><g id="sums-a" fill="url(#sums-b)"/></svg>'
    )


def test_a_dataset_is_carried_once_or_named_as_a_file() -> None:
    carried = data_blocks([DRAWING, DRAWING], answers(), "../")
    assert carried.count("<script") == 1
    beside = data_blocks([DRAWING], answers(side_files={"x": "_/x.json"}), "../")
    assert beside == '<script type="application/json" id="data-x" data-src="../_/x.json"></script>'


@given(st.text())
def test_no_text_ends_a_block_of_data(text: str) -> None:
    inside = block("data", text)[len('<script type="application/json" id="data">') : -9]
    assert "<" not in inside


def test_a_caption_is_found_in_the_text_around_its_figure() -> None:
    parts: list[Part] = [
        "<p>before</p><figure>",
        FIGURE,
        '<figcaption><span class="label">Figure 1</span> Drag ',
        VALUE,
        " now.</figcaption></figure><p>after</p>",
    ]
    assert fill(caption(parts, FIGURE), answers(), "") == (
        '<span class="label">Figure 1</span> Drag '
        '<data class="num computed" value="-1.5">−1.5</data> now.'
    )


def test_the_policy_allows_the_inline_script_and_no_other() -> None:
    script = "document.title"
    allowed = re.findall(r"'sha256-([^']+)'", policy(script))
    assert allowed == [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()]
    assert "script-src 'self';" in policy()
    assert "default-src 'none'" in policy()


def test_no_line_breaks_between_a_formula_and_what_closes_it() -> None:
    formula = Formula("x", False, HERE)
    assert fill(["so ", formula, "). Then"], answers(), "") == (
        'so <span class="nowrap"><math>x</math>).</span> Then'
    )
    assert fill([formula, " and"], answers(), "") == "<math>x</math> and"
