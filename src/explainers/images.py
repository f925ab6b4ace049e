"""Look into image files: their size, and whether an SVG would do more than show itself."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any, NoReturn
from xml.parsers import expat

from .errors import BuildError, Problem, Span

KINDS = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")
"""What every browser shows."""

REFUSED = frozenset({"script", "foreignobject", "iframe", "embed", "object", "handler", "listener"})
_ADDRESSES = ("href", "src")
_INSIDE = re.compile(r"#|data:image/(?:png|jpeg|gif|webp|avif);base64,|$")
_OUTSIDE = re.compile(
    r"@import|url\(\s*[\"']?(?!#|data:image/(?:png|jpeg|gif|webp)|data:font/)", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\[0-9a-f]", re.IGNORECASE)
_ANIMATED = re.compile(r"^on|href$", re.IGNORECASE)
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)(px|pt|pc|mm|cm|in|Q)?\s*")
_PIXELS = {"pt": 4 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "Q": 96 / 101.6}

Size = tuple[int, int]


def size(data: bytes, path: str) -> Size:
    """Return width and height of an image in pixels.

    Raises:
        BuildError: no image that browsers show, or an SVG that holds more than a picture.
    """
    if path.lower().endswith(".svg"):
        return _Svg(path, data).size()
    found = (-1, -1)
    if path.lower().endswith(KINDS):
        import imagesize  # few pages have images

        try:
            found = imagesize.get(io.BytesIO(data))
        except Exception:
            found = (-1, -1)
    if min(found) <= 0:
        hint = f"browsers show {', '.join(KINDS)}"
        message = "this is no image that a page can show"
        raise BuildError([Problem("bad-image", message, Span(path), hint)])
    return found


class _Svg:
    """Reads one SVG; what it must not hold becomes a problem at its place."""

    def __init__(self, path: str, data: bytes) -> None:
        self._path, self._data = path, data
        self._problems: list[Problem] = []
        self._root: dict[str, str] | None = None
        self._style = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        handlers: dict[str, Callable[..., Any]] = {
            "StartElementHandler": self._start,
            "EndElementHandler": self._end,
            "CharacterDataHandler": self._text,
            "EntityDeclHandler": self._entity,
            "ProcessingInstructionHandler": self._instruction,
        }
        for name, handler in handlers.items():
            setattr(self._parser, name, handler)

    def size(self) -> Size:
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            message = f"this SVG is no XML: {expat.ErrorString(error.code)}"
            self._problems.append(
                Problem("bad-image", message, Span(self._path, error.lineno, error.offset + 1))
            )
        found = self._size()
        if self._problems:
            raise BuildError(self._problems)
        return found

    def _size(self) -> Size:
        root = self._root or {}
        lengths = [_pixels(root.get(name, "")) for name in ("width", "height")]
        box = re.split(r"[\s,]+", root.get("viewBox", "").strip())
        sides = [_pixels(side) for side in box[2:]] if len(box) == 4 else [0.0, 0.0]
        if not all(lengths) and all(sides):
            wide, high = lengths
            ratio = sides[0] / sides[1]
            lengths = [wide or (high * ratio or sides[0]), high or (wide / ratio or sides[1])]
        if not all(lengths) and not self._problems:
            hint = 'write <svg viewBox="0 0 640 480">: the page keeps its place free'
            self._problems.append(
                Problem("bad-image", "this SVG does not say its size", Span(self._path), hint)
            )
        return max(1, round(lengths[0])), max(1, round(lengths[1]))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if self._root is None:
            self._root = attributes
            if tag != "svg":
                self._refuse("a root that is not <svg>")
        self._style += tag == "style"
        if tag.lower() in REFUSED:
            self._refuse(f"<{tag}>")
        for key, value in attributes.items():
            bare = key.rpartition(" ")[2].lower()
            if bare.startswith("on"):
                self._refuse(f"the attribute {bare}")
            elif bare in _ADDRESSES and tag != "a" and not _INSIDE.match(value.strip()):
                self._refuse(f"a reference to {value.strip()[:60]}")
            elif bare in _ADDRESSES and tag == "a" and not re.match(r"https?://|#", value.strip()):
                self._refuse(f"a link to {value.strip()[:60]}")
            elif _is_outside(value):
                self._refuse(f"a reference to another file in {bare}")
            elif bare == "attributename" and _ANIMATED.search(value):
                self._refuse(f"an animation of {value}")

    def _end(self, name: str) -> None:
        self._style -= name.rpartition(" ")[2] == "style"

    def _text(self, text: str) -> None:
        if self._style and _is_outside(text):
            self._refuse("a reference to another file in <style>")

    def _entity(self, *_: object) -> None:
        self._refuse("an entity of its own")
        self._stop()

    def _instruction(self, target: str, _: str) -> None:
        self._refuse(f"<?{target}?>")

    def _stop(self) -> NoReturn:
        # Entities may grow without bound when they are used.
        raise BuildError(self._problems)

    def _refuse(self, what: str) -> None:
        span = Span(
            self._path, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        )
        hint = "an image may only show itself; export it as plain SVG"
        self._problems.append(Problem("unsafe-image", f"this SVG holds {what}", span, hint))


def _is_outside(style: str) -> bool:
    """Return whether a style loads something, or may hide that it does."""
    return bool(_ESCAPE.search(style) or _OUTSIDE.search(style.replace("\\", "")))


def _pixels(text: str) -> float:
    """Return a length in pixels, 0 when it is none or relative."""
    found = _LENGTH.fullmatch(text)
    return float(found[1]) * _PIXELS.get(found[2] or "", 1.0) if found else 0.0
