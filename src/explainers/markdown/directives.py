"""The directives an author may write, and the options of each: the one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a directive: how its value is read, and what it does.

    `type` is one of: label, text, expression (the raw text of the line), datasets, state, map,
    flag, lines, target, or the allowed words separated by `|`.
    """

    type: str
    help: str


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive: what follows its name on the line, its options, what it does.

    `argument` is "" (none), "title" (may be left out) or the word for what must be there; `body`
    says that one must follow.
    """

    help: str
    argument: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    body: bool = True


LABEL = Option("label", "a name to refer to it by")
ALIASES = {"name": "label"}
"""Options that go by a second name."""

_ANSWER = Option("expression", "an expression over the article's datasets; its value is the answer")
_TOLERANCE = Option("expression", "how far from the answer a typed number may be")
_QUESTION = {"label": LABEL, "answer": _ANSWER, "tolerance": _TOLERANCE}
_BOX = {"label": LABEL}

DIRECTIVES: Mapping[str, Directive] = {
    "figure": Directive(
        "An interactive figure: numbered, captioned, linkable. The body is its caption.",
        argument="kind",
        options={
            "label": LABEL,
            "data": Option("datasets", "a dataset, or a map from the kind's names to datasets"),
            "state": Option("state", "the state of the first frame"),
            "size": Option("text|wide|full", "the width it asks for"),
            "options": Option("map", "further settings of this kind"),
        },
        body=False,
    ),
    "claim": Directive(
        "A sentence the build checks; it reads as prose.",
        argument="expression",
        options={"label": LABEL},
    ),
    "listing": Directive(
        "The source of a kernel or a part of it. The body is its caption.",
        argument="file",
        options={
            "label": LABEL,
            "title": Option("text", "a line above the code"),
            "lines": Option("lines", "the lines to show, counted from the function's first"),
            "mark": Option("lines", "the lines to mark, counted in the same way"),
            "numbers": Option("flag", "show line numbers"),
        },
        body=False,
    ),
    "numbers": Directive(
        "A table of named numbers, each with a source or an expression.",
        options={"label": LABEL},
    ),
    "self-check": Directive(
        "A question; after a line `---` its answer, closed.", argument="title", options=_QUESTION
    ),
    "probe": Directive(
        "A deeper question, in the same form as a self-check.", argument="title", options=_QUESTION
    ),
    "predict": Directive(
        "A question with a list of options: the reader commits before seeing.",
        argument="title",
        options={
            "label": LABEL,
            "answer": Option(
                "expression", "the number of the right option, from 1, or an expression"
            ),
            "reveals": Option("target", "the figure that shows the answer"),
        },
    ),
    "mental-model": Directive("The picture to keep in mind.", argument="title", options=_BOX),
    "note": Directive("Something worth knowing beside the line of thought.", "title", _BOX),
    "aside": Directive("A remark in the margin, where there is one.", "title", _BOX),
    "warning": Directive("Something that goes wrong easily.", "title", _BOX),
    "derivation": Directive("A derivation, folded.", "title", _BOX),
    "example": Directive("Its body as it is written, and as it comes out.", options=_BOX),
}

TITLES = {
    "mental-model": "Mental model",
    "note": "Note",
    "aside": "",
    "warning": "Warning",
    "derivation": "Derivation",
    "self-check": "Self-check",
    "probe": "Probe",
    "predict": "Predict",
    "example": "Example",
}
"""What a block is called when its author gives it no title."""

SHOWN = frozenset({"example"})
"""Directives that show what was written in them."""

ANSWERED = frozenset({"self-check", "probe", "predict"})
"""Directives whose body is cut in two by a line `---`."""

MODULE = ("mental-model", "numbers", "probe", "self-check")
"""What every module has; other kinds use what serves the reader."""
