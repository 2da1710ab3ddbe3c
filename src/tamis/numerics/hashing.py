"""Numbers spread evenly over 64 bits: random choices that follow from what they are made for."""

from typing import Any

import numpy as np

GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
_FIRST, _SECOND = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)


def hash_bits(numbers: Any) -> Any:
    """Spread every bit over all bits: the last steps of SplitMix64 (Steele, Lea, Flood 2014)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _FIRST
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _SECOND
    return np.asarray(numbers ^ (numbers >> np.uint64(31)))
