"""The real site, built as an author builds it, for the tests that read it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from explainers.catalogue import tag_slug
from explainers.front_matter import read
from explainers.model import FrontMatter

ROOT = Path(__file__).parents[1]


def _front(path: Path) -> FrontMatter:
    meta = read(path.name, path.read_text(encoding="utf-8")).meta
    assert meta is not None
    return meta


ARTICLES = sorted(
    path.parent.name
    for path in ROOT.glob("content/articles/*/index.md")
    if "\ndraft: true" not in path.read_text(encoding="utf-8")
)
TAGS = sorted(
    {
        tag_slug(tag)
        for slug in ARTICLES
        for tag in _front(ROOT / f"content/articles/{slug}/index.md").tags
    }
)
SERIES = sorted(path.stem for path in ROOT.glob("content/series/*.md"))
PLAIN = sorted(path.stem for path in ROOT.glob("content/pages/*.md"))
PAGES = [
    *("", "404.html", "all/"),
    *(f"{slug}/" for slug in ARTICLES),
    *(f"tags/{tag}/" for tag in TAGS),
    *(["series/"] if SERIES else []),
    *(f"series/{slug}/" for slug in SERIES),
    *(f"{slug}/" for slug in PLAIN),
]
"""Every page by its address, from the root of the site."""

DAY = "2999-12-31"  # nothing is held back on it


def build(folder: Path) -> Path:
    """Build the site into a new folder by the command line, and return the folder."""
    command = [sys.executable, "-m", "explainers", "build", "--date", DAY, "--output", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def file(output: Path, page: str) -> Path:
    """Return the file of a page."""
    return output / page / "index.html" if page.endswith("/") or not page else output / page
