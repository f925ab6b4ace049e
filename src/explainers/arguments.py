"""What commands take, checked before any work begins."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import shutil
from pathlib import Path


class UsageError(Exception):
    """The command cannot be run as it was asked for."""


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
    for folder in made:
        shutil.rmtree(folder)
    return [f"{folder.name}/" for folder in made]
