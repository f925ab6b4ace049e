"""The conflict degree as it is defined."""


def degree(addresses: list[int]) -> int:
    """Count the different words that the fullest bank is asked for."""
    banks: list[set[int]] = [set() for _ in range(32)]
    for address in addresses:
        word = address // 4
        banks[word % 32].add(word)
    return max(len(words) for words in banks)
