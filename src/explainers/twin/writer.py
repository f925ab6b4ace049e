"""The writer of Markdown: told tags and words one by one, it keeps lists, quotations and rows."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .inset import INSET, Inset, fenced

_ATTRIBUTE = re.compile(r'([\w-]+)(?:="([^"]*)")?')
_SPECIAL = re.compile(r"[\\`*_\[\]<$]")
_SPACES = re.compile(r"\s+")
_VOID = frozenset({"img", "br", "input", "hr"})
_MARKS = {"em": "*", "strong": "**", "s": "~~"}
_SILENT = frozenset({"anchor", "footnote-back", "cite-back", "secno", "eqno", "code-title"})
"""Classes of what only a page needs."""

_LABELS = frozenset({"box-title", "label"})
_BARE = frozenset({"cite", "trigger", "gloss"})
"""Links that are only words elsewhere."""


@functools.lru_cache(maxsize=1000)
def _read(token: str) -> tuple[str, Mapping[str, str], Sequence[str]]:
    """Return the name of a tag, its attributes and its classes; pages repeat a few tags."""
    name, space, rest = token[1:-1].partition(" ")
    if not space:
        return name, {}, ()
    found = {m[1]: html.unescape(m[2] or "") for m in _ATTRIBUTE.finditer(rest)}
    return name, found, found.get("class", "").split()


def _escaped(found: re.Match[str]) -> str:
    return "\\" + found[0]


@dataclass(slots=True)
class _Place:
    """A list, an item or a quotation that the text stands in."""

    kind: str
    number: int = 0
    indent: str = ""
    marker: str = ""
    note: bool = False
    loose: bool = False


@dataclass(slots=True)
class Writer:
    """What has been written, and what the text stands in."""

    insets: Sequence[Inset]
    lines: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    places: list[_Place] = field(default_factory=list)
    open: list[tuple[str, Callable[[], None] | None]] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    heads: bool = False
    muted: int = 0
    code: int = 0

    def words(self, token: str) -> None:
        """Take text, and the insets in it."""
        if self.muted:
            return
        if INSET not in token:
            self._text(token)
            return
        for index, part in enumerate(token.split(INSET)):
            if index % 2:
                self._inset(self.insets[int(part)])
            elif part:
                self._text(part)

    def _text(self, text: str) -> None:
        if "&" in text:
            text = html.unescape(text)
        if not self.code:
            if "\n" in text or "  " in text:
                text = _SPACES.sub(" ", text)
            text = _SPECIAL.sub(_escaped, text)
        self.inline.append(text)

    def tag(self, token: str) -> None:
        """Take a tag."""
        if token[1] == "/":
            self._close(token[2:-1])
            return
        name, found, classes = _read(token)
        if name in _VOID:
            self._void(name, found)
            return
        self.open.append((name, self._open(name, found, classes)))

    def flush(self, before: str = "", after: str = "") -> None:
        """End the paragraph that is being written."""
        if not self.inline:
            return
        text = "".join(self.inline).strip()
        self.inline.clear()
        if text:
            self._block(before + text + after)

    def _close(self, name: str) -> None:
        while self.open:
            opened, after = self.open.pop()
            if after:
                after()
            if opened == name:
                return

    def _block(self, text: str) -> None:
        """Write lines as a block, each behind what it stands in."""
        if not self.places:
            if self.lines:
                self.lines.append("")
            self.lines.append(text)
            return
        indent = "".join(place.indent for place in self.places)
        first = "".join(place.marker or place.indent for place in self.places)
        place = self.places[-1]
        tight = place.marker and place.number > 1 and not place.loose
        for other in self.places:
            other.marker = ""
        if self.lines and not tight:
            self.lines.append(indent.rstrip() if ">" in indent else "")
        rows = text.split("\n")
        self.lines += [first + rows[0], *((indent + row).rstrip() for row in rows[1:])]

    def _inset(self, inset: Inset) -> None:
        if not inset.text:
            return
        if not inset.block or self.row or self.heads:
            self.inline.append(inset.text.replace("\n", " "))
            return
        self.flush()
        self._block(inset.text)

    def _void(self, name: str, found: Mapping[str, str]) -> None:
        if self.muted:
            return
        if name == "img":
            alt = found.get("alt", "").replace("]", "\\]")
            self.inline.append(f"![{alt}]({found.get('src', '')})")
        elif name == "input":
            self.inline.append("[x]" if "checked" in found else "[ ]")
        elif name == "br":
            self.inline.append(" ")
        else:
            self.flush()
            self._block("---")

    def _open(
        self, name: str, found: Mapping[str, str], classes: Sequence[str]
    ) -> Callable[[], None] | None:
        """Begin an element, and return what ends it."""
        if self.muted or not _SILENT.isdisjoint(classes):
            self.muted += 1
            return self._unmute
        if name == "p" and not classes:
            self.flush()
            if self.places:
                self.places[-1].loose = True
            return self.flush
        if not _LABELS.isdisjoint(classes) or name in ("summary", "dt"):
            return self._mark("**", "**", block=name != "span")
        if name in _MARKS:
            return self._mark(_MARKS[name], _MARKS[name])
        if name == "a":
            inside = self.open[-1][0] if self.open else ""
            if inside == "sup" or not _BARE.isdisjoint(classes):
                return None
            self.inline.append("[")
            return lambda: self.inline.append(f"]({found.get('href', '')})")
        if name == "sup" and "footnote-ref" in classes:
            self.inline.append("[^")
            return lambda: self._join("]")
        if name == "code" and not self.code:
            return self._code()
        if name == "pre":
            self.flush()
            self.code += 1
            return self._pre
        if name[0] == "h" and name[1:].isdigit():
            self.flush()
            return lambda: self.flush("#" * int(name[1:]) + " ")
        return self._structure(name, found, classes)

    def _structure(
        self, name: str, found: Mapping[str, str], classes: Sequence[str]
    ) -> Callable[[], None] | None:
        if name in ("th", "td"):
            self.heads = True
            return self._cell
        if name == "tr":
            return self._row
        if name == "table":
            self.flush()
            self.lines.append("")
            return None
        if name in ("ul", "ol", "blockquote"):
            self.flush()
            notes = any(opened == "footnotes" for opened, _ in self.open)
            self.places.append(
                _Place(name, indent="> " if name == "blockquote" else "", note=notes)
            )
            return self._leave
        if name == "li":
            return self._item()
        if name == "section" and "footnotes" in classes:
            self.flush()
            self.open.append(("footnotes", None))
            return self.flush
        if name in ("p", "div", "section", "aside", "figure", "figcaption", "details", "dl", "dd"):
            self.flush()
            return self.flush
        return None

    def _mark(self, before: str, after: str, *, block: bool = False) -> Callable[[], None]:
        if block:
            self.flush()
            return lambda: self.flush(before, after)
        self.inline.append(before)
        return lambda: self.inline.append(after)

    def _join(self, text: str) -> None:
        """Put text behind the last words without a space before it."""
        self.inline.append(text)

    def _code(self) -> Callable[[], None]:
        start = len(self.inline)
        self.code += 1

        def end() -> None:
            self.code -= 1
            text = "".join(self.inline[start:])
            del self.inline[start:]
            runs = [len(run) for run in re.findall("`+", text)]
            fence = "`" * (max(runs, default=0) + 1)
            pad = " " if text.startswith("`") or text.endswith("`") else ""
            self.inline.append(f"{fence}{pad}{text}{pad}{fence}")

        return end

    def _pre(self) -> None:
        self.code -= 1
        text = "".join(self.inline).strip("\n")
        self.inline.clear()
        self._block(fenced(text, ""))

    def _unmute(self) -> None:
        self.muted -= 1

    def _item(self) -> Callable[[], None]:
        self.flush()
        above = self.places[-1]
        above.number += 1
        number = f"{above.number}. "
        if above.note:
            marker, indent = f"[^{above.number}]: ", "    "
        else:
            marker = number if above.kind == "ol" else "- "
            indent = " " * len(marker)
        self.places.append(_Place("li", above.number, indent, marker))
        return self._leave

    def _leave(self) -> None:
        self.flush()
        self.places.pop()

    def _cell(self) -> None:
        self.row.append("".join(self.inline).strip().replace("|", "\\|"))
        self.inline.clear()
        self.heads = False

    def _row(self) -> None:
        first = not self.lines or not self.lines[-1].startswith("|")
        self.lines.append(f"| {' | '.join(self.row)} |")
        if first:
            self.lines.append("|" + " --- |" * len(self.row))
        self.row.clear()
