"""The table: what was measured, what it is at most to be, and what came of it in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CORES = 2
"""Cores of the machine that the budgets are for."""

TOLERANCE = 2
"""How far over its budget a number may be before --check fails: machines and loads differ."""

BUDGETS: dict[tuple[str, int | None], float] = {
    ("cold", 1000): 8.0,
    ("cold, distinct formulas", 1000): 13.0,
    ("no-op", 100): 0.2,
    ("no-op", 1000): 0.3,
    ("one edit", 100): 0.3,
    ("one edit", 1000): 0.5,
    ("first page in serve", 1000): 1.0,
    ("save in serve", 1000): 0.1,
    ("template in serve", 1000): 1.0,
    ("growth in serve", 1000): 1.1,
    ("peak memory", 1000): 400.0,
    ("growth of CPU", None): 10.5,
    ("two workers to one", None): 0.65,
    ("help", None): 0.1,
    ("door, all ready", None): 0.05,
    ("article, gzipped", 100): 11.0,
    ("article, gzipped", 1000): 11.0,
    ("drag", None): 16.0,
}
"""The most that each row may show; None where it is of all sizes together."""


@dataclass(frozen=True, slots=True)
class Row:
    """One number of the table, and what it is at most to be.

    `idle` is the least time that the CPU seconds would take on idle cores of the budget's machine.
    """

    name: str
    articles: int | None
    value: float
    unit: str
    cpu: float | None = None
    note: str = ""
    idle: float | None = None

    @property
    def budget(self) -> float | None:
        """Return the most that the number may be."""
        return BUDGETS.get((self.name, self.articles))

    @property
    def over(self) -> bool:
        """Return whether it is over its budget by more than machines and loads explain.

        A build that waits while other programs run is not to blame: what counts is the least time
        that its CPU seconds take, where that is less than the time by the clock.
        """
        return self.budget is not None and self.least > TOLERANCE * self.budget

    @property
    def least(self) -> float:
        """Return the number, without the waiting for other programs."""
        least = self.cpu if self.idle is None else self.idle
        return self.value if least is None else min(self.value, least)


def growth(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield how much more CPU time the larger site takes than the smaller."""
    cold = {row.articles: row.cpu for row in rows if row.name == "cold"}
    few, many = cold.get(100), cold.get(1000)
    if few and many:
        yield Row("growth of CPU", None, many / few, "×", note="1,000 articles to 100")


def shown(row: Row) -> str:
    """Return a row of the table."""
    count = f"{row.articles:,}" if row.articles else ""
    cpu = "" if row.cpu is None else f"{row.cpu:.2f}"
    budget = "" if row.budget is None else f"{row.budget:g} {row.unit}"
    verdict = "" if row.budget is None else "ok" if row.value <= row.budget else "over"
    value = f"{row.value:.2f} {row.unit:3}"
    tail = f"{budget:>9}  {'OVER TWICE' if row.over else verdict:10}  {row.note}"
    return f"{row.name:25}{count:>6}  {value:>12}  {cpu:>7}  {tail}".rstrip()


def summary(rows: Sequence[Row]) -> str:
    """Return in words which budgets hold."""
    held = [row for row in rows if row.budget is not None]
    missed = [row for row in held if row.value > (row.budget or 0)]
    busy = [row for row in missed if row.least <= (row.budget or 0)]
    words = [f"not held: {_named(row)}" for row in missed if row not in busy]
    words += [f"held in CPU time only, other programs ran: {_named(row)}" for row in busy]
    words += [
        f"FAILS, over {TOLERANCE} times its budget: {_named(row)}" for row in rows if row.over
    ]
    return "\n".join([*words, f"{len(held) - len(missed)} of {len(held)} budgets hold"])


def _named(row: Row) -> str:
    size = f" at {row.articles:,}" if row.articles else ""
    return f"{row.name}{size}, {row.value:.2f} of {row.budget:g} {row.unit}"
