from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from explainers.link import link
from explainers.model import Formula, Link, Parsed
from explainers.parse import parse
from tests.conftest import Site

FOLDER = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(FOLDER))

import bench  # noqa: E402 - benchmarks/ is a folder of scripts, found once it is on the path
import drag  # noqa: E402 - the same
import table  # noqa: E402 - the same
from corpus import Corpus, write  # noqa: E402 - the same
from samples import SAMPLES  # noqa: E402 - the same

SITE = Corpus(4)


def parsed(corpus: Corpus) -> list[Parsed]:
    return [
        parse(path, Path(path).parent.name, text)
        for path, text in corpus.files()
        if path.endswith("index.md")
    ]


def formulas(item: Parsed, display: bool) -> list[str]:
    holes = item.body.holes()
    return [hole.tex for hole in holes if isinstance(hole, Formula) and hole.display == display]


@pytest.fixture(scope="module")
def articles() -> list[Parsed]:
    return parsed(SITE)


def test_one_seed_makes_one_site() -> None:
    assert list(SITE.files()) == list(Corpus(4).files())
    assert list(SITE.files()) != list(Corpus(4, seed=1).files())


def test_a_seed_makes_the_same_site_in_another_process(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "corpus.py"), str(tmp_path), "--articles", "4"]
    subprocess.run(command, check=True, env={"PYTHONHASHSEED": "7"})
    for path, text in SITE.files():
        assert (tmp_path / path).read_text(encoding="utf-8") == text


def test_articles_have_the_promised_parts(articles: list[Parsed]) -> None:
    for item in articles:
        html = "".join(part for part in item.body.parts if isinstance(part, str))
        assert 1100 <= item.outline.words <= 1300
        assert len(formulas(item, display=True)) == 6
        assert len(formulas(item, display=False)) == 25
        assert len(set(re.findall(r'class="code" data-lang="(\w+)"', html))) == 6
        assert html.count("<table") == 2
        assert html.count('<li id="fn-') == 3
        assert (html.count("<ul"), html.count("<ol")) == (1, 2)  # and the list of footnotes
        assert len(item.outline.headings) == 6
        assert len(item.outline.meta.tags) == 3


def test_links_lead_to_sections_of_other_articles_and_to_the_picture(
    articles: list[Parsed],
) -> None:
    outlines = [item.outline for item in articles]
    site = link(outlines, {path for path, _ in SITE.files()}, outlines[0].meta.date)
    for item in articles:
        links = [hole for hole in item.body.holes() if isinstance(hole, Link)]
        to_pages = [hole for hole in links if hole.use == "link"]
        assert len(to_pages) == 4
        for hole in to_pages:
            slug, _, anchor = site.links[item.outline.path, hole.target].partition("/#")
            assert slug != item.outline.slug
            assert anchor in site.pages[slug].anchors
        assert [hole.target for hole in links if hole.use == "image"] == ["plot.svg"]


def test_formulas_are_shared_or_all_distinct() -> None:
    shared, distinct = (
        [tex for item in parsed(Corpus(8, distinct_formulas=d)) for tex in formulas(item, False)]
        for d in (False, True)
    )
    assert len(set(shared)) <= 120 < len(shared) == 8 * 25
    assert len(set(distinct)) == len(distinct) == 8 * 25


def test_a_sample_of_every_language_is_taken_in_time() -> None:
    texts = "".join(text for path, text in Corpus(20).files() if path.endswith(".md"))
    assert set(re.findall(r"^```(\w+)$", texts, re.MULTILINE)) == set(SAMPLES)


def test_a_command_is_measured_with_the_processes_it_starts(tmp_path: Path) -> None:
    work = "x = bytearray(30_000_000); import time; t = time.process_time()\n"
    work += "while time.process_time() - t < 0.2: pass"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {work!r}])"
    # In a process of its own: a measurement waits for all children of its process.
    script = "import json, sys; from pathlib import Path; from measure import measure\n"
    script += "found = measure([sys.executable, '-c', sys.argv[1]], Path('.'), memory=True)\n"
    script += "print(json.dumps([found.code, found.wall, found.cpu, found.own, found.memory]))"
    command = [sys.executable, "-c", script, parent]
    done = subprocess.run(command, cwd=FOLDER, stdout=subprocess.PIPE, check=True)
    code, wall, cpu, own, memory = json.loads(done.stdout)
    assert code == 0
    assert cpu >= 0.2
    assert own <= cpu - 0.2 + 0.02  # a tick of the clock
    assert wall >= 0.2
    assert memory >= 30_000_000


def test_a_row_fails_the_check_at_twice_its_budget() -> None:
    assert table.Row("no-op", 100, 0.3, "s").over is False
    assert table.Row("no-op", 100, 0.5, "s").over is True
    assert table.Row("no-op", 100, 0.5, "s", cpu=0.1).over is False  # it waited for others
    assert table.Row("cold", 1000, 40.0, "s", cpu=20.0).over is True
    assert table.Row("cold", 1000, 40.0, "s", cpu=20.0, idle=11.0).over is False
    assert table.Row("template edit", 100, 99.0, "s").over is False


def test_the_closing_words_name_what_does_not_hold() -> None:
    rows = [
        table.Row("no-op", 100, 0.1, "s", cpu=0.1),
        table.Row("cold", 1000, 9.0, "s", cpu=7.0),
        table.Row("save in serve", 1000, 0.3, "s", cpu=0.3),
        table.Row("template edit", 100, 99.0, "s"),
    ]
    assert table.summary(rows).splitlines() == [
        "not held: save in serve at 1,000, 0.30 of 0.1 s",
        "held in CPU time only, other programs ran: cold at 1,000, 9.00 of 8 s",
        "FAILS, over 2 times its budget: save in serve at 1,000, 0.30 of 0.1 s",
        "1 of 3 budgets hold",
    ]


def test_a_site_with_figures_builds_them_from_its_kernels(site: Site) -> None:
    write(site.root, Corpus(2, figures=True))
    built = site.build()
    assert built.code == 0, built.err
    assert "2 datasets run" in built.out
    pages = [path.read_text() for path in (site.root / "_site").glob("*-0000?/index.html")]
    assert [page.count('data-kind="dots" data-module=') for page in pages] == [2, 2]


def test_growth_compares_the_cpu_time_of_cold_builds() -> None:
    rows = [table.Row("cold", 100, 1.0, "s", 2.0), table.Row("cold", 1000, 9.0, "s", 18.0)]
    assert [row.value for row in table.growth(rows)] == [9.0]


def test_a_site_is_written_where_it_was_asked_for(tmp_path: Path) -> None:
    write(tmp_path, Corpus(1))
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "index.md",
        "plot.svg",
        "site.yaml",
    ]


def test_the_work_of_a_move_is_all_that_the_page_does_until_the_next() -> None:
    def event(name: str, begin: int, took: int, kind: str = "", thread: int = 1) -> dict[str, Any]:
        arguments = {"data": {"type": kind}}
        return {"name": name, "pid": 1, "tid": thread, "tts": begin, "tdur": took} | {
            "args": arguments
        }

    events = [
        event("FunctionCall", 0, 5000),  # before the first move
        event("EventDispatch", 10_000, 100, "pointermove"),
        event("EventDispatch", 10_200, 2000, "input"),
        event("RunMicrotasks", 10_500, 1500),  # inside the event: counted with it
        event("Layout", 13_000, 1000),
        event("Paint", 14_100, 4000),
        event("Layout", 14_000, 9000, thread=2),
        event("EventDispatch", 30_000, 300, "pointermove"),
    ]
    assert drag.work(events) == [pytest.approx(4 * 3.1), pytest.approx(4 * 0.3)]
    assert drag.work(events[:1]) == []
    assert drag.Drag("page", "figure", "part", [1.0] * 19 + [9.0]).slow == 9.0
    assert drag.Drag("page", "figure", "part", [1.0] * 99 + [9.0]).slow == 1.0
    row = table.Row("drag", None, 17.0, "ms")
    assert row.budget == 16.0
    assert not row.over
    assert table.Row("drag", None, 33.0, "ms").over


def test_drags_alone_are_measured_and_checked_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = table.Row("drag", None, 33.0, "ms", note="ruler: a slider")
    monkeypatch.setattr(bench, "dragged", lambda: iter([slow]))
    monkeypatch.setattr(bench, "bench", lambda *_, **__: iter([table.Row("cold", 100, 1, "s")]))
    monkeypatch.setattr(sys, "argv", ["bench", "--drag", "--check"])
    assert bench.main() == 1
    said = capsys.readouterr().out
    assert "OVER TWICE  ruler: a slider" in said
    assert "cold" not in said
