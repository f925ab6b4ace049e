"""The pages that name other pages: lists, tags, series, redirects, and the way onward."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import Site

PROMISE = (
    "It says what the whole of it lets a reader do, in a sentence that is long enough for all."
)


def course(site: Site, *modules: str, name: str = "course", promise: str = PROMISE) -> None:
    listed = "".join(f"  - {module}\n" for module in modules)
    site.write(
        f"content/series/{name}.md",
        f"---\ntitle: {name.title()}\nsubtitle: From here\npromise: {promise}\n"
        f"modules:\n{listed}---\n",
    )


def read(site: Site, path: str) -> str:
    return (site.root / "_site" / path).read_text(encoding="utf-8")


def built(site: Site) -> None:
    result = site.build()
    assert (result.code, result.err) == (0, "")


def titles(html: str) -> list[str]:
    """Return the titles of a list's entries."""
    return re.findall(r"<h2><a [^>]*>(.*?)</a></h2>", html)


def test_a_site_without_articles_has_its_lists(site: Site) -> None:
    built(site)
    assert "0 published" in read(site, "all/index.html")
    assert "Nothing is published yet" in read(site, "index.html")
    assert not (site.root / "_site/series").exists()


@pytest.mark.parametrize("home", ["list", "series"])
def test_a_home_of_any_kind_stands_without_articles(site: Site, home: str) -> None:
    site.write("content/site.yaml", f"title: Tiny\nhome: {home}\n")
    built(site)
    assert "Nothing is published yet" in read(site, "index.html")


def test_all_pages_stand_newest_first_and_those_of_a_day_by_name(site: Site) -> None:
    for slug, day in (("b", "2026-08-01"), ("a", "2026-08-01"), ("new", "2026-08-02")):
        site.article(slug, "Text.\n", date=day)
    site.article("draft", "Text.\n", draft="true")
    built(site)
    html = read(site, "all/index.html")
    assert titles(html) == ["New", "A", "B"]
    assert "3 published, newest first" in html


def test_a_body_edit_leaves_the_lists_as_they_are_and_a_title_reaches_them(site: Site) -> None:
    site.article("a", "Text.\n", tags="[gpu]")
    site.article("b", "Text.\n", tags="[gpu]")
    course(site, "a", "b")
    built(site)
    before = site.output()
    site.article("a", "Other text.\n", tags="[gpu]")
    built(site)
    after = site.output()
    changed = {path for path in after if before[path] != after[path] and path.endswith(".html")}
    assert changed == {"a/index.html"}
    site.article("a", "Other text.\n", tags="[gpu]", title="Renamed")
    built(site)
    last = site.output()
    changed = {path for path in last if after[path] != last[path] and path.endswith(".html")}
    assert changed == {
        "a/index.html", "b/index.html", "index.html", "all/index.html", "tags/gpu/index.html",
        "series/course/index.html",
    }  # fmt: skip


def test_a_tag_in_any_script_has_a_page(site: Site) -> None:
    site.article("a", "Text.\n", tags='["C++", "C#", चुंबक, 日本語, Big Words]')
    site.article("b", "Text.\n", tags="[日本語]")
    built(site)
    pages = {path for path in site.output() if path.startswith("tags/")}
    names = ("c++", "c-sharp", "चुंबक", "日本語", "big-words")
    assert pages == {f"tags/{name}/index.html" for name in names}
    assert titles(read(site, "tags/日本語/index.html")) == ["A", "B"]
    assert 'href="../tags/%E6%97%A5%E6%9C%AC%E8%AA%9E/"' in site.page("a")


def test_tags_that_differ_by_case_are_one_too_many(site: Site) -> None:
    site.article("a", "Text.\n", tags="[CUDA]")
    site.article("b", "Text.\n", tags="[cuda]")
    result = site.build()
    assert result.code == 1
    assert 'error[same-tag]: the tag "cuda" has the address of "CUDA"' in result.err


def test_planned_modules_are_named_and_never_linked(site: Site) -> None:
    site.article("a", "Text.\n")
    site.article("later", "Text.\n", date="2026-10-01")
    course(site, "a", "{title: Planned, promise: What it shows.}", "later")
    built(site)
    html = read(site, "series/course/index.html")
    assert "3 modules, 1 published" in html
    assert re.search(r"<h3>Planned\s*<span", html)
    assert re.search(r"<h3>Later\s*<span", html)
    assert 'href="../../later/"' not in html
    assert "What it shows." in html


def test_a_module_that_is_no_article_is_a_problem(site: Site) -> None:
    site.article("softmax", "Text.\n")
    course(site, "softmx")
    result = site.build()
    assert "content/series/course.md:6:5: error[unknown-module]" in result.err
    assert 'hint: did you mean "softmax"?' in result.err


def test_chapters_follow_the_series_and_lists_follow_the_dates(site: Site) -> None:
    for slug, day in (("one", "2026-08-03"), ("two", "2026-08-02"), ("three", "2026-08-01")):
        site.article(slug, "Text.\n", date=day)
    course(site, "three", "one", "{title: Four, promise: What it shows.}", "two")
    built(site)
    assert titles(read(site, "all/index.html")) == ["One", "Two", "Three"]
    one = site.page("one")
    assert re.search(r"Before</span> <a href=\"../three/\">Three", one)
    assert re.search(r"Next, planned</span> Four", one)
    assert "module 2 of 4" in one


def test_a_new_neighbour_reaches_the_pages_beside_it(site: Site) -> None:
    site.article("one", "Text.\n")
    site.article("two", "Text.\n")
    course(site, "one", "{title: Two to be, promise: What it shows.}")
    built(site)
    assert "Two to be" in site.page("one")
    course(site, "one", "two")
    built(site)
    assert '<a href="../two/">Two</a>' in site.page("one")
    assert "module 2 of 2" in site.page("two")


def test_related_articles_share_the_rarest_tags(site: Site) -> None:
    for slug in ("a", "b", "c", "d", "e"):
        rare = ", rare" if slug in "ae" else ""
        site.article(slug, "Text.\n", tags=f"[common{rare}]", title=f"Title {slug}")
    built(site)
    section = site.page("a").split("<h2>Related</h2>")[1].split("</section>")[0]
    assert re.findall(r">Title (.)<", section) == ["e", "b", "c"]


def test_an_alias_leads_on_and_has_the_pages_address_as_its_own(site: Site) -> None:
    site.article("new", "Text.\n", aliases="[old, 2024/older, plain.html]")
    built(site)
    for path, up in (("old/index.html", "../"), ("2024/older/index.html", "../../")):
        html = read(site, path)
        assert f'content="0; url={up}new/"' in html
        assert '<link rel="canonical" href="https://tiny.example/new/">' in html
    assert 'content="0; url=new/"' in read(site, "plain.html")


@pytest.mark.parametrize(
    "alias",
    [
        "other",
        "Other/",
        "all",
        "tags/gpu",
        "feed.xml",
        "tags",
        "About",
        "_/x",
        "other/index.html/x",
    ],
)
def test_an_alias_never_shadows_a_page(site: Site, alias: str) -> None:
    site.article("a", "Text.\n", aliases=f"[{alias}]")
    site.article("other", "Text.\n", tags="[gpu]")
    result = site.build()
    assert result.code == 1
    assert "content/articles/a/index.md:6:11: error[alias-clash]" in result.err


@pytest.mark.parametrize("alias", ["../up", "a//b", "https://x.example/", "what?", "./x"])
def test_an_alias_is_an_address_on_this_site(site: Site, alias: str) -> None:
    site.article("a", "Text.\n", aliases=f'["{alias}"]')
    assert "error[bad-alias]" in site.build().err


def test_the_menu_names_what_there_is_unless_the_settings_say_otherwise(site: Site) -> None:
    site.article("a", "Text.\n")
    built(site)
    assert re.findall(r'<li><a href="([^"]*)">', site.page("a"))[:1] == ["../all/"]
    assert "../series/" not in site.page("a")
    course(site, "a")
    built(site)
    assert "../series/" in site.page("a")
    settings = (site.root / "content/site.yaml").read_text()
    site.write("content/site.yaml", settings + "menus: {Every one: all/}\n")
    built(site)
    assert "Every one" in site.page("a")
    assert '../series/">Series' not in site.page("a")


def test_who_finds_a_mistake_can_tell_of_which_version(site: Site) -> None:
    site.article("a", "Text.\n")
    built(site)
    assert "report a mistake" not in site.page("a")
    settings = (site.root / "content/site.yaml").read_text()
    site.write("content/site.yaml", settings + "repository: https://code.example/tiny/\n")
    built(site)
    html = site.page("a")
    mark = re.search(r"Version <code>([0-9a-f]{12})</code>", html)
    assert mark
    assert "https://code.example/tiny/blob/HEAD/content/articles/a/index.md" in html
    assert f"version+{mark[1]}" in html
    site.article("a", "Other text.\n")
    built(site)
    assert mark[1] not in site.page("a")


def test_an_article_says_how_it_is_cited(site: Site) -> None:
    site.article("a", "Text.\n", title='"50% of R&D_x"', authors="[Ada Lovelace]")
    built(site)
    html = site.page("a")
    assert "Ada Lovelace, “50% of R&amp;D_x”, Tiny, 1 August 2026" in html
    assert r"title = {{50\% of R\&amp;D\_x}}" in html
    assert "@article{adalovelace2026a," in html


NASTY = "Is 1 < 2 & \"3\" > '2'? <script> \N{ELECTRIC LIGHT BULB}"


def test_lists_of_strange_titles_are_valid_html(site: Site, tmp_path: Path) -> None:
    for slug in ("a", "b"):
        title = json.dumps(f"{NASTY} {slug} $x < y$", ensure_ascii=False)
        site.article(
            slug, "## Part\n\nText.\n", title=title, tags="[चुंबक, C++]", aliases=f"[old/{slug}]"
        )
    course(site, "a", json.dumps({"title": NASTY, "promise": NASTY}, ensure_ascii=False), "b")
    built(site)
    assert "<script> " not in "".join(
        data.decode() for path, data in site.output().items() if path.endswith(".html")
    )
    rules = {
        "root": True,
        "extends": ["html-validate:recommended"],
        "rules": {
            "no-inline-style": "off",  # KaTeX places its boxes so
            "doctype-style": ["error", {"style": "lowercase"}],
        },
    }
    (tmp_path / "rules.json").write_text(json.dumps(rules), encoding="utf-8")
    root = Path(__file__).parents[1]
    command = ["node", root / "node_modules/html-validate/bin/html-validate.mjs"]
    pages = sorted((site.root / "_site").rglob("*.html"))
    assert len(pages) == 12
    done = subprocess.run(
        [*command, "--config", tmp_path / "rules.json", *pages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_site_that_was_edited_is_the_site_built_anew(site: Site, tmp_path: Path) -> None:
    for number, slug in enumerate(("a", "b", "c", "d")):
        site.article(slug, "Text.\n", tags="[gpu, common]", date=f"2026-08-0{number + 1}")
    course(site, "a", "{title: To be, promise: What it shows.}", "c")
    built(site)
    edits = [
        lambda: site.article("a", "Text.\n", tags="[gpu]", title="Renamed", date="2026-08-01"),
        lambda: site.article("b", "Text.\n", tags="[new]", date="2026-08-09"),
        lambda: site.article("e", "Text.\n", tags="[gpu]", aliases="[old]"),
        lambda: course(site, "a", "e", "c", promise=f"Three modules. {PROMISE}"),
        lambda: course(site, "d", name="other"),
        lambda: site.article("c", "Text.\n", draft="true"),
        lambda: site.article("e", "Text.\n", tags="[gpu]", aliases="[older/]"),
        lambda: site.write("content/series/course.md", read_course(site).replace("From", "To")),
        lambda: (site.root / "content/series/other.md").unlink(),
        lambda: site.article("d", "## Part\n\n" + "Word " * 300, tags="[gpu]", kind="analysis"),
    ]
    for index, edit in enumerate(edits):
        edit()
        built(site)
        anew = Site(tmp_path / f"anew-{index}")
        shutil.copytree(site.root / "content", anew.root / "content")
        built(anew)
        assert anew.output() == site.output(), index


def read_course(site: Site) -> str:
    return (site.root / "content/series/course.md").read_text(encoding="utf-8")
