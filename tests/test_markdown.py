"""The rules of the grammar, one fixture file each: title, input, expected, split by a lone `.`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from explainers import errors
from explainers.markdown.grammar import body
from explainers.markdown.page import Page
from explainers.model import Expression, Figure, Formula, Hole, Link, Listing

FOLDER = Path(__file__).parent / "markdown"
FILES = sorted(path for path in FOLDER.glob("*.md") if not path.stem.endswith("-changed"))


def blocks(file: Path) -> list[tuple[str, str]]:
    """Return the title and the input of each case of a fixture file."""
    pieces: list[list[str]] = [[]]
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line == ".":
            pieces.append([])
        else:
            pieces[-1].append(line)
    texts = ["\n".join(piece) for piece in pieces]
    return [(texts[n].strip(), texts[n + 1]) for n in range(0, len(texts) - 2, 3)]


def shown(hole: Hole) -> str:
    """Return a hole as fixtures show it."""
    match hole:
        case Formula():
            words = ["display" if hole.display else "inline", hole.tex, f"@{place(hole)}"]
            text = " ".join(words)
        case Expression():
            name = f"{hole.name} = " if hole.name else ""
            text = f"{hole.use} {name}{hole.text} @{place(hole)}"
        case Figure():
            data = ", ".join(f"{name}: {dataset}" for name, dataset, _ in hole.data)
            text = f"figure {hole.kind} {{{data}}} {hole.state} {hole.options}"
        case Listing():
            text = f"listing {hole.target} {hole.options}"
        case Link():
            text = f"{hole.use} {hole.target} @{place(hole)}"
        case _:
            return ""
    return f"⟦{text}⟧"


def place(hole: Formula | Expression | Link) -> str:
    return f"{hole.span.line}:{hole.span.column}+{hole.span.width}"


def render(text: str, html: bool = False) -> str:
    """Return what a text becomes: its problems when it has any, else its HTML with holes."""
    page = Page("a.md", text.split("\n"))
    page.html = html
    parts = body(page, text)
    if page.problems:
        found = errors.BuildError(page.problems).problems
        return "\n".join(errors.show(problem, lambda _: text) for problem in found)
    return "".join(p if isinstance(p, str) else shown(p) for p in parts).strip("\n")


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_rule_makes_what_its_fixtures_say(
    file: Path, golden: Callable[[Path, str], None]
) -> None:
    made = [
        f"{title}\n.\n{source}\n.\n{render(source, html=file.stem == 'raw-html')}\n.\n"
        for title, source in blocks(file)
    ]
    golden(file, "\n".join(made))


GLOSSARY = """Warp
: 32 threads, $2^5$, each with a {gloss}`lane`.

_Lane_
: A **place**.

  Of its own.

Ångström
: $10^{-10}$ m.
"""


def test_a_glossary_is_sorted_and_each_entry_has_an_anchor_and_a_card() -> None:
    page = Page("content/glossary.md", GLOSSARY.split("\n"))
    html = "".join(p if isinstance(p, str) else shown(p) for p in body(page, GLOSSARY))
    assert page.problems == []
    assert re.findall(r'<div id="([^"]*)"><dt>(.*?)<a class="anchor"', html) == [
        ("gloss-ångström", "Ångström"),
        ("gloss-lane", "<em>Lane</em>"),
        ("gloss-warp", "Warp"),
    ]
    assert html.count("⟦users gloss-warp @1:1+4⟧</div>") == 1
    cards = {
        entry.id: "".join(p if isinstance(p, str) else shown(p) for p in entry.parts)
        for entry in page.glossary
    }
    # One entry of two paragraphs makes paragraphs of all.
    assert cards["gloss-warp"] == (
        '<b>Warp</b> <p>32 threads, ⟦inline 2^5 @2:16+3⟧, each with a <a class="ref" '
        'href="⟦gloss lane @2:42+4⟧">lane</a>.</p>'
    )
    assert cards["gloss-lane"].startswith("<b><em>Lane</em></b> <p>A <strong>place</strong>.</p>")
    assert page.anchors["gloss-warp"] == "Warp"


def test_the_mark_of_an_entry_is_of_what_it_shows_and_not_of_its_place() -> None:
    def marks(text: str) -> dict[str, str]:
        page = Page("content/glossary.md", text.split("\n"))
        body(page, text)
        return {entry.id: entry.mark for entry in page.glossary}

    first = marks(GLOSSARY)
    assert marks("Words.\n\n" + GLOSSARY) == first
    changed = marks(GLOSSARY.replace("2^5", "32"))
    assert {name for name in first if first[name] != changed[name]} == {"gloss-warp"}


def test_a_definition_list_of_an_article_is_no_glossary() -> None:
    assert render("Warp\n: 32 threads.\n\nWarp\n: Again.") == (
        "<dl>\n<dt>Warp</dt>\n<dd>32 threads.</dd>\n<dt>Warp</dt>\n<dd>Again.</dd>\n</dl>"
    )


@pytest.mark.parametrize(
    ("entry", "code", "place"),
    [
        ("!?\n: A mark.", "bad-entry", (1, 1)),
        ("Warp\n: {value}`2 ** 5` threads.", "bad-entry", (2, 11)),
        ("Warp\n: Threads[^1].\n\n[^1]: Many.", "bad-entry", (1, 1)),
        ("Warp\n: ![threads](warp.svg)", "bad-entry", (2, 14)),
        ("Warp\n: One.\n\nwarp\n: Two.", "duplicate-entry", (4, 1)),
        ("Two's\n: One.\n\nTwo’s\n: Two.", "duplicate-entry", (4, 1)),
    ],
)
def test_a_mistake_in_the_glossary_has_a_place(
    entry: str, code: str, place: tuple[int, int]
) -> None:
    page = Page("content/glossary.md", entry.split("\n"))
    body(page, entry)
    assert [(p.code, p.span and (p.span.line, p.span.column)) for p in page.problems] == [
        (code, place)
    ]


def test_every_rule_has_fixtures() -> None:
    names = {file.stem for file in FILES}
    rules = {"boxes", "code", "depth", "directive", "figure", "footnote", "label", "links", "maths"}
    rules |= {"numbers", "outline", "question", "raw-html", "role", "table", "typography"}
    assert rules <= names


OWN = ("markdown/*.py", "front_matter.py", "parse.py", "bibliography.py")
CODE = re.compile(r"""(?:problem|Problem|add)\(\s*"([a-z]+(?:-[a-z]+)+)\"""")


def test_every_mistake_the_language_knows_is_shown_by_a_test() -> None:
    source = Path(errors.__file__).parent
    codes = {
        code
        for pattern in OWN
        for file in source.glob(pattern)
        for code in CODE.findall(file.read_text(encoding="utf-8"))
    }
    tests = [*FILES, *Path(__file__).parent.glob("test_*.py")]
    shown = "\n".join(file.read_text(encoding="utf-8") for file in tests)
    assert len(codes) > 40
    assert {code for code in codes if code not in shown} == set()
