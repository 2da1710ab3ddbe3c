"""What a group of columns explains by chance: taken off before groups of other sizes compare.

A category of fifty levels has fifty chances to fit the rows at hand where a number has one. The
error on new rows is about the error on these over the square of the rows that are left free
(generalised cross-validation, as for the shrinkage of regressions), so a group's gain is that of
a single column that would leave the same error on new rows. Single columns keep their gains.
"""

import numpy as np

from tamis.numerics.types import Floats

LEAST_FREE = 0.5  # rows: where none is free, more columns still count as worse


def discount_chance(
    gains: Floats, used: Floats, *, left: float, free: float, single: float
) -> Floats:
    """Give the gain of a single column that would do as well on new rows.

    `left` is the share that is not explained yet, `free` how many rows are free before the step,
    `used` how many of them each group takes and `single` how many a column that stands alone does.

    Examples
    --------
    Of 41 rows one is used by the means. Twenty random columns explain half of the others.

    >>> gains, used = np.array([0.1, 0.5]), np.array([1.0, 20.0])
    >>> discount_chance(gains, used, left=1.0, free=40, single=1.0).round(2)
    array([ 0.1, -0.9])
    """
    room = np.maximum(free - used, LEAST_FREE)
    alone = max(free - single, LEAST_FREE)
    return np.asarray(left - (left - gains) * np.square(alone / room))
