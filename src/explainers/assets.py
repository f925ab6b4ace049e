"""Gather what every page shares: styles, fonts, icon, the small script; name each by content."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass

from . import fonts
from .errors import BuildError, Problem, Span
from .model import Output, Tree
from .store import Store

STYLES = ("tokens", "page", "prose", "code", "figure", "colophon", "lists", "print")
"""The style sheets in their order; later ones may lean on earlier ones."""

FOLDER = "_"


@dataclass(frozen=True, slots=True)
class Assets:
    """Addresses from the site's root, and the files behind them.

    `maths_faces` are the addresses of the fonts of formulas by their names.
    """

    style: str
    maths_style: str
    icon: str
    script: str
    preload: tuple[str, ...]
    maths_faces: Mapping[str, str]
    outputs: tuple[Output, ...]


def named(name: str, data: bytes) -> Output:
    """Return a file whose name says its content, so that it may be kept for ever."""
    stem, extension = posixpath.splitext(name)
    return Output(f"{FOLDER}/{stem}.{hashlib.sha256(data).hexdigest()[:10]}{extension}", data)


def gather(tree: Tree, store: Store) -> Assets:
    """Return the shared assets, or raise BuildError when the site lacks one."""
    text = fonts.text_fonts(tree.home, store)
    maths = fonts.maths_fonts(tree.home, store)
    style = named("site.css", _style(tree, text.css, text.files).encode())
    maths_style = named("maths.css", _place(maths.css, maths.files).encode())
    icon = named("icon.svg", _read(tree, "static/icon.svg"))
    script = named("site.js", _read(tree, "static/js/site.js"))
    faces = [named(name, data) for name, data in {**text.files, **maths.files}.items()]
    preload = tuple(named(name, text.files[name]).path for name in text.preload)
    maths_faces = {name: named(name, data).path for name, data in maths.files.items()}
    outputs = (style, maths_style, icon, script, *faces)
    return Assets(
        style.path, maths_style.path, icon.path, script.path, preload, maths_faces, outputs
    )


def _style(tree: Tree, faces: str, files: Mapping[str, bytes]) -> str:
    sheets = [_read(tree, f"static/css/{name}.css").decode() for name in STYLES]
    return _place(faces, files) + "\n".join(_squeeze(sheet) for sheet in sheets)


def _place(css: str, files: Mapping[str, bytes]) -> str:
    """Return a style sheet whose font files go by their published names."""
    names = {name: posixpath.basename(named(name, data).path) for name, data in files.items()}
    return re.sub(r"url\(([^)]+)\)", lambda m: f"url({names.get(m[1], m[1])})", css)


def _squeeze(css: str) -> str:
    """Return a style sheet without comments, indents and empty lines."""
    bare = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return "\n".join(line.strip() for line in bare.splitlines() if line.strip())


def _read(tree: Tree, path: str) -> bytes:
    if path not in tree.files:
        raise BuildError([Problem("missing-asset", f"the site lacks {path}", Span(path))])
    return tree.read(path)
