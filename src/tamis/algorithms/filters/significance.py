"""What the filters share: p-values, adjusted for the number of columns, and what they decide."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from tamis.algorithms.by_score import best_in_order, order_of
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats
from tamis.statistics.class_table import ClassTable
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
    table: ClassTable,
    evidence: Significance,
    k: int | None,
    *,
    retain: float,
    include: Sequence[int],
) -> Path:
    """Take the columns of best score: `k`, or those whose adjusted p-value is below 0.05."""
    scores, order = evidence.scores, order_of(evidence.scores)
    if k is None:
        related = evidence.related[order]
        order, k = np.concatenate([order[related], order[~related]]), max(int(related.sum()), 1)
    path = best_in_order(table.explained, order, scores, k, retain=retain, include=include)
    return replace(path, evidence=evidence)


def independence_p(table: ClassTable, statistic: Floats) -> Floats:
    """Give the upper tail of chi-square; NaN where the labels chose the bins."""
    counts = table.counts
    freedom = (counts.occupied - 1) * (len(counts.by_class) - 1)
    p = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistic), 1.0)
    return np.where(table.by_labels, np.nan, p)
