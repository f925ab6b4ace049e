"""The HTML of footnotes: numbers in the text, the notes at the end, and the ways between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markdown_it.token import Token


class Notes:
    """The notes of a page, numbered as their first marks are rendered."""

    def __init__(self) -> None:
        """Begin without notes."""
        self._numbers: dict[int, int] = {}
        self._order: list[int] = []
        self._turns: dict[int, int] = {}

    def mark(self, token: Token) -> str:
        """Return the raised number that leads to a note."""
        note: int = token.meta["id"]
        if note not in self._numbers:
            self._numbers[note] = len(self._numbers) + 1
            self._order.append(note)
        number = self._numbers[note]
        turn = self._turns[note] = self._turns.get(note, 0) + 1
        name = _mark(number, turn)
        return f'<sup class="footnote-ref"><a href="#fn-{number}" id="{name}">{number}</a></sup>'

    def section(self, run: Sequence[Token], blocks: Callable[[Sequence[Token]], str]) -> str:
        """Return all notes that the text refers to."""
        notes: dict[int, Sequence[Token]] = {}
        index = 1
        while index < len(run) - 1:
            end = closed(run, index)
            notes[run[index].meta["id"]] = run[index + 1 : end]
            index = end + 1
        # The order grows while it is read: a note may be the first to refer to another.
        rows = [self._row(note, blocks(notes.get(note, ()))) for note in self._order]
        return (
            '<section class="footnotes" id="footnotes" aria-label="Footnotes">\n<ol>\n'
            f"{''.join(rows)}</ol>\n</section>\n"
        )

    def _row(self, note: int, html: str) -> str:
        number = self._numbers[note]
        back = "".join(
            f'\u00a0<a class="footnote-back" href="#{_mark(number, turn)}" '
            f'aria-label="Back to the text">↩</a>'
            for turn in range(1, self._turns[note] + 1)
        )
        html = html.rstrip("\n")
        body = html.removesuffix("</p>")
        tail = "</p>" if body != html else ""
        return f'<li id="fn-{number}">{body}{back}{tail}</li>\n'


def closed(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the token that closes the one at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if not depth:
            return index
    return len(tokens) - 1


def _mark(number: int, turn: int) -> str:
    return f"fnref-{number}" if turn == 1 else f"fnref-{number}-{turn}"
