"""Formulas and first frames: what Node makes, what it refuses and where."""

from __future__ import annotations

import base64
import json
import math
import struct
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


DRAW = BODY[BODY.index("  draw:") : BODY.index("  describe:")]


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (BODY.replace(DRAW, "  draw() {},\n"), "5:3", "draw returned undefined", "<svg"),
        (BODY.replace(DRAW, "  draw: () => null,\n"), "5:3", "draw returned null", "<svg"),
        (BODY.replace(DRAW, '  draw: () => "<svg>",\n'), "5:3", "draw returned a string", "<svg"),
        (
            BODY.replace("  draw: (", "  async draw(").replace("=> html", "{ return html"),
            "5:9",
            "draw returned a promise",
            "draw cannot wait",
        ),
        (
            BODY.replace('`It is ${state.width} wide, "so" <to> say.`', "undefined"),
            "8:3",
            "describe returned undefined",
            "one sentence",
        ),
        (BODY.replace("<rect", "<script>alert(1)</script><rect"), "5:38", "<script>", "control"),
        (BODY.replace("<rect", '<rect onclick="run()"'), "5:38", "onclick as text", "=${() =>"),
        (BODY.replace("<rect", '<a href="javascript:x()" /><rect'), "5:38", "to a script", "onCl"),
        (
            BODY.replace(
                "<rect", "<g dangerouslySetInnerHTML=${{ __html: '<p onload=x>' }} /><rect"
            ),
            "5:38",
            "<g> is given markup that would run",
            "no script",
        ),
    ],
)
def test_a_picture_that_is_none_is_told_with_its_place(
    bench: Bench, text: str, place: str, message: str, hint: str
) -> None:
    if "async" in text:
        text = text.replace("</svg>`,", "</svg>` },")
    first, *_, last = bench.problem(text=HEAD + text).splitlines()
    assert first.startswith(f"content/articles/one/dot.js:{place}: error[figure-raised]: figure")
    assert message in first
    assert hint in last


def test_a_module_that_exports_no_figure_is_told(bench: Bench) -> None:
    text = (HEAD + BODY).replace("export default figure", "export const dot = figure")
    first, *_, last = bench.problem(text=text).splitlines()
    assert first == (
        'content/articles/one/dot.js:1:1: error[figure-raised]: figure "one-dot": '
        "the module has no default export"
    )
    assert "export default figure(" in last
    text = (HEAD + BODY).replace("export default figure(", "export default (")
    text = text.replace("describe:", "described:")
    first, *_, last = bench.problem(text=text).splitlines()
    assert first.startswith("content/articles/one/dot.js:2:1: ")
    assert "the module exports no figure" in first


ADDER = """import { calculator } from "explainers/parts/calculator"
export default calculator({
  of: ({ a, b }) => ({ sum: a + b }),
  inputs: {
    a: { label: "one", min: 0, max: 9, value: 1, unit: "bits" },
    b: { label: "other", min: 0, max: 9, value: 2 },
  },
  outputs: { sum: { label: "both", worked: ({ a, b }) => `${a} + ${b}` } },
})
"""


def cases(sums: list[float]) -> str:
    """Return the sums of 1 and 2 with 3 and 4, as a kernel would have computed them."""
    data = base64.b64encode(struct.pack("<4d", *sums)).decode()
    return json.dumps(
        {
            "name": "sums",
            "sweep": {"a": [1, 2], "b": [3, 4]},
            "fields": {"sum": {"dtype": "f64", "shape": [2, 2], "base64": data}},
        }
    )


def test_a_calculator_agrees_with_the_kernel_or_is_refused(bench: Bench) -> None:
    html = bench.draw(ADDER, {"a": 4}, wire=cases([4, 5, 5, 6])).html
    assert "one = 4 bits, other = 2: both = 6." in html
    assert ">4 + 2</text>" in html
    assert "agrees with the kernel on 4 cases" in html
    assert bench.problem(text=ADDER, wire=cases([4, 5, 6, 6])).splitlines()[0] == (
        f"{PAGE}:9:8: error[data-shape]: figure dot computes sum = 5 for a = 2, b = 3; "
        'dataset "sums" has 6'
    )
    assert 'needs the axis a, the axis b, sum in dataset "sums", which has total' in bench.problem(
        text=ADDER
    )


def test_shapes_that_do_not_fit_are_told_with_what_was_wanted_and_found(bench: Bench) -> None:
    def problem(needs: str, *shape: int) -> str:
        data = base64.b64encode(bytes(8 * math.prod(shape))).decode()
        field = {"dtype": "f64", "shape": shape, "base64": data}
        text = HEAD + BODY.replace('{ data: ["total"] }', needs)
        wire = json.dumps({"name": "sums", "fields": {"total": field, "other": field}})
        return bench.problem(text=text, wire=wire).splitlines()[0]

    assert problem('{ data: { total: "m n" } }', 3) == (
        f'{PAGE}:9:8: error[data-shape]: figure dot needs field "total" of dataset "sums" '
        "with the shape (m, n); found (3)"
    )
    assert problem('{ data: { total: "n n" } }', 3, 4) == (
        f'{PAGE}:9:8: error[data-shape]: figure dot needs field "total" of dataset "sums" '
        'as long as "total", n = 3; found (3, 4)'
    )
