"""Code is coloured line by line, and no character of it is lost."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers import highlight as hl

LANGUAGES = [
    "python",
    "cuda",
    "cpp",
    "triton",
    "bash",
    "json",
    "yaml",
    "text",
    "javascript",
    "diff",
    "",
]
CODE = {
    "python": 'def f(x):\n    """a\n    b"""\n    return x  # <c>\n',
    "cuda": "__global__ void f(float *x) {\n  /* a\n  b */\n}",
    "cpp": 'int main() { return "\\n"[0]; }',
    "triton": "@triton.jit\ndef k(x): pass",
    "bash": 'for x in *; do echo "$x"; done',
    "json": '{"a": [1, 2]}',
    "yaml": "a: {b: c}\n# d",
    "text": "<a> & b",
}


def plain(lines: tuple[str, ...]) -> str:
    return html.unescape(re.sub(r"</?span[^>]*>", "", "\n".join(lines)))


@pytest.mark.parametrize("language", CODE)
def test_the_languages_articles_need(language: str) -> None:
    lines = hl.highlight(CODE[language], language)
    assert plain(lines) == CODE[language].removesuffix("\n")
    assert ("<span" in "".join(lines)) == (language != "text")


@given(
    st.sampled_from(LANGUAGES),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n")),
)
def test_no_character_is_lost_and_spans_end_with_their_line(language: str, code: str) -> None:
    lines = hl.highlight(code, language)
    assert plain(lines) == code.removesuffix("\n")
    assert len(lines) == code.removesuffix("\n").count("\n") + 1
    assert all(line.count("<span") == line.count("</span>") for line in lines)


def test_a_language_of_nobody() -> None:
    with pytest.raises(hl.UnknownLanguageError):
        hl.highlight("x", "qqq")
    assert {"python", "cuda", "triton", "text"} <= set(hl.languages())


def test_the_box_around_code() -> None:
    box = hl.block(("a", "b"), "python", title="T", marked={3}, numbers=True, first=2)
    assert box == (
        '<div class="code numbered" data-lang="python" style="--first:2">'
        '<p class="code-title">T</p>'
        '<pre tabindex="0"><code><span class="line">a</span>\n'
        '<span class="line marked">b</span></code></pre></div>'
    )


def test_a_diff_marks_lines() -> None:
    assert hl.changes("+a\n-b\n c\n+++ d\n--- e") == ["added", "removed", "", "", ""]


def test_the_last_line_of_a_diff_is_one_too() -> None:
    assert hl.highlight("- a\n+ b", "diff") == (
        '<span class="gd">- a</span>',
        '<span class="gi">+ b</span>',
    )
