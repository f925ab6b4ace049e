"""A site of one article, for tests of its data."""

from __future__ import annotations

import hashlib
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from explainers.data.key import Keys
from explainers.data.run import Call, run_here
from explainers.data.values import Dataset
from explainers.errors import Span
from explainers.model import Source, Tree

# How long an example takes says more of the machine than of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

HOME = Path(__file__).parents[2]
ARTICLE = "content/articles/one-two"


@dataclass(frozen=True)
class Site:
    """A folder with an article "one-two", written file by file."""

    root: Path

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")

    def data(self, text: str) -> None:
        """Write data.py, with the imports that every test wants."""
        head = "import numpy as np\nfrom explainers import dataset, trace\n"
        self.write(f"{ARTICLE}/data.py", head + textwrap.dedent(text))

    def tree(self) -> Tree:
        files = {}
        for path in sorted(self.root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                name = path.relative_to(self.root).as_posix()
                files[name] = Source(name, hashlib.sha256(path.read_bytes()).hexdigest())
        return Tree(self.root, files, HOME)

    def keys(self) -> dict[str, str]:
        keys = Keys(self.tree())
        return {name: keys.key("one-two", name) for name in keys.datasets("one-two")}

    def call(self, name: str, **options: object) -> Call:
        span = Span(f"{ARTICLE}/data.py", 1)
        return Call(str(self.root), "one-two", name, span, **options)  # type: ignore[arg-type]

    def run(self, name: str) -> Dataset:
        return run_here(self.root, "one-two", name)


@pytest.fixture
def folder(tmp_path: Path) -> Site:
    return Site(tmp_path / "site")
