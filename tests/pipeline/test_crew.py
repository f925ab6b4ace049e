from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

import pytest

from explainers.pipeline import crew
from tests.conftest import Site

BODY = """\
## A section

Words, $x^2$, an ![image](dot.svg) and a [link](../{other}/index.md#a-section).

```python
print({number})
```
"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9" /></svg>'


@pytest.fixture
def many(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Return a site for which processes are worth their start, with one figure among its pages."""
    monkeypatch.setattr(crew, "MANY", 4)
    monkeypatch.setattr(crew, "cores", lambda: 2)
    for number in range(8):
        site.article(f"a{number}", BODY.format(number=number, other=f"a{(number + 1) % 8}"))
        site.write(f"content/articles/a{number}/dot.svg", DOT)
    site.article(
        "counted",
        "Seven is {value}`seven.n`.\n",
        "from explainers import dataset\n\n\n@dataset(units={'n': '1'})\ndef seven():\n"
        '    """Seven."""\n    return {"n": 7}\n',
    )
    return site


def pids(items: Sequence[int]) -> set[int]:
    return {os.getpid()}


def die(items: Sequence[int]) -> None:
    if 5 in items:
        os._exit(1)


def test_pages_made_in_processes_are_the_same(many: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    shares = crew.Crew.shares

    def counted(self, items, work):  # type: ignore[no-untyped-def]
        for share, result in shares(self, items, work):
            taken.append(len(result or ()))
            yield share, result

    monkeypatch.setattr(crew.Crew, "shares", counted)
    assert many.build().code == 0
    assert taken == [9, 8]  # all were parsed there, and all but the one with a number made there
    apart = many.output()
    monkeypatch.setattr(crew, "cores", lambda: 1)
    for made in ("_site", ".cache"):
        shutil.rmtree(many.root / made)
    assert many.build().code == 0
    assert many.output() == apart


def test_a_mistake_met_in_a_process_is_told_once(many: Site) -> None:
    many.article("a3", "## A section\n\nSee $\\frac{1$.\n")
    built = many.build()
    assert built.code == 1
    assert built.err.count("a3/index.md:9:13") == 1


def test_what_a_dead_process_had_is_left_to_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "MANY", 2)
    monkeypatch.setattr(crew, "cores", lambda: 2)
    hands = crew.Crew()
    try:
        assert [result for _, result in hands.shares(range(8), die)] == [None]
    finally:
        hands.close()


def test_few_are_left_to_the_caller() -> None:
    assert list(crew.Crew().shares([1, 2], pids)) == [([1, 2], None)]
