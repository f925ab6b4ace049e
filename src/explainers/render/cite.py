"""How an article is cited: in a sentence, and in BibTeX."""

from __future__ import annotations

import re
import unicodedata

from ..config import Config
from ..model import Outline
from .layout import absolute

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}


def cite(outline: Outline, config: Config) -> dict[str, str]:
    """Return the sentence and the BibTeX entry that name an article."""
    authors = outline.meta.authors or config.authors
    date = outline.meta.date
    url = absolute(config, f"{outline.slug}/")
    # A site that signs its own articles is named once.
    names = ", ".join(name for name in authors if name != config.title)
    day = f"{date.day} {date:%B} {date.year}"
    told = [names, f"“{outline.title_text}”", config.title, day, url]
    fields = {
        "author": " and ".join(f"{{{_tex(name)}}}" for name in authors or (config.title,)),
        "title": f"{{{_tex(outline.title_text)}}}",
        "journal": _tex(config.title),
        "year": str(date.year),
        "month": f"{date:%b}".lower(),
        "url": url,
    }
    lines = [
        f"  {name} = {value if name == 'month' else f'{{{value}}}'},"
        for name, value in fields.items()
        if value
    ]
    entry = "\n".join([f"@article{{{_key(outline, config)},", *lines, "}"])
    return {"text": ", ".join(filter(None, told)), "bibtex": entry}


def _key(outline: Outline, config: Config) -> str:
    authors = outline.meta.authors or config.authors or (config.title,)
    words = f"{authors[0]}{outline.meta.date.year}{outline.slug}".lower()
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "", plain)


def _tex(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
