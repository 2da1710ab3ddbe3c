"""The single pass over a table: batches to one summary."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.progress import track
from tamis.sources.source import Source
from tamis.statistics.gram import Gram, RowGram, SparseGram
from tamis.statistics.missing import Tally, without_missing
from tamis.statistics.moments import Moments, levelled, sparse_spread, spread
from tamis.statistics.ranks import ranked

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TableSummary:
    """All that the linear methods need to know of a table.

    `varying` are the positions, among the columns asked for, of those that are not constant;
    `gram` is the Gram matrix of these, centred and, if asked, scaled.
    """

    n_rows: int
    mean: Floats
    std: Floats
    varying: NDArray[np.intp]
    gram: Gram
    tally: Tally = field(default_factory=Tally, kw_only=True)

    @property
    def statistic(self) -> Any:
        """What a method of this summary works on."""
        return self.gram

    @property
    def refused(self) -> dict[int, str]:
        """Columns that turned out unfit while the table was read: none here."""
        return {}


def collect_gram(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: str = "error",
    kind: str = "pearson",
) -> TableSummary:
    """Read the table once and summarise it.

    Rows are held only while there are fewer of them than columns: they are then the smaller form.
    With `kind="spearman"` every value is replaced by its rank in its column, equal values by their
    mean rank; for that the whole table is held in memory.
    """
    names, tally = [source.names[j] for j in columns], Tally(len(columns))

    def read() -> Iterator[Any]:
        return track("rows read", source.batches(columns), source.n_rows, size=len_of)

    batches = without_missing(read, names, missing, tally)
    found = _summarised(source, batches, len(columns), scale, ranks=kind == "spearman")
    return replace(found, tally=tally)


def _summarised(
    source: Source, batches: Iterator[Any], width: int, scale: bool, *, ranks: bool
) -> TableSummary:
    held: list[Any] = []
    moments: Moments | None = None
    for batch in batches:
        held.append(batch)
        if not ranks and sum(len_of(rows) for rows in held) >= width:
            fresh = Moments.from_batch(stacked(held))
            moments = fresh if moments is None else moments.merge(fresh)
            held = []
    if moments is not None:
        return summary_of_moments(
            reduce(Moments.merge, map(Moments.from_batch, held), moments), scale
        )
    if sum(len_of(rows) for rows in held) == 0:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    if not ranks:
        return summary_of_rows(stacked(held), scale)
    table = ranked(stacked(held))
    if len_of(table) < width:
        return summary_of_rows(table, scale)
    return summary_of_moments(Moments.from_batch(table), scale)


def summary_of_moments(moments: Moments, scale: bool) -> TableSummary:
    """Summarise a table with at least as many rows as columns."""
    std = moments.std
    return TableSummary(
        moments.count, moments.mean, std, np.flatnonzero(std), moments.gram(scale=scale)
    )


def summary_of_rows(X: Any, scale: bool) -> TableSummary:
    """Summarise a table with more columns than rows, without any d x d array."""
    if scipy.sparse.issparse(X):
        return _summary_of_sparse(scipy.sparse.csr_array(X, dtype=np.float64), scale)
    mean = X.mean(axis=0, dtype=np.float64)
    rows = X - mean
    std = spread(np.einsum("ij,ij->j", rows, rows), mean, len(X))
    varying = np.flatnonzero(std)
    if len(varying) < len(std):
        rows = rows[:, varying]
    if scale:
        rows /= std[varying] * np.sqrt(len(X))
    return TableSummary(len(X), mean, std, varying, RowGram(rows))


def _summary_of_sparse(X: Any, scale: bool) -> TableSummary:
    n = X.shape[0]
    mean, squares = sparse_spread(X)
    std = spread(squares, mean, n)
    varying = np.flatnonzero(std)
    rows, left = levelled(X[:, varying], mean[varying], squares[varying])
    if scale:
        factor = 1.0 / (std[varying] * np.sqrt(n))
        rows, left = rows @ scipy.sparse.diags_array(factor), left * factor
    return TableSummary(n, mean, std, varying, SparseGram(rows, left))


def len_of(batch: Any) -> int:
    """Count the rows of a dense or sparse batch."""
    return int(batch.shape[0])


def stacked(batches: list[Any]) -> Any:
    """Put batches under each other."""
    if len(batches) == 1:
        return batches[0]
    if scipy.sparse.issparse(batches[0]):
        return scipy.sparse.vstack(batches, format="csr")
    return np.concatenate(batches)
