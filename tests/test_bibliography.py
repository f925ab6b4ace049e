"""Sources come from BibTeX, and are written with links to where they can be read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from explainers.bibliography import format_entry, load, section
from explainers.errors import BuildError, show

ROOT = Path(__file__).parents[1]
ARTICLE = """@article{a,
  author = {M{\\"u}ller, Anna and de la Cruz, Jos{\\'e} and Doe, Jr., John},
  title = {On {GPU}s \\& <sums>},
  journal = {J. of Things}, volume = {4}, number = {2}, pages = {1--9},
  year = 2020, doi = {https://doi.org/10.1000/xyz}, eprint = {2001.00001}, archiveprefix = {arXiv},
}
"""


def said(text: str) -> str:
    with pytest.raises(BuildError) as caught:
        load(text, "r.bib")
    return "\n".join(show(problem, lambda _: text) for problem in caught.value.problems)


def test_an_article() -> None:
    assert format_entry(load(ARTICLE, "r.bib")["a"]) == (
        "Anna Müller, José de la Cruz and John Doe Jr.. "
        "<cite>On GPUs &amp; &lt;sums&gt;</cite>. J. of Things 4(2), 1–9, 2020. "
        '<a href="https://doi.org/10.1000/xyz" rel="external">doi:10.1000/xyz</a> '
        '<a href="https://arxiv.org/abs/2001.00001" rel="external">arXiv:2001.00001</a>'
    )


def test_a_source_without_a_year_has_one_full_stop() -> None:
    undated = "@misc{a, title={X}, howpublished={A forum}, year={n.d.}}"
    assert format_entry(load(undated, "r.bib")["a"]) == "<cite>X</cite>. A forum, n.d."


def test_the_list_of_sources_leads_back_to_each_citation() -> None:
    entries = load(ARTICLE + "@misc{b, title={B}, year={1}}", "r.bib")
    html = section(["b", "a", "b"], entries)
    assert html.index('id="source-b"') < html.index('id="source-a"')
    assert html.count('href="#cite-b-') == 2
    assert section([], entries) == ""


def test_the_sites_own_sources_can_be_found() -> None:
    path = "content/references.bib"
    entries = load((ROOT / path).read_text(encoding="utf-8"), path)
    assert "milakov2018online" in entries
    assert all(e.doi or e.arxiv or e.url or e.venue for e in entries.values())


CASES = {
    "a key given twice": (
        "@misc{a, title={x}, year={1}}\n@misc{A, title={x}, year={1}}",
        'r.bib:2:7: error[duplicate-key]: two sources have the key "A"\n'
        "   1 | @misc{a, title={x}, year={1}}\n"
        "   2 | @misc{A, title={x}, year={1}}\n"
        "     |       ^\n"
        "hint: it is also at r.bib:1:7",
    ),
    "braces that do not pair": (
        "@misc{a,\n title = {x,\n year = 2}",
        "r.bib:3:1: error[bad-bibtex]: premature end of file\n"
        "   2 |  title = {x,\n"
        "   3 |  year = 2}\n"
        "     | ^^^^^^^^^^\n"
        "hint: key = {value}, with braces that pair",
    ),
    "no year": (
        "@misc{a, title={x}}",
        'r.bib:1:7: error[missing-field]: the source "a" has no year\n'
        "   1 | @misc{a, title={x}}\n"
        "     |       ^\n"
        "hint: year = {…}",
    ),
    "an address that is none": (
        "@misc{a, title={x}, year={1}, url={javascript:x}}",
        'r.bib:1:7: error[bad-field]: the url of "a" is not one\n'
        "   1 | @misc{a, title={x}, year={1}, url={javascript:x}}\n"
        "     |       ^\n"
        "hint: url = {https://…}",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_said_with_place_and_way_out(name: str) -> None:
    text, expected = CASES[name]
    assert said(text) == expected


def test_the_library_is_imported_only_when_sources_are_read() -> None:
    code = "import sys, explainers.bibliography; sys.exit('pybtex' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
