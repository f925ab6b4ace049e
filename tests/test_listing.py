"""Listings find the code that ran, and no other."""

import ast
import json
import re
from html import unescape
from pathlib import Path

import pytest

from explainers.data.key import Keys
from explainers.discover import discover
from explainers.errors import Span
from explainers.listing import NotFoundError, excerpt, language_of, locate, shown, traced
from explainers.model import Listing, Tree

KERNEL = '''import numpy as np


@traced
def running(scores, *, xp=np):
    """Sum as they come."""
    total = 0.0  # step: start
    for score in scores:
        total = total + score  # step: add
    return total
'''
HERE = "content/articles/a"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    for path, text in {
        f"{HERE}/data.py": "def helper():\n    return 1\n",
        f"{HERE}/sum.cu": "__global__ void sum() {}\n",
        "content/kernels/running.py": KERNEL,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return discover(tmp_path, tmp_path / "index")


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("kernels/running.py#running", ("content/kernels/running.py", "running")),
        ("kernels/softmax.py", ("src/explainers/kernels/softmax.py", "")),
        ("data.py#helper", (f"{HERE}/data.py", "helper")),
        ("./sum.cu", (f"{HERE}/sum.cu", "")),
    ],
)
def test_a_listing_names_a_kernel_or_a_file_beside_the_page(
    tree: Tree, target: str, found: tuple[str, str]
) -> None:
    assert locate(target, HERE, tree) == found


def test_a_function_is_shown_without_its_decorators(tree: Tree) -> None:
    found = excerpt("kernels/running.py#running", HERE, tree)
    assert (found.first, found.lines[0], found.lines[-1]) == (
        5,
        "def running(scores, *, xp=np):",
        "    return total",
    )
    assert found.docstring == (6, 6)


def test_what_is_not_there_is_said_with_what_is(tree: Tree) -> None:
    with pytest.raises(NotFoundError) as caught:
        excerpt("kernels/running.py#runing", HERE, tree)
    assert caught.value.problem(Span("a.md")).hint == 'did you mean "running"?'
    with pytest.raises(NotFoundError) as caught:
        locate("kernels/runing.py", HERE, tree)
    assert caught.value.problem(Span("a.md")).hint == 'did you mean "kernels/running.py"?'


def test_no_listing_leads_out_of_the_site(tree: Tree) -> None:
    with pytest.raises(NotFoundError):
        locate("../../../../../../etc/passwd", HERE, tree)


def test_only_the_lines_asked_for_are_shown(tree: Tree) -> None:
    options = json.dumps({"lines": "4-5", "title": "The loop"})
    html = shown(Listing("kernels/running.py#running", Span("a.md"), options=options), HERE, tree)
    assert "The loop" in html
    assert "total" in html
    assert "return" not in html


@pytest.mark.parametrize("lines", ["1,3", "0", "5-2", "3-99", "x"])
def test_lines_that_are_no_part_of_the_listing_are_a_problem(tree: Tree, lines: str) -> None:
    listing = Listing("kernels/running.py", Span("a.md"), options=json.dumps({"lines": lines}))
    with pytest.raises(NotFoundError, match="is no part of these"):
        shown(listing, HERE, tree)


def test_a_long_docstring_is_folded_to_its_first_line(tree: Tree) -> None:
    html = shown(Listing("kernels/softmax.py#softmax_safe", Span("a.md")), HERE, tree)
    assert "Subtract the largest score first" in html
    assert "Oracle" not in html
    code = unescape(re.sub("<[^>]*>", "", re.search("<code>(.*)</code>", html, re.DOTALL)[1]))
    (function,) = ast.parse(code).body
    assert ast.get_docstring(function).startswith("Subtract the largest score first")


def test_the_listing_of_a_trace_knows_each_statement(tree: Tree) -> None:
    found = json.loads(traced("kernels.running:running", "a", Keys(tree)))
    assert (found["function"], found["first"], len(found["lines"])) == ("running", 5, 6)
    assert found["docstring"] == [1, 1]
    named = {name: lines for *lines, name in found["at"].values() if name}
    assert named == {"start": [2, 2], "add": [4, 4]}


def test_marked_lines_are_counted_from_the_functions_first(tree: Tree) -> None:
    options = '{"mark":"1","numbers":true}'
    listing = Listing("kernels/running.py#running", Span("a.md"), options=options)
    html = shown(listing, HERE, tree)
    assert html.count('class="line marked"') == 1
    assert re.search(r'--first:5.*?<code><span class="line marked">', html)


@pytest.mark.parametrize(
    ("target", "language"),
    [
        ("kernels/softmax.py#softmax_online", "python"),
        ("./transpose.cu", "cuda"),
        ("./notes.unknown", "text"),
    ],
)
def test_a_file_s_name_tells_its_language(target: str, language: str) -> None:
    assert language_of(target) == language
