def counted():
    n = 0
    n = n + 1
    late = 0.5
    return n + late
