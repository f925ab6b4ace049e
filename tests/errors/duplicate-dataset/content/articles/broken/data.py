from explainers import dataset


@dataset(units={"total": "1"})
def sums():
    return {"total": 1}


def sums():
    return {"total": 2}


@dataset(env=NAMES, units={"total": "1"})
def reads():
    return {"total": 3}
