"""The site's templates: strict, escaping, and with the place of a mistake in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
)
from jinja2.bccache import Bucket

from ..errors import BuildError, Problem, Span
from ..model import Tree
from ..store import Store

FOLDER = "templates"


class Templates:
    """Applies templates: the site's own where it has them, else the tool's."""

    def __init__(self, tree: Tree, compiled: Path) -> None:
        """Prepare; a template is compiled at its first use, and kept in the folder `compiled`."""
        self._environment = Environment(
            loader=FileSystemLoader([base / FOLDER for base in (tree.root, tree.home)]),
            autoescape=True,
            bytecode_cache=_Compiled(compiled),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )

    def apply(self, template: str, context: Mapping[str, Any]) -> str:
        """Apply a template; a mistake in one is reported at its line."""
        try:
            return self._environment.get_template(template).render(context)
        except TemplateError as error:
            span = _place(error, template)
            message = error.message or type(error).__name__
            raise BuildError([Problem("template", message, span)]) from error


class _Compiled(BytecodeCache):
    """Compiled templates, verified on reading: Jinja itself would run whatever a disk returns."""

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder)

    def load_bytecode(self, bucket: Bucket) -> None:
        data = self._store.get(bucket.key)
        if data is not None:
            bucket.bytecode_from_string(data)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._store.put(bucket.key, bucket.bytecode_to_string())


def _place(error: TemplateError, template: str) -> Span:
    """Return the deepest line inside templates/; Jinja's own frames may lie below it."""
    line, name = getattr(error, "lineno", None), getattr(error, "filename", None) or template
    frame = error.__traceback__
    while frame is not None:
        file = frame.tb_frame.f_code.co_filename
        if f"/{FOLDER}/" in file:
            line, name = frame.tb_lineno, file
        frame = frame.tb_next
    relative = name.rpartition(f"/{FOLDER}/")[2]
    return Span(f"{FOLDER}/{relative}", line or 1)
