from explainers import dataset


@dataset(units={"total": "1"})
def one(two) -> dict:
    """A total."""
    return {"total": 6.5}


@dataset(units={"total": "1"})
def two(one) -> dict:
    """Another."""
    return {"total": one.total}
