"""Whole tiny sites, against golden output, and what a second build does.

A case is a folder of tests/sites/ with the content of a site and, in golden/, its pages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explainers.model import Output
from explainers.pipeline import Builder, Options, passes
from explainers.render import Page, Renderer
from explainers.write import Memory

from .conftest import DATE, Site, cases

FOLDER = Path(__file__).parent / "sites"
DATA = '''from explainers import dataset


@dataset(units={"total": "1"})
def sums(xp) -> dict:
    """The sum of the first four squares."""
    return {"total": (xp.arange(5) ** 2).sum()}
'''


def stable(html: str) -> str:
    """Return a page with what hangs on versions and styles replaced: hashes, sizes, policy."""
    html = re.sub(r"(_/[\w-]+)\.[0-9a-f]{8,}", r"\1.HASH", html)
    html = re.sub(r"sha256-[\w+/=]+", "sha256-HASH", html)
    html = re.sub(r"\b[0-9a-f]{12}\b", "KEY", html)
    html = re.sub(r"(numpy) [\d.]+", r"\1 VERSION", html)
    return re.sub(r"-?\d+\.\d{4,}", lambda m: f"{float(m[0]):.3f}", html)


@pytest.mark.parametrize("folder", cases(FOLDER), ids=lambda path: path.name)
def test_a_site_is_built_as_it_was(
    folder: Path, case: Callable[[Path], Site], golden: Callable[[Path, str], None]
) -> None:
    site = case(folder)
    built = site.build()
    assert (built.code, built.err) == (0, "")
    pages = {path: data for path, data in site.output().items() if not path.startswith("_/")}
    for path, data in pages.items():
        golden(folder / "golden" / path, stable(data.decode()))
    known = {p.relative_to(folder / "golden").as_posix() for p in folder.rglob("golden/**/*.*")}
    assert {name for name in known if "-changed" not in name} == pages.keys()


@pytest.fixture
def small(site: Site) -> Site:
    site.article("one", "The sum is {value}`sums.total`, or $x^2$.\n", DATA)
    site.article("two", "See [one](../one/index.md).\n")
    assert site.build().code == 0
    return site


def test_a_second_build_writes_nothing(small: Site) -> None:
    before = {p: p.stat().st_mtime_ns for p in (small.root / "_site").rglob("*") if p.is_file()}
    built = small.build()
    assert built.code == 0
    assert built.out.startswith("0 files written, ")
    assert "0 datasets run, 1 kept" in built.out
    assert before == {
        p: p.stat().st_mtime_ns for p in (small.root / "_site").rglob("*") if p.is_file()
    }


def test_a_build_with_nothing_to_do_starts_no_process_and_imports_little(small: Site) -> None:
    code = (
        "import sys, subprocess\n"
        "def refuse(*_, **__): raise AssertionError('a process was started')\n"
        "subprocess.Popen.__init__ = refuse\n"
        "from explainers.cli import main\n"
        f"assert main(['build', '--date', '{DATE}']) == 0\n"
        "heavy = {'numpy', 'jinja2', 'markdown_it', 'yaml', 'pygments', 'multiprocessing'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=small.root, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_an_edit_rewrites_the_pages_it_reaches_and_no_other(small: Site) -> None:
    before = small.output()
    small.article("two", "See [one](../one/index.md) and think.\n")
    built = small.build()
    after = small.output()
    changed = {path for path in after if before.get(path) != after[path]}
    assert changed == {"two/index.html", "two.md", "feed.xml", "feed.json"}
    assert built.out.startswith("4 files written, ")


WORDS = """---
title: Glossary
summary: The words of a site of three articles, in at least one hundred and twenty characters, so \
that lists and feeds have something to say.
date: 2026-08-01
kind: note
---
Lane
: A place, $x$.

Warp
: Threads, see [plain](articles/plain/index.md).
"""


def test_an_edited_definition_rewrites_exactly_the_pages_that_show_it(site: Site) -> None:
    site.write("content/glossary.md", WORDS)
    site.article("lanes", "A {gloss}`lane`.\n")
    site.article("warps", "Some {gloss}`warps <warp>`.\n")
    site.article("plain", "No such word.\n")
    assert site.build().code == 0

    def written(text: str) -> set[str]:
        before = site.output()
        site.write("content/glossary.md", text)
        built = site.build()
        assert (built.code, built.err) == (0, "")
        after = site.output()
        changed = {path for path in after if before.get(path) != after[path]}
        # As many are written as differ: none is made again to the same bytes.
        assert built.out.startswith(f"{len(changed)} file")
        return {path.removesuffix("/index.html") for path in changed if path.endswith(".html")}

    assert written(WORDS.replace("A place", "Its place")) == {"glossary", "lanes"}
    assert "<b>Lane</b> A place" not in site.page("warps")
    # A word put above the others moves them in the file, and changes no card.
    more = WORDS.replace("Lane\n", "Bank\n: A column.\n\nLane\n")
    assert written(more) == {"glossary", "lanes"}
    assert written(more.replace("Lane\n", "Knot\n: A mess.\n\nLane\n")) == {"glossary"}
    site.article("plain", "One {gloss}`bank` now.\n")
    assert site.build().code == 0
    assert 'Used in <a href="../plain/">Plain</a>' in site.page("glossary")
    # A page that a card links to lends it its address alone.
    site.article("plain", "None again.\n", title="Another")
    assert site.build().code == 0
    assert 'Used in <a href="../plain/' not in site.page("glossary")


def test_an_article_alone_shows_the_links_of_its_words(site: Site) -> None:
    site.write("content/glossary.md", WORDS)
    site.article("warps", "Some {gloss}`warps <warp>`.\n")
    site.article("plain", "No such word.\n")
    assert site.build("warps").code == 0
    page = site.page("warps")
    assert '<a class="gloss" href="../glossary/#gloss-warp">warps</a>' in page
    assert (
        '<div id="gloss-warp"><b>Warp</b> Threads, see <a href="../plain/">plain</a>.</div>' in page
    )


def test_a_word_in_front_matter_and_a_series_has_its_card(site: Site) -> None:
    site.write("content/glossary.md", WORDS)
    site.article("warps", "Text.\n", prerequisites='["what a {gloss}`warp` is"]')
    site.article("plain", "No such word.\n")
    assert site.build().code == 0
    assert site.page("warps").count("gloss-warp") == 2


def test_a_comment_in_data_runs_nothing(small: Site) -> None:
    small.write("content/articles/one/data.py", "# why\n" + DATA)
    assert "0 datasets run, 1 kept" in small.build().out


def test_a_change_of_a_dataset_reaches_the_page(small: Site) -> None:
    assert ">30<" in small.page("one")
    small.write("content/articles/one/data.py", DATA.replace("arange(5)", "arange(6)"))
    assert "1 dataset run, 0 kept" in small.build().out
    assert ">55<" in small.page("one")


def test_two_clean_builds_in_two_folders_make_the_same_bytes(small: Site, tmp_path: Path) -> None:
    other = Site(tmp_path / "elsewhere" / "deeper")
    shutil.copytree(small.root / "content", other.root / "content")
    assert other.build("--workers", "1").code == 0
    assert other.output() == small.output()


def test_a_deleted_page_goes_and_leaves_no_folder(small: Site) -> None:
    shutil.rmtree(small.root / "content/articles/two")
    assert small.build().code == 0
    assert not (small.root / "_site/two").exists()


def test_an_article_alone_can_be_built(small: Site) -> None:
    small.article("two", "Changed.\n")
    small.article("one", "Also changed.\n")
    assert small.build("two").code == 0
    assert "Changed." in small.page("two")
    assert "Also changed." not in small.page("one")
    assert "Also changed." in (small.build() and small.page("one"))


def test_an_unknown_article_is_said_with_the_nearest(small: Site) -> None:
    built = small.build("tow")
    assert built.code == 1
    assert 'error[unknown-article]: no article named "tow"' in built.err
    assert 'hint: did you mean "two"?' in built.err


def test_what_is_held_back_is_said(small: Site) -> None:
    small.article("later", "Text.\n", date="2026-09-02")
    small.article("draft", "Text with {value}`nothing.there`.\n", draft="true")
    built = small.build()
    assert built.code == 0
    assert "later held back: dated 2026-09-02" in built.out
    assert "draft held back: draft" in built.out
    assert not (small.root / "_site/draft").exists()


def test_a_statement_repeated_in_the_colophon_repeats_no_id(site: Site) -> None:
    site.write("content/references.bib", "@misc{a2020, author={A}, title={T}, year={2020}}\n")
    body = ":::{claim} seven.n == 7\nSeven, says {cite}`a2020`.\n:::\n"
    data = "from explainers import dataset\n\n\n@dataset(units={'n': '1'})\ndef seven():\n"
    site.article("counted", body, data + '    """Seven."""\n    return {"n": 7}\n')
    assert site.build().code == 0
    page = site.page("counted")
    assert page.count("Seven, says") == 2
    assert page.count('id="cite-a2020-1"') == 1


def test_breaking_a_kernel_fails_the_claim_and_leaves_the_site(site: Site) -> None:
    kernel = "def double(x, *, xp=None):\n    return x * 2\n"
    data = (
        "from explainers import dataset\nfrom kernels.twice import double\n\n\n"
        '@dataset(units={"y": "1"})\ndef twice() -> dict:\n    """Twice three."""\n'
        '    return {"y": double(3)}\n'
    )
    site.write("content/kernels/twice.py", kernel)
    site.article("a", ":::{claim} twice.y == 6\nTwice three is six.\n:::\n", data)
    assert site.build().code == 0
    before = site.output()
    site.write("content/kernels/twice.py", kernel.replace("x * 2", "x * 3"))
    built = site.build()
    assert built.code == 1
    assert "content/articles/a/index.md:7:12: error[false-claim]" in built.err
    assert "9" in built.err
    assert "6" in built.err
    assert site.output() == before


def test_the_output_folder_of_somebody_else_is_left_alone(site: Site) -> None:
    site.article("a", "Text.\n")
    site.write("_site/thesis.tex", "years of work")
    built = site.build()
    assert built.code == 1
    assert "error[output-folder]" in built.err
    assert (site.root / "_site/thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize(
    "output",
    ["content", "content/articles/new", "templates", "src/x", ".cache/site", "a/../static"],
)
def test_an_output_among_sources_is_refused(site: Site, output: str) -> None:
    site.article("a", "Text.\n")
    before = sorted(site.root.rglob("*"))
    built = site.build("--output", output)
    assert built.code == 1
    assert "error[output-folder]: a site is not written into" in built.err
    assert sorted(site.root.rglob("*")) == before


def test_the_time_zone_of_the_machine_moves_no_date(small: Site) -> None:
    before = small.output()
    shutil.rmtree(small.root / "_site")
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        done = subprocess.run(
            [sys.executable, "-m", "explainers", "build", "--date", DATE, "--output", "other"],
            cwd=small.root,
            env={**os.environ, "TZ": zone, "LC_ALL": "C", "PYTHONHASHSEED": "7"},
            check=True,
            capture_output=True,
        )
        assert done.returncode == 0
        other = Site(small.root)
        files = {
            p.relative_to(small.root / "other").as_posix(): p.read_bytes()
            for p in sorted((other.root / "other").rglob("*"))
            if p.is_file() and p.name != ".explainers"
        }
        assert files == before


def test_guide_and_plain_pages_have_addresses_of_their_own_and_no_place_in_lists(
    site: Site,
) -> None:
    site.article("a", "See [the guide](../../guide/figures/index.md).\n")
    front = (site.root / "content/articles/a/index.md").read_text().split("See")[0]
    site.write("content/pages/about.md", front + "About.\n")
    site.write("content/guide/index.md", front + "[Figures](figures/index.md)\n")
    site.write(
        "content/guide/figures/index.md",
        front + "{value}`sums.total` [a](../../articles/a/index.md)\n",
    )
    site.write("content/guide/figures/data.py", DATA)
    built = site.build()
    assert (built.code, built.err) == (0, "")
    pages = {path for path in site.output() if path.endswith(".html")}
    assert pages == {
        "404.html",
        "a/index.html",
        "about/index.html",
        "all/index.html",
        "guide/figures/index.html",
        "guide/index.html",
        "how-it-is-made/index.html",
        "index.html",
    }
    figures = site.page("guide/figures")
    assert 'href="../../a/"' in figures
    assert ">30<" in figures
    assert 'href="../guide/figures/"' in site.page("a")
    assert 'href="figures/"' in site.page("guide") or 'href="../guide/figures/"' in site.page(
        "guide"
    )


DOT = """import { figure, html } from "explainers"
export default figure({
  draw: ({ data, id }) =>
    html`<svg viewBox="0 0 9 9"><circle id=${`${id}-dot`} r=${data.total} /></svg>`,
  describe: ({ data }) => `A dot of ${data.total}.`,
})
"""


def test_the_home_page_shows_the_latest_figure_alive_and_the_others_at_rest(site: Site) -> None:
    for slug, day in (("new", "2026-08-03"), ("old", "2026-08-02"), ("older", "2026-08-01")):
        text = ":::{figure} dot\n:label: dot\n:data: sums\nA dot.\n:::\n"
        site.article(slug, text, DATA, date=day, featured="true" if slug != "older" else "false")
        site.write(f"content/articles/{slug}/dot.js", DOT)
    built = site.build()
    assert (built.code, built.err) == (0, "")
    home = (site.root / "_site/index.html").read_text()
    assert home.count('viewBox="0 0 9 9"') == 2
    assert home.count('class="plate"') == 1
    assert 'data-module="_/dot.' in home
    assert "Old" in home
    assert "Older" not in home
    assert len(re.findall(r'id="([^"]*dot-dot)"', home)) == len(
        set(re.findall(r'id="([^"]*dot-dot)"', home))
    )


def test_an_edit_to_a_file_that_a_figure_imports_reaches_the_page(site: Site) -> None:
    text = ":::{figure} dot\n:label: dot\n:data: sums\nA dot.\n:::\n"
    site.article("a", text, DATA)
    site.write("content/articles/a/dot.js", DOT.replace("data.total}.`", "data.total}, ${size}.`"))
    figure = (site.root / "content/articles/a/dot.js").read_text()
    site.write("content/articles/a/dot.js", f'import {{ size }} from "./size.js"\n{figure}')
    site.write("content/articles/a/size.js", "export const size = 3\n")
    assert site.build().code == 0
    assert "A dot of 30, 3." in site.page("a")
    site.write("content/articles/a/size.js", "export const size = 4\n")
    assert site.build().code == 0
    assert "A dot of 30, 4." in site.page("a")


def test_a_figure_brings_its_style_to_the_pages_that_show_it(site: Site) -> None:
    text = ":::{figure} dot\n:label: dot\n:data: sums\nA dot.\n:::\n"
    site.article("a", text, DATA)
    site.write("content/articles/a/dot.js", DOT)
    site.write("content/articles/a/dot.css", ".plate circle { fill: red; }\n")
    site.article("b", "Text.\n")
    assert site.build().code == 0
    (sheet,) = re.findall(r'href="\.\./(_/dot\.[0-9a-f]+\.css)"', site.page("a"))
    assert site.output()[sheet] == b".plate circle{fill:red}\n"
    assert "_/dot." not in site.page("b")
    site.write("content/articles/a/dot.css", ".plate circle { fill: blue; }\n")
    assert site.build().code == 0
    assert sheet not in site.page("a")


def test_a_caption_on_the_home_page_leads_into_its_article(site: Site) -> None:
    caption = "A dot, told of in {ref}`the end <the-end>`."
    site.article(
        "a",
        f":::{{figure}} dot\n:label: dot\n:data: sums\n{caption}\n:::\n\n## The end\n\nText.\n",
        DATA,
    )
    site.write("content/articles/a/dot.js", DOT)
    assert site.build().code == 0
    home = site.output()["index.html"].decode()
    assert re.findall(r'href="([^"]*#the-end)"', home) == ["a/#the-end"]


def test_an_author_sees_the_first_page_before_the_others_are_made(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "BATCH", 2)
    for number in range(6):
        site.article(f"a{number}", f"Words {number}.\n")
    shown: list[set[str]] = []
    sink = Memory(lambda files: shown.append(set(files)))
    with Builder(Options(root=site.root, drafts=True)) as builder:
        builder.build(sink)
    # The page that is waited for, with all it needs, and no other.
    assert {path for path in shown[0] if path.endswith(".html")} == {"index.html"}
    assert any(path.endswith(".css") for path in shown[0])
    assert sink.files.keys() > shown[0]


LIT = """import { figure, html, player } from "explainers"
export default figure({
  controls: { step: player({ label: "step", steps: ({ data }) => data.steps - 1 }) },
  draw: () => html`<svg viewBox="0 0 9 9"></svg>`,
  steps: ({ data }) => data.ordinals,
  describe: () => "A run.",
})
"""
SUMMED = """import numpy as np


def total(values, *, xp=np):
    s = 0.0
    for value in values:
        s = s + value
    return s
"""
TRACED = """from explainers import dataset, trace
from kernels.summed import total


@dataset(units={"s": "1"})
def run():
    \"\"\"A sum, step by step.\"\"\"
    return trace(total, [1.0, 2.0], watch=("s",))
"""


def test_a_comment_in_a_kernel_moves_its_listing_and_runs_nothing(
    site: Site, tmp_path: Path
) -> None:
    site.write("content/kernels/summed.py", SUMMED)
    site.article("a", ":::{figure} lit\n:label: lit\n:data: run\nA run.\n:::\n", TRACED)
    site.write("content/articles/a/lit.js", LIT)
    built = site.build()
    assert (built.code, built.err) == (0, "")
    before = site.page("a")
    site.write("content/kernels/summed.py", "# Why it is here.\n" + SUMMED)
    assert "0 datasets run, 1 kept" in site.build().out
    assert site.page("a") != before
    other = Site(tmp_path / "clean")
    shutil.copytree(site.root / "content", other.root / "content")
    assert other.build().code == 0
    assert other.output() == site.output()


def test_a_thread_that_a_dataset_leaves_behind_holds_no_build(site: Site) -> None:
    data = (
        "import threading\nimport time\n\nfrom explainers import dataset\n\n\n"
        '@dataset(units={"total": "1"})\ndef sums():\n    """One."""\n'
        "    threading.Thread(target=time.sleep, args=(600,)).start()\n"
        '    return {"total": 1}\n'
    )
    site.article("a", "{value}`sums.total`\n", data)
    built = site.build()
    assert (built.code, built.err) == (0, "")
    assert ">1<" in site.page("a")


def test_what_a_figure_prints_is_no_answer(site: Site) -> None:
    text = ":::{figure} dot\n:label: dot\n:data: sums\nA dot.\n:::\n"
    site.article("a", text, DATA)
    noisy = (
        "  describe: ({ data }) => (process.stdout.write('{}\\n'), `A dot of ${data.total}.`),\n"
    )
    site.write("content/articles/a/dot.js", re.sub(r"  describe:.*\n", lambda _: noisy, DOT))
    built = site.build()
    assert (built.code, built.err) == (0, "")
    assert "A dot of 30." in site.page("a")


@pytest.mark.parametrize(
    ("target", "name", "data"),
    [("./a.bin", "a.bin", b"\xff\x00"), ("./h.py#f", "h.py", b"def f(:\n")],
)
def test_a_listing_that_cannot_be_read_is_a_problem(
    site: Site, target: str, name: str, data: bytes
) -> None:
    site.article("a", f":::{{listing}} {target}\nCode.\n:::\n")
    (site.root / "content/articles/a" / name).write_bytes(data)
    built = site.build()
    assert built.code == 1
    assert "content/articles/a/index.md:7:14: error[missing-listing]" in built.err


def test_nothing_is_written_through_a_link_out_of_the_output(site: Site, tmp_path: Path) -> None:
    site.article("a", "Text.\n")
    assert site.build().code == 0
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.rmtree(site.root / "_site/a")
    (site.root / "_site/a").symlink_to(outside)
    assert site.build().code == 0
    assert list(outside.iterdir()) == []
    assert "Text." in site.page("a")


@pytest.mark.parametrize("slug", ["index.html", ".explainers"])
def test_a_folder_cannot_take_a_name_of_the_site_itself(site: Site, slug: str) -> None:
    site.article(slug, "Text.\n")
    built = site.build()
    assert built.code == 1 or slug.startswith(".")
    assert not (site.root / "_site" / slug / "index.html").exists()


NUMBER = (
    "from explainers import dataset\n@dataset(units={'a': '1'})\ndef n():\n    return {'a': %d}\n"
)


def rendered(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the articles that a build lays out, whether or not that gives other bytes."""
    made: list[str] = []
    article = Renderer.article

    def counted(self: Renderer, page: Page, *rest: object) -> Output:
        made.append(page.outline.slug)
        return article(self, page, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Renderer, "article", counted)
        assert site.build().code == 0
    return sorted(made)


def test_an_edit_after_a_run_of_datasets_lays_out_what_was_edited(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, slug in enumerate("abc"):
        site.article(slug, "Now {value}`n.a`.\n", NUMBER % number)
    assert rendered(site, monkeypatch) == ["a", "b", "c"]
    site.article("b", "It is {value}`n.a`.\n")
    assert rendered(site, monkeypatch) == ["b"]
    site.article("b", "It is {value}`n.a`.\n", NUMBER % 7)
    assert rendered(site, monkeypatch) == ["b"]
    site.article("c", "It is {value}`n.a`.\n")
    assert rendered(site, monkeypatch) == ["c"]


def test_a_site_that_was_moved_or_copied_is_not_written_anew(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.article("a", "{value}`n.a`.\n", NUMBER % 1)
    site.article("b", "Text.\n")
    assert site.build().code == 0
    before = site.output()
    moved = Site(site.root.with_name("moved"))
    site.root.rename(moved.root)
    assert "0 files written" in moved.build().out
    moved.article("b", "Other text.\n")
    assert rendered(moved, monkeypatch) == ["b"]
    moved.article("b", "Text.\n")
    assert moved.build().code == 0
    copied = Site(site.root.with_name("copied"))
    shutil.copytree(moved.root, copied.root, copy_function=shutil.copyfile)  # all times are new
    assert "0 files written" in copied.build().out
    assert copied.output() == before


def test_a_declared_variable_is_an_input_of_the_whole_build(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_NUMBER", "4")
    data = NUMBER.replace("@dataset(", "@dataset(env=['TINY_NUMBER'], ").replace(
        "%d", "int(__import__('os').environ['TINY_NUMBER'])"
    )
    site.article("a", "It is {value}`n.a`.\n", data)
    assert site.build().code == 0
    assert ">4</data>" in site.page("a")
    assert "0 files written" in site.build().out
    monkeypatch.setenv("TINY_NUMBER", "5")
    assert "1 dataset run" in site.build().out
    assert ">5</data>" in site.page("a")
