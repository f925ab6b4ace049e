"""Gather what every page shares: styles, fonts, icon, the small script; name each by content."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass

from . import fonts
from .digest import digest
from .errors import BuildError, Problem, Span
from .model import Output, Shared, Tree
from .node import Node, NodeFailed
from .store import Store

STYLES = ("tokens", "page", "prose", "code", "figure", "colophon", "print")
"""The style sheets in their order; later ones may lean on earlier ones."""

FOLDER = "_"


@dataclass(frozen=True, slots=True)
class Assets:
    """What all pages load: the addresses, and the files behind them."""

    shared: Shared
    outputs: tuple[Output, ...]


def named(name: str, data: bytes) -> Output:
    """Return a file whose name says its content, so that it may be kept for ever."""
    stem, extension = posixpath.splitext(name)
    return Output(f"{FOLDER}/{stem}.{hashlib.sha256(data).hexdigest()[:10]}{extension}", data)


def gather(tree: Tree, store: Store, node: Node) -> Assets:
    """Return the shared assets, or raise BuildError when the site lacks one."""
    text = fonts.text_fonts(tree.home, store)
    maths = fonts.maths_fonts(tree.home, store)
    sheet = _style(tree, text.css, text.files)
    style = named("site.css", small(sheet, "css", node, store).encode())
    maths_style = named("maths.css", _place(maths.css, maths.files).encode())
    lists = _read(tree, "static/css/lists.css").decode()
    lists_style = named("lists.css", small(lists, "css", node, store).encode())
    icon = named("icon.svg", _read(tree, "static/icon.svg"))
    code = _read(tree, "static/js/site.js").decode()
    script = named("site.js", small(code, "js", node, store).encode())
    faces = [named(name, data) for name, data in {**text.files, **maths.files}.items()]
    preload = tuple(named(name, text.files[name]).path for name in text.preload)
    maths_faces = {name: named(name, data).path for name, data in maths.files.items()}
    outputs = (style, maths_style, lists_style, icon, script, *faces)
    sheets = (style.path, maths_style.path, lists_style.path)
    return Assets(Shared(*sheets, icon.path, script.path, preload, maths_faces), outputs)


def _style(tree: Tree, faces: str, files: Mapping[str, bytes]) -> str:
    sheets = [_read(tree, f"static/css/{name}.css").decode() for name in STYLES]
    return _place(faces, files) + "\n".join(sheets)


def _place(css: str, files: Mapping[str, bytes]) -> str:
    """Return a style sheet whose font files go by their published names."""
    names = {name: posixpath.basename(named(name, data).path) for name, data in files.items()}
    return re.sub(r"url\(([^)]+)\)", lambda m: f"url({names.get(m[1], m[1])})", css)


def small(text: str, loader: str, node: Node, store: Store) -> str:
    """Return a style sheet or a script without what only its writers need."""
    key = digest("minify", node.libraries, loader, text)
    stored = store.get(key)
    if stored is not None:
        return stored.decode()
    try:
        (answer,) = node.ask([{"op": "minify", "text": text, "loader": loader}])
    except NodeFailed as error:
        raise BuildError([Problem("node", str(error))]) from error
    if "error" in answer:
        raise BuildError([Problem("asset-syntax", str(answer["error"]["message"]))])
    small = str(answer["text"])
    store.put(key, small.encode())
    return small


def _read(tree: Tree, path: str) -> bytes:
    if path not in tree.files:
        raise BuildError([Problem("missing-asset", f"the site lacks {path}", Span(path))])
    return tree.read(path)
