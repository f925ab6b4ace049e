"""Write the HTML of a page's text as Markdown: the twin of each page, for machines and for copying.

It reads only what `markdown/` emits: attributes are quoted and hold no `>`. What other stages made
stands in the text as INSET, its index and INSET again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from .inset import INSET, Inset, fenced
from .writer import Writer

__all__ = ["INSET", "Inset", "fenced", "markdown"]

_CODE = re.compile(
    r'<div class="code[^>]*?data-lang="(?P<lang>[^"]*)"[^>]*>.*?'
    r"<pre[^>]*>(?P<code>.*?)</pre></div>",
    re.DOTALL,
)
_TAG = re.compile(r"(<[^>]+>)")


def markdown(text: str, insets: Sequence[Inset]) -> str:
    """Return HTML as Markdown."""
    known = list(insets)

    def code(found: re.Match[str]) -> str:
        # Coloured code is most of a page's tags; none of them says anything here.
        bare = html.unescape(_TAG.sub("", found["code"])).strip("\n")
        known.append(Inset(fenced(bare, found["lang"].removeprefix("text")), True))
        return f"{INSET}{len(known) - 1}{INSET}"

    writer = Writer(known)
    for token in _TAG.split(_CODE.sub(code, text)):
        if token.startswith("<"):
            writer.tag(token)
        elif token == "\n":
            # Between blocks, which is where most stand, it says nothing.
            if writer.inline:
                writer.words(token)
        elif token:
            writer.words(token)
    writer.flush()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(writer.lines)).strip() + "\n"
