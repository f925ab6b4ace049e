"""The figures' scripts: the runtime in one file, and figure modules that import it by its name.

A figure module is not bundled: its imports are rewritten to names that tell the content, in the
browser's copy and in Node's. So an edit to one figure renames that figure alone.
"""

from __future__ import annotations

import graphlib
import hashlib
import json
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import imports
from .digest import digest
from .errors import BuildError, Problem, Span, refuse
from .model import Output, Tree, folder_of
from .nearest import listed, nearest
from .node import Node, NodeFailed
from .store import Store

SCHEMA = "1"
"""Raised when the rewriting changes, so that the store's old results are not used."""

FOLDER = "_"
RUNTIME = ("static/js/runtime", "static/js/marks")
FIGURES = "static/js/figures"
KERNELS = "static/js/kernels"
PARTS = "static/js/parts"
LATER = "static/js/later"
"""Scripts that import nothing; the runtime names one as "later:NAME" and loads it when needed."""
EXPLAINERS = "explainers"
_FOLDERS = {"kernels": KERNELS, "parts": PARTS}


@dataclass(frozen=True, slots=True)
class Script:
    """A script as the browser gets it, and the file that Node loads instead.

    `name` is its path from the output's root; `requires` the names of all it loads in turn.
    """

    source: str
    name: str
    data: bytes
    node: Path
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scripts:
    """The runtime, and the script of each (slug, kind) that was asked for.

    `sources` tells the source of each of Node's files, by its name; `later` names the scripts
    that the runtime loads when a page turns out to need them.
    """

    runtime: Script
    figures: Mapping[tuple[str, str], Script]
    outputs: tuple[Output, ...]
    sources: Mapping[str, str]
    later: frozenset[str] = frozenset()


def prepare(
    tree: Tree,
    wanted: Iterable[tuple[str, str, Span]],
    node: Node,
    store: Store,
    folder: Path,
) -> Scripts:
    """Return the scripts of these figures: (slug, kind, where it was asked for).

    `folder` is where Node's copies go.

    Raises:
        BuildError: an unknown kind, a module that does not parse, or an import of something else.
    """
    maker = _Maker(tree, node, store, folder)
    roots: dict[tuple[str, str], str] = {}
    problems: list[Problem] = []
    for slug, kind, span in wanted:
        home = folder_of(slug)
        try:
            roots[slug, kind] = _find(tree, home, kind, span)
        except BuildError as error:
            problems += error.problems
    refuse(problems)
    try:
        runtime = maker.runtime()
        made = maker.make(dict.fromkeys(roots.values()))
    except NodeFailed as error:
        raise BuildError([Problem("node", str(error))]) from error
    return Scripts(
        runtime,
        {pair: made[source] for pair, source in roots.items()},
        tuple(Output(s.name, s.data) for s in (runtime, *maker.later, *made.values()))
        if roots
        else (),
        {script.node.name: script.source for script in made.values()},
        frozenset(script.name for script in maker.later),
    )


def _find(tree: Tree, home: str, kind: str, span: Span) -> str:
    """Return the path of a kind's module: beside the page, else among the shared figures."""
    own, shared = f"{home}/{kind}.js", f"{FIGURES}/{kind}.js"
    found = [path for path in (own, shared) if path in tree.files]
    if len(found) == 1:
        return found[0]
    if found:
        message = f'two figures are named "{kind}": {own} and {shared}'
        raise BuildError([Problem("twice-named-figure", message, span, "rename the article's own")])
    modules = [path for path in tree.files if path.endswith(".js")]
    known = sorted({posixpath.basename(p)[:-3] for p in modules if p.startswith((home, FIGURES))})
    hint = nearest(kind, known, f"figures there are: {listed(known)}" if known else f"write {own}")
    raise BuildError([Problem("unknown-figure", f'no figure of kind "{kind}"', span, hint)])


class _Maker:
    """Makes scripts of one build; each module once."""

    def __init__(self, tree: Tree, node: Node, store: Store, folder: Path) -> None:
        self._tree, self._node, self._store, self._folder = tree, node, store, folder
        self._texts: dict[str, str] = {}
        self._imports: dict[str, list[imports.Import]] = {}
        self._made: dict[str, Script] = {}
        self.later: list[Script] = []

    def runtime(self) -> Script:
        """Return the runtime, bundled when its sources or its libraries changed."""
        sources = [source for path in RUNTIME for source in self._tree.under(path)]
        key = digest("runtime", SCHEMA, self._node.libraries, *(s.path + s.digest for s in sources))
        made = self._remembered(
            key,
            {
                "op": "bundle",
                "browser": str(self._tree.place(f"{RUNTIME[0]}/browser.js")),
                "node": str(self._tree.place(f"{RUNTIME[0]}/node.js")),
            },
        )
        browser = made["browser"]
        for source in self._tree.under(LATER):
            stem = posixpath.basename(source.path)[:-3]
            script = self._later(source.path, stem)
            browser = browser.replace(f"later:{stem}", f"./{posixpath.basename(script.name)}")
        self._made[EXPLAINERS] = self._script(
            f"{RUNTIME[0]}/browser.js", EXPLAINERS, browser, made["node"], ()
        )
        return self._made[EXPLAINERS]

    def _later(self, source: str, stem: str) -> Script:
        """Return a script that the runtime loads when a page turns out to need it."""
        text = self._tree.read(source).decode("utf-8")
        key = digest("minified", SCHEMA, self._node.libraries, text)
        small = self._remembered(key, {"op": "minify", "text": text})["text"]
        script = self._script(source, stem, small, text, ())
        self.later.append(script)
        return script

    def make(self, roots: Iterable[str]) -> dict[str, Script]:
        """Return the scripts of these modules and of all they import, by source."""
        self._read(roots)
        return {source: self._rewrite(source) for source in self._order()}

    def _read(self, roots: Iterable[str]) -> None:
        """Find the imports of the modules and of what they import, wave by wave."""
        wave = list(roots)
        problems: list[Problem] = []
        while wave:
            for source in wave:
                self._texts[source] = self._tree.read(source).decode("utf-8", "replace")
            requests = [{"op": "imports", "text": self._texts[source]} for source in wave]
            keys = [digest("imports", self._node.libraries, self._texts[s]) for s in wave]
            found: list[str] = []
            for source, answer in zip(wave, self._asked(keys, requests), strict=True):
                text = self._texts[source]
                if "error" in answer:
                    problems.append(imports.syntax(source, answer["error"]))
                    continue
                self._imports[source] = imports.found(answer, text)
                for item in self._imports[source]:
                    try:
                        found.append(self._target(source, item))
                    except BuildError as error:
                        problems += error.problems
            wave = [s for s in dict.fromkeys(found) if s != EXPLAINERS and s not in self._texts]
        refuse(problems)

    def _target(self, source: str, item: imports.Import) -> str:
        """Return the module an import means: EXPLAINERS or a path in the tree."""
        name = item.name
        span = imports.place(source, self._texts[source], item)
        if name == EXPLAINERS:
            return EXPLAINERS
        if name is None:
            message = "an import must name its module in the text"
            raise BuildError([Problem("figure-import", message, span)])
        path = ""
        kind, _, rest = name.removeprefix(f"{EXPLAINERS}/").partition("/")
        if name.startswith(EXPLAINERS) and kind in _FOLDERS:
            path = f"{_FOLDERS[kind]}/{rest}.js"
        elif name.startswith("./"):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        if path in self._tree.files:
            return path
        if path:
            raise BuildError([Problem("figure-import", f"there is no {path}", span)])
        hint = 'a figure imports from "explainers", from its kernels, and from files beside it'
        if name.split("/")[0] in ("preact", "@preact", "htm"):
            hint = f'a second copy of {name} would break it: import from "explainers"'
        raise BuildError([Problem("figure-import", f'cannot import "{name}"', span, hint)])

    def _order(self) -> list[str]:
        """Return the modules, each after those it imports."""
        imported = {
            source: [self._target(source, item) for item in items]
            for source, items in self._imports.items()
        }
        try:
            order = list(graphlib.TopologicalSorter(imported).static_order())
        except graphlib.CycleError as error:
            circle = error.args[1][::-1]
            message = f"modules import each other in a circle: {' → '.join(circle)}"
            raise BuildError([Problem("figure-import", message, Span(circle[0]))]) from error
        return [source for source in order if source != EXPLAINERS]

    def _rewrite(self, source: str) -> Script:
        text = self._texts[source]
        browser, node, position = "", "", 0
        requires: list[str] = []
        for item in self._imports[source]:
            script = self._made[self._target(source, item)]
            quote = '"' if item.dynamic else ""
            kept = text[position : item.start] + quote
            browser += f"{kept}./{posixpath.basename(script.name)}{quote}"
            node += f"{kept}./{script.node.name}{quote}"
            position = item.end
            requires += [script.name, *script.requires]
        browser, node = browser + text[position:], node + text[position:]
        key = digest("minified", SCHEMA, self._node.libraries, browser)
        small = self._remembered(key, {"op": "minify", "text": browser})["text"]
        stem = posixpath.basename(source)[:-3]
        made = self._script(source, stem, small, node, tuple(dict.fromkeys(requires)))
        self._made[source] = made
        return made

    def _script(
        self, source: str, stem: str, browser: str, node: str, requires: tuple[str, ...]
    ) -> Script:
        data = browser.encode()
        copy = self._folder / f"{stem}.{_mark(node.encode())}.mjs"
        if not copy.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            part = copy.with_suffix(".part")
            part.write_text(node, encoding="utf-8")
            part.replace(copy)
        return Script(source, f"{FOLDER}/{stem}.{_mark(data)}.js", data, copy, requires)

    def _remembered(self, key: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return one answer, from the store or from Node; an error is Node's or ours."""
        answer = self._asked([key], [request])[0]
        if "error" in answer:
            raise NodeFailed(str(answer["error"]["message"]))
        return answer

    def _asked(
        self, keys: Sequence[str], requests: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return answers from the store, the missing ones asked of Node in one batch."""
        kept = [self._store.get(key) for key in keys]
        missing = [i for i, data in enumerate(kept) if data is None]
        answers = [json.loads(data) if data is not None else {} for data in kept]
        fresh = self._node.ask([requests[i] for i in missing]) if missing else []
        for i, answer in zip(missing, fresh, strict=True):
            answers[i] = answer
            if "error" not in answer:
                self._store.put(keys[i], json.dumps(answer).encode())
        return answers


def _mark(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:10]
