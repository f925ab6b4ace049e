"""An article is read whole: its outline, its body, or every mistake it holds."""

from __future__ import annotations

import contextlib
import html
import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explainers.errors import BuildError
from explainers.markdown import grammar
from explainers.markdown.page import Page
from explainers.model import Expression, Figure, Formula, Link, Listing, Opening, Parsed
from explainers.parse import lint, parse

from .conftest import Site

SUMMARY = "A summary of $x$ that is long enough to be one, since it must say what a reader "
SUMMARY += "will understand, and that takes more than a hundred and twenty characters."
HEAD = f"""---
title: "The title of $y$"
summary: "{SUMMARY}"
date: 2026-09-21
audience: knows $C$
prerequisites: [one, "two $a$"]
predict: [three]
---
"""
FIRST = HEAD.count("\n") + 1


def article(text: str, head: str = HEAD) -> Parsed:
    return parse("content/articles/a/index.md", "a", head + text)


def mistakes(text: str, head: str = HEAD) -> list[str]:
    with pytest.raises(BuildError) as caught:
        article(text, head)
    return [f"{p.span.line}:{p.span.column} {p.code}" for p in caught.value.problems if p.span]


def written(parsed: Parsed) -> str:
    return "".join(part if isinstance(part, str) else "" for part in parsed.body.parts)


def test_the_outline_says_what_others_may_know() -> None:
    parsed = article(
        ":::{figure} trace\n:label: f\n:data: {a: one, b: two}\nCaption.\n:::\n\n"
        "## First $x$ [link](b.md)\n\n{value}`three.x + one.y` {cite}`k, l` {cite}`k`\n\n"
        ":::{listing} kernels/a.py#f\n:::\n\n$$ a $$ (eq)\n\n:::{claim} all(four.z == 1)\nYes.\n:::"
    )
    outline = parsed.outline
    assert outline.title == ("The title of ", outline.title[1])
    assert outline.title_text == "The title of y"
    assert outline.summary_text.startswith("A summary of x that")
    assert [(h.level, h.id, h.number) for h in outline.headings] == [(2, "first-x-link", "1")]
    assert [p if isinstance(p, str) else "" for p in outline.headings[0].parts] == [
        "First ",
        "",
        " link",
    ]
    assert outline.anchors == {
        "f": "Figure 1",
        "first-x-link": "Section 1",
        "listing-1": "Listing 1",
        "eq": "(1)",
    }
    assert outline.kinds == ("trace",)
    assert [name for name, _ in outline.datasets] == ["one", "two", "three", "one", "four"]
    assert outline.listings == ("kernels/a.py#f",)
    assert outline.citations == ("k", "l", "k")
    assert [(link.use, link.target) for link in outline.links] == [
        ("link", "b.md"),
        ("cite", "k"),
        ("cite", "l"),
        ("cite", "k"),
    ]
    assert outline.words == 11


def test_the_fields_of_the_opening_are_markdown() -> None:
    body = article("Text.").body
    assert body.audience[0] == "knows "
    assert isinstance(body.audience[1], Formula)
    assert body.audience[1].span.line == 5
    assert body.audience[1].span.column == 18
    assert [parts[0] for parts in body.prerequisites] == ["one", "two "]
    assert body.predict == (("three",),)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("Text.\n\n## One", ""),
        (":::{figure} t\n:label: f\n:::\n\n## One", "figure"),
        ("## One\n\n:::{figure} t\n:label: f\n:::", ""),
        ("", ""),
    ],
)
def test_the_opening_stands_at_the_start_or_after_a_first_figure(text: str, before: str) -> None:
    parts = article(text).body.parts
    index = next(n for n, part in enumerate(parts) if isinstance(part, Opening))
    html_before = "".join(part for part in parts[:index] if isinstance(part, str))
    assert ("</figure>" in html_before) == bool(before)
    assert html_before == "" or before
    assert "<h2" not in html_before
    assert sum(isinstance(part, Opening) for part in parts) == 1


def test_every_mistake_is_found_in_one_run_in_the_order_of_places() -> None:
    body = "{valu}`x`\n\n:::{nte}\n[a](javascript:x)\n:::\n\n```qq\n```\n\n[^z] $$\n"
    head = HEAD.replace("date:", "dat:").replace("predict:", "predikt:")
    assert mistakes(body, head) == [
        "1:1 missing-key",
        "1:1 missing-key",
        "4:1 unknown-key",
        "7:1 unknown-key",
        f"{FIRST}:2 unknown-role",
        f"{FIRST + 2}:5 unknown-directive",
        f"{FIRST + 3}:5 unsafe-link",
        f"{FIRST + 6}:4 unknown-language",
        f"{FIRST + 9}:1 unknown-footnote",
    ]


@pytest.mark.parametrize(
    "character", ["\0", "\ud800", "\x0c", "\x85", "\u2028", "\ufeff", "\ufffe"]
)
def test_characters_no_page_can_show_are_refused(character: str) -> None:
    assert mistakes(f"Text\nab{character}c") == [f"{FIRST + 1}:3 bad-character"]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_the_byte_order_mark_make_no_difference(end: str) -> None:
    body = "## One\n\nText\n:::{note}\n:label: n\nText.\n:::\n\n- [x] a\n"
    text = "\ufeff" + (HEAD + body).replace("\n", end)
    assert parse("content/articles/a/index.md", "a", text) == article(body)


def test_the_same_text_makes_the_same_page() -> None:
    body = "# no\n".replace("# no", "## A $x$ {cite}`a`") + "[^1]\n\n[^1]: Note.\n"
    assert article(body) == article(body)


def test_holes_can_be_pickled_and_found() -> None:
    import pickle

    parsed = article("{value}`a` $x$ [l](b.md) ![i](c.png)\n\n:::{listing} x.py\n:::")
    assert pickle.loads(pickle.dumps(parsed)) == parsed
    kinds = {type(hole) for hole in parsed.body.holes()}
    assert kinds == {Expression, Formula, Link, Listing, Opening}


def test_fields_are_set_as_prose_is() -> None:
    parsed = article("Text.", HEAD.replace("The title of $y$", "It's \\\\$5 -- really"))
    assert parsed.outline.title == ("It’s $5 – really",)
    assert parsed.outline.title_text == "It’s $5 – really"
    assert mistakes("Text.", HEAD.replace("of $y$", "[^a]")) == ["2:1 unknown-footnote"]


def test_quotes_of_other_languages_stay_as_typed() -> None:
    text = '"Ja" -- nein'
    assert "“Ja” – nein" in written(article(text))
    assert '"Ja" -- nein' in written(article(text, HEAD.replace("date:", "lang: de\ndate:")))


def test_a_module_has_its_blocks() -> None:
    head = HEAD.replace("date:", "kind: module\ndate:")
    assert mistakes("Text.", head) == ["1:1 missing-block"] * 4
    article(
        ":::{mental-model}\nA\n:::\n\n:::{numbers}\n| name | value | source |\n|---|---|---|\n"
        "| a | 1 | x |\n:::\n\n:::{probe}\nA\n---\nB\n:::\n\n:::{self-check}\nA\n---\nB\n:::",
        head,
    )


DOUBTS = {
    "It takes 12 ms at 3.35 TB/s, 4× faster, 5 % less, 100 cycles.": [
        'typed-measurement 1:10 the measurement "12 ms" is typed by hand',
        'typed-measurement 1:19 the measurement "3.35 TB/s" is typed by hand',
        'typed-measurement 1:30 the measurement "4×" is typed by hand',
        'typed-measurement 1:41 the measurement "5 %" is typed by hand',
        'typed-measurement 1:51 the measurement "100 cycles" is typed by hand',
    ],
    "In the 1990s, tiles of 32×33, `12 ms`, $4 s$, 2 steps, 8x8, v1.2.": [],
    "{given}`3.35 TB/s`, {value}`a.b` s and ``12 ms``": [],
    ":::{numbers}\n| name | value | source |\n|---|---|---|\n| a | 3 | 3 ms on an H100 |\n:::": [],
    ":::{claim} a.b < 3\nIt takes less than 3 ms. TODO\n:::": [
        'leftover-note 2:26 a note to yourself: "TODO"',
    ],
    "> - 7 s\n\n| 8 ms |\n|---|\n| 8 ms |": [
        'typed-measurement 1:5 the measurement "7 s" is typed by hand',
        'typed-measurement 3:3 the measurement "8 ms" is typed by hand',
        'typed-measurement 5:3 the measurement "8 ms" is typed by hand',
    ],
    "![](a.png) ![b](c.png)": ["missing-alt 1:5 this image has no description"],
    "## A\n\n#### B\n\n### C": [
        "heading-jump 3:1 a heading of level 4 stands under one of level 2"
    ],
    "TODO: write": ['leftover-note 1:1 a note to yourself: "TODO"'],
}


@pytest.mark.parametrize("text", DOUBTS)
def test_what_is_doubtful_is_found_where_it_stands(text: str) -> None:
    found = lint("a.md", HEAD + text)
    spans = [(p, p.span) for p in found if p.span]
    said = [f"{p.code} {s.line - FIRST + 1}:{s.column} {p.message}" for p, s in spans]
    assert said == DOUBTS[text]


def test_raw_html_is_text_unless_the_article_asks() -> None:
    assert "&lt;b&gt;" in written(article("<b>x</b>"))
    assert "<b>x</b>" in written(article("<b>x</b>", HEAD.replace("date:", "html: true\ndate:")))


# ---- odd input ----------------------------------------------------------------------------------

ODD = {
    "a line of 1 MB": "word " * 200_000,
    "a word of 1 MB": "a" * 1_000_000,
    "10,000 quotes": ">" * 10_000 + " a",
    "lists in lists": "- " * 10_000 + "a",
    "100,000 brackets": "[" * 100_000,
    "brackets that close": "[" * 50_000 + "]" * 50_000,
    "pairs of brackets": "[]" * 50_000,
    "links": "[a](b) " * 3_000,
    "image brackets": "![" * 50_000,
    "note brackets": "^[" * 50_000,
    "note marks": "[^a" * 30_000,
    "inline notes": "^[a] " * 3_000,
    "dollars": "$" * 100_000,
    "unbalanced dollars": "$a " * 30_000,
    "dollars at words": "a$" * 30_000,
    "text in formulas": "$" + "\\text{" * 5_000 + "$",
    "backticks": "".join("`" * (n % 300 + 1) + "a" for n in range(1_000)),
    "roles": "{value}`x` " * 3_000,
    "open roles": "{value}`" * 3_000,
    "closing colons": ":::\n" * 3_000,
    "opening colons": ":::{note}\n" * 1_000,
    "asterisks": "**a " * 20_000,
    "underscores": "_a" * 20_000,
    "angles": "<a " * 20_000,
    "entities": "&amp;" * 10_000,
    "table rows": "|a|b|\n|-|-|\n" + "|x|y|\n" * 3_000,
    "table columns": "|" * 5_000 + "\n" + "|-" * 5_000 + "|",
    "fences": "```\n" * 3_001,
    "open formulas": "$$\n\n" * 2_000,
    "labels": "(l)=\n" * 1_000,
    "headings": "## a\n\n" * 2_000,
    "quotes": '"a' * 20_000,
    "citations": "{cite}`a` " * 1_000,
    "Windows' line ends": "a *b*\r\n\r\n- c\r\n" * 1_000,
    "old line ends": "a\r" * 1_000,
    "a byte-order mark inside": "a\ufeffb",
    "NUL": "a\0b" * 1_000,
    "half of a pair": "a\ud800b" * 1_000,
    "from right to left": "שלום *עולם* \u202eabc\u202c " * 2_000,
    "emoji": "👩‍👩‍👧 *👍🏽* 🇩🇪 " * 2_000,
    "marks on a letter": "e" + "\u0301" * 100_000,
    "tabs": "\t" * 100_000 + "a",
    "spaces": "a" + " " * 100_000 + "b",
    "backslashes": "\\" * 100_000,
    "footnotes": "".join(f"a[^{n}]\n\n[^{n}]: b\n\n" for n in range(500)),
    "terms": "{term}`a <m>` " * 2_000,
    "numbers": "3 ms " * 20_000,
}
REFUSED = {
    "100,000 brackets": "too-deep",
    "brackets that close": "too-deep",
    "image brackets": "too-deep",
    "note brackets": "too-deep",
    "note marks": "too-deep",
    "10,000 quotes": "too-deep",
    "lists in lists": "too-deep",
    "a byte-order mark inside": "bad-character",
    "NUL": "bad-character",
    "half of a pair": "bad-character",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_input_is_read_or_refused_in_time(name: str) -> None:
    begin = time.process_time()
    codes: set[str] = set()
    try:
        parsed = article(ODD[name])
        lint("a.md", HEAD + ODD[name])
        assert re.search(r"\S", written(parsed))
    except BuildError as error:
        assert all(problem.span for problem in error.problems)
        codes = {problem.code for problem in error.problems}
    assert time.process_time() - begin < 4
    assert name not in REFUSED or codes == {REFUSED[name]}


def test_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    text = HEAD + "## One\n\nText $x$.\n\n- a\n- b\n"
    plain = parse("a.md", "a", text)
    assert parse("a.md", "a", text.replace("\n", "\r\n")) == plain
    assert parse("a.md", "a", text.replace("\n", "\r")) == plain
    assert parse("a.md", "a", "\ufeff" + text) == plain


@pytest.mark.parametrize(
    "sign", ["[a](b) ", "*a _b_ ", "$a$ ", "`a` ", "- a\n", "> a\n\n", "a\n\n"]
)
def test_time_grows_as_the_text_does(sign: str) -> None:
    def took(count: int) -> float:
        begin = time.process_time()
        with contextlib.suppress(BuildError):
            article(sign * count)
        return time.process_time() - begin

    took(500)
    assert took(8_000) < 8 * took(2_000) + 0.2


# What makes Markdown go wrong, and our own signs, in any order.
SIGNS = st.sampled_from(
    [
        *("\n", "\n\n", " ", "  ", "\t", "a", "b c", "1", "**", "_", "*", "~~", "`", "``", "```"),
        *(
            "[",
            "]",
            "(",
            ")",
            "![",
            "^[",
            "[^a]",
            "[^a]: x\n",
            "](b.md)",
            "$",
            "$$",
            "\\",
            "\\text{",
        ),
        *(
            "{",
            "}",
            "{value}`a`",
            "{cite}`a`",
            "{term}`a <b>`",
            "{ref}`",
            "<",
            ">",
            "> ",
            "- ",
            "1. ",
        ),
        *("- [ ] ", "|", "|-|-|\n", ":::", "::::", ":::{note}\n", "::::{probe}\n", ":label: x\n"),
        *(
            ":::{numbers}\n",
            ":::{predict}\n",
            ":answer: 1\n",
            "---\n",
            "(a)=\n",
            "# ",
            "## ",
            "==\n",
        ),
        *(
            "&amp;",
            "&#0;",
            "<b>",
            "</script>",
            "<!--",
            "-->",
            '"',
            "'",
            "--",
            "...",
            ": ",
            "é",
            "😀",
            "ש",
        ),
    ]
)
TEXT = st.lists(SIGNS, max_size=40).map("".join)


class _Balance(HTMLParser):
    """Checks that tags close in the order they open, and collects what a reader sees."""

    VOID = frozenset({"br", "hr", "img", "input"})
    FLOW = frozenset(
        {*("p", "div", "section", "figure", "ul", "ol", "dl", "table", "details", "aside"), "pre"}
    )

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.ids: list[str] = []
        self.nested: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not any(name.startswith("on") for name, _ in attrs)
        assert tag not in ("script", "style", "b")
        if (tag == "a" and "a" in self.open) or (tag in self.FLOW and "p" in self.open):
            self.nested.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXT)
def test_any_text_becomes_valid_html_and_placed_problems(text: str) -> None:
    page = Page("a.md", text.split("\n"))
    parts = grammar.body(page, text)
    reader = _Balance()
    reader.feed("".join(part if isinstance(part, str) else "" for part in parts))
    reader.close()
    assert reader.open == []
    for problem in page.problems:
        assert problem.span
        assert 1 <= problem.span.line <= text.count("\n") + 1
        assert problem.span.column >= 1
    if not page.problems:
        assert reader.nested == []
        assert len(reader.ids) == len(set(reader.ids))


WORDS = st.lists(
    st.sampled_from(["zebra", "quokka", "yak", "emu", "okapi"]), min_size=1, max_size=6
)
WRAPS = [
    *("{}", "*{}*", "**{}**", "- {}", "> {}", "1. {}", "## {}", "`{}`", "[{}](b.md)", "~~{}~~"),
    *(
        "| {} |\n|---|\n| x |",
        "| a |\n|---|\n| {} |",
        ":::{{note}}\n{}\n:::",
        "Text^[{}]",
        "a\n: {}",
    ),
    *(
        ":::{{probe}}\nq\n---\n{}\n:::",
        "x[^1]\n\n[^1]: {}",
        "```\n{}\n```",
        "    {}",
        "{{given}}`{}`",
    ),
    *(
        ":::{{note}} {}\nx\n:::",
        ":::{{figure}} k\n{}\n:::",
        "{{term}}`{} <t>`",
        "- [ ] {}",
        "<i>{}</i>",
    ),
    *(":::{{derivation}}\n:label: d\n{}\n:::", "(x)=\n## {}", "{{ref}}`{} <../b/index.md>`"),
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WRAPS), WORDS), min_size=1, max_size=1))
def test_no_word_of_an_author_is_lost(pieces: list[tuple[str, list[str]]]) -> None:
    text = "\n\n".join(wrap.format(" ".join(words)) for wrap, words in pieces)
    seen = html.unescape(re.sub(r"<[^>]*>", " ", written(article(text))))
    for _, words in pieces:
        assert " ".join(words) in " ".join(seen.split())


PAYLOADS = st.lists(
    st.sampled_from(
        [
            *('"', "'", "<", ">", "&", "/", "=", " ", "--", "]]>", "<!--", "\\", "x", "&quot;"),
            *("&#60;", "</script>", "<script>alert(1)</script>", "<img src=x onerror=y>"),
            *(" onload=x", "javascript:alert(1)"),
        ]
    ),
    min_size=1,
    max_size=8,
).map("".join)
CONTEXTS = [
    *(
        "{}",
        "[a](b.md '{}')",
        '[a](b.md "{}")',
        "![{}](a.png)",
        '![a](b.png "{}")',
        "[{}](https://a.b)",
    ),
    *(
        "[a](https://a.b/{})",
        "[a]({})",
        "[a](<{}>)",
        "<https://a.b/{}>",
        "```python title={}\nx\n```",
    ),
    *(
        '```python title="{}"\n{}\n```',
        "```{}\nx\n```",
        ":::{{note}} {}\nx\n:::",
        "## {}",
        "| {} |\n|---|",
    ),
    *(
        "{{term}}`{} <m>`",
        "{{term}}`a <{}>`",
        "{{gloss}}`{}`",
        "{{cite}}`{}`",
        "{{given}}`{}`",
        "`{}`",
    ),
    *(
        ":::{{figure}} {}\n:::",
        ":::{{figure}} k\n:label: {}\n:state: {{a: '{}'}}\n:::",
        "x[^1]\n\n[^1]: {}",
    ),
    *(
        ":::{{figure}} k\n:label: f\n:::\n\n{{trigger}}`a <f?{}>` {{scrub}}`{} <f.a>`",
        "$$ x $$ ({})",
    ),
    *(
        ":::{{numbers}}\n| name | value | source |\n|---|---|---|\n| {} | {} | {} |\n:::",
        "{}\n: {}",
    ),
]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(CONTEXTS), PAYLOADS)
def test_no_text_of_an_author_becomes_code(context: str, payload: str) -> None:
    text = context.replace("{}", payload).replace("{{", "{").replace("}}", "}")
    page = Page("a.md", text.split("\n"))
    parts = grammar.body(page, text)
    reader = _Balance()
    reader.feed("".join(part if isinstance(part, str) else "x" for part in parts))
    reader.close()
    assert reader.open == []
    assert not [
        link for link in reader.addresses if not re.match(r"https?://|mailto:|x|#|//", link)
    ]


def test_nothing_but_known_holes_is_in_a_body() -> None:
    parsed = article("Text.")
    known = (str, Formula, Expression, Figure, Listing, Link, Opening)
    assert all(isinstance(part, known) for part in parsed.body.parts)


def test_a_file_that_is_not_utf_8_is_refused_at_its_byte(site: Site) -> None:
    site.article("latin", "Text\n")
    file = site.root / "content/articles/latin/index.md"
    file.write_bytes(file.read_bytes() + "café\n".encode("latin-1"))
    built = site.build()
    assert built.code == 1
    assert "index.md:8:4: error[bad-character]: the byte 0xE9 is not UTF-8" in built.err
    assert "hint: save the file as UTF-8" in built.err
