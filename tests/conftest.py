"""Tiny sites for tests, and the one flag that rewrites golden files."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from explainers.cli import main

SETTINGS = "title: Tiny\nbase_url: https://tiny.example/\nauthors: [Tiny Volt]\n"
DATE = "2026-09-01"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files from what is made now."""
    parser.addoption("--rewrite", action="store_true", help="rewrite golden files")


@dataclass(frozen=True)
class Built:
    """What a build said and how it ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Site:
    """A site in a folder of its own, built by the command line in this process."""

    root: Path

    def write(self, path: str, text: str) -> None:
        """Write one file of the site."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def article(self, slug: str, body: str, data: str = "", **front: str) -> None:
        """Write an article with the least front matter."""
        fields = {
            "title": f'"{slug.title()}"',
            "summary": "A summary of at least one hundred and twenty characters, so that lists and "
            "feeds have something to say of the article that they name.",
            "date": "2026-08-01",
            "kind": "note",
            **front,
        }
        head = "".join(f"{key}: {value}\n" for key, value in fields.items())
        self.write(f"content/articles/{slug}/index.md", f"---\n{head}---\n{body}")
        if data:
            self.write(f"content/articles/{slug}/data.py", data)

    def build(self, *arguments: str) -> Built:
        """Build, and return what was said."""
        return self.run("build", *arguments)

    def run(self, command: str, *arguments: str) -> Built:
        """Run a command on the tests' day, and return what was said."""
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.chdir(self.root),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = main([command, "--date", DATE, *arguments])
        return Built(code, out.getvalue(), err.getvalue())

    def page(self, slug: str) -> str:
        """Return an article's page."""
        return (self.root / "_site" / slug / "index.html").read_text(encoding="utf-8")

    def output(self) -> dict[str, bytes]:
        """Return every file of the finished site."""
        folder = self.root / "_site"
        return {
            p.relative_to(folder).as_posix(): p.read_bytes()
            for p in sorted(folder.rglob("*"))
            if p.is_file() and p.name != ".explainers"
        }


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return an empty site with settings."""
    made = Site(tmp_path / "site")
    made.write("content/site.yaml", SETTINGS)
    return made


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Return a check of text against a golden file; a mismatch leaves a `-changed` file beside."""
    rewrite = request.config.getoption("--rewrite")

    def check(file: Path, text: str) -> None:
        changed = file.with_name(f"{file.stem}-changed{file.suffix}")
        if rewrite and not os.environ.get("CI"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        known = file.read_text(encoding="utf-8") if file.exists() else ""
        if text == known:
            changed.unlink(missing_ok=True)
        else:
            changed.parent.mkdir(parents=True, exist_ok=True)
            changed.write_text(text, encoding="utf-8")
        assert text == known, f"{file.name} differs; see {changed.name}, or pytest --rewrite"

    return check


@pytest.fixture
def case(tmp_path: Path) -> Callable[[Path], Site]:
    """Return a copier of a site that lies among the tests."""

    def copy(folder: Path) -> Site:
        made = Site(tmp_path / "site")
        made.write("content/site.yaml", SETTINGS)
        ignored = shutil.ignore_patterns("expected*")
        shutil.copytree(folder, made.root, dirs_exist_ok=True, ignore=ignored)
        return made

    return copy


def cases(folder: Path) -> list[Path]:
    """Return the sites among the tests, by name."""
    return sorted(path for path in folder.iterdir() if (path / "content").is_dir())
