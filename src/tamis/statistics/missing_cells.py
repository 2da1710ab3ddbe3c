"""The cells of a batch that are missing, infinite or too large to add up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import InfiniteValues, TamisError

_LARGEST_SUMMABLE = 1e140  # the squares of a million such values can still be added up


@dataclass(frozen=True, eq=False)
class MissingCells:
    """Where a batch has missing values: how many by column, and which rows have any."""

    counts: NDArray[np.intp]
    rows: NDArray[np.bool_]


def finite(batch: Any) -> Any:
    """Mark infinite values as missing; a batch without any is given back as it is.

    >>> finite(np.array([[1.0, np.inf]]))
    array([[ 1., nan]])
    """
    values = batch.data if scipy.sparse.issparse(batch) else batch
    if values.dtype.kind != "f" or are_harmless(values) or not np.isinf(values).any():
        return batch
    marked = batch.copy()
    cells = marked.data if scipy.sparse.issparse(batch) else marked
    cells[np.isinf(cells)] = np.nan
    return marked


def as_float64(batch: Any) -> NDArray[np.float64]:
    """Give a dense or sparse batch as a dense one of float64, also where a NaN signals."""
    with np.errstate(invalid="ignore"):
        return np.asarray(batch.toarray() if scipy.sparse.issparse(batch) else batch, np.float64)


def count_missing(batch: Any, names: Sequence[str]) -> NDArray[np.intp] | None:
    """Count the missing values of every column, None when there are none; refuse infinities."""
    found = find_missing(batch, names)
    return None if found is None else found.counts


def find_missing(batch: Any, names: Sequence[str]) -> MissingCells | None:
    """Find the missing cells, None when there are none; refuse infinities."""
    sparse = scipy.sparse.issparse(batch)
    values = batch.data if sparse else batch
    if values.dtype.kind != "f" or are_harmless(values):
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
    return MissingCells(np.bincount(columns, minlength=batch.shape[1]), incomplete)


def are_harmless(values: Any) -> bool:
    """Check in one fast product that nothing is missing, infinite or too large to square."""
    flat = values.ravel("K")
    return float(np.vdot(flat, flat)) < _LARGEST_SUMMABLE**2


def _odd(values: Any) -> Any:
    return ~(np.abs(values) <= min(_LARGEST_SUMMABLE, float(np.finfo(values.dtype).max)))


def check_finite(values: Any, names: Sequence[str]) -> None:
    """Refuse infinite and immense values; missing ones pass."""
    if values.size and not are_harmless(values):
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
    raise TamisError(
        f"Column {names[j]!r} has values beyond {_LARGEST_SUMMABLE:g}: use a larger unit."
    )
