"""`information-gain`: what each column says about the class, in bits.

The entropy of the classes less their mean entropy within each value (or bin) of the column. This is
the mutual information of the column and the class.

A column with many values gains more by chance. The p-value allows for that (the G-test: 2 N ln 2
times the gain follows chi-square), and so does `ratio`, Quinlan's gain ratio, which divides by the
entropy of the column.

Cunningham prints the entropy of the classes as a sum of entropies of single values; we use the
usual definition.

Bins chosen by the labels (`mdl`, `chimerge`) are merged from up to 1,024 quantiles: exact for a
column with no more distinct values.

Without `k`, the columns with an adjusted p-value (Benjamini & Hochberg) below 0.05 are kept, at
least one. P-values are not valid for bins chosen by the labels: a column with such bins is kept if
it has at least two.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import xlogy

from tamis.algorithms.filters.significance import Significance, best_related, independence_p
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats
from tamis.statistics.class_counts import ClassCounts
from tamis.statistics.class_table import ClassTable


def rank_by_gain(
    table: ClassTable,
    k: int | None,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    ratio: bool = False,
) -> Path:
    """Rank the columns by their information gain, or by their gain ratio."""
    gain = information_gain(table.counts)
    p = independence_p(table, 2 * np.log(2) * table.counts.by_class.sum() * gain)
    own = column_entropy(table.counts)
    share = np.divide(gain, own, out=np.zeros_like(gain), where=own > 0)
    what = "gain ratio" if ratio else "information gain (bits)"
    evidence = Significance(share if ratio else gain, p, what, "G-test of independence")
    return best_related(table, evidence, k, retain=retain, include=include)


def information_gain(counts: ClassCounts) -> Floats:
    """Give the mutual information of every column and the class, in bits.

    >>> counts = ClassCounts(np.array([[30, 10], [20, 40]]), np.array([0]))
    >>> information_gain(counts).round(8)
    array([0.12451125])
    """
    expected = counts.expected
    # Each count beside its expected one: nothing cancels for columns that have little to say.
    excess = np.divide(counts.table, expected, out=np.ones_like(expected), where=expected > 0)
    parts = xlogy(counts.table, excess).sum(axis=1)
    return np.maximum(counts.sum_levels(parts), 0.0) / (counts.by_class.sum() * np.log(2))


def column_entropy(counts: ClassCounts) -> Floats:
    """Give the entropy of every column, in bits."""
    shares = counts.by_level / counts.by_class.sum()
    return np.abs(counts.sum_levels(xlogy(shares, shares))) / np.log(2)
