from explainers import dataset


@dataset
def sums( -> dict:
    return {}
