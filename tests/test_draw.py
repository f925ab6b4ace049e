"""Formulas and first frames: what Node makes, what it refuses and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from explainers import draw
from explainers.discover import discover
from explainers.errors import BuildError, Span, show
from explainers.model import Drawing, Figure, Formula
from explainers.node import Node
from explainers.scripts import prepare
from explainers.store import Store

ROOT = Path(__file__).parents[1]
PAGE = "content/articles/one/index.md"
WIRE = json.dumps(
    {"name": "sums", "fields": {"total": {"dtype": "f64", "shape": [], "base64": "AAAAAAAA8D8="}}}
)


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node(ROOT) as node:
        yield node


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def formula(tex: str, line: int = 3, column: int = 9, display: bool = False) -> Formula:
    return Formula(tex, display, Span(PAGE, line, column, len(tex)))


def maths(node: Node, store: Store, *wanted: Formula, **macros: str) -> list[str]:
    """Return what is wrong with some formulas."""
    with pytest.raises(BuildError) as raised:
        draw.formulas(wanted, {f"\\{name}": text for name, text in macros.items()}, node, store)
    return [
        f"{p.span} +{p.span.width if p.span else 0}: {p.message}" for p in raised.value.problems
    ]


def test_a_formula_is_html_and_mathml(node: Node, store: Store) -> None:
    found = draw.formulas([formula("x^2"), formula("x^2", display=True)], {}, node, store)
    assert set(found) == {("x^2", False), ("x^2", True)}
    assert found["x^2", False].startswith('<span class="katex"><span class="katex-mathml"><math')
    assert 'class="katex-display"' in found["x^2", True]


def test_terms_and_macros(node: Node, store: Store) -> None:
    tex = r"\htmlData{term=m}{m} + \merge"
    html = draw.formulas([formula(tex)], {r"\merge": r"\oplus"}, node, store)[tex, False]
    assert 'data-term="m"' in html
    assert "⊕" in html


def test_a_formula_seen_before_asks_nothing(store: Store, node: Node) -> None:
    first = draw.formulas([formula("x^2")], {}, node, store)
    idle = Node(ROOT, command="/nowhere")
    assert draw.formulas([formula("x^2", line=80)], {}, idle, store) == first
    assert not idle.started


def test_what_is_wrong_and_where(node: Node, store: Store) -> None:
    assert maths(node, store, formula(r"a \nope b")) == [
        rf"{PAGE}:3:11 +5: Undefined control sequence: \nope"
    ]
    assert maths(node, store, formula(r"\frac{1}{2")) == [
        f"{PAGE}:3:19 +1: Unexpected end of input in a macro argument, expected '}}'"
    ]
    assert maths(node, store, formula("a\n+ b}", 10, 1, True)) == [
        f"{PAGE}:11:4 +1: Expected 'EOF', got '}}'"
    ]
    assert maths(node, store, formula(r"a \includegraphics{x.png}")) == [
        rf"{PAGE}:3:11 +16: \includegraphics is not allowed here"
    ]
    assert maths(node, store, formula(r"\href{https://a.example/}{x}")) == [
        rf"{PAGE}:3:9 +5: \href is not allowed here"
    ]


def test_one_mistake_in_two_places_is_told_twice(node: Node, store: Store) -> None:
    bad = r"\nope"
    assert len(maths(node, store, formula(bad, 3), formula(bad, 9), formula("x"))) == 2


# ---- figures -----------------------------------------------------------------------------------

HEAD = 'import { figure, html, player, slider } from "explainers"\nexport default figure({\n'
BODY = """  needs: { data: ["total"] },
  controls: { width: slider({ label: "how wide", min: 0, max: 9, value: 2 }) },
  draw: ({ data, state, id }) => html`<svg viewBox="0 0 9 9">
    <rect id=${`${id}-r`} width=${state.width} height=${data.total} />
  </svg>`,
  describe: ({ state }) => `It is ${state.width} wide, "so" <to> say.`,
  table: ({ data }) => ({ caption: "All", columns: ["a"], rows: [[data.total]] }),
})
"""


class Bench:
    """Draws one figure of a kind whose text is given."""

    def __init__(self, root: Path, node: Node) -> None:
        self.root, self.node = root, node
        self.store = Store(root / ".cache" / "store")

    def read(self, path: str) -> str | None:
        file = self.root / path
        return file.read_text(encoding="utf-8") if file.exists() else None

    def draw(
        self, text: str = HEAD + BODY, state: object = None, listing: str = "", wire: str = WIRE
    ) -> Drawing:
        path = self.root / "content/articles/one/dot.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        tree = discover(self.root, self.root / ".cache" / "index.json")
        span = Span(PAGE, 7, 5, 3)
        scripts = prepare(tree, [("one", "dot", span)], self.node, self.store, self.root / "js")
        data = (("data", "sums", Span(PAGE, 9, 8, 4)),)
        figure = Figure("dot", "one-dot", 1, data, json.dumps(state or {}), span)
        wanted = draw.Wanted(figure, "one", {"data": wire}, listing, "#made-sums")
        return draw.figures([wanted], scripts, self.node, self.store)[0]

    def problem(self, **given: object) -> str:
        with pytest.raises(BuildError) as raised:
            self.draw(**given)  # type: ignore[arg-type]
        return "\n".join(show(problem, self.read) for problem in raised.value.problems)


@pytest.fixture
def bench(tmp_path: Path, node: Node) -> Bench:
    return Bench(tmp_path, node)


def test_a_first_frame(bench: Bench) -> None:
    drawing = bench.draw()
    assert '<rect id="one-dot-r" width="2" height="1"></rect>' in drawing.picture
    assert drawing.picture in drawing.html
    assert drawing.describe == 'It is 2 wide, "so" <to> say.'
    assert "It is 2 wide, &quot;so&quot; &lt;to> say." in drawing.html
    assert 'type="range"' in drawing.html
    assert " disabled" in drawing.html
    assert '<th scope="row">1</th>' in drawing.html
    assert drawing.datasets == ("sums",)
    assert json.loads(drawing.props) == {
        "data": {"data": "sums"},
        "made": "#made-sums",
        "options": {},
        "state": {},
    }


def test_the_authors_state(bench: Bench) -> None:
    assert 'width="7"' in bench.draw(state={"width": 7}).html


def test_a_second_time_asks_nothing(bench: Bench) -> None:
    first = bench.draw()
    bench.node = Node(ROOT, command="/nowhere")
    assert bench.draw() == first
    assert not bench.node.started


def test_the_listing_is_in_the_frame_and_not_in_the_props(bench: Bench) -> None:
    text = HEAD + BODY.replace("controls: {", "controls: { step: player({ label: 's', steps: 2 }),")
    text = text.replace("  draw:", "  steps: () => [5, 6],\n  draw:")
    listing = {
        "function": "f",
        "first": 40,
        "lines": ["def f(x):", "    <b>y</b> = x  # step: copy", "    return y"],
        "docstring": None,
        "at": {"5": [1, 1, "copy"], "6": [2, 2, ""]},
    }
    drawing = bench.draw(text, {"step": 1}, json.dumps(listing))
    assert '<div class="line can lit" data-line="1" aria-current="step">' in drawing.html
    assert "<b>y</b> = x</code>" in drawing.html
    assert "step: copy" not in drawing.html
    assert 'aria-label="Line 41: go to the next step here"' in drawing.html
    props = json.loads(drawing.props)
    assert "lines" not in props
    assert props["at"] == listing["at"]


def test_a_figure_that_throws_is_told_at_its_own_line(bench: Bench) -> None:
    text = HEAD + BODY.replace("html`<svg", "data.nothing.here + html`<svg")
    lines = bench.problem(text=text).splitlines()
    assert lines[0].startswith(
        "content/articles/one/dot.js:5:47: error[figure-raised]: "
        'figure "one-dot": Cannot read properties of undefined'
    )
    assert lines[2].startswith("   5 |   draw: ({ data, state, id }) => data.nothing.here")


def test_a_helper_that_throws_is_told_at_its_own_line(bench: Bench) -> None:
    helper = bench.root / "content/articles/one/help.js"
    helper.parent.mkdir(parents=True)
    helper.write_text("export function half() {\n  throw new Error('no half')\n}\n")
    text = 'import { half } from "./help.js"\n' + HEAD + BODY.replace("html`<svg", "half() + html`")
    expected = 'content/articles/one/help.js:2:9: error[figure-raised]: figure "one-dot": no half'
    assert bench.problem(text=text).splitlines()[0] == expected


def test_a_name_the_runtime_does_not_have(bench: Bench) -> None:
    text = HEAD.replace("html,", "html, nothing,") + BODY
    first = bench.problem(text=text).splitlines()[0]
    assert first.startswith("content/articles/one/dot.js:1:1: error[figure-raised]:")
    assert "'nothing'" in first


def test_a_state_it_does_not_take(bench: Bench) -> None:
    assert bench.problem(state={"width": "wide"}).splitlines()[0] == (
        f'{PAGE}:7:5: error[figure-state]: figure dot "width" cannot be "wide"; it takes a number'
    )
    assert bench.problem(state={"hight": 1}).splitlines()[0] == (
        f'{PAGE}:7:5: error[figure-state]: figure dot has no state "hight"; it has width'
    )


def test_data_of_another_shape_is_told_where_it_was_named(bench: Bench) -> None:
    wire = json.dumps({"name": "sums", "fields": {}})
    assert bench.problem(wire=wire).splitlines()[0] == (
        f'{PAGE}:9:8: error[data-shape]: figure dot needs total in dataset "sums", '
        "which has no fields"
    )


def test_markup_that_would_not_survive_hydration(bench: Bench) -> None:
    text = HEAD + BODY.replace("<svg", "<p>a ${1} b</p><svg")
    assert "3 pieces of text side by side" in bench.problem(text=text)
