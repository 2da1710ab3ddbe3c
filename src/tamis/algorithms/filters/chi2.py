"""`chi2`: the chi-square statistic of each column and the classes.

The sum over the values (or bins) of a column and over the classes of (count - expected)^2 /
expected, where the expected count is the product of both totals over the number of rows. All values
and all classes count, unlike in scikit-learn's `chi2`, which takes a column as a frequency.

A column with many values reaches a larger statistic by chance. The p-value allows for that, by the
degrees of freedom, and so does `normalise` (the square of Cramer's V, between 0 and 1).

Cunningham prints the expected count without the size of the class; we use the usual one.

Bins chosen by the labels (`mdl`, `chimerge`) are merged from up to 1,024 quantiles: exact for a
column with no more distinct values.

Without `k`, the columns with an adjusted p-value (Benjamini & Hochberg) below 0.05 are kept, at
least one. P-values are not valid for bins chosen by the labels: a column with such bins is kept if
it has at least two.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.filters.significance import Significance, best_related, independence_p
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats
from tamis.statistics.class_counts import ClassCounts
from tamis.statistics.class_table import ClassTable


def rank_by_chi2(
    table: ClassTable,
    k: int | None,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    normalise: bool = False,
) -> Path:
    """Rank the columns by their chi-square statistic."""
    counts = table.counts
    statistic = chi_square(counts)
    p = independence_p(table, statistic)
    scores = statistic / _largest(counts) if normalise else statistic
    what = "Cram\u00e9r's V squared" if normalise else "chi-square"
    evidence = Significance(scores, p, what, "chi-square test of independence")
    return best_related(table, evidence, k, retain=retain, include=include)


def chi_square(counts: ClassCounts) -> Floats:
    """Give the statistic of every column.

    >>> counts = ClassCounts(np.array([[30, 10], [20, 40]]), np.array([0]))
    >>> chi_square(counts).round(4)
    array([16.6667])
    """
    expected = counts.expected
    parts = np.divide(
        (counts.table - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0
    )
    return counts.sum_levels(parts.sum(axis=1))


def _largest(counts: ClassCounts) -> Floats:
    """Give the largest value that the statistic can have; 1 for a column with one value."""
    most = np.minimum(counts.occupied, len(counts.by_class)) - 1
    return np.where(most > 0, counts.by_class.sum() * most, 1.0)
