"""Build a site: at once when nothing changed, else by one pass over the stages."""

from __future__ import annotations

import datetime as dt
import sysconfig
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..digest import canonical, digest
from ..discover import HOME, Index, look, relook
from ..errors import BuildError, Problem, refuse
from ..model import Report, Tree
from ..store import Store
from ..write import Folder, NotOursError, Sink
from .crew import Crew
from .drafts import Drafts

if TYPE_CHECKING:
    from ..assets import Assets
    from ..node import Node
    from ..render import Templates
    from .outlines import Parser

CACHE, OUTPUT = ".cache", "_site"


@dataclass(frozen=True, slots=True)
class Options:
    """What one build was asked to do."""

    root: Path
    output: Path | None = None
    base_url: str | None = None
    today: dt.date | None = None
    workers: int | None = None
    only: str | None = None
    drafts: bool = False
    device: str = "cpu"


def build(options: Options, say: Callable[[str], None] = lambda _: None) -> Report:
    """Build the site into its folder, or raise BuildError and leave the folder as it was."""
    cache = options.root / CACHE
    refuse(_among_sources(options))
    sink = Folder(options.output or options.root / OUTPUT, cache)
    with Builder(options, say) as builder:
        return builder.build(sink)


class Builder:
    """Builds one site, again and again; what is costly to start stays warm between builds."""

    def __init__(self, options: Options, say: Callable[[str], None] = lambda _: None) -> None:
        """Prepare; nothing is read yet."""
        self.options, self.say = options, say
        self.cache = options.root / CACHE
        self.store = Store(self.cache / "store")
        # Cut fonts belong to the tool, not to a site: all sites of one installation share them.
        self.tool_store = Store(HOME / CACHE / "store")
        self._index = Index(self.cache / "index.json")
        self.crew = Crew()
        self.give_up: Callable[[], bool] = lambda: False
        self._tree: Tree | None = None
        self._drafts = Drafts()
        self._node: Node | None = None
        self._parser: Parser | None = None
        self._assets: tuple[str, Assets] | None = None
        self._templates: tuple[str, Templates] | None = None

    def __enter__(self) -> Builder:
        """Return the builder itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes it has started."""
        self.close()

    def close(self) -> None:
        """End the processes it has started, and let go of the files it has open."""
        if self._node is not None:
            self._node.close()
            self._node = None
        self._index.save()
        if self._parser is not None:
            self._parser.save()
        self.store.shelf.close()
        self.store.bound()

    def node(self) -> Node:
        """Return the one Node process, which starts at its first question."""
        if self._node is None:
            from ..node import Node

            self._node = Node(HOME)
        return self._node

    def templates(self, tree: Tree) -> Templates:
        """Return the templates, read anew when one of them changed."""
        key = part_key(tree, ["templates"])
        if self._templates is None or self._templates[0] != key:
            from ..render import Templates

            self._templates = key, Templates(tree, self.cache / "templates")
        return self._templates[1]

    def parser(self, engine: str) -> Parser:
        """Return the parser, with the outlines it has read; a new one when the code changed."""
        if self._parser is None or self._parser.engine != engine:
            from .outlines import Parser

            memo = self.cache / "outlines.pickle"
            self._parser = Parser(self.store, memo, engine, self.crew)
        return self._parser

    def assets(self, tree: Tree, engine: str) -> Assets:
        """Return what all pages share, gathered anew when a part of it changed."""
        from ..assets import gather

        key = digest(engine, part_key(tree, ["static"]))
        if self._assets is None or self._assets[0] != key:
            self._assets = key, gather(tree, self.tool_store, self.node())
        return self._assets[1]

    def is_behind(self) -> bool:
        """Tell whether the files are no longer those of the last build, good or bad."""
        tree, known = look(self.options.root, self._index), self._tree
        return known is None or whole_key(tree, self.options) != whole_key(known, self.options)

    def build(
        self,
        sink: Sink,
        changed: Collection[Path] | None = None,
        give_up: Callable[[], bool] = lambda: False,
    ) -> Report:
        """Build what changed into `sink`.

        `changed` are the files that may differ from those of the last build; without it, all. Where
        it is empty, other pages are looked at than before.
        Once `give_up` says so, the build may end with Superseded.
        """
        started = time.perf_counter()
        self.say("building")
        options, self.give_up = self.options, give_up
        seen = self._tree and changed is not None and relook(self._tree, self._index, changed)
        tree = self._tree = seen or look(options.root, self._index)
        whole = whole_key(tree, options)
        anew = options.only or (changed is not None and not changed)
        last = None if anew else sink.unchanged(whole)
        if last is not None:
            report = Report(0, last.files, 0, 0, last.datasets, last.held_back, 0.0)
        else:
            from .passes import Pass

            try:
                report = self._run(
                    lambda left: Pass(self, tree, options, sink).run(whole, left), sink
                )
            except NotOursError as error:
                message = f"{error.folder.name}/ holds files that no build put there"
                hint = "name another folder with --output, or empty this one"
                raise BuildError([Problem("output-folder", message, None, hint)]) from error
            except OSError as error:
                raise BuildError([_refused(error)]) from error
            finally:
                sink.abandon()
                self.crew.close()
                self.store.shelf.flush()
        return replace(report, seconds=time.perf_counter() - started)

    def _run(self, run: Callable[[Mapping[str, str]], Report], sink: Sink) -> Report:
        """Run a pass; in `serve` without the broken drafts that nobody looks at."""
        tree = self._tree
        while tree and self.options.drafts and not self.options.only:
            seen = [path.removesuffix("/index.html") for path in sink.first()]
            try:
                return run(self._drafts.left_out(tree, seen))
            except BuildError as error:
                if not self._drafts.leave_out(error.problems, tree, seen):
                    raise
            sink.abandon()
        return run({})


def _among_sources(options: Options) -> Iterator[Problem]:
    """Yield a problem when the output would lie where sources are."""
    output = (options.output or options.root / OUTPUT).resolve()
    for root in (options.root.resolve(), HOME.resolve()):
        for name in _KEPT:
            if output.is_relative_to(root / name):
                message = f"a site is not written into {name}/, where sources are"
                hint = "name another folder with --output"
                yield Problem("output-folder", message, None, hint)
                return


def _refused(error: OSError) -> Problem:
    """Return what the disk said; the places that know more say it themselves."""
    name, why = error.filename or "the site", error.strerror or error
    if isinstance(error, FileNotFoundError):
        message, hint = f"{name} vanished while the site was built", "build again"
    else:
        message = f"cannot read or write {name}: {why}"
        hint = "free some space, mend the permissions, or delete .cache/"
    return Problem("store-write", message, None, hint)


def whole_key(tree: Tree, options: Options) -> str:
    """Return the key of everything a build depends on.

    The names of the installed packages stand for their versions: a listing of one folder costs a
    thousandth of asking each package.
    """
    packages = Path(sysconfig.get_path("purelib"))
    installed = sorted(p.name for p in packages.glob("*.dist-info"))
    asked = [options.base_url, options.today, options.drafts, options.device, installed]
    files = (f"{source.path}\0{source.digest}" for source in tree.files.values())
    return digest("whole", canonical([str(item) for item in asked]), *files)


def engine_key(tree: Tree) -> str:
    """Return the key of the code that builds, kernels apart, and of the libraries it runs on."""
    engine = (
        source.path + source.digest
        for source in tree.files.values()
        if not source.path.startswith(("content/", "templates/", "static/", _KERNELS))
    )
    return digest("engine", *engine)


_KEPT = ("content", "templates", "static", "src", CACHE, ".git", "node_modules")
"""Folders of a site, and of the tool, that are no place for an output."""

_KERNELS = "src/explainers/kernels/"


def part_key(tree: Tree, folders: Iterable[str]) -> str:
    """Return the key of all files below some folders."""
    return digest(*(s.path + s.digest for folder in folders for s in tree.under(folder)))
