"""The four methods that Yen, Chen and Lin compare, by our names, and how runs are summed up."""

import statistics
from collections.abc import Sequence

__all__ = ["CLUSTERING", "OPTIONS", "PAPER", "UPDATING", "VARIABLES", "WITHOUT", "mean_and_spread"]

PAPER = "Yen, Chen & Lin"
WITHOUT, UPDATING = "ufs-static", "ufs"
VARIABLES, CLUSTERING = "principal-variables", "condensing"
OPTIONS = {CLUSTERING: {"linkage": "single"}}


def mean_and_spread(values: Sequence[float]) -> tuple[float, float | None]:
    """Give the mean and the standard deviation, None of a single value.

    Examples
    --------
    >>> mean_and_spread([1.0, 3.0]), mean_and_spread([2])
    ((2.0, 1.4142135623730951), (2.0, None))
    """
    spread = statistics.stdev(values) if len(values) > 1 else None
    return float(statistics.fmean(values)), spread
