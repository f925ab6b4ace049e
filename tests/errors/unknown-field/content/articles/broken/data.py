from explainers import dataset


@dataset(units={"total": "1"})
def sums() -> dict:
    """A total."""
    return {"total": 6.5}
