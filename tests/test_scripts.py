"""The scripts of figures: found, rewritten, named by content, kept; and what they may import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explainers.discover import discover
from explainers.errors import BuildError, Span
from explainers.node import Node
from explainers.scripts import Scripts, prepare
from explainers.store import Store

ROOT = Path(__file__).parents[1]
HERE = Span("content/articles/one/index.md", 7, 5, 3)
FOLDER = "content/articles/one"
FIGURE = """import { figure, html } from "explainers"
export default figure({ draw: () => html`<p>${"a"}</p>`, describe: () => "said" })
"""


class Bench:
    """A site in a folder, whose scripts are made again and again."""

    def __init__(self, root: Path, node: Node) -> None:
        self.root, self.node = root, node
        self.store = Store(root / ".cache" / "store")

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def make(self, *kinds: str) -> Scripts:
        tree = discover(self.root, self.root / ".cache" / "index.json")
        wanted = [("one", kind, HERE) for kind in kinds]
        return prepare(tree, wanted, self.node, self.store, self.root / ".cache" / "js")

    def problem(self, *kinds: str) -> str:
        with pytest.raises(BuildError) as raised:
            self.make(*kinds)
        return "\n".join(
            f"{p.span}: {p.code}: {p.message}{f' ({p.hint})' if p.hint else ''}"
            for p in raised.value.problems
        )


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node(ROOT) as node:
        yield node


@pytest.fixture
def bench(tmp_path: Path, node: Node) -> Bench:
    return Bench(tmp_path, node)


def test_a_figure_imports_the_runtime_by_its_content(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", FIGURE)
    scripts = bench.make("dot")
    dot = scripts.figures["one", "dot"]
    assert re.fullmatch(r"_/dot\.[0-9a-f]{10}\.js", dot.name)
    assert dot.requires == (scripts.runtime.name,)
    assert f'"./{Path(scripts.runtime.name).name}"' in dot.data.decode()
    assert f'"./{scripts.runtime.node.name}"' in dot.node.read_text()
    paths = [output.path for output in scripts.outputs if output.path not in scripts.later]
    assert paths == [scripts.runtime.name, dot.name]


def test_the_runtime_names_what_it_loads_later_by_its_content(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", FIGURE)
    scripts = bench.make("dot")
    assert scripts.later
    for name in scripts.later:
        assert f'"./{Path(name).name}"' in scripts.runtime.data.decode()
    assert b"later:" not in scripts.runtime.data


def test_nodes_copy_keeps_the_lines_of_the_source(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", FIGURE)
    copy = bench.make("dot").figures["one", "dot"].node.read_text()
    assert copy.splitlines()[1:] == FIGURE.splitlines()[1:]


def test_no_figure_no_script(bench: Bench) -> None:
    assert bench.make().outputs == ()


def test_an_edit_renames_that_figure_alone(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", FIGURE)
    bench.write(f"{FOLDER}/dash.js", FIGURE.replace("said", "dash"))
    before = {output.path for output in bench.make("dot", "dash").outputs}
    bench.write(f"{FOLDER}/dash.js", FIGURE.replace("said", "other"))
    after = {output.path for output in bench.make("dot", "dash").outputs}
    assert len(before ^ after) == 2
    assert all("dash" in name for name in before ^ after)


def test_a_second_time_asks_nothing(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", FIGURE)
    first = bench.make("dot")
    bench.node = Node(ROOT, command="/nowhere")
    assert bench.make("dot") == first
    assert not bench.node.started


def test_two_folders_make_the_same_bytes(bench: Bench, tmp_path: Path) -> None:
    other = Bench(tmp_path / "elsewhere", bench.node)
    for one in (bench, other):
        one.write(f"{FOLDER}/dot.js", FIGURE)
    assert bench.make("dot").outputs == other.make("dot").outputs


def test_helpers_beside_and_kernels(bench: Bench) -> None:
    bench.write(
        f"{FOLDER}/help.js",
        'import { weight } from "explainers/kernels/softmax"\nexport { weight }\n',
    )
    bench.write(f"{FOLDER}/dot.js", FIGURE + 'import { weight } from "./help.js"\nweight(1, 1)\n')
    scripts = bench.make("dot")
    stems = [Path(name).name.split(".")[0] for name in scripts.figures["one", "dot"].requires]
    assert stems == ["explainers", "help", "softmax"]
    assert len(scripts.outputs) == 4 + len(scripts.later)


def test_text_before_an_import_may_hold_any_letter(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", f'// 𝑚 is −∞ at first\n{FIGURE}import("./lazy.js")\n')
    bench.write(f"{FOLDER}/lazy.js", "export const a = 1\n")
    scripts = bench.make("dot")
    copy = scripts.figures["one", "dot"].node.read_text()
    assert f'from "./{scripts.runtime.node.name}"' in copy
    assert re.search(r'import\("\./lazy\.[0-9a-f]{10}\.mjs"\)', copy)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            'import { h } from "preact"',
            f'{FOLDER}/dot.js:3:20: figure-import: cannot import "preact" '
            '(a second copy of preact would break it: import from "explainers")',
        ),
        (
            'import * as d3 from "d3-shape"',
            f'{FOLDER}/dot.js:3:22: figure-import: cannot import "d3-shape" (a figure imports '
            'from "explainers", from its kernels, and from files beside it)',
        ),
        (
            'import "./none.js"',
            f"{FOLDER}/dot.js:3:9: figure-import: there is no {FOLDER}/none.js",
        ),
        (
            'import "explainers/kernels/none"',
            f"{FOLDER}/dot.js:3:9: figure-import: there is no static/js/kernels/none.js",
        ),
        (
            "import(`./${1}.js`)",
            f"{FOLDER}/dot.js:3:8: figure-import: an import must name its module in the text",
        ),
        ("const a = ;", f'{FOLDER}/dot.js:3:11: figure-syntax: Unexpected ";"'),
    ],
)
def test_what_a_figure_may_not_do(bench: Bench, line: str, expected: str) -> None:
    bench.write(f"{FOLDER}/dot.js", f"{FIGURE}{line}\n")
    assert bench.problem("dot") == expected


def test_a_circle_is_told(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", 'import "./a.js"\n' + FIGURE)
    bench.write(f"{FOLDER}/a.js", 'import "./dot.js"\n')
    assert "in a circle" in bench.problem("dot")


def test_an_unknown_kind_and_one_named_twice(bench: Bench) -> None:
    bench.write(f"{FOLDER}/dot.js", FIGURE)
    bench.write(f"{FOLDER}/running-state.js", FIGURE)
    shared = [path.stem for path in (ROOT / "static/js/figures").glob("*.js")]
    assert bench.problem("gizmo", "running-state") == (
        f'{HERE}: twice-named-figure: two figures are named "running-state": '
        f"{FOLDER}/running-state.js and static/js/figures/running-state.js "
        "(rename the article's own)\n"
        f'{HERE}: unknown-figure: no figure of kind "gizmo" '
        f"(figures there are: {', '.join(sorted({*shared, 'dot'}))})"
    )
