"""What articles say of their datasets: values in the text, and claims that must hold.

Only what is asked for is imported: a memoised result needs neither Jinja nor NumPy, reading an
expression needs Jinja, and `evaluate` needs both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..errors import Problem
from ..model import Expression


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What an expression came to: its text as print has it, its value, the value in full.

    `origin` says where the number comes from: computed, modelled, measured, cited or sample;
    `note` says it in a sentence, where there is more to say.
    """

    text: str
    value: Any
    raw: str
    origin: str = "computed"
    note: str = ""

    def json(self) -> dict[str, Any]:
        """Return it ready for JSON (whose infinities are Python's)."""
        return asdict(self)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Evaluated:
        """Return what `json` gave."""
        return cls(**kept)


def names(text: str) -> tuple[str, ...]:
    """Return the names an expression uses beside our functions; none if it cannot be read."""
    from .expression import names

    return names(text)


def bare_name(text: str) -> str | None:
    """Return the name when the expression is nothing but one."""
    name = text.strip()
    return name if name.isidentifier() and names(name) else None


def check(expression: Expression) -> tuple[Problem, ...]:
    """Return what is wrong with an expression as it is written; needs no data."""
    from .expression import check

    return check(expression)


def evaluate(expression: Expression, datasets: Mapping[str, Any]) -> Evaluated | Problem:
    """Return what an expression comes to over datasets, or what is wrong with it.

    `datasets` may also hold "numbers": the rows of the article's table, by name.
    """
    from .answers import evaluate

    return evaluate(expression, datasets)


def verdict(expression: Expression, data: bytes) -> Evaluated | Problem:
    """Return what a claim that is a function of data.py came to, in a worker."""
    from .answers import verdict

    return verdict(expression, data)
