"""Tables of sparse counts, and how they are known: reads of genes in cells, of words in texts.

Standardised, a word that occurs once counts as much as one that occurs everywhere. The rule takes
whole columns and all rows, so that it does not depend on the order of rows, batches or the engine.
It was measured on real tables (`python -m benchmarks.counts`): zeros and ones alone are marks
(fingerprints, answers), and codes of a questionnaire have too few zeros.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse

from tamis.columns.row_descriptions import (
    MIN_COUNT_COLUMNS,
    MIN_REPEAT_SHARE,
    MIN_SPARSE_SHARE,
    MIN_ZERO_SHARE,
)
from tamis.numerics.types import Indices
from tamis.statistics.missing_cells import as_float64

_ROWS_FOR_COUNTS = 16


@dataclass(frozen=True, eq=False)
class CountEvidence:
    """What is known of a table whose values are all non-negative integers.

    `known` and `zeros` are values by column, without missing ones, `repeats` how many are above 1.

    Examples
    --------
    >>> first, second = (CountEvidence.of_rows(np.array([row])) for row in ([0, 3.0], [1.0, 0]))
    >>> first.merge(second).zeros, CountEvidence.of_rows(np.array([[0.5]])) is None
    (array([1, 1]), True)
    """

    known: Indices
    zeros: Indices
    repeats: Indices

    @classmethod
    def of_rows(cls, rows: Any) -> Self | None:
        """Count in some rows, dense or sparse; None if any value is no count."""
        if scipy.sparse.issparse(rows):
            rows = scipy.sparse.csr_array(rows, dtype=np.float64, copy=True)
            rows.sum_duplicates()
        values = rows.data if scipy.sparse.issparse(rows) else as_float64(rows)
        gone = np.isnan(values)
        with np.errstate(invalid="ignore"):
            fit = (values >= 0) & (values == np.rint(values)) & np.isfinite(values)
        if not (fit | gone).all():
            return None
        if not scipy.sparse.issparse(rows):
            known = len(values) - gone.sum(axis=0)
            return cls(known, (values == 0).sum(axis=0), (values > 1).sum(axis=0))
        width = rows.shape[1]
        filled = np.bincount(rows.indices[rows.data != 0], minlength=width)
        missing = np.bincount(rows.indices[gone], minlength=width)
        repeats = np.bincount(rows.indices[rows.data > 1], minlength=width)
        return cls(rows.shape[0] - missing, rows.shape[0] - filled, repeats)

    def merge(self, other: Self) -> Self:
        """Add what is known of other rows."""
        return type(self)(
            self.known + other.known, self.zeros + other.zeros, self.repeats + other.repeats
        )

    @property
    def zero_share(self) -> float:
        """Share of all values that are 0."""
        return float(self.zeros.sum() / max(self.known.sum(), 1))

    @property
    def are_counts(self) -> bool:
        """Whether this is a table of sparse counts."""
        return bool(
            len(self.known) >= MIN_COUNT_COLUMNS
            and self.zero_share >= MIN_ZERO_SHARE
            and (2 * self.zeros > self.known).mean() >= MIN_SPARSE_SHARE
            and (self.repeats > 0).mean() >= MIN_REPEAT_SHARE
        )


def find_counts(batches: Iterable[Any]) -> CountEvidence | None:
    """Search a table for sparse counts, up to the first value that is no count."""
    found = weigh_counts(batches)
    return found if found is not None and found.are_counts else None


def weigh_counts(batches: Iterable[Any]) -> CountEvidence | None:
    """Give the evidence of some rows, None if a value is no count; no row is no evidence."""
    found: CountEvidence | None = None
    for rows in batches:
        # Most tables show in their first values that they hold no counts.
        if (
            rows.shape[0] > _ROWS_FOR_COUNTS
            and CountEvidence.of_rows(rows[:_ROWS_FOR_COUNTS]) is None
        ):
            return None
        more = CountEvidence.of_rows(rows)
        if more is None:
            return None
        found = more if found is None else found.merge(more)
    return found
