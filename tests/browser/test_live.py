"""A whole `serve`, a browser, and an author who saves files: what changes, and what stays."""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.conftest import SETTINGS, Site, cases

from explainers.new import new

ERRORS = Path(__file__).parents[1] / "errors"

TEXT = """The first words of the page.

{value}`squares.at(n=3).square | int` is a square.

:::{figure} chart
:label: first
:data: squares
:options: {x: n, y: [square]}
Choose a number.
:::

:::{figure} chart
:label: second
:data: doubles
:options: {x: n, y: [double]}
Choose another.
:::

:::{self-check}
Is it?

---

It is.
:::

:::{derivation} Why
Because it is folded.
:::

"""
FILLER = "\n\n".join(f"Paragraph {n}. " + "Words that fill the screen. " * 30 for n in range(30))
DATA = '''from explainers import dataset


@dataset(sweep={"n": range(1, 7)}, units={"square": "1"})
def squares(n: int):
    """Squares."""
    return {"square": float(n * n)}


@dataset(sweep={"n": range(1, 7)}, units={"double": "1"})
def doubles(n: int):
    """Doubles."""
    return {"double": 2.0 * n}
'''
ROOT = Path(__file__).parents[2]


class Served:
    """A site in a folder, the server's process, and its address."""

    def __init__(self, root: Path) -> None:
        self.site = Site(root)
        self.site.write("content/site.yaml", SETTINGS)
        self.site.article("live", TEXT + FILLER, DATA)
        self.site.article("other", "Other words.\n")
        self.page = root / "content/articles/live/index.md"
        self.data = root / "content/articles/live/data.py"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "explainers", "serve", "--port", "0"],
            cwd=root,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        line = self.process.stdout.readline() if self.process.stdout else ""
        found = re.search(r"http://\S+", line)
        assert found, line
        self.url = found[0]

    def edit(self, old: str, new: str, path: Path | None = None) -> None:
        """Change a file in place, as simple editors save."""
        path = path or self.page
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def replace(self, old: str, new: str) -> None:
        """Change a file by writing another one and renaming it, as careful editors save."""
        text = self.page.read_text(encoding="utf-8")
        assert old in text
        beside = self.page.with_name("index.md.tmp")
        beside.write_text(text.replace(old, new), encoding="utf-8")
        beside.replace(self.page)

    def end(self) -> int:
        """Press Ctrl-C; return the exit code."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise
        return self.process.returncode


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("live") / "site")
    yield served
    assert served.end() == 130


@pytest.fixture
def served(server: Served) -> Iterator[Served]:
    """The server, whose site is at the end as it was at the start."""
    content = server.site.root / "content"
    kept = server.site.root.parent / "kept"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(content, kept)
    yield server
    for path in sorted(content.rglob("*"), reverse=True):
        if not (kept / path.relative_to(content)).exists():
            path.rmdir() if path.is_dir() else path.unlink()
    for path in kept.rglob("*"):
        target = content / path.relative_to(kept)
        if path.is_dir():
            target.mkdir(exist_ok=True)
        elif not target.exists() or target.read_bytes() != path.read_bytes():
            shutil.copyfile(path, target)
    for name in ("templates", "static"):
        shutil.rmtree(server.site.root / name, ignore_errors=True)


@pytest.fixture
def faults() -> list[str]:
    return []


@pytest.fixture
def page(browser: Browser, served: Served, faults: list[str]) -> Iterator[Page]:
    """The article, open, with a mark that is lost when the page is loaded again."""
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    page.on("pageerror", lambda error: faults.append(str(error)))
    deadline = time.monotonic() + 30
    while page.request.get(f"{served.url}live/").status != 200:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    page.goto(f"{served.url}live/")
    expect(page.locator("#first .plate[data-ready]")).to_have_count(1, timeout=20_000)
    expect(page.locator("#second .plate[data-ready]")).to_have_count(1)
    page.evaluate("window.mark = 1")
    yield page
    page.close()


def is_same_page(page: Page) -> bool:
    return bool(page.evaluate("window.mark === 1"))


def move(page: Page, label: str, value: str) -> None:
    """Set a figure's slider."""
    page.locator(f"#{label} input[type=range]").first.evaluate(
        """(input, value) => {
          input.value = value
          input.dispatchEvent(new Event("input", { bubbles: true }))
          input.dispatchEvent(new Event("change", { bubbles: true }))
        }""",
        value,
    )


def readout(page: Page, label: str) -> str:
    return page.locator(f"#{label} .readout").inner_text()


# --- What stays ---------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["edit", "replace"])
def test_changed_words_come_into_the_page_as_it_stands(
    served: Served, page: Page, faults: list[str], way: str
) -> None:
    before = readout(page, "first")
    move(page, "first", "5")
    expect(page.locator("#first .readout")).not_to_have_text(before)
    said = readout(page, "first")
    page.locator("details.answer summary").click()
    page.locator("p", has_text="Paragraph 20.").scroll_into_view_if_needed()
    seen = page.locator("p", has_text="Paragraph 20.").bounding_box()
    getattr(served, way)("The first words of the page.", "Other words\n\nin two\n\nparagraphs.")
    expect(page.locator("main")).to_contain_text("paragraphs.")
    assert is_same_page(page)
    assert page.locator("details.answer").get_attribute("open") is not None
    assert readout(page, "first") == said
    now = page.locator("p", has_text="Paragraph 20.").bounding_box()
    assert seen
    assert now
    assert abs(now["y"] - seen["y"]) < 2
    assert faults == []


def test_changed_numbers_renew_the_figures_that_draw_them_and_no_other(
    served: Served, page: Page, faults: list[str]
) -> None:
    move(page, "first", "4")
    move(page, "second", "3")
    page.evaluate("document.querySelector('#second .plate').kept = true")
    served.edit("float(n * n)", "float(n * n) + 1000", served.data)
    expect(page.locator("main")).to_contain_text("1,009 is a square")
    expect(page.locator("#first .plate[data-ready]")).to_have_count(1)
    expect(page.locator("#first .readout")).to_contain_text("1,025")
    assert page.evaluate("document.querySelector('#second .plate').kept") is True
    assert "8" in readout(page, "second")
    assert is_same_page(page)
    move(page, "first", "1")
    expect(page.locator("#first .readout")).to_contain_text("1,004")
    assert faults == []


def test_a_changed_figure_is_renewed_in_its_state(served: Served, page: Page) -> None:
    move(page, "first", "4")
    served.edit("{x: n, y: [square]}", "{x: n, y: [square], from: 0}")
    overlay = page.locator("explainers-problems")
    served.edit(", from: 0}", "}")
    served.edit("Choose a number.", "Choose your number.")
    expect(page.locator("#first figcaption")).to_contain_text("Choose your number.")
    expect(overlay).to_have_count(0)
    assert "25" in readout(page, "first")


def test_a_changed_style_comes_without_loading(served: Served, page: Page) -> None:
    css = (ROOT / "static/css/prose.css").read_text(encoding="utf-8")
    served.site.write("static/css/prose.css", css + "\nmain p { letter-spacing: 3px; }\n")
    expect(page.locator("main article > p").nth(1)).to_have_css("letter-spacing", "3px")
    assert is_same_page(page)
    served.site.write("static/css/prose.css", css + "\nmain p { letter-spacing: 4px; }\n")
    expect(page.locator("main article > p").nth(1)).to_have_css("letter-spacing", "4px")
    assert is_same_page(page)


def test_what_needs_its_scripts_again_is_loaded_again_and_stands_as_it_stood(
    served: Served, page: Page
) -> None:
    move(page, "first", "5")
    said = readout(page, "first")
    page.locator("details.derivation summary").click()
    page.locator("p", has_text="Paragraph 20.").scroll_into_view_if_needed()
    seen = page.locator("p", has_text="Paragraph 20.").bounding_box()
    served.edit("The first words", "```python\nprint('new')\n```\n\nThe first words")
    expect(page.locator(".code:has-text(\"'new'\") .copy")).to_have_count(1)
    assert not is_same_page(page)
    expect(page.locator("details.derivation")).to_have_attribute("open", "")
    now = page.locator("p", has_text="Paragraph 20.").bounding_box()
    assert seen
    assert now
    assert abs(now["y"] - seen["y"]) < 3
    page.locator("#first").scroll_into_view_if_needed()
    expect(page.locator("#first .readout")).to_have_text(said)


def test_an_edit_of_another_page_leaves_this_one_alone(served: Served, page: Page) -> None:
    page.evaluate(
        "new MutationObserver(() => { window.moved = 1 })"
        ".observe(document.querySelector('main'), { childList: true, subtree: true })"
    )
    served.site.article("other", "New words.\n")
    for _ in range(100):
        text = page.request.get(f"{served.url}other/").text()
        if "New words." in text:
            break
        page.wait_for_timeout(50)
    else:
        raise AssertionError(text)
    page.wait_for_timeout(300)
    assert is_same_page(page)
    assert page.evaluate("window.moved === undefined")


def test_a_changed_script_of_a_figure_is_run_in_its_state(served: Served, page: Page) -> None:
    root = served.site.root
    new(root, "figure", "live/moon", dt.date(2026, 8, 1))
    served.edit("Choose a number.", "Choose a number, please.")
    expect(page.locator("#first figcaption")).to_contain_text("please")
    with served.page.open("a", encoding="utf-8") as file:
        file.write("\n:::{figure} moon\n:label: moon\nMove it.\n:::\n")
    expect(page.locator("#moon")).to_have_count(1)
    page.locator("#moon").scroll_into_view_if_needed()
    expect(page.locator("#moon .plate[data-ready]")).to_have_count(1)
    move(page, "moon", "7")
    expect(page.locator("#moon .readout")).to_have_text("The value is 7 of 10.")
    page.evaluate("window.mark = 2")
    script = root / "content/articles/live/moon.js"
    served.edit("The value is", "It stands at", script)
    expect(page.locator("#moon .readout")).to_have_text("It stands at 7 of 10.")
    assert page.evaluate("window.mark === 2")
    move(page, "moon", "3")
    expect(page.locator("#moon .readout")).to_have_text("It stands at 3 of 10.")


INPUTS = {
    "content/kernels/double.py": (
        "def double(n):\n    return 2 * n\n",
        ("2 * n", "2 * n + 0.5"),
        "6.5",
    ),
    "content/articles/live/helper.py": ("SHIFT = 1.25\n", ("1.25", "3.75"), "9.75"),
    "content/articles/live/harvest.csv": (
        "year,crop\n2021,3.1\n2022,2.8\n",
        ("2.8", "4.4"),
        "4.4 t/ha",
    ),
    "content/references.bib": (
        "@misc{ledger, author = {Tree, A.}, title = {Leaves}, year = {2024}}\n",
        ("Leaves", "Roots"),
        "Roots",
    ),
    "content/site.yaml": (SETTINGS, ("title: Tiny", "title: Other"), "Other"),
    "templates/parts/onward.html": ("<p>onward</p>\n", ("onward", "and on"), "and on"),
}
"""Files that a page is made from: what is in them, what of it changes, and what is then seen."""

USES = """from explainers import dataset
from kernels.double import double

from .helper import SHIFT


@dataset(units={"doubled": "1", "shifted": "1"})
def made():
    \"\"\"Made by a kernel and a helper.\"\"\"
    return {"doubled": double(3.0), "shifted": double(3.0) + SHIFT - 0.0}
"""


def test_every_kind_of_file_is_shown_without_a_restart(served: Served, page: Page) -> None:
    site = served.site
    for path, (text, _, _) in INPUTS.items():
        site.write(path, text)
    site.write(
        "content/articles/live/harvest.yaml",
        "source: A tree\nlicence: CC0\nas of: 2024-11-01\naxis: year\nunits: {crop: t/ha}\n",
    )
    site.article(
        "live",
        "{value}`made.doubled | fixed(2)`, {value}`made.shifted | fixed(2)`, "
        "{value}`harvest.at(year=2022).crop | fixed(1)` t/ha {cite}`ledger`.\n",
        USES,
    )
    expect(page.locator("main")).to_contain_text("6.00, 7.25, 2.8 t/ha", timeout=15_000)
    for path, (_, (old, new_words), seen) in INPUTS.items():
        expect(page.locator("body")).not_to_contain_text(seen)
        served.edit(old, new_words, site.root / path)
        expect(page.locator("body")).to_contain_text(seen, timeout=15_000)
        served.edit(new_words, old, site.root / path)
        expect(page.locator("body")).not_to_contain_text(seen, timeout=15_000)


# --- What files do ------------------------------------------------------------------------------


def test_templates_of_the_sites_own_are_seen_when_they_are_made_later(
    served: Served, page: Page
) -> None:
    base = (ROOT / "templates/base.html").read_text(encoding="utf-8")
    changed = base.replace("Skip to the text", "Skip all this")
    served.site.write("templates/base.html", changed)
    expect(page.locator(".skip")).to_have_text("Skip all this")
    shutil.rmtree(served.site.root / "templates")
    expect(page.locator(".skip")).to_have_text("Skip to the text")
    served.site.write("templates/base.html", changed)
    expect(page.locator(".skip")).to_have_text("Skip all this")


def test_a_checkout_of_many_files_is_shown_whole(served: Served, page: Page) -> None:
    for number in range(250):
        served.site.article(f"page-{number:03}", f"Page {number}.\n")
        served.site.write(f"content/articles/page-{number:03}/notes.txt", "")
    served.edit("The first words", "After the checkout, the first words")
    expect(page.locator("main")).to_contain_text("After the checkout", timeout=20_000)
    page.goto(f"{served.url}page-249/")
    expect(page.locator("main")).to_contain_text("Page 249.", timeout=20_000)
    for number in range(250):
        shutil.rmtree(served.site.root / f"content/articles/page-{number:03}")
    expect(page.locator("main")).not_to_contain_text("Page 249.", timeout=20_000)
    page.goto(f"{served.url}page-000/")
    expect(page.locator("h1")).to_contain_text("Nothing is at this address")


def test_a_deleted_article_is_gone_and_a_renamed_one_moves(served: Served, page: Page) -> None:
    articles = served.site.root / "content/articles"
    page.goto(f"{served.url}other/")
    expect(page.locator("main")).to_contain_text("Other words.")
    (articles / "other").rename(articles / "moved")
    expect(page.locator("main")).not_to_contain_text("Other words.")
    page.goto(f"{served.url}moved/")
    expect(page.locator("main")).to_contain_text("Other words.")
    shutil.rmtree(articles / "moved")
    expect(page.locator("main")).not_to_contain_text("Other words.")
    served.site.article("moved", "Back again.\n")
    expect(page.locator("main")).to_contain_text("Back again.")


def test_half_a_file_shows_no_mistake(served: Served, page: Page) -> None:
    page.evaluate(
        "new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((n) => {"
        " if (n.nodeName === 'EXPLAINERS-PROBLEMS') window.flashed = 1 })))"
        ".observe(document.body, { childList: true })"
    )
    text = served.page.read_text(encoding="utf-8").replace("The first words", "Whole words")
    with served.page.open("w", encoding="utf-8") as file:
        file.write(text[:30])
        file.flush()
        time.sleep(0.15)
        file.write(text[30:])
    expect(page.locator("main")).to_contain_text("Whole words")
    assert page.evaluate("window.flashed === undefined")
    assert is_same_page(page)


def test_a_draft_and_a_page_of_the_future_are_shown_and_marked(served: Served, page: Page) -> None:
    served.site.article("draft", "Not yet.\n", draft="true")
    served.site.article("later", "Later.\n", date="2126-01-01")
    page.goto(f"{served.url}draft/")
    mark = page.locator("explainers-mark")
    expect(mark).to_have_text("Not published: draft", timeout=10_000)
    assert mark.bounding_box()
    page.goto(f"{served.url}later/")
    expect(mark).to_have_text("Not published: dated 2126-01-01")
    page.goto(f"{served.url}all/")
    expect(page.locator("main a[data-unpublished=draft]")).not_to_have_count(0)
    expect(mark).to_have_count(0)
    assert served.site.build().code == 0
    built = served.site.output()
    assert "live/index.html" in built
    assert "draft/index.html" not in built
    assert not any(b"_dev/" in data for data in built.values())
    page.goto(f"{served.url}live/")
    expect(page.locator("main")).to_contain_text("The first words")
    expect(mark).to_have_count(0)


def test_a_run_without_end_is_ended_by_the_next_save(served: Served, page: Page) -> None:
    endless = '    while True:\n        n = n\n    return {"square"'
    served.edit('    return {"square"', endless, served.data)
    page.wait_for_timeout(1500)
    served.edit(endless, '    return {"square"', served.data)
    served.edit("The first words", "At once the first words")
    expect(page.locator("main")).to_contain_text("At once the first words", timeout=15_000)
    expect(page.locator("explainers-problems")).to_have_count(0)


def test_a_broken_draft_is_told_to_who_opens_it(served: Served, page: Page) -> None:
    served.site.article("broken", "[x](nowhere.md)\n", draft="true")
    served.edit("The first words", "All the same, the first words")
    expect(page.locator("main")).to_contain_text("All the same")
    overlay = page.locator("explainers-problems pre")
    expect(overlay).to_have_count(0)
    page.goto(f"{served.url}broken/")
    expect(overlay).to_contain_text("error[broken-link]", timeout=10_000)
    served.site.article("broken", "Whole.\n", draft="true")
    expect(page.locator("main")).to_contain_text("Whole.", timeout=10_000)
    expect(overlay).to_have_count(0)


# --- What goes wrong ----------------------------------------------------------------------------

TOGETHER = 8
"""Errors of the catalogue that are shown one after another in one test."""

# A link to a page that is held back is right here, where that page is shown.
BROKEN = [folder for folder in cases(ERRORS) if folder.name != "held-back-link"]


@pytest.mark.parametrize("start", range(0, len(BROKEN), TOGETHER))
def test_any_error_is_shown_over_the_page_and_goes(served: Served, page: Page, start: int) -> None:
    overlay = page.locator("explainers-problems pre")
    for folder in BROKEN[start : start + TOGETHER]:
        code = folder.name
        site = served.site.root
        for path in folder.rglob("*"):
            target = site / path.relative_to(folder)
            if path.is_file() and not path.name.startswith("expected"):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        expect(overlay).to_contain_text(f"error[{code}]", timeout=20_000)
        for path in sorted(folder.rglob("*"), reverse=True):
            target = site / path.relative_to(folder)
            kept = (
                site.parent / "kept" / path.relative_to(folder / "content")
                if (path.is_relative_to(folder / "content"))
                else None
            )
            if kept and kept.is_file():
                shutil.copyfile(kept, target)
            elif target.is_file():
                target.unlink()
            elif target.is_dir() and not any(target.iterdir()) and not (kept and kept.is_dir()):
                target.rmdir()
        expect(overlay).to_have_count(0, timeout=20_000)
    expect(page.locator("main")).to_contain_text("The first words")
