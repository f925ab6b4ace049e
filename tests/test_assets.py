"""Shared assets are made small once, and named by their content."""

from pathlib import Path

import pytest

from explainers.assets import named, small
from explainers.errors import BuildError
from explainers.node import Node
from explainers.store import Store

ROOT = Path(__file__).parents[1]


def test_a_sheet_is_made_small_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with Node(ROOT) as node:
        first = small("a  {  color :  red ; }\n/* why */\n", "css", node, store)
        assert first == "a{color:red}\n"
        assert small("a  {  color :  red ; }\n/* why */\n", "css", node, store) == first
        assert node.starts == 1
    with Node(ROOT, command="/no/such/program") as node:
        assert small("a  {  color :  red ; }\n/* why */\n", "css", node, store) == first


def test_a_script_that_is_none_is_a_problem(tmp_path: Path) -> None:
    with Node(ROOT) as node, pytest.raises(BuildError) as caught:
        small("function (", "js", node, Store(tmp_path))
    assert [problem.code for problem in caught.value.problems] == ["asset-syntax"]


def test_a_name_tells_the_content() -> None:
    assert named("a.css", b"x").path != named("a.css", b"y").path
    assert named("a.css", b"x").path.startswith("_/a.")
    assert named("a.css", b"x").path.endswith(".css")
