"""What runs, what is kept, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explainers.compute import Computer
from explainers.data.codec import decode
from explainers.errors import BuildError
from explainers.store import Store

from .data.conftest import ARTICLE, Site

DATA = """
from pathlib import Path
from .near import twice

@dataset(units={"a": "1"})
def reads():
    return {"a": len(Path("list.txt").read_text())}

@dataset(units={"a": "1"})
def helped():
    return {"a": twice(2)}

@dataset(units={"a": "1"})
def alone():
    return {"a": 1}

@dataset(units={"a": "1"})
def after(reads):
    return {"a": reads.a}
"""
FILES = {
    f"{ARTICLE}/near.py": "from .far import two\n\ndef twice(x):\n    return two * x\n",
    f"{ARTICLE}/far.py": "two = 2\n",
    f"{ARTICLE}/list.txt": "abc",
    f"{ARTICLE}/other.txt": "abc",
    "content/kernels/unrelated.py": "def f():\n    return 1\n",
}
ALL = {"reads", "helped", "alone", "after"}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site(tmp_path / "site")
    site.data(DATA)
    for path, text in FILES.items():
        site.write(path, text)
    return site


def ran(site: Site, *names: str, said: list[str] | None = None) -> set[str]:
    """Return the datasets that a build of these would run."""
    told = said if said is not None else []
    store = Store(site.root.parent / "store")
    computer = Computer(site.tree(), store, "code", workers=1, say=told.append)
    declared = computer.keys.datasets("one-two")
    computer.datasets([("one-two", name, declared[name].span) for name in names or ALL])
    return {name for _, name in computer.ran}


EDITS = {
    "a remark in a helper": (f"{ARTICLE}/near.py", "    return", "    # twice\n    return", set()),
    "an unrelated kernel": ("content/kernels/unrelated.py", "1", "2", set()),
    "a file that nobody reads": (f"{ARTICLE}/other.txt", "abc", "abcd", set()),
    "a helper two imports away": (f"{ARTICLE}/far.py", "two = 2", "two = 3", {"helped"}),
    "a file that one reads": (f"{ARTICLE}/list.txt", "abc", "abcd", {"reads", "after"}),
    "one function": (f"{ARTICLE}/data.py", '{"a": 1}', '{"a": 2}', {"alone"}),
}


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(sorted(EDITS)), max_size=3, unique=True))
def test_exactly_the_users_of_what_changed_run_again(site: Site, edits: list[str]) -> None:
    site.data(DATA)
    for path, text in FILES.items():
        site.write(path, text)
    ran(site)
    expected: set[str] = set()
    for edit in edits:
        path, before, after, users = EDITS[edit]
        file = site.root / path
        assert before in file.read_text()
        file.write_text(file.read_text().replace(before, after))
        expected |= users
    # What an earlier example left in the store need not run either.
    assert ran(site) <= expected
    assert ran(site) == set()


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_runs_its_users_and_no_other(site: Site, edit: str) -> None:
    assert ran(site) == ALL
    path, before, after, users = EDITS[edit]
    (site.root / path).write_text((site.root / path).read_text().replace(before, after))
    assert ran(site) == users


def test_what_ended_before_a_failure_is_kept(site: Site) -> None:
    site.data(DATA + "\n@dataset(units={'a': '1'})\ndef fails():\n    return {'a': 1 / 0}\n")
    with pytest.raises(BuildError, match="ZeroDivisionError"):
        ran(site, "alone", "helped", "fails")
    assert ran(site, "alone", "helped") == set()


def test_it_is_said_what_runs_and_what_is_left(site: Site) -> None:
    said: list[str] = []
    ran(site, "alone", "helped", said=said)
    assert said == [
        "running one-two/alone, one-two/helped",
        "1/2 one-two/alone; left: one-two/helped",
        "2/2 one-two/helped",
    ]


def test_a_store_on_another_machine_is_as_good(site: Site, tmp_path: Path) -> None:
    ran(site)
    moved = Site(tmp_path / "elsewhere" / "site")
    for path in site.root.rglob("*"):
        if path.is_file():
            moved.write(path.relative_to(site.root).as_posix(), path.read_text())
    (site.root.parent / "store").rename(moved.root.parent / "store")
    assert ran(moved) == set()


def test_a_declared_variable_is_part_of_the_key(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.data(
        "import os\n"
        "@dataset(env=['TINY'], units={'a': '1'})\n"
        "def reads():\n    return {'a': int(os.environ.get('TINY', -1))}\n"
        "@dataset(units={'a': '1'})\ndef after(reads):\n    return {'a': reads.a}\n"
        "@dataset(units={'a': '1'})\ndef alone():\n    return {'a': 1}\n"
    )
    names = ("reads", "after", "alone")
    monkeypatch.delenv("TINY", raising=False)
    assert ran(site, *names) == {*names}
    monkeypatch.setenv("TINY", "2")
    assert ran(site, *names) == {"reads", "after"}
    monkeypatch.setenv("OTHER", "2")
    assert ran(site, *names) == set()
    monkeypatch.setenv("TINY", "")
    with pytest.raises(BuildError, match="ValueError"):
        ran(site, *names)
    monkeypatch.delenv("TINY")
    assert ran(site, *names) == set()


def test_the_same_code_in_another_article_reads_the_files_of_that_one(tmp_path: Path) -> None:
    site = Site(tmp_path / "site")
    text = (
        "from explainers import dataset\nfrom pathlib import Path\n\n"
        "@dataset(units={'a': '1'})\ndef reads():\n"
        "    return {'a': sum(float(p.read_text()) for p in Path('.').glob('*.txt'))}\n"
    )
    numbers = {"one": 1, "two": 2, "three": 3}
    for slug, number in numbers.items():
        site.write(f"content/articles/{slug}/data.py", text)
        site.write(f"content/articles/{slug}/{slug}.txt", str(number))

    def found() -> tuple[dict[str, float], int]:
        computer = Computer(site.tree(), Store(tmp_path / "store"), "code", workers=1)
        span = computer.keys.datasets("one")["reads"].span
        made = computer.datasets([(slug, "reads", span) for slug in numbers])
        values = {slug: float(decode(data).a) for (slug, _), data in made.items()}  # type: ignore[arg-type]
        return values, len(computer.ran)

    assert found() == (numbers, 3)
    assert found() == (numbers, 0)
    site.write("content/articles/two/two.txt", "5")
    assert found() == ({**numbers, "two": 5}, 1)
