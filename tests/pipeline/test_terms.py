"""A word, a formula's term, a listing's variable and a figure's part share one name."""

from __future__ import annotations

from explainers.pipeline.terms import tagged

from ..conftest import Site

KERNEL = "def f(x):\n    m = max(x)\n    return m, x\n"
FIGURE = """import { figure, html } from "explainers"
export default figure({
  draw: ({ state }) =>
    html`<svg viewBox="0 0 1 1">${state.on ? html`<g data-term="late" />` : ""}</svg>`,
  describe: () => "A picture.",
})
"""


def test_a_variable_of_a_listing_is_tagged_whole() -> None:
    line = '<span class="n">m</span> <span class="n">mm</span> <span class="s">m</span>'
    expected = line.replace('<span class="n">m<', '<span class="n" data-term="m">m<')
    assert tagged(line, {"m"}) == expected
    assert tagged(line, ()) == line


def test_formula_word_and_listing_share_a_name(site: Site) -> None:
    site.article(
        "a",
        "The {term}`largest <m>` in $\\term{m}{\\max x}$.\n\n:::{listing} ./f.py#f\n:::\n",
    )
    site.write("content/articles/a/f.py", KERNEL)
    assert site.build().err == ""
    page = site.page("a")
    assert '<span class="term" data-term="m">largest</span>' in page
    assert '<span class="enclosing" data-term="m">' in page
    assert page.count('<span class="n" data-term="m">m</span>') == 2
    assert 'data-term="x"' not in page
    twin = site.output()["a.md"].decode()
    assert "${\\max x}$" in twin


def test_a_part_that_a_figure_draws_later_counts(site: Site) -> None:
    site.article("a", "{term}`late`\n\n:::{figure} pic\n:::\n")
    site.write("content/articles/a/pic.js", FIGURE)
    assert site.build().err == ""


def test_a_word_whose_term_nothing_has_is_refused(site: Site) -> None:
    site.article("a", "$\\term{max}{m}$ is the {term}`largest <maxx>`, {term}`other`.\n")
    built = site.build()
    assert built.code == 1
    assert 'no formula, listing or figure of this page has the term "maxx"' in built.err
    assert 'hint: did you mean "max"?' in built.err
    assert "hint: write \\term{other}{…} in a formula, or name a listing's variable" in built.err


def test_maths_is_right_wherever_words_are(site: Site) -> None:
    site.write("content/site.yaml", 'title: T\nmacros: {\\half: "\\\\frac12"}\n')
    site.article(
        "a",
        "## Head $\\half_{1}$\n\n- item $\\half_{2}$\n\n| $\\half_{3}$ | x |\n|---|---|\n"
        '| a | $\\lvert x \\rvert \\half_{4}$ |\n\n![i](i.svg "caption $\\half_{5}$")\n\n'
        "> $\\half_{6}$\n\n{given}`$\\half_{7}$` costs $5, \\$6 or `$x$`.[^1]\n\n"
        "[^1]: note $\\half_{8}$\n\n"
        ":::{note} title $\\half_{9}$\n$$\n\\half_{10}\n$$ (eq-a)\n:::\n",
        title="Title $\\half_{11}$",
        summary="A summary of $\\half_{12}$ that is long enough to be a summary of an article, and"
        " that goes on for a while, to be no less than one.",
    )
    site.write(
        "content/articles/a/i.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    )
    assert site.build().err == ""
    page = site.page("a")
    for number in range(1, 13):
        assert f"\\half_{{{number}}}</annotation>" in page, number
    assert "$5, $6 or <code>$x$</code>" in page
