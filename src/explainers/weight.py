"""What a page asks of its reader: bytes to load, and parameters to keep in mind."""

from __future__ import annotations

import gzip
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

KB = 1000
FIRST_SCRIPTS, FURTHER_SCRIPT = 24 * KB, 5 * KB
PARAMETERS, ENTRIES = 3, 4
"""Controls of a figure beside its player and the switch between views; typed ones of a calculator,
where the reader brings the numbers and need not keep them in mind."""

_PLATE = re.compile(r'<div class="plate" data-figure="([^"]*)"[^>]* data-module="([^"]*)"')
_CONTROL = re.compile(r'<div class="control ([\w-]+)')
_READOUT = re.compile(r'<p class="readout"[^>]*>(.*?)</p>', re.DOTALL)
_RUNTIME = re.compile(r'<script type="module" src="([^"]*)"')
_IMPORT = re.compile(r"""(?:from|import)\s*["']\./([^"']+)["']""")


class Remark(NamedTuple):
    """What is odd about a figure, or with no label about the page; how to do better."""

    label: str
    code: str
    message: str
    hint: str


def unclear(page: str) -> Iterator[Remark]:
    """Yield a remark for each figure with too many parameters, or without a sentence."""
    plates = list(_PLATE.finditer(page))
    ends = [*(plate.start() for plate in plates[1:]), len(page)]
    for plate, end in zip(plates, ends, strict=False):
        part = page[plate.start() : end]
        kinds = [kind for kind in _CONTROL.findall(part) if kind not in ("player", "toggle")]
        most = ENTRIES if set(kinds) == {"text"} else PARAMETERS
        if len(kinds) > most:
            message = f"a figure with {len(kinds)} parameters: {most} are the most"
            hint = "show one idea a figure; fix what this one is not about"
            yield Remark(plate[1], "many-parameters", message, hint)
        said = _READOUT.search(part)
        if not (said and said[1].strip()):
            message = "this figure's describe says nothing in its first state"
            hint = "return what the state shows, as a sentence: some readers have nothing else"
            yield Remark(plate[1], "no-description", message, hint)


def too_heavy(
    page: str, files: Mapping[str, bytes], twins: Collection[str] = ()
) -> Iterator[Remark]:
    """Yield a remark for each figure whose script is over its budget.

    Args:
        page: the page's HTML.
        files: the site's files by path, for what the page loads.
        twins: names of the kernels' browser twins, which are no part of a kind.
    """
    runtime = _RUNTIME.search(page)
    loaded: set[str] = set()
    hint = "move what is shared, or computed beforehand, out of the figure's module"
    for number, (label, module) in enumerate(_PLATE.findall(page)):
        names = _imports(module, files) | (_imports(runtime[1], files) if runtime else set())
        kind = {name for name in names - loaded if name.partition(".")[0] not in twins}
        size = sum(_packed(_loaded(name, files)) for name in kind)
        most = FURTHER_SCRIPT if number else FIRST_SCRIPTS
        if size > most:
            message = (
                f"this figure's script adds {size / KB:.1f} kB; {most // KB} kB are the budget"
            )
            yield Remark(label, "heavy-script", message, hint)
        loaded |= names


def _imports(address: str, files: Mapping[str, bytes]) -> set[str]:
    """Return a script and all that it loads."""
    found: set[str] = set()
    waiting = [posixpath.basename(address)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _IMPORT.findall(_loaded(name, files).decode())
    return found


def _loaded(address: str, files: Mapping[str, bytes]) -> bytes:
    return files.get(f"_/{posixpath.basename(address)}", b"")


def _packed(data: bytes) -> int:
    return len(gzip.compress(data, 9))
