"""Load an article's data.py, with the kernels and helpers it imports, as they are on disk now."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from ..model import folder_of

KERNELS = "content/kernels"
PACKAGE = "explainers_articles"
"""The made-up package whose members are the articles."""


@contextmanager
def article(root: Path, slug: str) -> Iterator[ModuleType]:
    """Give an article's data.py as a module; afterwards nothing of it is left imported.

    Each call runs the file anew, so that no dataset sees what another one left behind; the
    current folder is the article's, so that files beside it have short names.
    """
    member = f"{PACKAGE}.{re.sub(r'[^a-zA-Z0-9]', '_', slug)}"
    root = root.resolve()
    finder = _Finder(root, slug, member)
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_ours(name)}
    sys.meta_path.insert(0, finder)
    try:
        with chdir(root / folder_of(slug)):
            yield importlib.import_module(f"{member}.data")
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if _is_ours(name)]:
            del sys.modules[name]
        sys.modules.update(before)


def _is_ours(name: str) -> bool:
    return name.split(".")[0] in (PACKAGE, "kernels")


class _Loader(SourceFileLoader):
    """Compiles the text itself: a .pyc may be of an edit within the same second."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _Finder:
    """Finds the articles, a site's kernels and the package's kernels, and nothing else."""

    def __init__(self, root: Path, slug: str, member: str) -> None:
        self.shipped = root / "src" / "explainers" / "kernels"
        self.places = {
            PACKAGE: None,
            member: root / folder_of(slug),
            "kernels": root / KERNELS,
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in self.places:
            place = self.places[name]
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(place)] if place else []
            return spec
        if not (_is_ours(name) or name.startswith("explainers.kernels.")):
            return None
        above, _, leaf = name.rpartition(".")
        # A site that has kernels where the package has them means its own.
        first = [self.shipped] if above == "explainers.kernels" else []
        for folder in (*first, *map(Path, path or ())):
            if (file := folder / f"{leaf}.py").is_file():
                return importlib.util.spec_from_file_location(
                    name, file, loader=_Loader(name, str(file))
                )
            if (file := folder / leaf / "__init__.py").is_file():
                return importlib.util.spec_from_file_location(
                    name,
                    file,
                    loader=_Loader(name, str(file)),
                    submodule_search_locations=[str(folder / leaf)],
                )
        return None
