"""What every reference kernel keeps to, so that a page can show it and a figure can trust it."""

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from explainers import kernels

MODULES = [
    importlib.import_module(f"explainers.kernels.{module.name}")
    for module in pkgutil.iter_modules(kernels.__path__)
]
PUBLIC = [
    function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and not name.startswith("_")
]
BIBLIOGRAPHY = Path(__file__).parents[1] / "content" / "references.bib"

# Python's own modules that say what a thing is and compute nothing.
ALLOWED = {"__future__", "typing", "collections.abc", "numpy", "numpy.typing"}


def sections(function):
    """The docstring's sections by title, each as text."""
    parts = re.split(
        r"^(Args|Returns|Raises|Source|Oracle):$", inspect.getdoc(function), flags=re.M
    )
    return dict(zip(parts[1::2], (text.strip() for text in parts[2::2]), strict=True))


def kernel(function):
    return pytest.param(function, id=f"{function.__module__.split('.')[-1]}.{function.__name__}")


@pytest.mark.parametrize("function", [kernel(function) for function in PUBLIC])
class TestPublicKernel:
    def test_opens_with_one_imperative_line(self, function):
        first, blank, *_ = [*inspect.getdoc(function).splitlines(), "", ""]
        assert first.endswith((".", ":", "written."))
        assert blank == ""

    def test_has_its_sections_in_order(self, function):
        found = [title for title in sections(function) if title != "Raises"]
        assert found == ["Args", "Returns", "Source", "Oracle"]

    def test_raises_only_what_it_says(self, function):
        raises = "raise " in inspect.getsource(function)
        assert not raises or "Raises" in sections(function)

    def test_describes_every_argument_but_the_library(self, function):
        described = re.findall(
            r"^(\w+): ", inspect.cleandoc(sections(function)["Args"]), flags=re.M
        )
        parameters = [name for name in inspect.signature(function).parameters if name != "xp"]
        assert described == parameters

    def test_ends_with_the_library(self, function):
        *_, last = inspect.signature(function).parameters.values()
        assert last.name == "xp"
        assert last.kind is last.KEYWORD_ONLY
        assert last.default.__name__ == "numpy"

    def test_has_a_source_in_the_bibliography(self, function):
        key = sections(function)["Source"].split(",")[0].rstrip(".")
        assert key in re.findall(r"^@\w+\{([^,\s]+),", BIBLIOGRAPHY.read_text(), flags=re.M)

    def test_has_an_oracle_and_a_tolerance(self, function):
        method, _, bound = sections(function)["Oracle"].partition("; ")
        assert method
        assert re.match(r"exact\b|(relative|absolute) \d(\.\d+)?e-\d+\b", bound)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_kernel_imports_numpy_and_other_kernels_and_nothing_else(module):
    tree = ast.parse(inspect.getsource(module))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module)
    assert imported <= ALLOWED | {other.__name__ for other in MODULES}


def test_importing_kernels_imports_no_array_library_but_numpy_and_no_part_of_the_site():
    names = [module.__name__ for module in MODULES]
    code = f"import sys, {', '.join(names)}; print('\\n'.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"cupy", "torch", "jax", "scipy"} & set(loaded)
    ours = {name for name in loaded if name.startswith("explainers")}
    assert ours == {"explainers", "explainers.kernels", *names}
