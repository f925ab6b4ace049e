"""What pages show of the glossary, and the glossary of them."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import replace

from ..link import users
from ..model import Link, Parsed, Part, Site


def used(item: Parsed, site: Site) -> tuple[Parsed, dict[Link, str]]:
    """Return a page in which each entry of the glossary names its users, and their addresses."""
    if not item.outline.glossary:
        return item, {}
    known = users(site.pages)
    found: dict[Link, str] = {}
    parts: list[Part] = []
    for part in item.body.parts:
        if isinstance(part, Link) and part.use == "users":
            links = {slug: Link(slug, "user", part.span) for slug in known.get(part.target, ())}
            found |= {link: f"{slug}/" for slug, link in links.items()}
            parts += _named(links.items(), site)
        else:
            parts.append(part)
    return replace(item, body=replace(item.body, parts=tuple(parts))), found


def _named(links: Iterable[tuple[str, Link]], site: Site) -> list[Part]:
    """Return a line that names pages and leads to them; nothing when there are none."""
    parts: list[Part] = []
    for slug, link in links:
        title = html.escape(site.pages[slug].title_text, quote=False)
        parts += [
            ", " if parts else '<dd class="users">Used in ',
            '<a href="',
            link,
            f'">{title}</a>',
        ]
    return [*parts, "</dd>\n"] if parts else []
