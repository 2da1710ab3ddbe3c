"""Missing and infinite values: counted and refused, filled with means, or dropped by row.

What is done is up to a `MissingPolicy`, also whether infinite values count as missing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import InfiniteValues, TamisError, spelled
from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.missing_faults import missing_error, no_value

Batches = Iterable[Any]

_LARGEST = 1e140  # the squares of a million such values can still be added up


@dataclass(frozen=True)
class _Missing:
    """Where a batch has missing values: how many by column, and which rows have any."""

    counts: NDArray[np.intp]
    rows: NDArray[np.bool_]


class Tally:
    """Rows and missing values, counted while a table is read.

    `rows` were read and `used` of them count; `counts` are the missing values by column and
    `complete` the rows without any, None where that is not known. `unlabelled` rows were dropped
    for want of a label; a `sparse` table cannot be filled. `done` is what was done about missing
    values where that was decided before: in a summary.
    """

    def __init__(self, width: int = 0, done: str | None = None) -> None:
        self.rows = self.used = self.unlabelled = 0
        self.complete: int | None = 0
        self.sparse = False
        self.done = done
        self.counts: NDArray[np.intp] = np.zeros(width, dtype=np.intp)

    def add(
        self,
        rows: int,
        used: int,
        counts: NDArray[np.intp] | None = None,
        complete: int | None = None,
    ) -> None:
        """Count a batch; None for `counts` says that nothing is missing in it."""
        self.rows, self.used = self.rows + rows, self.used + used
        if complete is None and (counts is None or not counts.any()):
            complete = rows
        known = complete is not None and self.complete is not None
        self.complete = (self.complete or 0) + (complete or 0) if known else None
        if counts is not None:
            self.counts += counts

    def check_left(self, names: Sequence[str], fill: MissingPolicy) -> None:
        """Refuse a table of which every row was dropped, and say the ways out."""
        if self.used or not self.rows:
            return
        check_values(self.counts, self.rows, names)
        # What is dropped for want of a label cannot be filled.
        way = "" if self.sparse or self.unlabelled else f" or pass {spelled('missing', fill)}"
        what = "values or no label" if self.unlabelled else "values"
        raise TamisError(
            f"All {self.rows} rows have missing {what}, so none is left: skip the emptiest "
            f"columns{way}."
        )


def without_missing(
    read: Callable[[], Batches],
    names: Sequence[str],
    policy: MissingPolicy,
    tally: Tally | None = None,
    *,
    start: int = 0,
    fill: NDArray[np.float64] | None = None,
) -> Iterator[Any]:
    """Yield batches free of missing values, or raise one sentence that names the columns.

    The first `start` rows are skipped: they are counted already. `fill` has the means where they
    are known.
    """
    tally = Tally(len(names)) if tally is None else tally
    if policy.fills and fill is None:
        fill = usable_means(column_means(read(), names, policy), names)
    yield from cleaned(_skipping(read(), start), names, policy, tally, fill)
    check_tally(tally, names, policy)


def finite(batch: Any) -> Any:
    """Mark infinite values as missing; a batch without any is given back as it is.

    >>> finite(np.array([[1.0, np.inf]]))
    array([[ 1., nan]])
    """
    values = batch.data if scipy.sparse.issparse(batch) else batch
    if values.dtype.kind != "f" or _harmless(values) or not np.isinf(values).any():
        return batch
    marked = batch.copy()
    cells = marked.data if scipy.sparse.issparse(batch) else marked
    cells[np.isinf(cells)] = np.nan
    return marked


def cleaned(
    batches: Batches, names: Sequence[str], policy: MissingPolicy, tally: Tally, fill: Any = None
) -> Iterator[Any]:
    """Yield batches of some of the rows free of missing values, and count these.

    Once all rows are counted, `check_tally` says whether they may be used.
    """
    for batch in map(finite, batches) if policy.takes_infinite else batches:
        missing = _missing_in(batch, names)
        if missing is not None and policy.fills:
            batch = np.where(np.isnan(batch), fill, batch)
        rows = batch.shape[0]
        if missing is not None and policy.drops:
            batch = batch[~missing.rows]
        complete = rows if missing is None else rows - int(np.count_nonzero(missing.rows))
        tally.add(rows, batch.shape[0], _counts(missing), complete)
        tally.sparse = tally.sparse or scipy.sparse.issparse(batch)
        if not policy.refuses or not tally.counts.any():
            yield batch


def _skipping(batches: Batches, rows: int) -> Iterator[Any]:
    for batch in batches:
        count = int(batch.shape[0])
        if count > rows:
            yield batch[rows:] if rows else batch
        rows = max(rows - count, 0)


def check_tally(tally: Tally, names: Sequence[str], policy: MissingPolicy) -> None:
    """Refuse missing values that nothing was said about, and a table without complete rows."""
    if policy.refuses and tally.counts.any():
        fill = None if tally.sparse else MissingPolicy.filling(takes_text=False)
        raise missing_error(tally.counts, tally.rows, names, fill=fill, complete=tally.complete)
    if policy.drops:
        tally.check_left(names, MissingPolicy.filling(takes_text=False))


def column_means(batches: Batches, names: Sequence[str], policy: MissingPolicy) -> "RunningMeans":
    """Average what is there of every column, in one pass."""
    means = RunningMeans(len(names))
    for batch in map(finite, batches) if policy.takes_infinite else batches:
        missing = _missing_in(batch, names)
        if scipy.sparse.issparse(batch):
            if missing is not None:
                raise TamisError(
                    "A sparse table is not filled with means, it would become dense: fill it "
                    f"before, or pass {spelled('missing', MissingPolicy.DROP)} if few rows have "
                    "missing values."
                )
            continue
        means.add(batch)
    return means


def usable_means(means: "RunningMeans", names: Sequence[str]) -> NDArray[np.float64]:
    """Give the means to fill with; refuse columns that have none."""
    if means.counts.any():
        check_values(-means.counts, 0, names)
    return means.values


class RunningMeans:
    """The means of what is there of some columns, batch by batch."""

    def __init__(self, width: int) -> None:
        self.counts: NDArray[np.intp] = np.zeros(width, dtype=np.intp)
        self.values: NDArray[np.float64] = np.zeros(width)
        self.rows = 0

    def add(self, batch: Any) -> None:
        """Take the numbers of a batch into account; NaN is no number."""
        self.rows += len(batch)
        self.counts = self.counts + (~np.isnan(batch)).sum(axis=0)
        with np.errstate(invalid="ignore"):  # a NaN of a damaged file may be one that signals
            sums = np.nansum(batch - self.values, axis=0, dtype=np.float64)
        self.values = self.values + sums / np.maximum(self.counts, 1)


def as_float64(batch: Any) -> NDArray[np.float64]:
    """Give a dense or sparse batch as a dense one of float64, also where a NaN signals."""
    with np.errstate(invalid="ignore"):
        return np.asarray(batch.toarray() if scipy.sparse.issparse(batch) else batch, np.float64)


def check_values(counts: NDArray[np.intp], rows: int, names: Sequence[str]) -> None:
    """Refuse columns of which as many values are missing as there are rows."""
    empty = [names[j] for j in np.flatnonzero(counts == rows).tolist()]
    if empty:
        raise no_value(empty)


def missing_counts(batch: Any, names: Sequence[str]) -> NDArray[np.intp] | None:
    """Count the missing values of every column, None when there are none; refuse infinities."""
    return _counts(_missing_in(batch, names))


def _counts(missing: _Missing | None) -> NDArray[np.intp] | None:
    return None if missing is None else missing.counts


def _missing_in(batch: Any, names: Sequence[str]) -> _Missing | None:
    """Find the missing cells, None when there are none; refuse infinities."""
    sparse = scipy.sparse.issparse(batch)
    values = batch.data if sparse else batch
    if values.dtype.kind != "f" or _harmless(values):
        return None
    rows, columns = batch.tocoo().coords if sparse else np.nonzero(_odd(values))
    cells = values if sparse else values[rows, columns]
    if sparse:
        odd = _odd(cells)
        rows, columns, cells = rows[odd], columns[odd], cells[odd]
    _check_size(cells, columns, names, sparse=sparse)
    if not len(cells):
        return None
    incomplete = np.zeros(batch.shape[0], dtype=bool)
    incomplete[rows] = True
    return _Missing(np.bincount(columns, minlength=batch.shape[1]), incomplete)


def _harmless(values: Any) -> bool:
    """Check in one fast product that nothing is missing, infinite or too large to square."""
    flat = values.ravel("K")
    return float(np.vdot(flat, flat)) < _LARGEST**2


def _odd(values: Any) -> Any:
    return ~(np.abs(values) <= min(_LARGEST, float(np.finfo(values.dtype).max)))


def check_finite(values: Any, names: Sequence[str]) -> None:
    """Refuse infinite and immense values; missing ones pass."""
    if values.size and not _harmless(values):
        positions = np.nonzero(_odd(values))
        _check_size(values[positions], positions[1], names)


def _check_size(cells: Any, columns: Any, names: Sequence[str], *, sparse: bool = False) -> None:
    large = ~np.isnan(cells)
    if not large.any():
        return
    infinite = sorted({int(j) for j in columns[np.isinf(cells)]})
    if infinite:
        which = [repr(names[j]) for j in infinite]
        more = f" and {len(which) - 5} more" if len(which) > 5 else ""
        what = f"Column {which[0]} has" if len(which) == 1 else f"{len(which)} columns have"
        listed = "" if len(which) == 1 else f" ({', '.join(which[:5])}{more})"
        raise InfiniteValues(
            f"{what} infinite values{listed}: replace them by numbers or mark them missing",
            sparse=sparse,
        )
    j = int(columns[large].min())
    raise TamisError(f"Column {names[j]!r} has values beyond {_LARGEST:g}: use a larger unit.")
