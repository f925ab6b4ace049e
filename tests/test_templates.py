"""Templates with the least they may be given; colours, sizes and escapes."""

from __future__ import annotations

import datetime as dt
import gzip
import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

ROOT = Path(__file__).parents[1]
CSS = ROOT / "static/css"
SHEETS = ("tokens", "page", "prose", "code", "figure", "colophon", "lists", "print")
NOWHERE: dict[str, Any] = {"series": [], "related": []}
TEMPLATES = Environment(
    loader=FileSystemLoader(ROOT / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
NASTY = "Is 1 < 2 & \"3\" > '2'? \N{ELECTRIC LIGHT BULB}"


# ---- templates ---------------------------------------------------------------------------------


def shared(**page: Any) -> dict[str, Any]:
    return {
        "site": {
            "title": "Tiny",
            "tagline": "",
            "lang": "en",
            "url": "https://x.example/",
            "menu": [],
            "feeds": True,
        },
        "root": "",
        "page": {
            "title_text": "Tiny",
            "summary_text": "",
            "url": "",
            "lang": "",
            "maths": False,
            "figures": False,
            "published": None,
            "twin": "",
            "canonical": "https://x.example/",
            **page,
        },
        "assets": {
            "styles": ["_/site.css"],
            "icon": "_/icon.svg",
            "script": "_/site.js",
            "scripts": [],
            "modulepreload": [],
            "preload": [],
            "bootstrap": Markup("0"),
            "csp": "default-src 'none'",
        },
    }


def article(**changes: Any) -> str:
    page = {
        "title": NASTY,
        "title_text": NASTY,
        "summary": NASTY,
        "summary_text": NASTY,
        "url": "a/",
        "date": dt.date(2026, 8, 1),
        "updated": None,
        "minutes": 1,
        "words": 1,
        "tags": (),
        "authors": (),
        "kind": "note",
        "license": "",
        "body": Markup("<p>Text.</p>"),
        "headings": [],
        "errata": [],
        **changes,
    }
    colophon = {
        "claims": [],
        "datasets": [],
        "version": "explainers 0",
        "rebuild": "",
        "source_url": "",
        "report_url": "",
        "mark": "0123456789ab",
        "cite": None,
    }
    context = {**shared(**page), "root": "../", "colophon": colophon, "onward": NOWHERE}
    return TEMPLATES.get_template("article.html").render(context)


def test_article_renders_with_the_least_context_and_escapes_texts() -> None:
    html = article()
    assert html.startswith("<!doctype html>")
    assert html.count("<h1") == html.count("<main") == 1
    assert "1 &lt; 2 &amp; &#34;3&#34;" in html
    assert "1 < 2" not in html
    assert "about 1 minute." in html


def test_article_tells_claims_datasets_and_errata() -> None:
    context = {
        **shared(
            title="A", title_text="A", summary="S", summary_text="S", url="a/", body="",
            headings=[],
            date=dt.date(2026, 8, 1), updated=dt.date(2026, 9, 1), minutes=3, words=600,
            tags=[{"name": "x", "url": "tags/x/"}], authors=["Ada"], kind="article",
            license="CC BY 4.0",
            errata=[{"date": dt.date(2026, 9, 2), "html": Markup("<em>Wrong</em> sign.")}],
        ),
        "root": "../",
        "colophon": {
            "claims": [{"html": Markup("<b>True.</b>"), "expression": "a < b", "place": "i.md:3"}],
            "datasets": [
                {
                    "name": "trace", "origin": "computed", "summary": "A sweep.", "parameters": "",
                    "source_html": Markup('<div class="code"></div>'), "versions": "numpy 2",
                    "key": "ab", "oracle": "mpmath", "tolerance": "1e-12", "device": "", "date": "",
                    "rebuild": "import explainers",
                }
            ],
            "version": "explainers 0", "rebuild": "python build.py", "source_url": "",
            "report_url": "https://x.example/new", "mark": "0123456789ab",
            "cite": {"text": "Ada, “A”", "bibtex": "@article{a}"},
        },
        "onward": {
            "series": [
                {
                    "title": "Course", "url": "series/course/", "number": 2, "count": 3,
                    "previous": {"title": "First", "url": "first/"},
                    "next": {"title": "Third", "url": ""},
                }
            ],
            "related": [{"title": "Other", "url": "other/", "summary": "S"}],
        },
    }  # fmt: skip
    html = TEMPLATES.get_template("article.html").render(context)
    for part in ("<b>True.</b>", "a &lt; b", 'id="made-trace"', "mpmath", "<em>Wrong</em>", "Ada"):
        assert part in html
    assert "<dt>device</dt>" not in html
    for part in ('href="../tags/x/"', "@article{a}", 'href="../first/"', 'href="../other/"'):
        assert part in html
    assert "module 2 of 3" in html
    assert "Third</p>" in html  # planned: named, never linked


def test_opening_of_an_article_that_says_nothing_is_empty() -> None:
    template = TEMPLATES.get_template("parts/opening.html")
    nothing = {"audience": "", "prerequisites": [], "predict": []}
    assert template.render(opening=nothing, root="").strip() == ""
    assert "For whom" in template.render(opening={**nothing, "audience": "You."}, root="")


@pytest.mark.parametrize("published", [0, 1, 3])
def test_home_renders_with_none_one_and_more_articles(published: int) -> None:
    entry = {
        "title": NASTY, "title_text": NASTY, "summary": "S", "url": "a/", "minutes": 2,
        "date": dt.date(2026, 8, 1), "figure": Markup("<svg></svg>"),
    }  # fmt: skip
    latest = {**entry, "caption": ""} if published else None
    html = TEMPLATES.get_template("home.html").render(
        {
            **shared(),
            "latest": latest,
            "featured": [entry] * max(0, published - 1),
            "count": published,
        }
    )
    assert html.count("<h1") == 1
    assert html.count("<svg></svg>") == published
    assert 'href="./"' in html


def test_not_found_renders() -> None:
    html = TEMPLATES.get_template("404.html").render(
        {**shared(title_text="Not found", url="404.html"), "root": "/sub/"}
    )
    assert 'href="/sub/_/site.css"' in html


# ---- sizes -------------------------------------------------------------------------------------


def squeezed(data: bytes) -> int:
    return len(gzip.compress(data, 9))


def test_script_and_bootstrap_keep_within_their_budgets() -> None:
    # Styles are weighed as they are served, in test_budgets.py.
    assert squeezed((ROOT / "static/js/site.js").read_bytes()) <= 4_000
    assert len((ROOT / "templates/parts/bootstrap.js").read_bytes()) <= 500


# ---- colours -----------------------------------------------------------------------------------


def declared(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", block))


TOKENS = (CSS / "tokens.css").read_text(encoding="utf-8")
LIGHT = declared(TOKENS[TOKENS.index("/* Paper. */") : TOKENS.index("/* The scope")])
DARK = declared(TOKENS[TOKENS.index("/* The scope") : TOKENS.index("/* … and")])
CHOSEN = declared(TOKENS[TOKENS.index("/* … and") : TOKENS.index("/* The lexicon")])
MODES = {"paper": LIGHT, "scope": DARK}
HUES = [f"hue-{number}" for number in range(1, 7)]


def linear(color: str) -> np.ndarray:
    channels = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    dark, light = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


# Machado, Oliveira and Fernandes (2009), severity 1.
SIGHT = {
    "full": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.01182, 0.04294, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
}
TO_CONES = np.array(
    [[0.41222, 0.53633, 0.05145], [0.2119, 0.6807, 0.1074], [0.0883, 0.28172, 0.62998]]
)
TO_LAB = np.array(
    [[0.21045, 0.79362, -0.00407], [1.978, -2.42859, 0.45059], [0.0259, 0.78277, -0.80868]]
)


def oklab(light: np.ndarray) -> np.ndarray:
    return TO_LAB @ np.cbrt(np.clip(TO_CONES @ light, 0, None))


def test_chosen_scope_is_the_system_scope() -> None:
    assert CHOSEN == DARK
    assert set(LIGHT) == set(DARK)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ground", ["paper", "sunk"])
def test_text_stands_out_from_its_ground(mode: str, ground: str) -> None:
    colors = MODES[mode]
    texts = ["ink", "ink-2", *(name for name in colors if name.startswith("code-"))]
    low = {name: contrast(colors[name], colors[ground]) for name in texts}
    assert {name: ratio for name, ratio in low.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("mode", MODES)
def test_marks_stand_out_from_their_ground(mode: str) -> None:
    colors = MODES[mode]
    marks = [*HUES, "ink-3", "volt-edge", "volt-line", "focus"]
    low = {name: contrast(colors[name], colors["paper"]) for name in marks}
    assert {name: ratio for name, ratio in low.items() if ratio < 3} == {}
    assert contrast(colors["on-volt"], colors["volt"]) >= 7


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sight", SIGHT)
def test_six_hues_differ_for_every_kind_of_eye(mode: str, sight: str) -> None:
    seen = {hue: oklab(SIGHT[sight] @ linear(MODES[mode][hue])) for hue in HUES}
    apart = {
        pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]]))
        for pair in itertools.combinations(HUES, 2)
    }
    assert {pair: distance for pair, distance in apart.items() if distance < 0.12} == {}


def test_every_colour_of_the_style_sheets_is_a_token() -> None:
    for name in SHEETS[1:-1]:
        literal = re.findall(r"#[0-9a-f]{3,8}\b", (CSS / f"{name}.css").read_text(encoding="utf-8"))
        assert [color for color in literal if color != "#0000"] == [], name
