"""The roles an author may write in running text: the one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Role:
    """A role: what it does, how it is written, and whether its words are Markdown.

    `target` is "" (the whole content is one thing), "self" (the content is also the target when
    no `<target>` follows the words) or "must" (a `<target>` is needed).
    """

    help: str
    example: str
    target: str = ""
    words: bool = False


ROLES: Mapping[str, Role] = {
    "value": Role("A number from a dataset.", "{value}`runs.at(n=64).mean | fixed(2)`"),
    "cite": Role("A source of the bibliography.", "{cite}`milakov2018online`", "self"),
    "ref": Role("A figure, section, listing or page.", "{ref}`one-sweep`", "self"),
    "eq": Role("A numbered equation.", "{eq}`merge-rule`", "self"),
    "term": Role(
        "A word that shares a colour with a formula, a listing, a figure.",
        "{term}`running maximum <m>`",
        "self",
        words=True,
    ),
    "trigger": Role(
        "A word that plays a figure to a step.",
        "{trigger}`shrink the sum <one-sweep?step=5>`",
        "must",
        words=True,
    ),
    "scrub": Role("A number the reader can drag.", "{scrub}`one-sweep.shift`", "self"),
    "given": Role(
        "A measured number that is a premise of the text.", "{given}`3.35 TB/s`", words=True
    ),
    "hand": Role(
        "What a reader can do, left out of print and where no script runs.",
        "{hand}`Drag a bar.`",
        words=True,
    ),
    "gloss": Role("An entry of the glossary.", "{gloss}`prefix sum <scan>`", "self", words=True),
}
