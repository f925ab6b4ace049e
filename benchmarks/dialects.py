"""Say an article of the corpus as each peer would have it written.

Front matter, formulas, languages of code, the note, links and the picture change their form where
the peer knows another; the words, and what is asked for, are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from corpus import Corpus

_PARTS = re.compile(
    r"""
    ^```(?P<language>\w+)\n(?P<code>.*?)^```$
    | ^\$\$\n(?P<display>.*?)\n\$\$$
    | ^:::\{note\}\n(?P<note>.*?)\n:::$
    | (?P<literal>`[^`\n]+`)
    | \$(?P<inline>[^$\n]+)\$
    | (?<=\]\()\.\./(?P<slug>[\w-]+)/index\.md\#(?P<anchor>[^)\n]+)(?=\))
    | (?<=\]\()(?P<picture>plot\.svg)(?=[ )])
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_FIELD = re.compile(r'^(\w+): (?:"(.*)"|\[(.*)\]|(.*))$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a peer writes what not all write alike; `{}` stands for the thing itself.

    `link` has two, the slug and the anchor. `languages` are other names of those that it lacks.
    """

    head: Callable[[dict[str, str]], str]
    link: str = "../{}/#{}"
    picture: str = "{}"
    note: str = "> **Note.** {}"
    inline: str = "${}$"
    display: str = "$$\n{}\n$$"
    languages: tuple[tuple[str, str], ...] = (("triton", "python"),)

    def article(self, slug: str, text: str) -> str:
        """Return an article of the corpus in this dialect."""
        _, front, body = text.split("---\n", 2)
        fields = {m[1]: next(filter(None, m.groups()[1:]), "") for m in _FIELD.finditer(front)}
        return self.head({**fields, "slug": slug}) + _PARTS.sub(self._part, body)

    def _part(self, match: re.Match[str]) -> str:
        match match.lastgroup:
            case "code":
                language = dict(self.languages).get(match["language"], match["language"])
                return f"```{language}\n{match['code']}```"
            case "note":
                return self.note.format(_PARTS.sub(self._part, match["note"]))
            case "display":
                return self.display.format(match["display"])
            case "inline":
                return self.inline.format(match["inline"])
            case "anchor":
                return self.link.format(match["slug"], match["anchor"])
            case "picture":
                return self.picture.format(match["picture"])
            case _:
                return match[0]


def _yaml(fields: dict[str, str]) -> str:
    """Front matter of Hugo and Eleventy."""
    return (
        f'---\ntitle: "{fields["title"]}"\ndescription: "{fields["summary"]}"\n'
        f"date: {fields['date']}\ntags: [{fields['tags']}]\n---\n"
    )


def _titled(fields: dict[str, str]) -> str:
    """The title alone, a heading: Sphinx has neither dates nor tags."""
    return f"# {fields['title']}\n"


def _metadata(fields: dict[str, str]) -> str:
    """Lines of Python-Markdown, which end at the first empty one."""
    return (
        f"Title: {fields['title']}\nSlug: {fields['slug']}\nDate: {fields['date']}\n"
        f"Tags: {fields['tags']}\nSummary: {fields['summary']}\n"
    )


DIALECTS = {
    "hugo": Dialect(_yaml),
    # Prism knows no CUDA, which is C++ and a few words more.
    "eleventy": Dialect(_yaml, languages=(("triton", "python"), ("cuda", "cpp"))),
    "pelican": Dialect(_metadata, link="{{filename}}../{}/index.md#{}", picture="{{attach}}{}"),
    "sphinx": Dialect(_titled, link="../{}/index.md#{}", note=":::{{note}}\n{}\n:::"),
}


def adapted(corpus: Corpus, name: str) -> Iterator[tuple[str, str]]:
    """Yield the path and text of every article and picture, in a peer's dialect."""
    dialect = DIALECTS[name]
    for path, text in corpus.files():
        if path.endswith("index.md"):
            yield path, dialect.article(path.split("/")[-2], text)
        elif path.endswith(".svg"):
            yield path, text
