"""The files a page loads beside itself: scripts, large datasets, images, downloads."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping

from .. import images
from ..assets import named
from ..catalogue import entry_id
from ..data import weight
from ..errors import BuildError, Problem, refuse
from ..link import FILE
from ..model import Drawing, Figure, Hole, Link, Output, Parsed, Site, Tree
from ..scripts import Scripts

INLINE = 20_000
"""Bytes, compressed, of the datasets that a page carries in itself."""


def carry(
    figures: Mapping[Figure, Drawing], wires: Mapping[str, str], uses: dict[str, Output]
) -> tuple[dict[str, str], dict[str, str]]:
    """Split a page's datasets into those it carries and the addresses of those it loads.

    The smallest are carried first, so that most figures come alive without a request.

    Raises:
        BuildError: they are more than a reader should wait for.
    """
    sizes = {name: weight.size(text) for name, text in wires.items()}
    placed = [(figure.span, drawing.datasets) for figure, drawing in figures.items()]
    refuse(weight.heavy(placed, wires, sizes))
    carried = 0
    side: dict[str, str] = {}
    for name in sorted(wires, key=lambda name: (sizes[name], name)):
        carried += sizes[name]
        if carried > INLINE:
            output = named(f"{name}.json", wires[name].encode())
            uses[output.path] = output
            side[name] = output.path
    return {name: text for name, text in wires.items() if name not in side}, side


def downloads(
    name: str, forms: Mapping[str, str], uses: dict[str, Output]
) -> list[tuple[str, str]]:
    """Publish a dataset in forms that people take away; return what each is called and where."""
    found = []
    for kind, text in forms.items():
        output = named(f"{name}-data.{kind.lower()}", text.encode())
        uses[output.path] = output
        found.append((kind, output.path))
    return found


def links(
    parsed: Mapping[str, Parsed],
    holes: Mapping[str, Iterable[Hole]],
    site: Site,
    tree: Tree,
    uses: Mapping[str, dict[str, Output]],
) -> dict[str, dict[Link, str]]:
    """Return what fills the link holes of each page, or raise BuildError for all bad images."""
    found: dict[str, dict[Link, str]] = {}
    problems: list[Problem] = []
    for slug in parsed:
        try:
            found[slug] = _answered(holes[slug], site, tree, uses[slug])
        except BuildError as error:
            problems += error.problems
    refuse(problems)
    return found


def _answered(
    holes: Iterable[Hole], site: Site, tree: Tree, uses: dict[str, Output]
) -> dict[Link, str]:
    """Return what fills each link hole; files that pages show are published by content."""
    found: dict[Link, str] = {}
    problems: list[Problem] = []
    for hole in holes:
        if not isinstance(hole, Link):
            continue
        # A card of the glossary stands on this page with links of its own.
        address = site.links.get((hole.span.path, hole.target), "")
        if hole.use == "cite":
            found[hole] = f"#source-{hole.target}"
        elif hole.use == "gloss":
            found[hole] = f"glossary/#{entry_id(hole.target)}"
        elif hole.use == "words":
            found[hole] = _words(address, site)
        elif address.startswith(FILE):
            source = address.removeprefix(FILE)
            data = tree.read(source)
            output = named(posixpath.basename(source), data)
            uses[output.path] = output
            found[hole] = output.path
            if hole.use == "size" or source.lower().endswith(".svg"):
                try:
                    width, height = images.size(data, source)
                except BuildError as error:
                    problems += error.problems
                    continue
                if hole.use == "size":
                    found[hole] = f' width="{width}" height="{height}"'
        else:
            found[hole] = address
    refuse(problems)
    return found


def _words(address: str, site: Site) -> str:
    """Return what a reference to another page shows: the name of its part, or its title."""
    slug, _, anchor = address.partition("#")
    page = site.pages[slug.rstrip("/")]
    return page.anchors.get(anchor, page.title_text)


def load_order(drawings: Iterable[Drawing], loaded: Scripts | None) -> tuple[str, ...]:
    """Return the scripts of a page's figures in the order they are needed, the runtime first."""
    if loaded is None:
        return ()
    modules = {script.name: script for script in loaded.figures.values()}
    wanted = [modules[drawing.module] for drawing in drawings]
    names = [name for script in wanted for name in (*script.requires, script.name)]
    return tuple(dict.fromkeys([loaded.runtime.name, *names])) if wanted else ()


def dress(
    figures: Mapping[Figure, Drawing],
    loaded: Scripts | None,
    tree: Tree,
    make_small: Callable[[str, str], str],
    uses: dict[str, Output],
) -> dict[str, str]:
    """Return the style sheets of a page's figures by kind: KIND.css beside KIND.js, if any.

    So a page carries the styles of its own figures, however many kinds the site has.
    """
    if loaded is None:
        return {}
    sources = {script.name: script.source for script in loaded.figures.values()}
    found: dict[str, str] = {}
    for figure, drawing in figures.items():
        path = f"{posixpath.splitext(sources[drawing.module])[0]}.css"
        if figure.kind not in found and path in tree.files:
            text = make_small(tree.read(path).decode("utf-8", "replace"), "css")
            output = named(posixpath.basename(path), text.encode())
            uses[output.path] = output
            found[figure.kind] = output.path
    return found
