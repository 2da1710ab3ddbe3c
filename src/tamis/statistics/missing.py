"""Missing and infinite values: counted and refused, filled with means, or dropped by row."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import TamisError

Batches = Iterable[Any]


@dataclass(frozen=True)
class _Gaps:
    """Where a batch has missing values: how many by column, and which rows have any."""

    counts: NDArray[np.intp]
    rows: NDArray[np.bool_]


def without_missing(
    read: Callable[[], Batches], names: Sequence[str], policy: str
) -> Iterator[Any]:
    """Yield batches free of missing values, or raise one sentence that names the columns."""
    if policy == "error":
        yield from _refused(read(), names)
        return
    fill = _means(read(), names) if policy == "mean" else None
    for batch in read():
        gaps = _gaps(batch, names)
        if gaps is None:
            yield batch
        elif fill is None:
            yield batch[~gaps.rows]
        else:
            yield np.where(np.isnan(batch), fill, batch)


def _refused(batches: Batches, names: Sequence[str]) -> Iterator[Any]:
    counts, rows = np.zeros(len(names), dtype=np.intp), 0
    for batch in batches:
        rows += batch.shape[0]
        gaps = _gaps(batch, names)
        if gaps is not None:
            counts += gaps.counts
        elif not counts.any():
            yield batch
    if counts.any():
        raise TamisError(_sentence(counts, rows, names))


def _sentence(counts: NDArray[np.intp], rows: int, names: Sequence[str]) -> str:
    found = [int(j) for j in np.flatnonzero(counts)]
    advice = 'pass missing="mean" to fill them or missing="drop" to leave out their rows.'
    if len(found) == 1:
        j = found[0]
        values = "value" if counts[j] == 1 else "values"
        return f"Column {names[j]!r} has {counts[j]} missing {values} of {rows}: {advice}"
    listed = ", ".join(f"{names[j]!r} {counts[j]}" for j in found[:5])
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    return f"{len(found)} columns have missing values in {rows} rows ({listed}{more}): {advice}"


def _means(batches: Batches, names: Sequence[str]) -> NDArray[np.float64]:
    """Average what is there of every column, in one pass."""
    counts, mean = np.zeros(len(names)), np.zeros(len(names))
    for batch in batches:
        gaps = _gaps(batch, names)
        if scipy.sparse.issparse(batch):
            if gaps is not None:
                raise TamisError(
                    "A sparse table is not filled with means, it would become dense: pass "
                    'missing="drop", or fill it before.'
                )
            continue
        counts += len(batch) - (0 if gaps is None else gaps.counts)
        sums = np.nansum(batch - mean, axis=0, dtype=np.float64)
        mean += np.divide(sums, counts, out=np.zeros_like(mean), where=counts > 0)
    empty = np.flatnonzero(counts == 0)
    if counts.any() and empty.size:
        raise TamisError(
            f"Column {names[empty[0]]!r} has no value at all: leave it out with exclude."
        )
    return mean


def _gaps(batch: Any, names: Sequence[str]) -> _Gaps | None:
    """Find the missing cells, None when there are none; refuse infinities."""
    sparse = scipy.sparse.issparse(batch)
    values = batch.data if sparse else batch
    with np.errstate(over="ignore"):
        if values.dtype.kind != "f" or np.isfinite(values.sum(dtype=np.float64)):
            return None
    rows, columns = batch.tocoo().coords if sparse else np.nonzero(~np.isfinite(values))
    cells = values if sparse else values[rows, columns]
    if sparse:
        odd = ~np.isfinite(cells)
        rows, columns, cells = rows[odd], columns[odd], cells[odd]
    if np.isinf(cells).any():
        name = names[int(columns[np.isinf(cells)].min())]
        raise TamisError(
            f"Column {name!r} has infinite values: replace them by numbers or mark them missing."
        )
    if not len(cells):
        return None
    with_gap = np.zeros(batch.shape[0], dtype=bool)
    with_gap[rows] = True
    return _Gaps(np.bincount(columns, minlength=batch.shape[1]), with_gap)
