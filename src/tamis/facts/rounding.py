"""How many digits of a number are written, and so what of it can be seen."""

import math
from collections.abc import Mapping

__all__ = ["SHOWN_FROM", "decimals"]

# Weights from which a column is named beside another, by what is measured.
SHOWN_FROM: Mapping[str, float] = {"coefficients": 0.0, "information": 0.005, "shares": 0.005}


def decimals(largest: float) -> int:
    """Count the decimals that show two digits of a weight of this size, at least two.

    >>> decimals(0.86), decimals(0.0045)
    (2, 4)
    """
    return max(2, 1 - math.floor(math.log10(largest))) if largest > 0 else 2
