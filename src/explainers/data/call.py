"""A run that is asked for, and what it leaves: plain values, for they cross processes."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import Span

VARIABLE = "$"
"""Begins the name of an environment variable among the files that a run reads."""


@dataclass(frozen=True, slots=True)
class Call:
    """One function of one article's data.py to be run.

    `inputs` are the datasets that its parameters name, encoded; `span` is where it is declared,
    or asked for; a `claim` is an undecorated function whose result is judged; `given` says how to
    load a dataset that no function makes; `env` are environment variables with what they hold.
    """

    root: str
    slug: str
    name: str
    span: Span
    inputs: tuple[tuple[str, bytes], ...] = ()
    backend: str = "numpy"
    claim: bool = False
    given: str = ""
    env: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """A result as bytes; `reads` are the site's files that the run opened, code apart.

    The environment variables that it declares are among them, as "$NAME".
    """

    data: bytes
    reads: tuple[str, ...]
    seconds: float
