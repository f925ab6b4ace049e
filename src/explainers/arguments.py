"""What commands take, checked before any work begins."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import re
from pathlib import Path
from typing import Any, NoReturn

from .nearest import nearest


class UsageError(Exception):
    """The command cannot be run as it was asked for."""


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes say what was meant, and whose help ends with examples."""

    def __init__(self, *given: Any, examples: str = "", **named: Any) -> None:
        """Take what argparse takes; `examples` are lines of `command  what it does`."""
        named.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        if examples:
            indented = examples.replace("\n", "\n  ")
            named["epilog"] = f"examples:\n  {indented}"
        super().__init__(*given, **named)

    def error(self, message: str) -> NoReturn:
        """Say in a line or two what is wrong, and end."""
        unknown = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        stray = re.search(r"unrecognized arguments: (\S+)", message)
        hint: str | None = None
        if unknown:
            known = re.findall(r"[\w-]+", unknown[2])
            command = message.startswith("argument COMMAND")
            message = f'there is no {"command" if command else "choice"} "{unknown[1]}"'
            if command and (Path("content/articles") / unknown[1]).is_dir():
                hint = f"to build that article: {self.prog} build {unknown[1]}"
            else:
                hint = nearest(unknown[1], known, f"there are: {', '.join(known)}")
        elif stray:
            known = [text for action in self._actions for text in action.option_strings]
            message = f"{stray[1]} is not known here"
            hint = nearest(stray[1], known, f"{self.prog} --help lists what is")
        text = f"{self.prog}: {message}" + (f"\nhint: {hint}" if hint else "")
        self.exit(2, f"{text}\n")

    def parse_args(self, *given: Any, **named: Any) -> Any:
        """Parse; what a command does not know is told by that command, not by the whole."""
        asked, strays = self.parse_known_args(*given, **named)
        if strays:
            parser = getattr(asked, "parser", self)
            parser.error(f"unrecognized arguments: {' '.join(strays)}")
        return asked


def positive(text: str) -> int:
    """Return a count of at least one; argparse tells of anything else."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"it is a whole number from 1, not {text!r}")
    return number


def address(text: str | None) -> str | None:
    """Return a base URL with its closing slash."""
    if not text:
        return None
    from .config import is_base

    if not is_base(text):
        raise UsageError(f'the base URL must begin with https://, not be "{text}"')
    return text.rstrip("/") + "/"


def epoch_date() -> dt.date | None:
    """Return the day that SOURCE_DATE_EPOCH names, where it is set."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return None
    try:
        return dt.datetime.fromtimestamp(int(text), dt.UTC).date()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f'SOURCE_DATE_EPOCH must be seconds since 1970, not "{text}"') from None


def clean(root: Path, output: str, cache: str, mark: str) -> list[str]:
    """Remove what builds have made in a site, and return the names of the folders.

    Raises:
        UsageError: the output was not made by a build, and nothing is removed.
    """
    made = [root / name for name in (output, cache) if (root / name).is_dir()]
    for folder in made:
        ours = folder.name == cache or (folder / mark).exists() or not any(folder.iterdir())
        if folder.is_symlink() or not ours:
            raise UsageError(f"{folder.name}/ was not made by a build; remove it yourself")
    import shutil

    for folder in made:
        shutil.rmtree(folder)
    return [f"{folder.name}/" for folder in made]
