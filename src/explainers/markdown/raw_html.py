"""Raw HTML, where an article asked for it: what would run or call is refused."""

from __future__ import annotations

import re
from html.parser import HTMLParser

FORBIDDEN = frozenset(
    {"script", "style", "iframe", "object", "embed", "base", "meta", "link", "form", "template"}
)
_ADDRESSES = frozenset({"href", "src", "action", "formaction", "xlink:href", "data", "poster"})
_SCHEME = re.compile(r"(?:javascript|vbscript|data|file):", re.IGNORECASE)
_SPACE = re.compile(r"[\x00-\x20\x7f-\xa0]")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in FORBIDDEN:
            self.found = self.found or f"<{tag}>"
        for name, value in attrs:
            target = _SPACE.sub("", value or "")
            if name.startswith("on"):
                self.found = self.found or f"the attribute {name}"
            elif name in _ADDRESSES and _SCHEME.match(target):
                self.found = self.found or f"an address that starts with {target.split(':')[0]}:"


def refused(html: str) -> str | None:
    """Return what must not stand in a page, None when all may."""
    reader = _Reader()
    reader.feed(html)
    # A tag that never ends is still a tag to a browser.
    rest = reader.rawdata
    if rest:
        reader.feed(">")
    if reader.found is None and re.search(r"</?\s*(?:script|style)", html, re.IGNORECASE):
        return "<script> or <style>"
    return reader.found
