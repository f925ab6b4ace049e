"""Find where an inline text stands in its file: markdown-it gives it lines, but no columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..errors import Span


class Place:
    """Where each line of an inline text begins in the file.

    A paragraph's line is what is left of the file's line when marks of quotes and lists are gone,
    so it is looked for at the end of that line, and anywhere in it otherwise.
    """

    __slots__ = ("_escaped", "_path", "_rows", "_starts", "_text")

    def __init__(
        self, path: str, text: str, first: int, lines: Sequence[str], after: int = -1
    ) -> None:
        """Find `text` in `lines`, of which the first is line number `first` of the file.

        Args:
            path: the file's path.
            text: the inline text, as the parser sees it.
            first: the number of the line of the file that `lines` begins with.
            lines: the lines of the file that may hold the text.
            after: for a table's cell, the column (from 0) its neighbour ends at; pipes in a cell
                are written escaped.
        """
        self._path, self._text = path, text
        self._escaped = after >= 0
        self._starts = [0]
        self._rows: list[tuple[int, int]] = []
        for index, row in enumerate(text.split("\n")):
            self._starts.append(self._starts[-1] + len(row) + 1)
            sought = row.replace("|", "\\|") if self._escaped else row
            line = lines[index] if index < len(lines) else ""
            self._rows.append((first + index, max(0, _column(sought, line, after))))

    @property
    def end(self) -> int:
        """Return the column, from 0, at which the last line of the text ends."""
        row = self._text[self._starts[-2] :]
        return self._rows[-1][1] + len(row) + (row.count("|") if self._escaped else 0)

    def span(self, start: int, end: int) -> Span:
        """Return the place of a part of the text; one of several lines ends with its first."""
        index = bisect_right(self._starts, start) - 1
        index = min(index, len(self._rows) - 1)
        line, column = self._rows[index]
        begin = self._starts[index]
        end = min(end, self._starts[index + 1] - 1)
        if self._escaped:
            column += self._text.count("|", begin, start)
            end += self._text.count("|", start, end)
        return Span(self._path, line, column + start - begin + 1, max(1, end - start))


def _column(row: str, line: str, after: int) -> int:
    """Return where a row of the text begins in a line of the file, -1 when it is not in it."""
    if after >= 0:
        return line.find(row, after)
    kept, whole = row.rstrip(), line.rstrip()
    if whole.endswith(kept):
        return len(whole) - len(kept)
    found = line.find(row)
    if found < 0 and (bare := row.strip()):
        # Tabs are expanded in what the parser sees.
        found = line.find(bare)
        found = found - (len(row) - len(row.lstrip())) if found >= 0 else -1
    return found


class Field:
    """Where the parts of a front matter's value stand: YAML may have folded its lines."""

    __slots__ = ("_first", "_lines", "_path", "_text")

    def __init__(self, path: str, text: str, first: int, lines: Sequence[str]) -> None:
        """Find `text`, or what can be found of it, in `lines`."""
        self._path, self._text, self._first, self._lines = path, text, first, lines

    def span(self, start: int, end: int) -> Span:
        """Return the place of a part of the text, or of the value when it is not found."""
        part = self._text[start:end]
        for number, line in enumerate(self._lines, self._first):
            if (column := line.find(part)) >= 0:
                return Span(self._path, number, column + 1, max(1, len(part)))
        line = self._lines[0] if self._lines else ""
        return Span(self._path, self._first, 1, max(1, len(line)))
