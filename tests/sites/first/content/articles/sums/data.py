"""The datasets of a tiny article."""

from explainers import dataset


@dataset(units={"total": "1", "mean": "1"})
def sums(xp) -> dict:
    """The sum and the mean of the first five squares."""
    squares = xp.arange(5) ** 2
    return {"total": squares.sum(), "mean": squares.mean()}
