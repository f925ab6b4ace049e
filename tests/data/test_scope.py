from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

from explainers.data.scope import free_names

HOME = Path(__file__).parents[2]


def free(text: str) -> set[str]:
    (node,) = ast.parse(text).body
    return set(free_names(node)) - set(dir(builtins))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(a, b=c, *d, e: g, **h) -> i:\n    return a + j", "c g i j"),
        ("def f():\n    a = 1\n    return a + b", "b"),
        ("def f():\n    global a\n    a = b", "a b"),
        ("def f():\n    import a.b, c as d\n    return a, d, c", "c"),
        ("def f():\n    def g():\n        return a, b\n    a = 1\n    return g", "b"),
        ("def f():\n    def g():\n        nonlocal a\n        a = 2\n    a = 1", ""),
        ("x = [a for a in b if a > c for d in a]", "x b c"),
        ("x = [a for a in a]", "x a"),
        ("def f():\n    [(a := b) for b in c]\n    return a, b", "c b"),
        ("@a\ndef f(a):\n    return a", "a"),
        ("x = lambda a, b=a: a + b + c", "x a c"),
        ("class A(B):\n    c = d\n    def e(self):\n        return c, self", "B c d"),
        ("def f(a):\n    match a:\n        case [b, *c, {'d': e, **g}]:\n            h", "h"),
        ("def f():\n    try:\n        a\n    except b as c:\n        c", "a b"),
        ("def f():\n    with a as b:\n        for c in b:\n            del d\n    return d", "a"),
        ("async def f(a):\n    return [b async for b in a]", ""),
    ],
)
def test_names_from_outside_are_those_that_no_scope_inside_binds(text: str, names: str) -> None:
    assert free(text) == set(names.split())


def globals_of(table: symtable.SymbolTable) -> Iterator[str]:
    """Yield, by Python's own tables, the global names that a function uses."""
    for symbol in table.get_symbols():
        if symbol.is_global():
            yield symbol.get_name()
    for child in table.get_children():
        yield from globals_of(child)


@pytest.mark.parametrize("path", sorted((HOME / "src/explainers").rglob("*.py")), ids=str)
def test_it_agrees_with_pythons_own_tables(path: Path) -> None:
    text = path.read_text()
    tables = {t.get_name(): t for t in symtable.symtable(text, "file", "exec").get_children()}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and tables[node.name].get_lineno() == node.lineno:
            node.decorator_list = []
            inside = set(free_names(node))
            for name in set(globals_of(tables[node.name])):
                assert name in inside, f"{node.name} uses {name}"
