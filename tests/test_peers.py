"""What benchmarks ask of other generators, without installing or running one."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(FOLDER))

import against  # noqa: E402 - benchmarks/ is a folder of scripts, found once it is on the path
import bench  # noqa: E402 - the same
import peers  # noqa: E402 - the same
from against import Runner, look, table, verdict  # noqa: E402 - the same
from corpus import Corpus  # noqa: E402 - the same
from dialects import DIALECTS, adapted  # noqa: E402 - the same
from measure import Measurement  # noqa: E402 - the same
from peers import OURS, PEERS, Peer  # noqa: E402 - the same

ARTICLE = """\
---
title: "A title"
summary: "A summary: of all."
date: 2025-06-30
tags: [block, bus]
audience: knows much
---

Since $a < 409$ and `x$y$`, see ([There](../other-00001/index.md#there)).[^1]

$$
b^{2}
$$

```triton
x = "$a$" if y else {}

z = 1
```

```cuda
int i;
```

![Three lines](plot.svg "A caption.")

:::{note}
A note of $c$.
:::

[^1]: A footnote.
"""

YAML = """\
---
title: "A title"
description: "A summary: of all."
date: 2025-06-30
tags: [block, bus]
---
"""
PELICAN = """\
Title: A title
Slug: one-00000
Date: 2025-06-30
Tags: block, bus
Summary: A summary: of all.
"""


def body(language: str = "cuda", link: str = "", picture: str = "", note: str = "") -> str:
    """The article's text with what a dialect changes; code and formulas stay."""
    text = ARTICLE.split("---\n", 2)[2].replace("```triton", "```python")
    text = text.replace("```cuda", f"```{language}").replace("](plot.svg", f"]({picture}plot.svg")
    text = text.replace("../other-00001/index.md", link)
    return (
        text
        if note
        else text.replace(":::{note}\nA note of $c$.\n:::", "> **Note.** A note of $c$.")
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hugo", YAML + body(link="../other-00001/")),
        ("eleventy", YAML + body("cpp", link="../other-00001/")),
        (
            "pelican",
            PELICAN + body(link="{filename}../other-00001/index.md", picture="{attach}"),
        ),
        ("sphinx", "# A title\n" + body(link="../other-00001/index.md", note="kept")),
    ],
)
def test_an_article_is_written_as_each_peer_would_have_it(name: str, expected: str) -> None:
    assert DIALECTS[name].article("one-00000", ARTICLE) == expected


def test_every_peer_has_a_dialect_and_settings_and_pinned_packages() -> None:
    assert {peer.key for peer in PEERS} == set(DIALECTS)
    assert {path.name for path in peers.SITES.iterdir()} == set(DIALECTS)
    for peer in PEERS:
        assert all(re.search(r"(==|.@)\d+(\.\d+)+$", pin) for pin in peer.pins), peer.name
    assert [peer.title for peer in PEERS][:2] == ["Hugo 0.168.0", "Eleventy 3.1.8"]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_site_is_laid_out_with_every_article_and_picture(peer: Peer, tmp_path: Path) -> None:
    site = tmp_path / "site"
    peers.lay_out(peer, tmp_path / "environment", site, Corpus(3))
    assert len(list(site.glob("content/articles/*/index.md"))) == 3
    assert len(list(site.glob("content/articles/*/plot.svg"))) == 3
    ours = "".join(text for path, text in Corpus(3).files() if path.endswith(".md"))
    theirs = "".join(text for path, text in adapted(Corpus(3), peer.key) if path.endswith(".md"))
    for mark in ("\n## ", "$$\n", "```", "\n| ", "[^", "\n- ", "\n1. ", "]("):
        assert theirs.count(mark) == ours.count(mark), mark


def page(formula: str = r"<math><annotation>\[x</annotation></math>", **parts: str) -> str:
    """A page as an article of the corpus has it."""
    listing = '<pre><span class="k">if</span> [^a] $$</pre>'
    found = {"formulas": formula * 31, "code": listing * 5 + "<pre>plain</pre>"}
    found |= {"tables": "<table></table>" * 2, "picture": '<img alt="" src="/a/plot.svg">'}
    found |= {"link": '<a href="../other-00001/#there">There</a>'}
    return "".join({**found, **parts}.values())


def test_a_formula_for_the_browser_is_told_from_one_that_is_built() -> None:
    built, raw = look(page()), look(page(r'<span class="math">\(x < y\)</span>'))
    assert (built.built, built.raw, built.lacks) == (31, 0, "")
    assert (raw.built, raw.raw, raw.lacks) == (0, 31, "")
    assert ("other-00001", "there") in built.links


@pytest.mark.parametrize(
    ("parts", "lacks"),
    [
        ({"formula": ""}, "0 of 31 formulas"),
        ({"code": "<pre>if</pre>" * 6}, "6 listings, 0 of them coloured"),
        ({"tables": "<table></table>"}, "1 tables, 1 pictures"),
        ({"picture": ""}, "2 tables, 0 pictures"),
        ({"note": "<p>a note[^1]</p>"}, "[^ as it stands in the source"),
    ],
)
def test_a_page_that_lacks_something_is_told(parts: dict[str, str], lacks: str) -> None:
    assert look(page(**parts)).lacks == lacks


def test_a_build_that_does_nothing_or_fails_is_not_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # In the place of a process: a real one would be waited for with all children of this one.
    ended = [Measurement(1, 1, 1, 1, code, "no such module") for code in (0, 0, 2)]
    monkeypatch.setattr(against, "measure", lambda *_, **__: ended.pop(0))
    runner = Runner(Peer("Idle", (), ("idle",), "out", ("out",)), tmp_path, Corpus(1))
    runner.ready()
    page = tmp_path / "out" / Corpus(1).slug(0) / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("<p>as before</p>")
    problems = []
    for step in ("one edit", "cold", "no-op"):
        runner.problem = ""
        runner.step(step)
        problems.append(runner.problem)
    assert problems == [
        "one edit build: the edit is not on its page",
        f"cold build: no page of {Corpus(1).slug(0)}",
        "no-op build: exit 2: no such module",
    ]
    assert runner.times == {"cold": [], "no-op": [], "one edit": []}


def test_what_cannot_be_installed_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(peers.sys, "executable", "/nowhere/python")
    runner = Runner(PEERS[0], tmp_path / "site", Corpus(1))
    runner.ready()
    assert runner.problem.startswith("cannot be installed here: /nowhere/python: ")
    runner.step("cold")
    assert runner.times["cold"] == []
    lines = table([measured(OURS, 1.0), runner]).splitlines()
    assert lines[-1].startswith("Hugo 0.168.0        NOT MEASURED: cannot be installed here")
    assert verdict([measured(OURS, 1.0), runner]) == ["Hugo 0.168.0 was not measured"]


def measured(peer: Peer, seconds: float) -> Runner:
    runner = Runner(peer, Path(), Corpus(1), maths="at build")
    for times in runner.times.values():
        for wall in (seconds, seconds / 2, seconds * 9):
            times.append(Measurement(wall, wall * 2, 0, int(seconds) * 2**20, 0, ""))
    return runner


def test_the_table_shows_medians_and_how_many_times_ours_they_are() -> None:
    runners = [measured(OURS, 2.0), measured(PEERS[0], 5.0), measured(PEERS[2], 1.0)]
    lines = table(runners).splitlines()
    assert re.findall(r"[\d.]+(?: s| MiB)", lines[3]) == ["5.00 s"] * 3 + ["5 MiB"]
    assert re.findall(r"[\d.]+×", lines[3]) == ["2.5×"] * 4
    assert lines[4].split() == ["of", "CPU", *["10.00", "s", "2.5×"] * 3]
    assert verdict(runners) == [
        "Pelican 4.12.0, its maths at build, is ahead of explainers: cold, no-op, one edit"
    ]
    assert verdict(runners[:2]) == []


def test_peers_alone_are_measured_and_checked_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(bench, "compare", lambda *words: (asked.append(words), (False, []))[1])
    arguments = ["bench", "--peers", "--articles", "20", "--repeat", "1"]
    monkeypatch.setattr(sys, "argv", arguments)
    assert bench.main() == 0
    monkeypatch.setattr(sys, "argv", [*arguments, "--check"])
    assert bench.main() == 1
    assert asked == [([Corpus(20)], 1)] * 2
