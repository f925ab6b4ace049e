"""Links and images: where they stand, which may be written, and their HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from urllib.parse import unquote

from markdown_it import MarkdownIt, rules_inline
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ..model import Link
from .page import Page, page_of

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SAFE = frozenset({"http:", "https:", "mailto:", "tel:"})
_PICTURE = re.compile(r"data:image/(gif|png|jpeg|webp|avif);base64,")

Rule = Callable[[StateInline, bool], bool]


def install(md: MarkdownIt) -> None:
    """Replace the parser's own rules by ones that note places, raw HTML's too."""
    md.inline.ruler.at("link", _placed(rules_inline.link, "link_open", "href"))
    md.inline.ruler.at("image", _placed(rules_inline.image, "image", "src"))
    md.inline.ruler.at("autolink", _placed(rules_inline.autolink, "link_open", "href"))
    md.inline.ruler.at("html_inline", _placed(rules_inline.html_inline, "html_inline", ""))


def _placed(rule: Rule, kind: str, attribute: str) -> Rule:
    def placed(state: StateInline, silent: bool) -> bool:
        start, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            token = next(t for t in state.tokens[count : count + 2] if t.type == kind)
            target = str(token.attrs.get(attribute, ""))
            found = state.src.rfind(target, start, state.pos) if target else -1
            begin, end = (found, found + len(target)) if found >= 0 else (start, state.pos)
            token.meta["span"] = page_of(state.env).span(state.src, begin, end)
        return True

    return placed


def opening(token: Token, page: Page) -> str:
    """Return the tag that opens a link."""
    target = str(token.attrs.get("href", ""))
    span = token.meta["span"]
    title = token.attrs.get("title")
    rest = f' title="{escape(str(title))}"' if title else ""
    scheme = _scheme(target)
    if not target:
        page.problem("empty-link", "this link leads nowhere", span)
    elif scheme and scheme not in _SAFE:
        message = f"a link may not start with {scheme}"
        page.problem("unsafe-link", message, span, "https, http, mailto and tel may")
    elif target.startswith("//"):
        # It would go to another host, by http or https as the reader came, or to a file.
        message = "a link to another host says how to get there"
        page.problem("unsafe-link", message, span, f"write https:{target}")
    elif scheme:
        return f'<a href="{escape(normalizeLink(target))}"{rest} rel="external">'
    else:
        hole = page.hole(Link(unquote(target), "link", span))
        return f'<a href="{hole}"{rest}>'
    return "<a>"


def picture(token: Token, page: Page, alt: str) -> str:
    """Return the tag of an image; the hole after its address is for its size."""
    target = str(token.attrs.get("src", ""))
    span = token.meta["span"]
    tail = f'alt="{escape(alt)}" loading="lazy" decoding="async">'
    if _PICTURE.match(target):
        return f'<img src="{escape(target)}" {tail}'
    if not target:
        page.problem("empty-link", "this image has no file", span)
    elif _scheme(target) or target.startswith("//"):
        message = "an image of another host: pages make no request elsewhere"
        page.problem("outside-image", message, span, "put the file beside the article")
    else:
        address = page.hole(Link(unquote(target), "image", span))
        size = page.hole(Link(unquote(target), "size", span))
        return f'<img src="{address}"{size} {tail}'
    return ""


def _scheme(target: str) -> str:
    # Browsers drop white space and control characters in front of and inside a scheme.
    bare = re.sub(r"[\x00-\x20\x7f-\xa0]", "", target)
    found = _SCHEME.match(bare)
    return found[0].lower() if found else ""
