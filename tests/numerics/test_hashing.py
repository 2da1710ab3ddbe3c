"""The finaliser of SplitMix64, against the published generator in plain integers."""

import numpy as np

from tamis.numerics.hashing import GOLDEN, hash_bits


def splitmix(state: int) -> int:
    """Give the next number of SplitMix64 after this state (Steele, Lea and Flood 2014)."""
    mask = (1 << 64) - 1
    z = (state + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def test_the_bits_are_those_of_the_published_generator():
    states = np.array([0, 1, 2, 12345, 2**63], dtype=np.uint64)
    with np.errstate(over="ignore"):
        found = hash_bits(states + GOLDEN)
    assert found.tolist() == [splitmix(int(state)) for state in states]
    assert found[0] == 0xE220A8397B1DCDAF  # the first number of seed 0, as printed everywhere
