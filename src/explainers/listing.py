"""Find the source that a `listing` names, and the lines of it that are shown."""

from __future__ import annotations

import ast
import html
import json
import posixpath
import re
from dataclasses import dataclass

from . import highlight
from .data import steps
from .data.key import Keys
from .errors import Problem, Span
from .markdown.code import ranges
from .model import Listing, Tree
from .nearest import nearest

KERNELS = "src/explainers/kernels"
SITE_KERNELS = "content/kernels"

_LANGUAGES = {
    ".py": "python",
    ".cu": "cuda",
    ".cuh": "cuda",
    ".cpp": "cpp",
    ".c": "c",
    ".h": "cpp",
    ".js": "javascript",
    ".json": "json",
    ".yaml": "yaml",
    ".md": "markdown",
    ".sh": "bash",
}


def language_of(target: str) -> str:
    """Return the language of a file, or of a part of it, by its name; "text" for an unknown one."""
    return _LANGUAGES.get(posixpath.splitext(target.partition("#")[0])[1], "text")


class NotFoundError(Exception):
    """A listing names a file, or a function of it, that is not there."""

    def __init__(self, message: str, wanted: str = "", known: tuple[str, ...] = ()) -> None:
        """Keep the name that was asked for and those that would have been right."""
        super().__init__(message)
        self.wanted, self.known = wanted, known

    def problem(self, span: Span) -> Problem:
        """Return the mistake at the place of the listing."""
        return Problem("missing-listing", str(self), span, nearest(self.wanted, self.known))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A run of lines of a source file; `first` is the number of the first one."""

    path: str
    language: str
    first: int
    lines: tuple[str, ...]
    docstring: tuple[int, int] | None = None


def locate(target: str, folder: str, tree: Tree) -> tuple[str, str]:
    """Return the path in the tree and the function's name ("" for the whole file).

    `kernels/x.py#f` is the site's own kernel when it has one of that name, else the package's;
    anything else is a path from the page's folder.
    """
    path, _, name = target.partition("#")
    if path.startswith("kernels/"):
        rest = path.removeprefix("kernels/")
        candidates = [f"{SITE_KERNELS}/{rest}", f"{KERNELS}/{rest}"]
    else:
        candidates = [posixpath.normpath(posixpath.join(folder, path))]
    for candidate in candidates:
        if candidate in tree.files:
            return candidate, name
    near = tuple(
        "kernels/" + posixpath.basename(p)
        for p in tree.files
        if posixpath.dirname(p) in (KERNELS, SITE_KERNELS) and p.endswith(".py")
    )
    raise NotFoundError(f'no file "{path}"', path, near)


def excerpt(target: str, folder: str, tree: Tree) -> Excerpt:
    """Return the lines a listing shows, decorators left out."""
    path, name = locate(target, folder, tree)
    try:
        text = tree.read(path).decode()
    except UnicodeDecodeError as error:
        raise NotFoundError(f"{path} is no text in UTF-8") from error
    lines = tuple(text.splitlines())
    language = language_of(path)
    if not name:
        return Excerpt(path, language, 1, lines)
    try:
        module = ast.parse(text, path)
    except (SyntaxError, ValueError) as error:
        raise NotFoundError(f"{path} is no Python: {error}") from error
    node = function(module, name)
    if node is None:
        known = tuple(_functions(module))
        raise NotFoundError(f'no function "{name}" in {path}', name, known)
    return Excerpt(
        path, language, node.lineno, lines[node.lineno - 1 : node.end_lineno], _docstring(node)
    )


def shown(listing: Listing, folder: str, tree: Tree) -> str:
    """Return a listing's lines, highlighted, as its options ask."""
    found = excerpt(listing.target, folder, tree)
    options = json.loads(listing.options)
    first = found.first
    coloured = list(highlight.highlight("\n".join(found.lines), found.language))
    if chosen := options.get("lines"):
        start, end = _range(str(chosen), len(coloured))
        coloured = coloured[start - 1 : end]
        first += start - 1
    elif found.docstring:
        _fold(coloured, found.lines, *(line - found.first for line in found.docstring))
    return highlight.block(
        coloured,
        found.language,
        title=html.escape(str(options.get("title", "")), quote=False),
        marked=[found.first + n - 1 for n in ranges(str(options.get("mark", "0")))],
        first=first,
        numbers=bool(options.get("numbers", False)),
    )


def _range(text: str, most: int) -> tuple[int, int]:
    """Return the first and the last line that `:lines:` asks for, counted from 1."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text.strip())
    start, end = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= start <= end <= most:
        message = f'":lines: {text}" is no part of these {most} lines; write it as 3-9'
        raise NotFoundError(message)
    return start, end


def _fold(lines: list[str], plain: tuple[str, ...], first: int, last: int) -> None:
    """Leave of a docstring its first line, closed: the text around says the rest."""
    quotes = re.match(r"\s*[rRuU]?(\"{3}|'{3})", plain[first])
    if last > first and quotes:
        lines[first : last + 1] = [f'{lines[first]}<span class="sd">{quotes[1]}</span>']


def traced(name: str, slug: str, keys: Keys) -> str:
    """Return, as JSON, the listing of a traced function: its lines, and each statement's place.

    Line numbers are counted from the first line shown.
    """
    module, _, qualname = name.partition(":")
    text = keys.text(slug, module) or ""
    extent = steps.extent(text, qualname)
    lines = highlight.highlight("\n".join(text.splitlines()), "python")
    docstring = extent.docstring
    return json.dumps(
        {
            "function": qualname,
            "first": extent.first,
            "lines": lines[extent.first - 1 : extent.last],
            "docstring": [line - extent.first for line in docstring] if docstring else None,
            "at": {
                str(s.ordinal): [s.line - extent.first, s.end_line - extent.first, s.name]
                for s in steps.steps(text, qualname)
            },
        }
    )


def function(
    module: ast.Module, qualname: str
) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None:
    """Return the definition with this dotted name, or None."""
    body: list[ast.stmt] = module.body
    found = None
    for part in qualname.split("."):
        found = next(
            (
                node
                for node in body
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
                and node.name == part
            ),
            None,
        )
        if found is None:
            return None
        body = found.body
    return found


def _functions(module: ast.Module) -> list[str]:
    return [node.name for node in module.body if isinstance(node, ast.FunctionDef)]


def _docstring(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> tuple[int, int] | None:
    first = node.body[0]
    if isinstance(first, ast.Expr) and ast.get_docstring(node) is not None:
        return first.lineno, first.end_lineno or first.lineno
    return None
