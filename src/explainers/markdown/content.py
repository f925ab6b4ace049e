"""What a directive's own code is given: the block, its tokens, and how to render them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from markdown_it.token import Token

from .directive import Block
from .directives import TITLES
from .page import Page

Render = Callable[[Sequence[Token]], str]


@dataclass(frozen=True, slots=True)
class Content:
    """A directive to be rendered; `answer` is what stood after the line `---`."""

    block: Block
    label: str
    number: int
    heading: Sequence[Token]
    tokens: Sequence[Token]
    answer: Sequence[Token] | None
    page: Page
    render: Render

    @property
    def id(self) -> str:
        """Return the id as an attribute, with a space before it."""
        return f' id="{escape(self.label)}"' if self.label else ""

    def title(self) -> str:
        """Return the title's HTML: the author's, or the block's usual one."""
        return self.render(self.heading) if self.heading else TITLES.get(self.block.name, "")

    def body(self) -> str:
        """Return the body's HTML."""
        return self.render(self.tokens)

    def caption(self, words: str) -> str:
        """Return the body as a figure's caption: one paragraph bare, more as they are."""
        label = f'<span class="label">{words} {self.number}</span>'
        only = [token.type for token in self.tokens] == [
            "paragraph_open",
            "inline",
            "paragraph_close",
        ]
        inner = self.render(self.tokens[1:2] if only else self.tokens)
        return (
            f"<figcaption>{label} {inner}</figcaption>"
            if inner
            else f"<figcaption>{label}</figcaption>"
        )
