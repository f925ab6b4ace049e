"""The real site, built as an author builds it, for the tests that read it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = {
    path.parent.name: path.read_text(encoding="utf-8")
    for path in sorted(ROOT.glob("content/articles/*/index.md"))
}
ARTICLES = [
    slug for slug, text in SOURCES.items() if not re.search(r"^draft: true", text, re.MULTILINE)
]
WITH_FIGURES = [slug for slug in ARTICLES if ":::{figure}" in SOURCES[slug]]
TAG = re.findall(r"^tags: \[([\w-]+)", SOURCES[ARTICLES[0]], re.MULTILINE)[0]
GUIDE = "guide/the-language/"
PAGES = [
    "",
    "404.html",
    "all/",
    "how-it-is-made/",
    f"tags/{TAG}/",
    "series/",
    "series/diffusion/",
    "about/",
    "glossary/",
    GUIDE,
    *(f"{slug}/" for slug in ARTICLES),
]
"""A page of each kind, and each article, by address from the root of the site."""

DAY = "2999-12-31"  # nothing is held back on it


def build(folder: Path, *options: str) -> Path:
    """Build the site into a new folder by the command line, and return the folder."""
    program = (sys.executable, "-m", "explainers", "build")
    command = [*program, "--date", DAY, "--output", folder, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def file(output: Path, page: str) -> Path:
    """Return the file of a page."""
    return output / page / "index.html" if page.endswith("/") or not page else output / page


def pages(output: Path) -> list[str]:
    """Return the address of every page that was built."""
    names = sorted(path.relative_to(output).as_posix() for path in output.rglob("*.html"))
    return [name.removesuffix("index.html") for name in names]
