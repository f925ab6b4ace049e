from __future__ import annotations

import ast
import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.digest import canonical, code_digest, digest

PARTS = st.lists(st.text() | st.binary(), max_size=4)


def code(text: str) -> str:
    return code_digest(ast.parse(text))


@settings(deadline=None)
@given(PARTS, PARTS)
def test_parts_do_not_run_together(a: list[str | bytes], b: list[str | bytes]) -> None:
    def plain(parts: list[str | bytes]) -> list[bytes]:
        return [part.encode() if isinstance(part, str) else part for part in parts]

    assert (digest(*a) == digest(*b)) == (plain(a) == plain(b))


def test_a_digest_is_known_on_every_machine() -> None:
    assert digest("a", b"b") == hashlib.sha256(b"1:a1:b").hexdigest()
    assert digest(b"a", "b") == digest("a", b"b")


def test_canonical_text_does_not_depend_on_the_order_of_keys() -> None:
    assert canonical({"b": [1, 2.5], "a": "µ"}) == '{"a":"µ","b":[1,2.5]}'


def test_code_means_the_same_without_its_comments_docstrings_and_layout() -> None:
    bare = "def f(x):\n    return x + 1\n"
    dressed = (
        '"""Module."""\n'
        "# a comment\n"
        "def f(\n    x,\n):\n"
        '    """Docstring."""\n'
        "    return (x  # why\n        + 1)\n"
        "'''text beside'''\n"
    )
    assert code(bare) == code(dressed)


def test_code_that_says_something_else_differs() -> None:
    texts = ["x = 1", "x = 1.0", "x = True", "x = '1'", "x = None", "x: int = 1", "y = 1", "x = -1"]
    assert len({code(text) for text in texts}) == len(texts)


def test_text_that_is_used_is_code() -> None:
    assert code("x = 'a'") != code("x = 'b'")
    assert code("def f():\n    return 'a'") != code("def f():\n    return 'b'")
