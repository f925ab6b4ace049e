"""Begin an article, a module, a figure or a kernel: files that build at once."""

from __future__ import annotations

import datetime as dt
import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import scaffold
from .link import RESERVED

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class NotBegunError(Exception):
    """The name cannot be, or something has it already; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What was made: the files, from the site's root, and what to do next."""

    paths: tuple[str, ...]
    words: str


def new(root: Path, what: str, name: str, today: dt.date) -> Begun:
    """Make the files of something new in a site.

    Args:
        root: the site's folder.
        what: article, module, figure or kernel.
        name: its slug; a figure beside an article is ARTICLE/NAME.
        today: the date of an article.

    Raises:
        NotBegunError: the name cannot be, or something has it already.
    """
    files, words = _MAKERS[what](root, name, today)
    taken = [path for path in files if (root / path).exists()]
    if taken:
        raise NotBegunError(f"there is {taken[0]} already; choose another name")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return Begun(tuple(files), words)


Made = tuple[Mapping[str, str], str]


def _article(root: Path, slug: str, today: dt.date, kind: str = "article") -> Made:
    _check_slug(slug)
    folder = f"content/articles/{slug}"
    if (root / folder).exists():
        raise NotBegunError(f"there is {folder}/ already; choose another name")
    text = scaffold.ARTICLE.replace("{title}", slug.replace("-", " ").capitalize())
    text = text.replace("{date}", today.isoformat()).replace("{kind}", kind)
    text = text.replace("{summary}", scaffold.SUMMARY)
    more = (scaffold.BLOCKS if kind == "module" else "") + scaffold.QUESTIONS
    words = (
        f"See it change while you write:  python build.py serve\n"
        f"then open /{slug}/. It is a draft: take the line `draft: true` away to publish it."
    )
    if kind == "module":
        words += f"\nIts place in a series is a line of content/series/NAME.md: slug: {slug}"
    return {f"{folder}/index.md": text + more, f"{folder}/data.py": scaffold.DATA}, words


def _module(root: Path, slug: str, today: dt.date) -> Made:
    return _article(root, slug, today, "module")


def _figure(root: Path, name: str, _today: dt.date) -> Made:
    article, _, kind = name.rpartition("/")
    _check_slug(kind)
    folder = "static/js/figures"
    if article:
        folder = f"content/articles/{article}"
        if not (root / folder / "index.md").is_file():
            message = f'no article named "{article}"; make it first: new article {article}'
            raise NotBegunError(message)
    words = (
        "Put it into a page:\n\n"
        f":::{{figure}} {kind}\n:label: {kind}\nMove the point. Say here what to notice.\n:::\n\n"
        "The guide's page “Make a figure” says how it gets data."
    )
    return {f"{folder}/{kind}.js": scaffold.FIGURE}, words


def _kernel(_root: Path, name: str, _today: dt.date) -> Made:
    module = name.replace("-", "_")
    if not module.isidentifier() or keyword.iskeyword(module) or not module.islower():
        hint = "use small letters, digits and _, as in running_mean"
        raise NotBegunError(f'"{name}" cannot be the name of a module of Python; {hint}')
    words = (
        f"Use it in a data.py:  from kernels.{module} import {module}_online\n"
        f"Show it on a page:    :::{{listing}} kernels/{module}.py#{module}_online\n"
        f"Test it with pytest:  content/test_{module}.py"
    )
    files = {
        f"content/kernels/{module}.py": scaffold.KERNEL,
        f"content/test_{module}.py": scaffold.KERNEL_TEST,
    }
    return {path: text.replace("{name}", module) for path, text in files.items()}, words


_MAKERS: Mapping[str, Callable[[Path, str, dt.date], Made]] = {
    "article": _article,
    "module": _module,
    "figure": _figure,
    "kernel": _kernel,
}
KINDS = tuple(_MAKERS)
"""What can be begun."""


def _check_slug(slug: str) -> None:
    if not _SLUG.fullmatch(slug):
        plain = re.sub(r"[^a-z0-9]+", "-", slug.lower()).strip("-")
        hint = f'how about "{plain}"?' if plain else "use small letters, digits and dashes"
        raise NotBegunError(f'"{slug}" cannot stand in an address; {hint}')
    if slug in RESERVED:
        raise NotBegunError(f'"{slug}" is an address the site itself uses; choose another name')
