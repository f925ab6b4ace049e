from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explainers.data.key import Keys, dataset_key, declared
from explainers.errors import BuildError
from explainers.store import Store

from .conftest import ARTICLE, Site

DATA = '''
from kernels import near
from explainers.kernels.softmax import softmax_online
from .helper import shift
import math as maths

N = 3
UNUSED = 4
TABLE = {}


def scale(x):
    """Scale."""
    return x * N


def other(x):
    return maths.sqrt(x + UNUSED)


@dataset(units={"a": "s"})
def alone() -> dict:
    return {"a": 1}


@dataset(units={"a": "s"})
def scaled() -> dict:
    """Scaled."""
    return {"a": scale(1)}


@dataset(units={"a": "s"})
def kerneled() -> dict:
    return {"a": near.f(1)}


@dataset(units={"a": "s"})
def helped() -> dict:
    return {"a": shift(1)}


@dataset(units={"a": "s"})
def shipped() -> dict:
    return {"a": softmax_online(np.zeros(3))[0]}


@dataset(sweep={"k": range(2)}, units={"a": "s"})
def built(helped, k, other=None) -> dict:
    return {"a": helped.a}


def is_true(built):
    return built.a[0] > 0


if __name__ == "__main__":
    print(alone())
'''

FILES = {
    "content/kernels/near.py": "from . import far\nfrom kernels.package import part\n\n\n"
    "def f(x):\n    return far.g(x)\n",
    "content/kernels/far.py": "def g(x):\n    import zlib\n    return x + 1\n",
    "content/kernels/unrelated.py": "def h(x):\n    return x\n",
    "content/kernels/package/__init__.py": "START = 1\n",
    "content/kernels/package/part.py": "from .. import far\n",
    f"{ARTICLE}/helper.py": "from .deeper import d\n\n\ndef shift(x):\n    return d(x)\n",
    f"{ARTICLE}/deeper.py": "def d(x):\n    return x + 1\n",
    f"{ARTICLE}/index.md": "---\ntitle: T\n---\nText.\n",
}
ALL = {"alone", "scaled", "kerneled", "helped", "shipped", "built"}


@pytest.fixture
def site(folder: Site) -> Site:
    folder.data(DATA)
    for path, text in FILES.items():
        folder.write(path, text)
    return folder


def edited(site: Site, path: str, old: str, new: str) -> set[str]:
    """Return the datasets whose keys an edit changes."""
    before = site.keys()
    file = site.root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    after = site.keys()
    file.write_text(text)
    assert site.keys() == before
    return {name for name in before if before[name] != after[name]}


MAIN = f"{ARTICLE}/data.py"


@pytest.mark.parametrize(
    ("path", "old", "new", "changed"),
    [
        (MAIN, "N = 3", "N = 4", {"scaled"}),
        (MAIN, "x * N", "N * x", {"scaled"}),
        (MAIN, "UNUSED = 4", "UNUSED = 5", set()),
        (MAIN, '"""Scale."""', '"""Scale it."""', set()),
        (MAIN, '    """Scaled."""\n', "", set()),
        (MAIN, "N = 3", "\n# why three?\nN = (\n    3  # here\n)\n'a text'\n", set()),
        (MAIN, 'print(alone())', "print(1)", set()),
        (MAIN, "TABLE = {}", "TABLE = {}\nTABLE['x'] = 1", set()),
        (MAIN, "TABLE = {}", "TABLE = {}\nnp.seterr(all='raise')", ALL),
        (MAIN, "x * N", "x * N * globals()['UNUSED']", {"scaled"}),
        (MAIN, 'return {"a": 1}', 'return {"a": 2}', {"alone"}),
        (MAIN, 'range(2)', "range(3)", {"built"}),
        (MAIN, "import math as maths", "import cmath as maths", set()),
        ("content/kernels/near.py", "far.g(x)", "far.g(x) + 1", {"kerneled"}),
        ("content/kernels/far.py", "x + 1", "x + 2", {"kerneled"}),
        ("content/kernels/far.py", "x + 1", "x + 1  # one", set()),
        ("content/kernels/unrelated.py", "return x", "return -x", set()),
        ("content/kernels/package/__init__.py", "START = 1", "START = 2", {"kerneled"}),
        (f"{ARTICLE}/helper.py", "d(x)", "d(x) + 1", {"helped", "built"}),
        (f"{ARTICLE}/deeper.py", "x + 1", "x + 2", {"helped", "built"}),
        (f"{ARTICLE}/deeper.py", "def d(x):", "# deep\ndef d(x):\n    '''Doc.'''", set()),
        (f"{ARTICLE}/index.md", "Text.", "Other text.", set()),
    ],
)  # fmt: skip
def test_an_edit_changes_exactly_the_keys_of_what_reaches_it(
    site: Site, path: str, old: str, new: str, changed: set[str]
) -> None:
    assert edited(site, path, old, new) == changed


def test_a_kernel_of_the_package_is_followed(site: Site) -> None:
    site.write("src/explainers/kernels/__init__.py", "")
    site.write("src/explainers/kernels/softmax.py", "def softmax_online(x):\n    return x\n")
    changed = edited(site, "src/explainers/kernels/softmax.py", "return x", "return -x")
    assert changed == {"shipped"}


def test_keys_do_not_depend_on_the_place_or_the_store(site: Site, tmp_path: Path) -> None:
    keys = site.keys()
    store = Store(tmp_path / "store")
    for _ in range(2):
        again = Keys(site.tree(), store)
        assert {name: again.key("one-two", name) for name in again.datasets("one-two")} == keys
    moved = Site(tmp_path / "elsewhere")
    site.root.rename(moved.root)
    assert moved.keys() == keys
    assert dataset_key(moved.tree(), "one-two", "alone") == keys["alone"]
    assert len(set(keys.values())) == len(keys)


def test_a_backend_has_keys_of_its_own(site: Site) -> None:
    keys = Keys(site.tree())
    assert keys.key("one-two", "alone") != keys.key("one-two", "alone", "cupy")


def test_files_a_run_reads_are_part_of_the_second_key(site: Site) -> None:
    site.write(f"{ARTICLE}/table.csv", "1,2\n")
    reads = [f"{ARTICLE}/table.csv", f"{ARTICLE}/"]
    before = Keys(site.tree()).with_reads("key", reads)
    assert before == Keys(site.tree()).with_reads("key", reversed(reads))
    site.write(f"{ARTICLE}/table.csv", "1,3\n")
    after = Keys(site.tree()).with_reads("key", reads)
    (site.root / ARTICLE / "table.csv").unlink()
    gone = Keys(site.tree()).with_reads("key", reads)
    assert len({before, after, gone}) == 3


def test_declarations_know_places_parameters_and_needs(site: Site) -> None:
    found = Keys(site.tree()).datasets("one-two")
    assert list(found) == ["alone", "scaled", "kerneled", "helped", "shipped", "built"]
    built = found["built"]
    assert (built.parameters, built.needs, built.swept) == (
        ("helped", "k", "other"),
        ("helped",),
        ("k",),
    )
    assert found["scaled"].summary == "Scaled."
    span = found["scaled"].span
    line = (site.root / MAIN).read_text().splitlines()[span.line - 1]
    assert line[span.column - 1 :][: span.width] == "scaled"
    functions = Keys(site.tree()).functions("one-two")
    assert list(functions) == ["scale", "other", "is_true"]
    assert functions["is_true"].needs == ("built",)
    assert Keys(site.tree()).datasets("no-such-article") == {}
    assert declared("data.py", "@explainers.dataset\ndef a(): ...\n")["a"].span.line == 2


def test_reach_says_what_made_a_dataset(site: Site) -> None:
    keys = Keys(site.tree())
    reach = keys.reach("one-two", "kerneled")
    assert reach.names == ("kerneled",)
    assert reach.files == {
        "kernels.far": "content/kernels/far.py",
        "kernels.near": "content/kernels/near.py",
        "kernels.package": "content/kernels/package/__init__.py",
        "kernels.package.part": "content/kernels/package/part.py",
    }
    assert keys.reach("one-two", "scaled").names == ("N", "scale", "scaled")
    assert keys.reach("one-two", "alone").libraries == ()
    assert [name for name, _ in keys.reach("one-two", "shipped").libraries] == ["numpy"]
    assert keys.path("one-two", "helper") == f"{ARTICLE}/helper.py"
    assert keys.path("one-two", "data") == MAIN
    assert keys.path("one-two", "kernels.far") == "content/kernels/far.py"
    assert keys.path("one-two", "kernels.none") is None
    assert "def g(x)" in (keys.text("one-two", "kernels.far") or "")
    assert "def softmax_online" in (keys.text("one-two", "explainers.kernels.softmax") or "")


def test_waves_run_what_is_needed_first(site: Site) -> None:
    keys = Keys(site.tree())
    assert keys.waves([("one-two", "built"), ("one-two", "alone")]) == [
        [("one-two", "helped"), ("one-two", "alone")],
        [("one-two", "built")],
    ]
    assert keys.waves([]) == []


def test_datasets_that_need_each_other_are_a_problem(folder: Site) -> None:
    folder.data("@dataset\ndef a(b): ...\n\n@dataset\ndef b(c): ...\n\n@dataset\ndef c(b): ...\n")
    keys = Keys(folder.tree())
    for ask in (lambda: keys.waves([("one-two", "a")]), lambda: keys.key("one-two", "a")):
        with pytest.raises(BuildError) as caught:
            ask()
        (problem,) = caught.value.problems
        assert problem.code == "dataset-circle"
        assert problem.message == "datasets need each other: b -> c -> b"
        assert problem.span is not None and problem.span.line == 7


def test_a_file_that_is_no_python_is_a_problem_with_its_place(folder: Site) -> None:
    folder.data("x = (\n")
    with pytest.raises(BuildError) as caught:
        Keys(folder.tree()).datasets("one-two")
    (problem,) = caught.value.problems
    assert (problem.code, str(problem.span)) == ("data-syntax", f"{MAIN}:3:5")
    folder.write(MAIN, "")
    (folder.root / MAIN).write_bytes(b"x = '\xff'\n")
    with pytest.raises(BuildError, match="no UTF-8"):
        Keys(folder.tree()).datasets("one-two")


NAMES = [f"n{number}" for number in range(5)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sets(st.sampled_from(NAMES)), min_size=5, max_size=5),
    st.sampled_from(NAMES),
    st.booleans(),
)
def test_a_key_changes_with_exactly_the_names_it_reaches(
    tmp_path_factory: pytest.TempPathFactory, uses: list[set[str]], edit: str, is_comment: bool
) -> None:
    """Five functions that call each other as they like, each also a dataset; one is edited."""
    site = Site(tmp_path_factory.mktemp("site"))

    def text(changed: str | None) -> str:
        parts = []
        for name, called in zip(NAMES, uses, strict=True):
            extra = ("  # edited" if is_comment else " + 1") if name == changed else ""
            calls = " + ".join(["0", *(f"{other}(1)" for other in sorted(called))])
            parts.append(f"def {name}(x):\n    return {calls}{extra}\n")
            parts.append(f"@dataset\ndef d_{name}():\n    return {name}(1)\n")
        return "\n\n".join(parts)

    site.data(text(None))
    before = site.keys()
    site.data(text(edit))
    after = site.keys()
    graph = dict(zip(NAMES, uses, strict=True))
    reached = {name: {name} for name in NAMES}
    for _ in NAMES:
        reached = {n: set.union(r, *(graph[m] for m in r)) for n, r in reached.items()}
    expected = set() if is_comment else {f"d_{n}" for n in NAMES if edit in reached[n]}
    assert {name for name in before if before[name] != after[name]} == expected


PROOF = """
    import sys
    import explainers
    from explainers import dataset
    from explainers.data import claims, closure, codec, dataset, key, load, run, source, steps
    from explainers.data import numerals, verdict
    from explainers.model import Expression, Source, Tree
    from explainers.errors import Span
    late = {{"numpy", "jinja2", "multiprocessing", "concurrent.futures"}}
    assert not late & set(sys.modules), late & set(sys.modules)
    from explainers.data import expression
    claims.names("a.b + c | fixed(2)"), claims.check(Expression("a.b", "value", Span("p")))
    steps.trace_lines("def f():\\n    pass", "f", [0])
    key.declared("data.py", "@dataset\\ndef a(): ...")
    from pathlib import Path
    root = Path({root!r})
    keys = key.Keys(Tree(root, {{{path!r}: Source({path!r}, "0")}}, root))
    assert keys.key("one-two", "alone")
    assert run.run([]) == []
    assert claims.Evaluated.of({{"text": "1", "value": 1, "raw": "1"}}).text == "1"
    heavy = {{"numpy", "cupy", "explainers.kernels"}} & set(sys.modules)
    assert not heavy, heavy
    from explainers import trace
    assert "numpy" in sys.modules and callable(trace)
    try:
        explainers.nothing
    except AttributeError:
        pass
"""


def test_declaring_keying_and_reading_import_no_numpy(site: Site) -> None:
    script = textwrap.dedent(PROOF).format(root=str(site.root), path=MAIN)
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_package_itself_imports_nothing_heavy() -> None:
    script = (
        "import sys; import explainers; print(sorted(m for m in sys.modules if 'explainers' in m))"
    )
    out = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert out.stdout.strip() == "['explainers']"
