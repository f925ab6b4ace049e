"""In serve a broken draft is told to who looks at it, and stands in nobody else's way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from explainers.errors import BuildError
from explainers.pipeline import Builder, Options
from explainers.write import Memory

from .conftest import Site

BROKEN = {
    "does not parse": ":::{figure\n",
    "leads nowhere": "[x](nowhere.md)\n",
    "has no data": "{value}`nothing.at(n=1).x`\n",
    "says what is false": ":::{claim} 1 == 2\nIt is.\n:::\n",
}


@pytest.fixture
def builder(site: Site) -> Iterator[Builder]:
    site.article("good", "Words.\n")
    with Builder(Options(site.root, drafts=True)) as builder:
        yield builder


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_draft_stops_nobody_but_who_looks_at_it(
    site: Site, builder: Builder, text: str
) -> None:
    open_pages = ["good/index.html"]
    sink = Memory(watched=lambda: open_pages)
    site.article("draft", text, draft="true")
    report = builder.build(sink)
    assert "good/index.html" in sink.files
    assert "draft/index.html" not in sink.files
    (held,) = report.held_back
    assert held[0] == "draft"
    assert held[1].startswith("draft, with ")
    site.article("good", "Other words.\n")
    builder.build(sink)
    assert b"Other words." in sink.files["good/index.html"]
    open_pages[:] = ["draft/index.html"]
    site.article("good", "More words.\n")
    with pytest.raises(BuildError) as refused:
        builder.build(sink)
    assert {p.span.path for p in refused.value.problems if p.span} == {
        "content/articles/draft/index.md"
    }
    site.article("draft", "Whole.\n", draft="true")
    assert builder.build(sink).held_back == (("draft", "draft"),)
    assert b"Whole." in sink.files["draft/index.html"]


def test_a_broken_page_that_is_no_draft_stops_all(site: Site, builder: Builder) -> None:
    site.article("draft", "[x](nowhere.md)\n", draft="true")
    site.article("other", "[x](nowhere.md)\n")
    with pytest.raises(BuildError):
        builder.build(Memory())


def test_a_broken_draft_is_tried_again_when_a_kernel_changed(site: Site, builder: Builder) -> None:
    site.write("content/kernels/one.py", "def one():\n    return 2.0\n")
    site.article(
        "draft",
        ":::{claim} made.x == 1\nIt is one.\n:::\n",
        "from explainers import dataset\nfrom kernels.one import one\n\n\n"
        '@dataset(units={"x": "1"})\ndef made():\n    """One."""\n    return {"x": one()}\n',
        draft="true",
    )
    sink = Memory()
    assert "with 1 problem" in dict(builder.build(sink).held_back)["draft"]
    site.write("content/kernels/one.py", "def one():\n    return 1.0\n")
    assert builder.build(sink).held_back == (("draft", "draft"),)
    assert "draft/index.html" in sink.files
