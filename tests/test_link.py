"""Pages are ordered, held back, and joined; every dangling reference is reported."""

import dataclasses
import datetime as dt

import pytest

from explainers.catalogue import GLOSSARY, entry_id
from explainers.errors import BuildError, Span
from explainers.link import cards, link, users
from explainers.model import Definition, FrontMatter, Link, Outline, Site

TODAY = dt.date(2026, 9, 1)


def page(slug: str, *links: Link, day: str = "2026-08-01", draft: bool = False) -> Outline:
    meta = FrontMatter(slug, "", dt.date.fromisoformat(day), draft=draft)
    return Outline(
        slug=slug,
        path=f"content/articles/{slug}/index.md",
        meta=meta,
        title=(slug,),
        summary=(),
        title_text=slug,
        summary_text="",
        headings=(),
        anchors={"merge": "Section 2"},
        links=links,
        kinds=(),
        datasets=(),
        listings=(),
        citations=(),
        words=1,
    )


def to(target: str, use: str = "link") -> Link:
    return Link(target, use, Span("content/articles/a/index.md", 5, 3, 4))


def joined(*pages: Outline, files: tuple[str, ...] = ()) -> Site:
    return link(pages, dict.fromkeys(files), TODAY)


def codes(*pages: Outline, files: tuple[str, ...] = ()) -> list[tuple[str, str | None]]:
    with pytest.raises(BuildError) as caught:
        joined(*pages, files=files)
    return [(p.code, p.hint) for p in caught.value.problems]


@pytest.mark.parametrize(
    ("target", "use", "address"),
    [
        ("../b/index.md", "link", "b/"),
        ("../b/index.md#merge", "link", "b/#merge"),
        ("#merge", "link", "a/#merge"),
        ("merge", "ref", "a/#merge"),
        ("#merge", "ref", "a/#merge"),
        ("../b/index.md#merge", "ref", "b/#merge"),
        ("x.svg", "image", "file:content/articles/a/x.svg"),
        ("./data.csv", "link", "file:content/articles/a/data.csv"),
    ],
)
def test_a_link_leads_somewhere(target: str, use: str, address: str) -> None:
    files = ("content/articles/a/x.svg", "content/articles/a/data.csv")
    site = joined(page("a", to(target, use)), page("b"), files=files)
    assert site.links["content/articles/a/index.md", target] == address


@pytest.mark.parametrize(
    ("target", "use", "code", "hint"),
    [
        ("../bb/index.md", "link", "broken-link", 'did you mean "../b/index.md"?'),
        ("../b/index.md#merg", "link", "broken-anchor", 'did you mean "merge"?'),
        ("marge", "ref", "broken-anchor", 'did you mean "merge"?'),
        ("y.svg", "image", "missing-file", 'did you mean "x.svg"?'),
        ("../../../../etc/passwd", "link", "missing-file", None),
    ],
)
def test_a_dangling_reference_is_a_problem(
    target: str, use: str, code: str, hint: str | None
) -> None:
    files = ("content/articles/a/x.svg",)
    assert codes(page("a", to(target, use)), page("b"), files=files) == [(code, hint)]


def test_there_is_no_glossary_to_link_to() -> None:
    assert [code for code, _ in codes(page("a", to("scan", "gloss")))] == ["no-glossary"]


def glossary(*words: str, draft: bool = False) -> Outline:
    entries = tuple(Definition(entry_id(word), word, (word,), "", Span(GLOSSARY)) for word in words)
    made = page("glossary", draft=draft)
    return dataclasses.replace(made, path=GLOSSARY, glossary=entries)


@pytest.mark.parametrize("word", ["Warp", "warp", "two's complement", "Two’s  complement"])
def test_a_word_is_found_in_the_glossary(word: str) -> None:
    pages = page("a", to(word, "gloss")), glossary("Warp", "Two’s complement")
    site = joined(*pages)
    assert [entry.id for entry in cards(site.pages["a"], site.pages)] == [entry_id(word)]
    assert users(site.pages) == {entry_id(word): ("a",)}


def test_an_unknown_word_is_a_problem_with_the_nearest() -> None:
    pages = page("a", to("wrap", "gloss")), glossary("Warp", "Lane")
    assert codes(*pages) == [("unknown-entry", 'did you mean "warp"?')]


def test_a_glossary_that_is_held_back_explains_nothing() -> None:
    pages = page("a", to("warp", "gloss")), glossary("Warp", draft=True)
    assert [code for code, _ in codes(*pages)] == ["held-back-link"]


def test_another_page_cannot_take_the_address_of_the_glossary() -> None:
    other = dataclasses.replace(page("glossary"), path="content/pages/glossary.md")
    assert codes(other) == [("reserved-slug", "name it content/glossary.md")]


def test_all_dangling_references_are_reported_in_one_run() -> None:
    links = (to("../x/index.md"), to("#nowhere"))
    assert len(codes(page("a", *links))) == 2


def test_drafts_and_future_pages_are_held_back_and_said_why() -> None:
    site = joined(page("a"), page("b", draft=True), page("c", day="2026-09-02"))
    assert site.newest == ("a",)
    assert site.held_back == (("b", "draft"), ("c", "dated 2026-09-02"))
    assert link([page("b", draft=True)], (), TODAY, drafts=True).newest == ("b",)


def test_a_link_to_a_page_that_is_held_back_is_a_problem() -> None:
    found = codes(page("a", to("../b/index.md")), page("b", draft=True))
    assert [code for code, _ in found] == ["held-back-link"]


def test_pages_are_listed_newest_first_then_by_name() -> None:
    site = joined(page("a"), page("c", day="2026-08-03"), page("b"))
    assert site.newest == ("c", "a", "b")


def test_an_address_belongs_to_one_page() -> None:
    twin = dataclasses.replace(page("a"), path="content/pages/a.md")
    assert codes(page("a"), twin) == [("same-address", "rename one of the folders")]
    assert [c for c, _ in codes(page("tags"))] == ["reserved-slug"]


@pytest.mark.parametrize(
    ("slug", "hint"),
    [
        ("My Article", "rename it to my-article"),
        ("B", "rename it to b"),
        ("æther-ø", "rename it to ther"),
        ("日本", "rename it: what-it-is-about"),
        ("a+b", "rename it to a-b"),
        ("guide/Make it", "rename it to make-it"),
    ],
)
def test_a_folder_whose_name_is_no_address_is_refused_with_a_better_one(
    slug: str, hint: str
) -> None:
    assert codes(page(slug)) == [("bad-slug", hint)]
    assert joined(page("a"), page(slug, draft=True)).newest == ("a",)


@pytest.mark.parametrize("slug", ["a", "v1.2-notes", "3_things", "guide/make-it"])
def test_a_folder_whose_name_is_an_address_is_taken(slug: str) -> None:
    assert joined(page(slug)).pages.keys() == {slug}


def test_with_one_page_only_its_links_count() -> None:
    pages = [page("a"), page("b", to("#nowhere"))]
    assert link(pages, (), TODAY, only="a").newest == ("a", "b")
