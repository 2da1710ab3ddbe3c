"""Tests of independence of each column and the classes, and what their p-values decide.

Bins chosen by the labels (`mdl`, `chimerge`) are merged from up to 1,024 quantiles: exact for a
column with no more distinct values.

Without `k`, the columns with an adjusted p-value (Benjamini & Hochberg) below 0.05 are kept, at
least one. P-values are not valid for bins chosen by the labels: a column with such bins is kept if
it has at least two.

`chi2`: the chi-square statistic of each column and the classes.

The sum over the values (or bins) of a column and over the classes of (count - expected)^2 /
expected, where the expected count is the product of both totals over the number of rows. All values
and all classes count, unlike in scikit-learn's `chi2`, which takes a column as a frequency.

A column with many values reaches a larger statistic by chance. The p-value allows for that, by the
degrees of freedom, and so does `normalise` (the square of Cramer's V, between 0 and 1).

Cunningham prints the expected count without the size of the class; we use the usual one.

`information-gain`: what each column says about the class, in bits.

The entropy of the classes less their mean entropy within each value (or bin) of the column. This is
the mutual information of the column and the class.

A column with many values gains more by chance. The p-value allows for that (the G-test: 2 N ln 2
times the gain follows chi-square), and so does `ratio`, Quinlan's gain ratio, which divides by the
entropy of the column.

Cunningham prints the entropy of the classes as a sum of entropies of single values; we use the
usual definition.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, xlogy

from tamis.algorithms.orders import best_in_order, order_of
from tamis.algorithms.path import Goal, Path
from tamis.numerics.types import Floats
from tamis.statistics.class_table import ClassCounts, ClassTable
from tamis.values import dataclass

LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class Significance:
    """The score of every column with its p-value, NaN where there is none.

    `score` says what the scores are and `test` where the p-values come from; `notes` has a remark
    for each column, or nothing.
    """

    kind: ClassVar[str] = "significance"

    scores: Floats
    p: Floats
    score: str
    test: str
    notes: tuple[str, ...] = ()

    @property
    def adjusted(self) -> Floats:
        """The p-values after Benjamini and Hochberg."""
        return adjust_p(self.p)

    @property
    def related(self) -> NDArray[np.bool_]:
        """Which columns count as related to the classes.

        Bins chosen by the labels have no p-value: such a column counts if it has at least two.
        """
        return np.where(np.isnan(self.p), self.scores > 0, self.adjusted < LEVEL)

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Give the columns by name, the best score first."""
        p, adjusted = (
            [None if np.isnan(value) else float(value) for value in values]
            for values in (self.p, self.adjusted)
        )
        notes = self.notes or ("",) * len(names)
        return {
            "kind": self.kind,
            "score": self.score,
            "test": self.test,
            "level": LEVEL,
            "tested": int(np.count_nonzero(~np.isnan(self.p))),
            "columns": [
                {
                    "column": names[j],
                    "score": float(self.scores[j]),
                    "p": p[j],
                    "adjusted": adjusted[j],
                    "note": notes[j],
                }
                for j in order_of(self.scores).tolist()
            ],
        }


def adjust_p(p: Floats) -> Floats:
    """Adjust p-values so that of those below a level about that share are chance.

    Benjamini and Hochberg (1995): the smallest, over all p-values at least as large, of p m / rank.

    Examples
    --------
    >>> adjust_p(np.array([0.01, 0.04, np.nan, 0.03]))
    array([0.03, 0.04,  nan, 0.04])
    """
    found = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * len(order) / np.arange(1, len(order) + 1)
    found[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return found


def best_related(
    table: ClassTable, evidence: Significance, k: int | None, **goal: Unpack[Goal]
) -> Path:
    """Take the columns of best score: `k`, or those whose adjusted p-value is below 0.05."""
    scores, order = evidence.scores, order_of(evidence.scores)
    if k is None:
        related = evidence.related[order]
        order, k = np.concatenate([order[related], order[~related]]), max(int(related.sum()), 1)
    return replace(best_in_order(table.explained, order, scores, k, **goal), evidence=evidence)


def independence_p(table: ClassTable, statistic: Floats) -> Floats:
    """Give the upper tail of chi-square; NaN where the labels chose the bins."""
    counts = table.counts
    freedom = (counts.occupied - 1) * (len(counts.by_class) - 1)
    p = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistic), 1.0)
    return np.where(table.by_labels, np.nan, p)


def rank_by_chi2(
    table: ClassTable, k: int | None, *, normalise: bool = False, **goal: Unpack[Goal]
) -> Path:
    """Rank the columns by their chi-square statistic."""
    counts = table.counts
    statistic = chi_square(counts)
    p = independence_p(table, statistic)
    scores = statistic
    if normalise:  # by the largest value that it can have; 1 for a column with one value
        most = np.minimum(counts.occupied, len(counts.by_class)) - 1
        scores = statistic / np.where(most > 0, counts.by_class.sum() * most, 1.0)
    what = "Cram\u00e9r's V squared" if normalise else "chi-square"
    evidence = Significance(scores, p, what, "chi-square test of independence")
    return best_related(table, evidence, k, **goal)


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


def rank_by_gain(
    table: ClassTable, k: int | None, *, ratio: bool = False, **goal: Unpack[Goal]
) -> Path:
    """Rank the columns by their information gain, or by their gain ratio."""
    gain = information_gain(table.counts)
    p = independence_p(table, 2 * np.log(2) * table.counts.by_class.sum() * gain)
    scores, what = gain, "information gain (bits)"
    if ratio:
        shares = table.counts.by_level / table.counts.by_class.sum()
        own = np.abs(table.counts.sum_levels(xlogy(shares, shares))) / np.log(2)  # in bits
        scores = np.divide(gain, own, out=np.zeros_like(gain), where=own > 0)
        what = "gain ratio"
    evidence = Significance(scores, p, what, "G-test of independence")
    return best_related(table, evidence, k, **goal)


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
