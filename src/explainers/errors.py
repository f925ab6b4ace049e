"""What went wrong, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

CONTEXT = 1
"""Lines shown above the one that is wrong."""

WIDTH = 96
"""Characters shown of a line: an article's paragraph is often one line."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: 1-based line and column, `width` characters wide.

    `path` is relative to the site's root, with forward slashes, so that messages and caches
    are the same on every machine.
    """

    path: str
    line: int = 1
    column: int = 1
    width: int = 1

    def __str__(self) -> str:
        """Return the place as editors read it."""
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: a stable code, one sentence, its place, and a way out."""

    code: str
    message: str
    span: Span | None = None
    hint: str | None = None

    @property
    def place(self) -> tuple[bool, Span, str, str]:
        """Return the sort key: by place, problems without one first."""
        return (self.span is not None, self.span or Span(""), self.code, self.message)


class BuildError(Exception):
    """All problems one stage found, in the order of their places."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems sorted and without repeats."""
        self.problems = tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.place))
        super().__init__("\n".join(f"{p.span or ''}: {p.message}" for p in self.problems))


class Superseded(Exception):  # noqa: N818 - nothing is wrong
    """A build was given up, because files that it has read were saved again."""


def refuse(problems: Iterable[Problem]) -> None:
    """Raise BuildError when there is any problem."""
    if found := list(problems):
        raise BuildError(found)


def as_data(problem: Problem, severity: str = "error") -> dict[str, str | int | None]:
    """Return the problem as what JSON can say: for editors and other programs."""
    span = problem.span
    place = {name: getattr(span, name, None) for name in ("path", "line", "column", "width")}
    return {
        "code": problem.code,
        "message": problem.message,
        **place,
        "hint": problem.hint,
        "severity": severity,
    }


def show(problem: Problem, read: Callable[[str], str | None], severity: str = "error") -> str:
    """Return the problem as text: place, message, the source line with a caret, the hint.

    `read` gives a file's text by its path, or None when the file cannot be read.
    """
    span = problem.span
    head = f"{severity}[{problem.code}]: {problem.message}"
    text = [f"{span}: {head}" if span else head]
    text_there = read(span.path) if span else None
    lines = _lines(text_there) if text_there else []
    if span and 1 <= span.line <= len(lines):
        gutter = len(str(span.line)) + 3
        above = range(max(1, span.line - CONTEXT), span.line)
        text += [f"{n:>{gutter}} | {_cut(lines[n - 1], 0)}".rstrip() for n in above]
        line, column = lines[span.line - 1], span.column - 1
        start = max(0, column - WIDTH // 2) if len(line) > WIDTH else 0
        cut = _cut(line, start)
        text.append(f"{span.line:>{gutter}} | {cut}".rstrip())
        # Tabs are kept in the indent, so that the caret stands under its character.
        indent = "".join(c if c == "\t" else " " for c in cut[: column - start])
        carets = "^" * max(1, min(span.width, len(cut) - len(indent)))
        text.append(f"{'':>{gutter}} | {indent}{carets}")
    if problem.hint:
        text.append(f"hint: {problem.hint}")
    return "\n".join(text)


def _lines(text: str) -> list[str]:
    """Return a text's lines as everything else counts them: only a line end ends one."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _cut(line: str, start: int) -> str:
    """Return WIDTH characters of a line, with an ellipsis where some are left out."""
    end = start + WIDTH
    text = line[start:end]
    if start:
        text = "…" + text[1:]
    return text[:-1] + "…" if end < len(line) else text
