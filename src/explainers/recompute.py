"""Make every dataset again, on this machine or on its GPU, and measure how far it lies off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .compute import Computer
from .data.call import Call, Done
from .data.progress import Progress
from .data.run import run
from .digest import digest
from .errors import BuildError, Problem
from .model import Tree
from .store import Store

if TYPE_CHECKING:
    from .data.values import Dataset

BACKENDS = {"cpu": "numpy", "cuda": "cupy"}
"""The array library of each device."""

SECONDS = 600


@dataclass(frozen=True, slots=True)
class Row:
    """How far a dataset made again lies from the one that pages show, at its worst field.

    `difference` and `tolerance` are relative; `note` says why nothing was compared.
    """

    slug: str
    name: str
    field: str = ""
    difference: float = 0.0
    tolerance: float = 0.0
    note: str = ""

    @property
    def good(self) -> bool:
        """Return whether the difference is allowed."""
        return self.difference <= self.tolerance


def recompute(
    tree: Tree,
    store: Store,
    device: str,
    *,
    only: str = "",
    workers: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> list[Row]:
    """Return a row for every dataset that a function makes in a plain build.

    Each is made again from the same inputs, so that no difference is another one's.

    Raises:
        BuildError: one could not be made.
    """
    computer = Computer(tree, store, digest("recompute"), workers=workers, say=say)
    declared = {
        (slug, name): found
        for slug in ([only] if only else _slugs(tree))
        for name, found in computer.keys.datasets(slug).items()
        if not found.recorded and not found.supply
    }
    backend = BACKENDS[device]
    portable = {p for p, found in declared.items() if device == "cpu" or "xp" in found.parameters}
    made = computer.datasets((*pair, found.span) for pair, found in declared.items())
    pairs = sorted(portable)
    calls = [
        Call(
            str(tree.root),
            slug,
            name,
            declared[slug, name].span,
            tuple((need, made[slug, need]) for need in declared[slug, name].needs),
            backend,
        )
        for slug, name in pairs
    ]
    progress = Progress([f"{slug}/{name}" for slug, name in pairs], say)
    results = run(
        calls,
        workers=workers,
        seconds=SECONDS,
        memory=4 << 30 if device == "cpu" else None,
        done=lambda index, result: progress.ended(index, isinstance(result, Done)),
    )
    if problems := [result for result in results if isinstance(result, Problem)]:
        raise BuildError(problems)
    again = {p: r.data for p, r in zip(pairs, results, strict=True) if isinstance(r, Done)}
    return [
        _row(pair, made[pair], again[pair])
        if pair in again
        else Row(*pair, note="runs on NumPy alone: it takes no xp")
        for pair in declared
    ]


def _slugs(tree: Tree) -> Iterator[str]:
    """Yield the pages that have data of their own."""
    for path in tree.files:
        parts = path.split("/")
        if parts[0] == "content" and parts[-1] == "data.py":
            inside = parts[2:-1] if parts[1] == "articles" else parts[1:-1]
            yield "/".join(inside)


def _row(pair: tuple[str, str], expected: bytes, found: bytes) -> Row:
    from .data.codec import decode

    field, difference, tolerance = worst(decode(found), decode(expected))
    return Row(*pair, field, difference, tolerance)


def worst(found: Dataset, expected: Dataset) -> tuple[str, float, float]:
    """Return the field that comes nearest to its tolerance, or oversteps it most.

    A difference is relative to the largest number of its field, and to 1 at least where numbers
    have no unit: probabilities and rounding errors are small beside that. Whole numbers, text,
    infinities and NaN must be the same, unless a tolerance names their field.
    """
    import numpy as np

    if found.fields != expected.fields or not np.array_equal(found.ordinals, expected.ordinals):
        return "(its fields or steps)", float("inf"), 0.0
    rows = []
    for name in expected.fields:
        a, b = np.asarray(found.read(name)), np.asarray(expected.read(name))
        unit = expected.about.fields[name].unit
        allowed = _allowed(name, b.dtype.kind, expected.about.tolerance)
        rows.append((name, _distance(a, b, unit in ("", "1")), allowed))
    return max(rows, key=lambda row: (row[1] / row[2] if row[2] else row[1] * 1e300, row[1]))


def _allowed(name: str, kind: str, tolerance: Mapping[str, float]) -> float:
    return tolerance.get(name, tolerance.get("", 0.0) if kind == "f" else 0.0)


def _distance(found: Any, expected: Any, is_plain: bool) -> float:
    import numpy as np

    if found.shape != expected.shape:
        return float("inf")
    if expected.dtype.kind == "U" or found.dtype.kind == "U":
        return 0.0 if np.array_equal(found, expected) else float("inf")
    a, b = found.astype(np.float64), expected.astype(np.float64)
    odd = ~np.isfinite(b)
    if not np.array_equal(a[odd], b[odd], equal_nan=True) or not np.all(np.isfinite(a[~odd])):
        return float("inf")
    if not np.any(~odd):
        return 0.0
    largest = float(np.max(np.abs(b[~odd])))
    scale = max(largest, 1.0) if is_plain else largest
    off = float(np.max(np.abs(a[~odd] - b[~odd])))
    return off / scale if scale else off


def table(rows: Sequence[Row], *, markdown: bool = False) -> str:
    """Return the rows as text: aligned, or as a table of Markdown."""
    head = ("dataset", "largest difference", "field", "tolerance", "")
    cells = [head]
    for row in rows:
        name = f"{row.slug}/{row.name}"
        if row.note:
            cells.append((name, "", "", "", row.note))
        else:
            verdict = "" if row.good else "too far"
            numbers = (f"{row.difference:.1e}", row.field, f"{row.tolerance:.1e}")
            cells.append((name, *numbers, verdict))
    if markdown:
        lines = ["| " + " | ".join(row) + " |" for row in cells]
        return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])
    widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
