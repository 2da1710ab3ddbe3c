"""Products of the exact Gram matrix with vectors, in a pass over a table that is not held.

With the centred, scaled rows `Z` they are `Z'(ZV)`: sums over the rows, so that those of two parts
of a table add up. Some columns of the matrix are products with unit vectors: `Z'Z[:, C]`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
import scipy.sparse

from tamis.errors import TamisError
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.linear import TableSummary, len_of
from tamis.statistics.missing import Tally, clean_batches

_MULTIPLIED_BYTES = 1 << 26  # of rows made dense and centred: enough for products at full speed


@dataclass(eq=False)
class ProductSums:
    """Sums over rows that become products of the Gram matrix of their columns.

    Columns are centred by `mean` and divided by `length`; `columns` are positions of those whose
    columns of the matrix are wanted, `vectors` has one for each column of it. `add` takes rows in
    place; `merge` joins another part of the table.
    """

    mean: Floats
    length: Floats
    columns: Indices
    vectors: Floats
    sums: Floats
    count: int = 0

    @classmethod
    def start(cls, mean: Floats, length: Floats, columns: Indices, vectors: Floats) -> Self:
        """Make room for the products."""
        sums = np.zeros((len(columns) + vectors.shape[1], len(mean)))
        return cls(mean, length, columns, vectors, sums)

    def add(self, X: Any) -> None:
        """Add rows without missing values."""
        for part in row_blocks(*X.shape, room=_MULTIPLIED_BYTES):
            rows = X[part].toarray() if scipy.sparse.issparse(X) else np.asarray(X[part])
            rows = rows - self.mean
            rows /= self.length
            seen = np.hstack([rows[:, self.columns], rows @ self.vectors])
            self.sums += seen.T @ rows
            self.count += len(rows)

    def merge(self, other: Self) -> Self:
        """Give the sums of both parts; they are of the same columns and vectors."""
        return replace(self, sums=self.sums + other.sums, count=self.count + other.count)

    def products(self) -> tuple[Floats, Floats]:
        """Give the columns of the matrix, as rows, and its products with the vectors."""
        number = len(self.columns)
        return self.sums[:number], self.sums[number:].T


def let_read_again(
    summary: TableSummary,
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy,
) -> TableSummary:
    """Let a matrix that is an estimate ask the table for what is exact, if it can be read again."""
    if source.info.once:
        return summary
    length = summary.std[summary.varying] * np.sqrt(summary.n_rows) if scale else summary.length
    multiply = partial(_multiply, summary, source, columns, missing, length)
    return replace(summary, gram=summary.gram.let_read_again(multiply))


def _multiply(
    summary: TableSummary,
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    length: Any,
    wanted: Indices,
    vectors: Floats,
) -> tuple[Floats, Floats]:
    """Read the table once more, and multiply its exact Gram matrix."""
    varying, names = summary.varying, [source.names[j] for j in columns]
    every = len(varying) == len(names)
    lengths = np.broadcast_to(length, len(varying))
    sums = ProductSums.start(summary.mean[varying], lengths, wanted, vectors)
    batches = track("rows read", source.batches(columns), source.n_rows, len_of, source.meter)
    # What is missing is filled with the mean that the first pass has found.
    for batch in clean_batches(batches, names, missing, Tally(len(names)), lambda: summary.mean):
        sums.add(batch if every else batch[:, varying])
    if sums.count != summary.n_rows:
        raise TamisError(
            f"{source.label} had {summary.n_rows:,} rows when it was read first and has "
            f"{sums.count:,} now: run again when nothing writes to it."
        )
    return sums.products()
